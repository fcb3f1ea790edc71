// SPDX-License-Identifier: MIT
/*
 * verdict.c: the table of verdicts; see verdict.h.
 */
#include "verdict.h"

#include <string.h>

/* Exit codes follow the order of precedence: 10, 11, ...; 0 is PASS. */
const struct verdict_row verdict_table[VERDICTS] = {
    [VERDICT_PASS] = {"PASS", 0, OWNER_YOU, true, "every check passed", ""},
    [VERDICT_BUILD] = {"BUILD", 10, OWNER_YOU, false, "it does not compile",
        "Mend the first error above; later ones often follow from it."},
    [VERDICT_UNSUPPORTED] = {"UNSUPPORTED", 11, OWNER_WORKBOOK, false,
        "the simulated GPU cannot run this",
        "Check it on a GPU (DEVICE=gpu), or write that line another way."},
    [VERDICT_LAUNCH] = {"LAUNCH", 12, OWNER_YOU, false,
        "the kernel did not start",
        "Look at the grid, block and shared memory of the <<<...>>>."},
    [VERDICT_CRASH] = {"CRASH", 13, OWNER_YOU, false, "the program died",
        "A stage only launches and returns: look at its host code."},
    [VERDICT_TIMEOUT] = {"TIMEOUT", 14, OWNER_YOU, false, "it did not end",
        "Look for a loop whose condition never turns false."},
    [VERDICT_MEMORY] = {"MEMORY", 15, OWNER_YOU, false,
        "it touches memory that it must not",
        "Compare the index on that line with the extent it runs over."},
    [VERDICT_RACE] = {"RACE", 16, OWNER_YOU, false,
        "two accesses of one address, in no fixed order",
        "Put a __syncthreads() between the two accesses."},
    [VERDICT_WRONG] = {"WRONG", 17, OWNER_YOU, false, "the result is wrong",
        "Follow one wrong cell by hand through your code."},
    [VERDICT_NONDETERMINISTIC] = {"NONDETERMINISTIC", 18, OWNER_YOU, false,
        "the result depends on the order in which blocks run",
        "Give every output one owner, or sum in a fixed order."},
    [VERDICT_TECHNIQUE] = {"TECHNIQUE", 19, OWNER_YOU, true,
        "right, but not yet this chapter's technique",
        "Look up in the lesson what the missed gate counts."},
    [VERDICT_SLOW] = {"SLOW", 20, OWNER_YOU, true,
        "right, but not fast enough",
        "Read the sentence above: it names what binds."},
    [VERDICT_REFUSED] = {"REFUSED", 21, OWNER_YOU, false,
        "it breaks a rule that every stage must keep",
        "The rules of a stage: it launches on its stream, allocates nothing, "
        "leaves its inputs alone."},
};

const char *const owner_names[OWNERS] = {"you", "machine", "workbook"};
const char *const owner_phrases[OWNERS] = {"your code", "this machine",
                                           "the workbook"};

const char *verdict_meaning(enum verdict verdict, enum owner owner)
{
    return owner == OWNER_MACHINE ? "this machine cannot do it"
                                  : verdict_table[verdict].meaning;
}

int verdict_find(const char *name)
{
    for (int v = 0; v < VERDICTS; v++)
        if (strcmp(verdict_table[v].name, name) == 0)
            return v;
    return -1;
}

enum verdict verdict_first(enum verdict a, enum verdict b)
{
    if (a == VERDICT_PASS || b == VERDICT_PASS)
        return a == VERDICT_PASS ? b : a;
    return a < b ? a : b;
}
