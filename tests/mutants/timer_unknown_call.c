// SPDX-License-Identifier: MIT
// mutant: asks for what the virtual clock cannot do
// chapter: 02 timer
// expect: UNSUPPORTED
// say: cudaLaunchHostFunc
//> todo warm-up
    CHECK(cudaLaunchHostFunc(NULL, (cudaHostFn_t)free, NULL));
//< todo
