// SPDX-License-Identifier: MIT
// Which fast paths this machine can run.
#ifndef UTIL_CPU_H
#define UTIL_CPU_H

// Files listed as HOT in the Makefile are compiled once a variant; each
// variant's symbols carry its name.
enum cpu { CPU_PLAIN, CPU_V3 };

// The best variant that this program was built with and this machine runs.
// The environment variable PIPE2048_CPU=plain asks for the portable one.
enum cpu cpu_best(void);

// Whether the machine has the SSE4.2 checksum instruction (and may use it).
int cpu_has_crc(void);

#define CPU_JOIN2(a, b) a##_##b
#define CPU_JOIN(a, b) CPU_JOIN2(a, b)
// In a HOT file: the name with the variant's suffix.
#define CPU_NAME(name) CPU_JOIN(name, VARIANT)

#endif
