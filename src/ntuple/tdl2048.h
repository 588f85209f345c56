// SPDX-License-Identifier: MIT
// Weights of the program TDL2048+, in and out.
#ifndef NTUPLE_TDL2048_H
#define NTUPLE_TDL2048_H

#include "ntuple/weights.h"
#include "util/in.h"

// Reads a file of theirs and writes one of ours. 0, or -1.
int tdl2048_import(struct in *in, const char *path);

// Writes weights of a 4x4 network with 16 values in their form. 0, or -1.
int tdl2048_export(const struct weights *w, struct out *out);

#endif
