// SPDX-License-Identifier: MIT
/* record.c: the recorder. Interface and format: record.h. */
#include "record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *file;
static struct {
    void *data;
    size_t n;
} last[N_BUFFERS]; /* what was written, to say "the same" */

void record_open(const char *path)
{
    file = fopen(path, "wb");
    if (!file) {
        perror(path);
        exit(1);
    }
}

void record_close(void)
{
    if (file && fclose(file)) {
        perror("the record");
        exit(1);
    }
    file = NULL;
}

bool record_wanted(void)
{
    return file != NULL;
}

static void put(const void *data, size_t n)
{
    if (n && fwrite(data, n, 1, file) != 1) {
        perror("the record");
        exit(1);
    }
}

static void event(enum event_kind kind, uint32_t which, const void *data,
                  size_t n)
{
    const struct event e = {kind, which, n};
    put(&e, sizeof e);
    put(data, n);
}

void record_engine(uint64_t seed)
{
    if (file)
        event(EVENT_ENGINE, 0, &seed, sizeof seed);
}

void record_buffer(uint32_t which, uint64_t bytes)
{
    if (file)
        event(EVENT_BUFFER, which, &bytes, sizeof bytes);
}

void record_write(uint32_t which, const void *data, size_t n)
{
    if (!file)
        return;
    if (last[which].n == n && memcmp(last[which].data, data, n) == 0) {
        event(EVENT_WRITE, which, NULL, 0);
        return;
    }
    event(EVENT_WRITE, which, data, n);
    last[which].data = realloc(last[which].data, n);
    last[which].n = n;
    if (!last[which].data)
        abort();
    memcpy(last[which].data, data, n);
}

void record_launch(const struct launch_event *launch, const char *ptx)
{
    if (!file)
        return;
    const struct event e = {EVENT_LAUNCH, 0, sizeof *launch + strlen(ptx)};
    put(&e, sizeof e);
    put(launch, sizeof *launch);
    put(ptx, strlen(ptx));
}

void record_results(uint32_t which, const void *data, size_t n,
                    const char *field)
{
    if (!file)
        return;
    struct results_event r = {.bytes = n,
                              .digest = record_digest(data, n, field)};
    strncpy(r.field, field, sizeof r.field - 1);
    event(EVENT_RESULTS, which, &r, sizeof r);
}

void record_tap(const char *name)
{
    if (file)
        event(EVENT_TAP, 0, name, strlen(name));
}
