// SPDX-License-Identifier: MIT
// mutant: every candidate is measured
// chapter: 23 tune
// expect: TECHNIQUE
// say: measured_percent
//> todo search
    for (int i; (i = most_hopeful(t, tried)) >= 0;) {
        tried[i] = true;
        if (t->log[i].end == STUDY_UNKNOWN && t->spent_ms < t->budget_ms)
            t->measure(t, i);
        if (t->log[i].end == STUDY_OK &&
            (best < 0 || t->log[i].ms < t->log[best].ms))
            best = i;
    }
//< todo
