// SPDX-License-Identifier: MIT
// mistake: the inputs are never copied to the device
// chapter: 01 program
// expect: MEMORY uninitiali[sz]ed|never written
// say: copy|copied|cudaMemcpy
//> todo copy-in
//< todo
