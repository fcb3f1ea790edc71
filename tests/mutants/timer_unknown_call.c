// SPDX-License-Identifier: MIT
// mutant: makes a call that the virtual clock lacks
// chapter: 02 timer
// expect: UNSUPPORTED
// say: cudaLaunchHostFunc
//> todo warm-up
    CHECK(cudaLaunchHostFunc(NULL, (cudaHostFn_t)free, NULL));
//< todo
