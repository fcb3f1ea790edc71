// SPDX-License-Identifier: MIT
/*
 * mark.h: names for what a program is doing, for `make profile`.
 *
 *   mark_begin, mark_end   a phase, within the phase that is open
 *
 * They do nothing unless the profiler is loaded, which defines the two symbols
 * that are weak here.
 */
#ifndef WB_PROFILE_MARK_H
#define WB_PROFILE_MARK_H

__attribute__((weak)) void profile_begin(const char *name);
__attribute__((weak)) void profile_end(void);

static inline void mark_begin(const char *name)
{
    if (profile_begin)
        profile_begin(name);
}

static inline void mark_end(void)
{
    if (profile_end)
        profile_end();
}

#endif
