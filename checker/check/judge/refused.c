// SPDX-License-Identifier: MIT
/*
 * refused.c: see refused.h.
 *
 * CUDA's error names no cause. The launch itself does: its grid, its block and
 * its shared memory, beside what the GPU has.
 */
#include "refused.h"

#include <ctype.h>
#include <string.h>

#include "said.h"

static bool attribute_failed(const json_t *report)
{
    json_t *e;
    size_t i;

    json_array_foreach(json_object_get(report, "api_errors"), i, e)
        if (strncmp(finding_str(e, "call"), "cudaFuncSetAttribute",
                    strlen("cudaFuncSetAttribute")) == 0)
            return true;
    return false;
}

enum { UNASKED_SHARED = 49152 }; /* bytes that each block can have */

/* More than a block gets unasked. */
static void explain_shared(struct text *t, struct text *advice,
                           const json_t *report, const json_t *launch,
                           long long shared, long long own)
{
    long long most = json_integer_value(
        json_object_get(report, "block_shared"));
    long long allowed = json_integer_value(
        json_object_get(launch, "allowed_shared"));

    text_add(t, "  %lld bytes of dynamic shared memory", shared);
    if (own > 0)
        text_add(t, " beside %lld static ones, %lld in\n  all", own,
                 shared + own);
    text_add(t, "; at most %d (48 KiB)\n  unless cudaFuncSetAttribute allows "
             "more, and on this GPU at most %lld\n", UNASKED_SHARED, most);
    if (attribute_failed(report))
        text_add(t, "  cudaFuncSetAttribute failed\n");
    else if (allowed > UNASKED_SHARED - own)
        text_add(t, "  cudaFuncSetAttribute allowed %lld dynamic ones\n",
                 allowed);
    else if (shared + own <= most)
        text_add(t, "  cudaFuncSetAttribute was not called for it\n");
    if (shared + own > most)
        text_add(advice, "A block of this GPU cannot have so much: choose "
                 "smaller tiles, or hold fewer of them at a time.");
    else
        text_add(advice, "Before the launch, cudaFuncSetAttribute(%s, "
                 "cudaFuncAttributeMaxDynamicSharedMemorySize, %lld) has to "
                 "allow them.", finding_str(launch, "name"), shared);
}

/* What a real device allows; the usual reasons for a refusal. */
static void explain_refusal(struct text *t, struct text *advice,
                            const json_t *report, const json_t *launch)
{
    static const char *const axes[] = {"x", "y", "z"};
    static const long long block_most[] = {1024, 1024, 64};
    static const long long grid_most[] = {2147483647, 65535, 65535};
    const json_t *grid = json_object_get(launch, "grid");
    const json_t *block = json_object_get(launch, "block");
    long long shared = json_integer_value(
        json_object_get(launch, "dynamic_shared"));
    long long own = json_integer_value(
        json_object_get(launch, "static_shared"));
    long long threads = 1, blocks = 1;
    const char *aside = NULL; /* y or z, if too long */

    for (size_t i = 0; i < 3; i++) {
        long long g = json_integer_value(json_array_get(grid, i));
        long long b = json_integer_value(json_array_get(block, i));

        threads *= b;
        blocks *= g;
        if (g == 0 || b == 0)
            text_add(t, "  %s %s is 0: no %s at all\n",
                     g == 0 ? "grid" : "block", axes[i],
                     g == 0 ? "blocks" : "threads");
        if (b > block_most[i])
            text_add(t, "  block %s is %lld; at most %lld\n", axes[i], b,
                     block_most[i]);
        if (g > grid_most[i]) {
            text_add(t, "  grid %s is %lld; at most %lld\n", axes[i], g,
                     grid_most[i]);
            aside = i > 0 ? axes[i] : aside;
        }
    }
    if (threads > 1024)
        text_add(t, "  %lld threads per block; at most 1024\n", threads);
    if (threads > 1024)
        text_add(advice, "Choose a smaller block, and more of them: "
                 "<<<blocks, threads in a block>>>.");
    else if (blocks == 0)
        text_add(advice, "Round up, so that a partial block counts: "
                 "(n + threads - 1) / threads. If you do, then n itself is 0 "
                 "here (no whole vector or tile, say): launch at least one "
                 "block.");
    else if (aside)
        text_add(advice, "Number the blocks along x alone, which may have "
                 "2^31 - 1 of them; or launch at most 65535, and let each go "
                 "on with the row that is gridDim.%s further, while there is "
                 "one.", aside);
    else if (shared > 0 && shared + own > UNASKED_SHARED)
        explain_shared(t, advice, report, launch, shared, own);
    else
        text_add(advice, "Print the grid, the block and the shared bytes "
                 "before the launch.");
}

/* The line that launches a kernel: NAME<<<, or NAME<...><<<. */
static int line_of_launch(const char *source, const char *name)
{
    size_t n = strlen(name);
    int line = 1;

    for (const char *p = source; *p; p++) {
        line += *p == '\n';
        if (strncmp(p, name, n) == 0 && p[n] == '<' &&
            (p == source || !(isalnum((unsigned char)p[-1]) || p[-1] == '_')) &&
            memmem(p, strcspn(p, "\n"), "<<<", 3))
            return line;
    }
    return 0;
}

static void say_launch_line(struct text *t, const char *path, const char *name)
{
    struct text source = {0};
    int line = file_read(path, &source) ? line_of_launch(source.s, name) : 0;

    if (line) {
        text_add(t, "  %s:%d\n", path, line);
        said_line(t, path, path, line);
    }
    text_free(&source);
}

void refused_blame(struct kernel_result *r, const json_t *report,
                   const json_t *launch, const struct test_case *c)
{
    struct text *t = result_blame(r, VERDICT_LAUNCH, OWNER_YOU, c->number);
    const json_t *grid, *block;

    if (!t)
        return;
    grid = json_object_get(launch, "grid");
    block = json_object_get(launch, "block");
    text_add(t, "CUDA refused the launch of %s: %s\n",
             finding_str(launch, "name"), finding_str(launch, "error"));
    say_launch_line(t, r->source, finding_str(launch, "name"));
    text_add(t, "  grid (%lld,%lld,%lld), block (%lld,%lld,%lld), %lld bytes "
             "of dynamic shared memory\n",
             (long long)json_integer_value(json_array_get(grid, 0)),
             (long long)json_integer_value(json_array_get(grid, 1)),
             (long long)json_integer_value(json_array_get(grid, 2)),
             (long long)json_integer_value(json_array_get(block, 0)),
             (long long)json_integer_value(json_array_get(block, 1)),
             (long long)json_integer_value(json_array_get(block, 2)),
             (long long)json_integer_value(
                 json_object_get(launch, "dynamic_shared")));
    explain_refusal(t, &r->advice, report, launch);
    text_add(t, "  at ");
    case_name(t, r->conf->op, c);
    text_add(t, "\n");
}
