// SPDX-License-Identifier: MIT
/*
 * remarks.c: failed calls whose errors the program never asked for.
 *
 *   dev_print_remarks   prints them; nothing if there are none
 *
 * A program that provokes errors on purpose clears them (cudaGetLastError) or
 * prints what they mean (cudaGetErrorString), and then nothing is said. But an
 * error that nobody asked for has often gone unnoticed, and what follows from
 * it is wrong in silence. Whether a program looked at a call's return value
 * cannot be seen, so this is a remark: no finding, and no exit status. One line
 * stands for all failures of one call with one error. (Errors of driver calls
 * have no thread: only the return value tells of them.)
 */
#include "device.h"

#include "../errors.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 12 }; /* lines */

struct remark {
    const struct dev_api_error *first;
    size_t times;
};

/* The remark that e repeats, or room for a new one; NULL: no room. */
static struct remark *place_of(struct remark list[MOST], size_t n,
                               const struct dev_api_error *e)
{
    for (size_t k = 0; k < n; k++)
        if (list[k].first->error == e->error &&
            strcmp(list[k].first->call, e->call) == 0)
            return &list[k];
    return n < MOST ? &list[n] : NULL;
}

static void print(const struct remark *r, FILE *out)
{
    const struct dev_api_error *e = r->first;
    const char *name = simgpu_error_name(e->error);
    const char *text = simgpu_error_text(e->error);
    fprintf(out, "========= %s: %s (%s)", e->call, name ? name : "?",
            text ? text : "?");
    if (r->times > 1)
        fprintf(out, ", %zu times", r->times);
    if (e->detail[0])
        fprintf(out, "\n=========     %s%s", r->times > 1 ? "first: " : "",
                e->detail);
    fputc('\n', out);
    dev_print_caller(e, out);
}

void dev_print_remarks(const struct device *dev, FILE *out)
{
    struct remark list[MOST] = {{0}};
    size_t n = 0, calls = 0, more = 0;
    for (size_t i = 0; i < dev->log.n_api_errors; i++) {
        const struct dev_api_error *e = &dev->log.api_errors[i];
        if (e->asked || e->accuses || !e->thread)
            continue;
        struct remark *r = place_of(list, n, e);
        calls++;
        more += !r;
        n += r && !r->first;
        if (r && r->times++ == 0)
            r->first = e;
    }
    const char *s = calls == 1 ? "" : "s";
    if (calls)
        fprintf(out, "========= simgpu (%s): %zu failed call%s whose error%s "
                "nobody asked for, which %s no finding%s\n",
                dev->config.gpu->name, calls, s, s,
                calls == 1 ? "is" : "are", s);
    for (size_t k = 0; k < n; k++)
        print(&list[k], out);
    if (more)
        fprintf(out, "========= and %zu more\n", more);
}
