// SPDX-License-Identifier: MIT
// mutant: what an interrupted search has measured is measured again
// chapter: 23 tune
// expect: WRONG
// say: measured again
//> todo search
    for (int i; (i = most_hopeful(t, tried)) >= 0;) {
        tried[i] = true;
        if (t->spent_ms >= t->budget_ms ||
            (best >= 0 && model_ms(t->shape, &t->kernels[i], t->gpu) >
                              t->log[best].ms))
            break;
        t->measure(t, i);
        if (t->log[i].end == STUDY_OK &&
            (best < 0 || t->log[i].ms < t->log[best].ms))
            best = i;
    }
//< todo
