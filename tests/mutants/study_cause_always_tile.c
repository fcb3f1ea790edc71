// SPDX-License-Identifier: MIT
// mutant: tiles are blamed for everything
// chapter: 23 cause
// expect: WRONG
// say: it says STUDY_TILE
//> todo largest
    (void)good, (void)bad, (void)gpu;
    return STUDY_TILE;
//< todo
