// SPDX-License-Identifier: MIT
// mutant: parts are stored where nothing was asked for
// chapter: 15 split
// expect: MEMORY|LAUNCH|CRASH
// shape: M130 N131 K200
    //> todo workspace (about 2 lines)
    (void)shape;
    return 0;
    //< todo
