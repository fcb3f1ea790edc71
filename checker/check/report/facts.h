// SPDX-License-Identifier: MIT
/*
 * facts.h: what check knows of the workbook, as lines for scripts.
 *
 *   facts_print    returns an exit code: 0, or 2 when something is amiss
 *
 * `what` is one of these; columns are separated by tabs:
 *
 *   verdicts     NAME CODE right|wrong      in order of precedence, PASS first;
 *                                           right: the results are, so that
 *                                           times and counts mean something
 *   chapters     NN SECTION KEY VALUE       every line of each chapter.conf
 *   holes        FILE NAME FIRST LAST       lines of the opening and closing
 *                                           marks, of starters and solutions
 *   FILE.json    PATH VALUE                 every leaf of a report; elements of
 *                                           an array go by their name, or by
 *                                           their position from 1
 */
#ifndef CHECK_FACTS_H
#define CHECK_FACTS_H

int facts_print(const char *what, const char *root);

#endif
