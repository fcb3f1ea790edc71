// SPDX-License-Identifier: MIT
/*
 * print.c: the log of a private device as text, at the end of its program.
 *
 *   dev_findings   how many findings there are
 *   dev_print      prints them; nothing if there are none
 *
 * A finding here is what a kernel did wrong, a launch that was refused, kernels
 * that cannot be loaded, a cudaFree of memory that is not allocated, a copy
 * whose two ends overlap, or what the host does to a copy's target too early.
 * Other failed calls are listed along with findings; if there are none, only
 * those whose errors nobody asked for (remarks.c). Notes (writes of equal
 * values) are listed behind the findings, and are none: the exit status does
 * not know them.
 */
#include "device.h"

#include "../core/words.h"
#include "../errors.h"
#include "../wire.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BAR "========= "

static bool is_note(const struct dev_thing *x)
{
    return x->finding && finding_is_note(x->finding->kind);
}

static bool is_finding(const struct dev_thing *x)
{
    return !x->suppressed && !is_note(x) &&
           (!x->call || x->call->accuses);
}

static size_t findings(const struct dev_merged *all)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++)
        n += is_finding(&all->thing[i]);
    return n;
}

size_t dev_findings(const struct device *dev)
{
    struct dev_merged all = dev_merge(dev);
    size_t n = findings(&all);
    dev_merge_free(&all);
    return n;
}

/* ", 12 times in 3 launches" */
static void print_times(FILE *out, const struct dev_thing *x, const char *what)
{
    if (x->count > 1)
        fprintf(out, ", %" PRIu64 " times", x->count);
    if (x->launches > 1 && what)
        fprintf(out, " in %zu %s", x->launches, what);
}

static void print_place(FILE *out, const struct site *site)
{
    if (site->file)
        fprintf(out, "%s:%d", site->file, site->line);
    else
        fputs("a line unknown (build with -lineinfo)", out);
    if (site->call_file)
        fprintf(out, ", called at %s:%d", site->call_file, site->call_line);
    fprintf(out, ", thread (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")",
            site->thread[0], site->thread[1], site->thread[2]);
}

static const char *access_of(const struct site *site)
{
    return site->frees    ? "free"
           : site->atomic ? "atomic"
           : site->write  ? "write" : "read";
}

static const char *article(const struct site *site)
{
    return site->atomic ? "an" : "a";
}

/* Names what the address lies in: an array, an allocation, or nothing. */
static void print_target(FILE *out, const struct finding *f)
{
    if (f->array) {
        char *name = dev_demangle(f->array);
        fprintf(out, " at byte %" PRId64 " of %s (%" PRIu64 " bytes)",
                f->offset, name, f->array_bytes);
        free(name);
    } else if (f->allocation) {
        fprintf(out, " at byte %" PRId64 " of allocation %" PRId64
                " (%" PRIu64 " bytes)", f->offset, f->allocation,
                f->array_bytes);
    } else {
        fprintf(out, " at address 0x%" PRIx64, f->address);
    }
}

static bool differs_in_width(const struct finding *f)
{
    return f->other.bytes && f->other.bytes != f->bytes;
}

static void print_access(FILE *out, const struct finding *f)
{
    fprintf(out, "\n" BAR "    %s of %" PRIu32 " byte%s", access_of(&f->at),
            f->bytes, f->bytes == 1 ? "" : "s");
    if (!f->at.frees || f->at.file) /* the host's frees are of any memory */
        fprintf(out, " in %s memory", engine_space_word(f->space));
    fputs(differs_in_width(f) ? ", overlapping" : "", out);
    print_target(out, f);
}

/* Two nodes of one launch of a graph: on one stream all else is in order. */
static bool is_of_one_graph(const struct finding *f)
{
    uint64_t differ = f->stream ^ f->other_stream;
    return f->stream & f->other_stream & SIMWIRE_BRANCH &&
           !(uint32_t)differ && !(differ >> SIMWIRE_THREAD);
}

/* The other access, but for its line: "against a write of 2 bytes ". */
static void print_against(FILE *out, const struct finding *f)
{
    fprintf(out, "\n" BAR "    against %s %s ", article(&f->other),
            access_of(&f->other));
    if (differs_in_width(f))
        fprintf(out, "of %" PRIu32 " byte%s ", f->other.bytes,
                f->other.bytes == 1 ? "" : "s");
}

