// SPDX-License-Identifier: MIT
// mutant: a tree trained on the shapes that grade it
// chapter: 23 tree
// expect: TECHNIQUE
// say: held_out_used +1
// say: fitted to what it is graded by
//> todo examples
    for (int i = 0; i < n; i++)
        order[used++] = i;
//< todo
