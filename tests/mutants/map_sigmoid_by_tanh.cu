// SPDX-License-Identifier: MIT
// mutant: one approximate tanh: 11 bits, and none for large negatives
// chapter: 18 sigmoid
// expect: WRONG rounding|logic
//> todo value
    asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(0.5f * x));
    y = 0.5f * y + 0.5f;
//< todo
