// SPDX-License-Identifier: MIT
// mutant: a tree that asks nothing
// chapter: 23 tree
// expect: WRONG
// say: it asks nothing
// say: tells? the fastest kernel at all
//> todo question
    (void)f, (void)order, (void)n, (void)least, (void)node;
    (void)sort_by;
//< todo