/* The default streams of threads, in the order of their first use, have one
 * handle. */
static void print_stream(FILE *out, uint64_t stream)
{
    bool branch = stream & SIMWIRE_BRANCH;
    unsigned shift = branch ? SIMWIRE_THREAD : SIMWIRE_PART;
    uint32_t thread = (uint32_t)(stream >> shift) & 1023;
    if ((uint32_t)stream == SIMWIRE_PER_THREAD)
        fprintf(out, "the default stream of thread %" PRIu32, thread + 1);
    else
        fprintf(out, "stream %" PRIu32, (uint32_t)stream);
    fputs(branch ? ", in a graph" : "", out);
}

/* The other access of a race between streams: by a kernel, a copy, ... */
static void print_other_stream(FILE *out, const struct finding *f)
{
    char *name = dev_demangle(f->other_kernel);
    print_against(out, f);
    if (f->other.file)
        fprintf(out, "at %s:%d, in %s", f->other.file, f->other.line, name);
    else
        fprintf(out, "by %s", name);
    free(name);
    if (is_of_one_graph(f)) {
        fputs("\n" BAR "    nothing orders the two: they are two nodes of a "
              "graph without an edge between them", out);
        return;
    }
    fputs(" on ", out);
    print_stream(out, f->other_stream);
    fputs("\n" BAR "    nothing orders the two; this one is on ", out);
    print_stream(out, f->stream);
}

static void print_other(FILE *out, const struct finding *f)
{
    if (f->other_kernel) {
        print_other_stream(out, f);
        return;
    }
    print_against(out, f);
    fputs("at ", out);
    print_place(out, &f->other);
}

static void print_finding(FILE *out, const struct device *dev,
                          const struct dev_thing *x)
{
    const struct finding *f = x->finding;
    char *kernel = dev_demangle(f->kernel);
    fprintf(out, BAR "%s in %s, block (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")",
            engine_finding_word(f->kind), kernel, f->block[0], f->block[1],
            f->block[2]);
    print_times(out, x, "launches");
    fputs("\n" BAR "    at ", out);
    print_place(out, &f->at);
    if (f->bytes)
        print_access(out, f);
    if (finding_has_other(f->kind))
        print_other(out, f);
    if (f->detail[0])
        fprintf(out, "\n" BAR "    %s", f->detail);
    if (f->kind == FIND_BUDGET)
        fputs("\n" BAR "    SIMGPU_BUDGET allows more; 0: no limit", out);
    fputc('\n', out);
    dev_print_origins(dev, f, out);
    free(kernel);
}

/* A race between streams whose later access is a copy, a memset or a free. */
static void print_work(FILE *out, const struct finding *f)
{
    fprintf(out, BAR "%s in %s, stream %" PRIu32, engine_finding_word(f->kind),
            f->kernel, (uint32_t)f->stream);
    print_access(out, f);
    print_other_stream(out, f);
    fputc('\n', out);
}

static void print_refused(FILE *out, const struct dev_thing *x)
{
    const struct dev_launch *l = x->launch;
    char *kernel = dev_demangle(l->kernel);
    fprintf(out, BAR "launch of %s refused: %s (%s)", kernel,
            simgpu_error_name(l->error), simgpu_error_text(l->error));
    print_times(out, x, NULL);
    fprintf(out, "\n" BAR "    grid (%" PRIu32 ",%" PRIu32 ",%" PRIu32
            "), block (%" PRIu32 ",%" PRIu32 ",%" PRIu32
            "), %zu bytes of dynamic shared memory\n",
            l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1],
            l->block[2], l->dynamic_shared);
    if (l->reason[0])
        fprintf(out, BAR "    %s\n", l->reason);
    dev_print_caller(&(struct dev_api_error){.caller = l->caller}, out);
    free(kernel);
}

