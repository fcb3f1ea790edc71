// SPDX-License-Identifier: MIT
// mutant: the budget is looked at once, before the search
// chapter: 23 tune
// expect: WRONG
// say: after the budget is used up
//> todo search
    for (int i = 0; i < t->n; i++) {
        if (t->log[i].end == STUDY_UNKNOWN && t->budget_ms > 0)
            t->measure(t, i);
        tried[i] = true;
        if (t->log[i].end == STUDY_OK &&
            (best < 0 || t->log[i].ms < t->log[best].ms))
            best = i;
    }
    (void)most_hopeful(t, tried);
//< todo
