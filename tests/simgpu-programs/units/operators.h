// SPDX-License-Identifier: MIT
/* operators.h: what ok/units_scan.cu and operators.cu share. */
enum { SUM, MOST, XOR, OPERATORS };
typedef int (*binary)(int, int);
extern __device__ binary operators[OPERATORS];
