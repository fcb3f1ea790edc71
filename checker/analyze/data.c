// SPDX-License-Identifier: MIT
/*
 * data.c: an analysis as data for gnuplot; see analysis.h. Each of the two
 * plots has three files: .dat, which book/plots/NAME.gp reads; .gp, its
 * settings; .txt, whose lines are title, subtitle and description.
 */
#include "analysis.h"

#include <math.h>
#include <stdio.h>

struct plot {
    FILE *dat, *gp, *txt;
};

static FILE *open_one(const char *folder, const char *name, const char *ending)
{
    char path[PATH_BYTES];
    FILE *file;

    path_set(path, "%s/%s.%s", folder, name, ending);
    if (!dir_make_for(path) || !(file = fopen(path, "w")))
        give_up("cannot write %s", path);
    return file;
}

static struct plot plot_open(const char *folder, const char *name)
{
    return (struct plot){open_one(folder, name, "dat"),
                         open_one(folder, name, "gp"),
                         open_one(folder, name, "txt")};
}

static void plot_close(const struct plot *p)
{
    if (fclose(p->dat) != 0 || fclose(p->gp) != 0 || fclose(p->txt) != 0)
        give_up("a plot's data could not be written: is the disk full?");
}

static void say_where(const struct analysis *a, FILE *txt)
{
    char shape[128];

    analysis_shape(a, shape, sizeof shape);
    if (a->measured)
        fprintf(txt, "%s at %s, measured on the %s\n", a->source, shape,
                a->gpu);
    else
        fprintf(txt, "%s at %s: MODEL, ceilings of the %s\n", a->source, shape,
                a->roofs_gpu);
}

/* One row per path, in milliseconds: its time; the time to move its bytes, and
 * the bytes it must move, at a copy's speed. A dash if unknown. */
static void write_bars(const struct analysis *a, const char *folder)
{
    struct plot p = plot_open(folder, "bars");
    double longest = 0;

    fprintf(p.txt, "Where the step spends its time\n");
    say_where(a, p.txt);
    for (int i = 0; i < a->n; i++) {
        const struct analysed *k = &a->kernels[i];
        double moves = k->place.moving * 1e3;
        longest = fmax(longest, fmax(moves, analysis_ms(k)));
        fprintf(p.dat, "%s\t", k->conf->name);
        if (k->measured || !isnan(k->predicted_ms))
            fprintf(p.dat, "%.6g\t", analysis_ms(k));
        else
            fprintf(p.dat, "-\t");
        fprintf(p.dat, isnan(moves) ? "-\t" : "%.6g\t", moves);
        fprintf(p.dat, "%.6g\n", k->place.floor * 1e3);
        fprintf(p.txt, "%s%s: %s %.4g ms, floor %.4g ms", i ? "; " : "",
                k->conf->name, analysis_word(k), analysis_ms(k),
                k->place.floor * 1e3);
    }
    fprintf(p.txt, ".\n");
    fprintf(p.gp, "paths = %d\nlongest = %.6g\ntime_word = '%s'\n", a->n,
            longest, a->measured ? "measured" : "PREDICTED");
    plot_close(&p);
}

static double ridge(const struct analysed *k)
{
    return k->roofs.flops / k->roofs.bandwidth;
}

/* A point's x: its operations per byte. A copy has none, which a logarithmic
 * axis cannot show: it is drawn at a twelfth of the ridge, on its own slope. */
static double across(const struct analysed *k)
{
    return k->path.useful > 0 ? k->place.intensity : ridge(k) / 12;
}

/* A point's y: TFLOP/s at the operations per byte of its x. */
static double tera(const struct analysed *k, double ms)
{
    return across(k) * k->path.needs / ms * 1e-9;
}

