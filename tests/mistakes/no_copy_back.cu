// SPDX-License-Identifier: MIT
// mistake: the result is never copied back
// chapter: 01 program
// expect: WRONG unwritten|copied back|cudaMemcpy
// say: copied back|copy.*back|cudaMemcpy
//> todo copy-back
//< todo
