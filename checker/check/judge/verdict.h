// SPDX-License-Identifier: MIT
/*
 * verdict.h: the words a check ends with, in order of precedence.
 *
 *   verdict_find      "TIMEOUT" -> its number, or -1
 *   verdict_table     name, exit code, meaning and advice of each
 *   verdict_first     which of two comes first
 *
 * VERDICT_PASS is 0 so that a zeroed result is not yet a failure; a kernel
 * that was not run has no verdict and is never counted as passed.
 */
#ifndef CHECK_VERDICT_H
#define CHECK_VERDICT_H

#include <stdbool.h>

enum verdict {
    VERDICT_PASS,
    VERDICT_BUILD,
    VERDICT_UNSUPPORTED,
    VERDICT_LAUNCH,
    VERDICT_CRASH,
    VERDICT_TIMEOUT,
    VERDICT_MEMORY,
    VERDICT_RACE,
    VERDICT_WRONG,
    VERDICT_NONDETERMINISTIC,
    VERDICT_TECHNIQUE,
    VERDICT_SLOW,
    VERDICT_REFUSED,
    VERDICTS,
};

enum owner { OWNER_YOU, OWNER_MACHINE, OWNER_WORKBOOK, OWNERS };

struct verdict_row {
    const char *name;
    int exit_code;
    enum owner owner;     /* usually; a run may know better */
    bool right;           /* the results are: times and counts mean something */
    const char *meaning;  /* one line, after the word */
    const char *advice;   /* what to do next */
};

extern const struct verdict_row verdict_table[VERDICTS];
extern const char *const owner_names[OWNERS];  /* as in the JSON report */
extern const char *const owner_phrases[OWNERS]; /* as in a sentence */

/* After the word; a verdict that is the machine's fault says so. */
const char *verdict_meaning(enum verdict verdict, enum owner owner);
int verdict_find(const char *name);
/* The one that comes first in the order of precedence; PASS is last. */
enum verdict verdict_first(enum verdict a, enum verdict b);

#endif