static void print_call(FILE *out, const struct dev_thing *x)
{
    const struct dev_api_error *e = x->call;
    const char *name = simgpu_error_name(e->error);
    bool below = !e->error || x->differs;
    fprintf(out, BAR "%s", e->call);
    if (e->error)
        fprintf(out, ": %s", name ? name : "?");
    if (!below)
        fprintf(out, "%s%s", e->detail[0] ? ": " : "", e->detail);
    print_times(out, x, NULL);
    if (below)
        fprintf(out, "\n" BAR "    %s%s", x->differs ? "first: " : "",
                e->detail);
    fputc('\n', out);
    dev_print_caller(e, out);
}

static void print_thing(FILE *out, const struct device *dev,
                        const struct dev_thing *x)
{
    if (x->call)
        print_call(out, x);
    else if (!x->finding)
        print_refused(out, x);
    else if (x->launch)
        print_finding(out, dev, x);
    else
        print_work(out, x->finding);
}

/* What of equal writes no note tells. */
static void print_unlisted(FILE *out, const struct dev_log *log)
{
    uint64_t n = 0;
    for (size_t i = 0; i < log->n_launches; i++)
        n += log->launches[i].ran ? log->launches[i].report.unlisted : 0;
    if (n)
        fprintf(out, BAR "simgpu: %" PRIu64 " more equal writes are not "
                "listed: there is no room for more pairs of lines\n", n);
}

/* What kernels printed since the program last waited for one. */
static void print_unseen(FILE *out, size_t bytes)
{
    if (bytes)
        fprintf(out, BAR "simgpu: kernels printed %zu bytes that nobody saw: "
                "the program ended before it waited for them "
                "(cudaDeviceSynchronize)\n", bytes);
}

static void print_notes(FILE *out, const struct device *dev,
                        const struct dev_merged *all)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++)
        n += is_note(&all->thing[i]) && !all->thing[i].suppressed;
    if (n)
        fprintf(out, BAR "simgpu (%s): %zu note%s, which %s no finding%s\n",
                dev->config.gpu->name, n, n == 1 ? "" : "s",
                n == 1 ? "is" : "are", n == 1 ? "" : "s");
    for (size_t i = 0; n && i < all->n; i++)
        if (is_note(&all->thing[i]) && !all->thing[i].suppressed)
            print_thing(out, dev, &all->thing[i]);
    print_unlisted(out, &dev->log);
}

/* How many there are of each kind that were not printed. */
static void print_rest(FILE *out, const struct dev_merged *all, size_t from)
{
    size_t by_kind[N_FINDING_KINDS] = {0}, others = 0;
    const char *before = "";
    for (size_t i = from; i < all->n; i++) {
        const struct dev_thing *x = &all->thing[i];
        if (is_note(x) || x->suppressed)
            continue;
        if (x->finding)
            by_kind[x->finding->kind]++;
        else
            others++;
    }
    fputs(BAR "and more, which the report of --report has: ", out);
    for (int k = 0; k < N_FINDING_KINDS; k++)
        if (by_kind[k]) {
            fprintf(out, "%s%zu %s", before, by_kind[k],
                    engine_finding_word((enum finding_kind)k));
            before = ", ";
        }
    if (others)
        fprintf(out, "%s%zu calls", before, others);
    fputc('\n', out);
}

void dev_print(const struct device *dev, FILE *out)
{
    enum { MOST = 100 }; /* nobody reads more */
    struct dev_merged all = dev_merge(dev);
    size_t n = findings(&all), printed = 0;
    if (n)
        fprintf(out, BAR "simgpu (%s): %zu finding%s\n", dev->config.gpu->name,
                n, n == 1 ? "" : "s");
    for (size_t i = 0; n && i < all.n; i++) {
        if (all.thing[i].suppressed || is_note(&all.thing[i]))
            continue;
        if (printed++ == MOST) {
            print_rest(out, &all, i);
            break;
        }
        print_thing(out, dev, &all.thing[i]);
    }
    if (!n)
        dev_print_remarks(dev, out);
    print_notes(out, dev, &all);
    print_unseen(out, dev->text_bytes);
    size_t suppressed = 0;
    for (size_t i = 0; i < all.n; i++)
        suppressed += all.thing[i].suppressed;
    if (dev->suppressions)
        dev_print_suppressed(dev->suppressions, suppressed, out);
    dev_merge_free(&all);
    fflush(out);
}
