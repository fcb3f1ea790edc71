// SPDX-License-Identifier: MIT
/*
 * print.c: prints an analysis as a table, with its formulas; see analysis.h.
 */
#include "analysis.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

double analysis_ms(const struct analysed *k)
{
    if (k->measured)
        return k->ms.median;
    return isnan(k->predicted_ms) ? k->place.at_least * 1e3 : k->predicted_ms;
}

const char *analysis_word(const struct analysed *k)
{
    if (k->measured)
        return "measured";
    return isnan(k->predicted_ms) ? "MODEL, at least" : "PREDICTED";
}

void analysis_shape(const struct analysis *a, char *text, size_t size)
{
    for (int i = 1; i < a->n; i++)
        if (memcmp(&a->kernels[i].timed, &a->kernels[0].timed,
                   sizeof a->kernels[0].timed) != 0) {
            snprintf(text, size, "the chapter's own shapes");
            return;
        }
    op_format_shape(a->kernels[0].conf->op, &a->kernels[0].timed, text, size);
}

/* A cell of the table; a dash if the number is unknown. A large one has no
 * decimals, so that a blank is left before it. */
static void cell(int width, double value, const char *format)
{
    char text[32];

    snprintf(text, sizeof text, format, value);
    if ((int)strlen(text) >= width)
        snprintf(text, sizeof text, "%.0f", value);
    if ((int)strlen(text) >= width)
        snprintf(text, sizeof text, "%.2g", value);
    printf("%*s", width, isnan(value) ? "-" : text);
}

static const char *ms_format(double ms)
{
    return ms < 0.1 ? "%.4f" : ms < 10 ? "%.3f" : "%.1f";
}

static double step_ms(const struct analysis *a)
{
    double sum = 0;

    for (int i = 0; i < a->n; i++)
        if (a->kernels[i].in_step)
            sum += analysis_ms(&a->kernels[i]);
    return sum;
}

static const char *time_head(const struct analysis *a)
{
    if (a->measured)
        return "ms";
    return a->predicted_gpu[0] ? "PREDICTED" : "at least";
}

/* Of the first column: the longest name, and a blank. */
static int name_width(const struct analysis *a)
{
    int width = 12;

    for (int i = 0; i < a->n; i++) {
        int n = (int)strlen(a->kernels[i].conf->name) + 1;
        width = n > width ? n : width;
    }
    return width;
}

static void print_head(const struct analysis *a)
{
    char shape[128];
    int wide = name_width(a);

    analysis_shape(a, shape, sizeof shape);
    printf("Analysis of %s at %s\n", a->source, shape);
    if (a->measured)
        printf("Measured on the %s, without a profiler.\n\n", a->gpu);
    else
        printf("MODEL: no GPU measured this. Ceilings of the %s.\n\n",
               a->roofs_gpu);
    printf("%-*s%9s%7s%9s%10s%8s%8s%8s%9s\n", wide, "path",
           time_head(a), "share",
           "needs", "moves", "x", "GB/s", "x copy", "of roof");
    printf("%-*s%9s%7s%9s%10s%8s%8s%8s%9s\n", wide, "", "",
           "", "MB", "MB", "", "",
           "", "");
}

static void print_row(const struct analysis *a, const struct analysed *k)
{
    double ms = analysis_ms(k);

    printf("%-*s", name_width(a), k->conf->name);
    cell(9, ms, ms_format(ms));
    cell(7, k->in_step ? 100 * ms / step_ms(a) : NAN, "%.0f %%");
    cell(9, k->path.needs * 1e-6, "%.1f");
    cell(10, k->path.moves * 1e-6, "%.1f");
    cell(8, k->path.moves / k->path.needs, "%.2f");
    cell(8, k->place.bandwidth * 1e-9, "%.0f");
    cell(8, k->place.over_copy, "%.2f");
    cell(9, 100 * k->place.of_roof, "%.0f %%");
    printf("\n");
}

