// SPDX-License-Identifier: MIT
// mutant: a cliff beside the neighbour on the right alone
// chapter: 23 map
// expect: WRONG
// say: cliff, but its share
//> todo cliff
    const struct study_cell *cell = &cells[row * across + col];

    (void)down;
    return col + 1 < across && cell->share < 0.5 * cell[1].share;
//< todo
