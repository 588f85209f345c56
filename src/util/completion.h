// SPDX-License-Identifier: MIT
// Shell completion of a command, made from its option table.
#ifndef UTIL_COMPLETION_H
#define UTIL_COMPLETION_H

#include <stdio.h>

#include "util/command.h"

enum completion_shell { COMPLETION_BASH, COMPLETION_ZSH };

// Writes the script that completes the command: its own options and the common
// ones, the words and files that they take, and files as operands.
void completion_print(FILE *to, enum completion_shell shell, const struct command *command,
                      const struct option_spec *common);

#endif