static void print_step(const struct analysis *a)
{
    double needs = 0, ms = step_ms(a);
    int parts = 0;

    for (int i = 0; i < a->n; i++)
        if (a->kernels[i].in_step) {
            needs += a->kernels[i].path.needs;
            parts++;
        }
    if (parts < 2)
        return;
    printf("%-*s", name_width(a), "step");
    cell(9, ms, ms_format(ms));
    cell(7, 100, "%.0f %%");
    cell(9, needs * 1e-6, "%.1f");
    printf("\n");
}

/* Nsight Compute's numbers next to the model's. */
static void print_nsight(const struct analysis *a)
{
    bool head = false;

    for (int i = 0; i < a->n; i++) {
        const struct analysed *k = &a->kernels[i];
        if (isnan(k->nsight_bytes))
            continue;
        if (!head)
            printf("\ncounters that Nsight Compute read, MB\n"
                   "%-*s%16s%10s%22s\n", name_width(a), "",
                   "moves: model", "Nsight",
                   "in and out of DRAM");
        head = true;
        printf("%-*s", name_width(a), k->conf->name);
        cell(16, k->path.moves * 1e-6, "%.1f");
        cell(10, k->nsight_bytes * 1e-6, "%.1f");
        cell(22, k->nsight_dram * 1e-6, "%.1f");
        printf("\n");
    }
}

/* A line of the explanation: a term and its definition. */
static void say(const char *term, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void say(const char *term, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    printf("  %-9s", term);
    vprintf(format, args);
    printf("\n");
    va_end(args);
}

static void print_moves(const struct analysed *k)
{
    const char *dim = k->conf->op->dim_names[k->shapes.extent];
    int e = k->shapes.extent;

    if (isnan(k->path.moves)) {
        say("moves", "not counted");
        return;
    }
    say("moves", "32 x sectors (loads, stores, asynchronous copies) that the");
    say("", "simulated GPU counts: %.0f at %s%d, %.0f at %s%d,",
        k->sectors_small, dim, k->shapes.small.dim[e], k->sectors_big, dim,
        k->shapes.big.dim[e]);
    say("", "extrapolated to %s%d: %.1f MB", dim, k->timed.dim[e],
        k->path.moves * 1e-6);
}

static void print_formulas(const struct analysis *a, const struct analysed *k)
{
    double copies = k->path.copy > 0 ? k->path.copy
                                     : k->path.needs / k->roofs.bandwidth;

    printf("\nhow, for %s\n", k->conf->name);
    if (k->measured)
        say("ms", "median of launches timed by events, L2 cold; 95 %%: %.4f "
            "to %.4f", k->ms.low, k->ms.high);
    else if (isnan(k->predicted_ms))
        say("ms", "no shorter than max(moves / copy, operations / peak)");
    else
        say("ms", "PREDICTED for the %s by the traffic model; limited by %s",
            a->predicted_gpu, k->binds);
    say("share", "ms over the sum of the paths' ms: where the time is spent");
    say("needs", "each input once, each output once: %.1f MB",
        k->path.needs * 1e-6);
    print_moves(k);
    if (!isnan(k->path.seconds)) {
        say("GB/s", "effective bandwidth, needs / ms = %.1f MB / %.4f ms",
            k->path.needs * 1e-6, analysis_ms(k));
        say("x copy", "ms / the time to copy as many bytes, %.4f ms",
            copies * 1e3);
    }
    say("roof", "max(%.4f ms for the bytes, %.3g G / %.3g TFLOP/s = %.4f ms)",
        copies * 1e3, k->path.useful * 1e-9, k->roofs.flops * 1e-12,
        k->path.useful / k->roofs.flops * 1e3);
    if (k->roofs.datasheet)
        say("", "the %s's peak is the datasheet's",
            pipe_name(k->conf->op->pipe));
    say("", "%.3g operations per byte: %s is the nearer ceiling",
        k->place.intensity, k->place.bound);
}

void analysis_print(const struct analysis *a)
{
    print_head(a);
    for (int i = 0; i < a->n; i++)
        print_row(a, &a->kernels[i]);
    print_step(a);
    print_nsight(a);
    print_formulas(a, &a->kernels[0]);
    if (!a->measured)
        printf("\nA model, not a measurement: use it to compare kernels, do "
               "not quote it.\n");
}
