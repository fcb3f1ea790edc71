// SPDX-License-Identifier: MIT
/*
 * unawaited.c: see unawaited.h. It reads the source as text, and only to choose
 * a sentence.
 */
#include "unawaited.h"

#include <string.h>

static bool has_any(const char *source, const char *const words[])
{
    for (; *words; words++)
        if (strstr(source, *words))
            return true;
    return false;
}

/* What waits by itself, or by a count of bytes, needs no group. */
bool unawaited_advise(struct text *advice, const char *path, bool copied)
{
    static const char *const copies[] = {"__pipeline_memcpy_async", "cp.async",
                                         NULL};
    static const char *const waits[] = {"__pipeline_wait_prior", "wait_group",
                                        "wait_all", "mbarrier", NULL};
    static const char *const commits[] = {"__pipeline_commit", "commit_group",
                                          "wait_all", "mbarrier", NULL};
    struct text source = {0};
    bool found = file_read(path, &source) &&
                 has_any(text_get(&source), copies);

    if (found && !has_any(source.s, waits))
        text_add(advice, "Nobody waits for the asynchronous copies. "
                 "__pipeline_wait_prior(0) waits for a thread's own; "
                 "a __syncthreads() behind it waits for those of the block's "
                 "other threads.");
    else if (found && !has_any(source.s, commits))
        text_add(advice, "The asynchronous copies are never committed: "
                 "__pipeline_wait_prior() waits for groups that "
                 "__pipeline_commit() has closed, and for nothing else.");
    else if (found && copied)
        text_add(advice, "Wait for this copy before: "
                 "__pipeline_wait_prior(N) leaves the newest N groups under "
                 "way, so that N may be too large, or a __pipeline_commit() is "
                 "missing: a copy belongs to the next group that is committed. "
                 "Or start the copy earlier: one that begins after this wait "
                 "is not waited for by it. Or it goes to a place that is used "
                 "too soon: of several stages the next copy belongs where the "
                 "last round has read. Then a __syncthreads(), if other "
                 "threads read it. And if others may still read what the copy "
                 "overwrites, start it behind the __syncthreads() that follows "
                 "their reads.");
    else if (found)
        text_add(advice, "Is it the target of an asynchronous copy? Then the "
                 "wait before this line is too short, or stands in another "
                 "thread. __pipeline_wait_prior(N) leaves a thread's newest N "
                 "groups under way; what other threads copied is there after "
                 "their wait and a __syncthreads(). If no copy leads there, "
                 "which thread should fill it?");
    text_free(&source);
    return found;
}