/* The previous stage as a hollow point, this one filled. */
static void write_points(const struct analysed *k, const struct plot *p)
{
    double x = across(k), ms = analysis_ms(k);

    if (!isnan(k->previous_ms.median))
        fprintf(p->dat, "%.6g\t%.6g\tbefore\t0\t%.6g\n", x,
                tera(k, k->previous_ms.median),
                tera(k, k->previous_ms.median));
    fprintf(p->dat, "%.6g\t%.6g\t%s\t%d\t%.6g\n", x, tera(k, ms),
            k->measured ? "now" : "model", k->measured, tera(k, ms));
    fprintf(p->txt, "%s %.3g TFLOP/s at %.3g operations per byte (%s)",
            k->conf->name, tera(k, ms), x, analysis_word(k));
}

struct range {
    double low, high;
};

static void widen(struct range *range, double value)
{
    if (!(value > 0))
        return;
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

/* The axes include the ridge, the slope's lower end and every point. */
struct axes {
    double left, right, low, high;
};

static struct axes axes_of(const struct analysis *a)
{
    struct range x = {INFINITY, 0}, y = {INFINITY, 0};

    for (int i = 0; i < a->n; i++) {
        const struct analysed *k = &a->kernels[i];
        widen(&x, ridge(k));
        widen(&y, k->roofs.flops * 1e-12);
        widen(&x, across(k));
        widen(&y, tera(k, analysis_ms(k)));
        widen(&y, tera(k, k->previous_ms.median));
    }
    widen(&y, a->kernels[0].roofs.bandwidth * 1e-12 * x.low / 12 * 1.8);
    return (struct axes){x.low / 12, x.high * 5, y.low / 3, y.high * 3};
}

static void write_lines(const struct analysed *k, const struct axes *axes,
                        FILE *dat)
{
    double bandwidth = k->roofs.bandwidth * 1e-12;
    double peak = k->roofs.flops * 1e-12;

    fprintf(dat, "\n\n%.6g\t%.6g\n%.6g\t%.6g\n%.6g\t%.6g\n", axes->left,
            bandwidth * axes->left, ridge(k), peak, axes->right, peak);
}

static void write_label(const struct analysed *k, const struct axes *axes,
                        FILE *dat)
{
    double peak = k->roofs.flops * 1e-12;

    fprintf(dat, "\n\n%.6g\t%.6g\t%.0f TFLOP/s%s\n", axes->right / 1.05, peak,
            peak, k->roofs.datasheet ? " (datasheet)" : "");
}

/* For each panel the lines of its roof, then for each the roof's label. */
static void write_roofs(const struct analysis *a, const struct axes *axes,
                        FILE *dat)
{
    for (int i = 0; i < a->n; i++)
        if (a->kernels[i].in_step)
            write_lines(&a->kernels[i], axes, dat);
    for (int i = 0; i < a->n; i++)
        if (a->kernels[i].in_step)
            write_label(&a->kernels[i], axes, dat);
}

static void write_roofline(const struct analysis *a, const char *folder)
{
    struct plot p = plot_open(folder, "roofline");
    struct axes axes = axes_of(a);
    int panels = 0;

    fprintf(p.txt, "Under the two ceilings\n");
    say_where(a, p.txt);
    fprintf(p.gp, "names = '");
    for (int i = 0; i < a->n; i++) {
        const struct analysed *k = &a->kernels[i];
        if (!k->in_step)
            continue;
        fprintf(p.gp, "%s%s", panels ? "|" : "", k->conf->name);
        fprintf(p.dat, "%s", panels ? "\n\n" : "");
        fprintf(p.txt, "%s", panels ? "; " : "");
        write_points(k, &p);
        panels++;
    }
    fprintf(p.txt, ".\n");
    write_roofs(a, &axes, p.dat);
    fprintf(p.gp, "'\npanels = %d\nbandwidth = %.6g\n", panels,
            a->kernels[0].roofs.bandwidth * 1e-12);
    fprintf(p.gp, "left = %.6g; right = %.6g\nlow = %.6g; high = %.6g\n",
            axes.left, axes.right, axes.low, axes.high);
    plot_close(&p);
}

void analysis_data(const struct analysis *a, const char *folder)
{
    write_bars(a, folder);
    write_roofline(a, folder);
}
