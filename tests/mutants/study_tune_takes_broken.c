// SPDX-License-Identifier: MIT
// mutant: a time of a wrong result counts
// chapter: 23 tune
// expect: WRONG
// say: a candidate is chosen that is broken
//> todo search
    for (int i; (i = most_hopeful(t, tried)) >= 0;) {
        tried[i] = true;
        if (t->spent_ms >= t->budget_ms)
            break;
        if (t->log[i].end == STUDY_UNKNOWN)
            t->measure(t, i);
        if (best < 0 || t->log[i].end == STUDY_WRONG ||
            t->log[i].ms < t->log[best].ms)
            best = i;
    }
//< todo
