// SPDX-License-Identifier: MIT
// mutant: the search ends at the first candidate that it measures
// chapter: 23 tune
// expect: TECHNIQUE|WRONG
// say: regret_mean_percent|no candidate is chosen
//> todo search
    for (int i; best < 0 && (i = most_hopeful(t, tried)) >= 0;) {
        tried[i] = true;
        if (t->log[i].end == STUDY_UNKNOWN && t->spent_ms < t->budget_ms)
            t->measure(t, i);
        if (t->log[i].end == STUDY_OK)
            best = i;
    }
    for (int i = 0; i < t->n; i++)
        if (t->log[i].end == STUDY_OK && t->log[i].ms < t->log[best].ms)
            best = i;
//< todo
