// SPDX-License-Identifier: MIT
// mutant: the largest factor of the bad run, whatever the good one has
// chapter: 23 cause
// expect: WRONG
// say: the cause is
//> todo largest
    enum study_cause cause = STUDY_NO_CAUSE;
    double most = 1.2;

    (void)good;
    for (int i = STUDY_ALIGNMENT; i <= STUDY_LAUNCH; i++)
        if (factor((enum study_cause)i, bad, gpu) > most) {
            most = factor((enum study_cause)i, bad, gpu);
            cause = (enum study_cause)i;
        }
    return cause;
//< todo
