// SPDX-License-Identifier: MIT
/*
 * issue.c: issue classes by name, and the latency of their results. Interface:
 * state/form.h.
 */
#include "simgpu/core/state/form.h"

#include <stdbool.h>

const char *issue_name(enum issue_class class)
{
    static const char *const names[] = {
#define X(name, word, clocks) word,
        ISSUE_CLASS_LIST(X)
#undef X
    };
    return names[class];
}

unsigned issue_slots(const struct form_work *work)
{
    bool one = !work || work->class == ISSUE_TENSOR ||
               work->class == ISSUE_EXCHANGE;
    return one ? 1 : work->ops;
}

unsigned issue_clocks(enum issue_class class)
{
    static const unsigned clocks_of[] = {
#define X(name, word, clocks) clocks,
        ISSUE_CLASS_LIST(X)
#undef X
    };
    return clocks_of[class];
}
