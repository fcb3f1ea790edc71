// SPDX-License-Identifier: MIT
/*
 * trial_map.c: maps and the causes of their cliffs; see trial.h.
 *
 *   trial_map     two small maps that are made up; then the sweep's own
 *   trial_cause   pairs of neighbours, of which one cause sets one back
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "op/study.h"
#include "trial.h"

/* Maps ------------------------------------------------------------------- */

struct map {
    int down, across, repeats;
    struct sweep sweep;
    struct sweep_table table;
    double flops_per_ms, bytes_per_ms;
};

/* Of the nearer roof, by the fastest kernel's median. */
static double share_at(const struct map *m, int i)
{
    const struct sweep_shape *s = &m->table.shapes[i];
    double rows = s->dim[0], cols = s->dim[1], k = s->dim[2];
    double flops = 2 * rows * cols * k / m->flops_per_ms;
    double bytes = 4 * (rows * k + k * cols + rows * cols) / m->bytes_per_ms;
    double best = INFINITY;

    for (int j = 0; j < m->table.n_kernels; j++)
        if (s->ms[j] < best)
            best = s->ms[j];
    return fmax(flops, bytes) / best;
}

static bool is_cliff(const struct map *m, int row, int col)
{
    static const int step[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    double best = 0;

    for (int i = 0; i < 4; i++) {
        int r = row + step[i][0], c = col + step[i][1];

        if (r >= 0 && r < m->down && c >= 0 && c < m->across)
            best = fmax(best, share_at(m, r * m->across + c));
    }
    return share_at(m, row * m->across + col) < 0.5 * best;
}

/* A time that reaches `share` of the roof, a repeat that was disturbed, or,
 * for one kernel in six, none. */
static void add_made_up(struct trial *t, struct map *m, int *dim, int kernel,
                        uint64_t i)
{
    double flops = 2.0 * dim[0] * dim[1] * dim[2] / m->flops_per_ms;
    double share = 0.1 + 0.8 * trial_draw(t, i);
    bool works = kernel == 0 || trial_draw(t, i + 1) > 1.0 / 6;

    for (int r = 0; r < m->repeats; r++) {
        struct sweep_row row = {.set = SWEEP_map, .repeat = r};
        bool late = r == (int)(i % 3) && m->repeats > 1;
        bool early = r == (int)(i % 3) + 1 && m->repeats > 1;

        memcpy(row.dim, dim, 3 * sizeof *dim);
        snprintf(row.kernel, sizeof row.kernel, "%s",
                 t->kernels.kernel[kernel].name);
        row.outcome = works ? SWEEP_ok : SWEEP_wrong;
        row.ms = flops / share * (late ? 7 : early ? 0.4 : 1 + 0.001 * r);
        trial_row(&m->sweep, &row);
    }
}

static void make_up(struct trial *t, struct map *m)
{
    int kernels = 1 + t->number;

    m->down = 3 + t->number;
    m->across = 6;
    m->repeats = t->number == 1 ? 1 : 5;
    m->sweep = trial_sweep(t);
    for (int i = 0; i < m->down * m->across; i++) {
        int dim[SWEEP_DIMS] = {64 << (i / m->across), 48 << (i % m->across),
                               i % 2 ? 2048 : 4};

        for (int k = 0; k < kernels; k++)
            add_made_up(t, m, dim, k, 16u * (uint64_t)(i * kernels + k));
    }
}

/* A row has one M; what an interruption left of the last row is no row. */
static void recorded(struct trial *t, struct map *m)
{
    struct sweep_table table;

    m->sweep = trial_of_set(t, SWEEP_map);
    table = sweep_table(&m->sweep);
    while (m->across < table.n_shapes &&
           table.shapes[m->across].dim[0] == table.shapes[0].dim[0])
        m->across++;
    m->down = m->across ? table.n_shapes / m->across : 0;
    m->repeats = 1;
    for (int i = 0; i < m->sweep.n_rows; i++)
        if (m->sweep.rows[i].repeat >= m->repeats)
            m->repeats = m->sweep.rows[i].repeat + 1;
    free(table.shapes);
}

static void blame_cell(struct trial *t, const struct map *m, int i,
                       double share, bool cliff)
{
    const int *dim = m->table.shapes[i].dim;
    bool want = is_cliff(m, i / m->across, i % m->across);
    struct text *words = trial_wrong(t);

    if (!words)
        return;
    text_add(words, "at row %d, column %d, M%d N%d K%d:\n", i / m->across,
             i % m->across, dim[0], dim[1], dim[2]);
    if (fabs(share - share_at(m, i)) <= 1e-6 * share_at(m, i))
        text_add(words, "  %s cliff, but its share of %.3f is %s than half of "
                 "a neighbour's\n", cliff ? "a" : "no", share,
                 want ? "less" : "not less");
    else
        text_add(words, "  the share is %.6g, not %.6g, of the nearer roof\n",
                 share_at(m, i), share);
    if (m->repeats > 1)
        text_add(&t->result->advice, "One repeat may be disturbed, and one too "
                 "good to be true: the middle one is neither. What is NAN "
                 "did not run.");
    else
        text_add(&t->result->advice, "A small product is bound by its bytes, a "
                 "large one by its flops: the roof is the one that takes "
                 "longer.");
}

static void judge_map(struct trial *t, const struct map *m)
{
    int cells = m->down * m->across, cliffs = 0;
    double least = INFINITY, most = 0;

    for (int i = 0; i < cells && !t->failed; i++) {
        double share = trial_number(t), cliff = trial_number(t);
        double want = share_at(m, i);

        if (isnan(cliff))
            return;
        if (!(fabs(share - want) <= 1e-6 * want) ||
            (cliff != 0) != is_cliff(m, i / m->across, i % m->across))
            blame_cell(t, m, i, share, cliff != 0);
        cliffs += cliff != 0;
        least = fmin(least, share);
        most = fmax(most, share);
    }
    if (t->number == 3 && !t->failed)
        text_add(t->table, "  a map of %d x %d shapes: from %.1f to %.1f %% of "
                 "the roof, %d cliffs\n", m->down, m->across, 100 * least,
                 100 * most, cliffs);
}

void trial_map(struct trial *t)
{
    const struct sweep_about *about = &t->recorded.about;
    struct map m = {.flops_per_ms = 1e-3 * atof(about->flops_per_second),
                    .bytes_per_ms = 1e-3 * atof(about->bytes_per_second)};
    double numbers[3];

    if (t->number <= 2)
        make_up(t, &m);
    else
        recorded(t, &m);
    m.table = sweep_table(&m.sweep);
    numbers[0] = m.down;
    numbers[1] = m.across;
    numbers[2] = m.repeats;
    if (trial_play(t, &m.sweep, numbers, 3))
        judge_map(t, &m);
    free(m.table.shapes);
    sweep_free(&m.sweep);
}

/* Causes ----------------------------------------------------------------- */

static const char *const cause_names[] = {
    [STUDY_NO_CAUSE] = "STUDY_NO_CAUSE", [STUDY_ALIGNMENT] = "STUDY_ALIGNMENT",
    [STUDY_TILE] = "STUDY_TILE",         [STUDY_WAVE] = "STUDY_WAVE",
    [STUDY_KERNEL] = "STUDY_KERNEL",     [STUDY_L2] = "STUDY_L2",
    [STUDY_LAUNCH] = "STUDY_LAUNCH",
};
enum { CAUSES = sizeof cause_names / sizeof *cause_names, PAIRS = 4, RUN = 9 };

/* As play_cause reads it. */
struct run_numbers {
    double M, N, K, kernel, ms, other_ms, asked, sectors, memory;
};

/* A kernel that does not split k: its rounds are what they are. */
static int draw_kernel(const struct trial *t, uint64_t i)
{
    for (int k = (int)(trial_draw(t, i) * t->kernels.n);; k++)
        if (!t->kernels.kernel[k % t->kernels.n].splits)
            return k % t->kernels.n;
}

/* again: how often a byte crosses to memory; wide: sectors over bytes asked. */
static void fill_bytes(struct run_numbers *r, double again, double wide)
{
    double once = 4 * (r->M * r->K + r->K * r->N + r->M * r->N);

    r->memory = once * again;
    r->asked = 6 * once;
    r->sectors = r->asked * wide;
}

/* Two neighbours in full rounds of whole tiles; then one thing goes wrong. */
static void draw_pair(const struct trial *t, enum study_cause cause,
                      uint64_t i, struct run_numbers *good,
                      struct run_numbers *bad)
{
    enum { MULTIPROCESSORS = 132, ROUNDS = 6 };
    static const double launch_ms = 0.003;
    int kernel = draw_kernel(t, i);
    const struct sweep_kernel *kernels = t->kernels.kernel, *k;
    double more = 1.6 + trial_draw(t, i + 1); /* times as bad */
    while (kernels[kernel].splits ||
           (cause == STUDY_TILE && kernels[kernel].tile_n == 1))
        kernel = (kernel + 1) % t->kernels.n; /* one column fits any N */
    k = &kernels[kernel];

    double slots = MULTIPROCESSORS * k->blocks;
    double again = 1 + 3 * trial_draw(t, i + 6);
    double wide = 1 + 3 * trial_draw(t, i + 7);

    *good = (struct run_numbers){
        .M = slots * ROUNDS * k->tile_m, .N = 2 * k->tile_n,
        .K = 64 + (int)(500 * trial_draw(t, i + 2)), .kernel = kernel};
    good->ms = launch_ms * (60 + 40 * trial_draw(t, i + 3));
    good->other_ms = good->ms * 1.1;
    if (cause == STUDY_KERNEL) { /* whole tiles and rounds of any kernel */
        good->M = MULTIPROCESSORS * 16 * 128 * 4;
        good->N = 512;
    }
    *bad = *good;
    bad->M -= 1; /* the next size */
    if (cause == STUDY_TILE)
        bad->N = k->tile_n + 1 + (int)(k->tile_n / 16.0 * trial_draw(t, i + 4));
    if (cause == STUDY_WAVE) {
        good->N = bad->N = k->tile_n;
        good->M = slots * k->tile_m;
        bad->M = good->M + 1 + (int)(k->tile_m * 0.9 * trial_draw(t, i + 4));
        bad->M = bad->M / good->M < 1.0 + 1.0 / MULTIPROCESSORS
                     ? good->M + k->tile_m
                     : bad->M;
    }
    /* Neither is perfect, and in most that is no cause: both are alike. */
    fill_bytes(good, again, wide);
    fill_bytes(bad, cause == STUDY_L2 ? again * more : again,
               cause == STUDY_ALIGNMENT ? wide * more : wide);
    bad->ms = good->ms * more;
    bad->other_ms = bad->ms * 1.05;
    if (cause == STUDY_KERNEL) {
        bad->kernel = draw_kernel(t, i + 5);
        bad->other_ms = bad->ms / more;
    }
    if (cause == STUDY_LAUNCH) {
        bad->ms = launch_ms * (1.3 + 0.5 * trial_draw(t, i + 4));
        bad->other_ms = bad->ms;
    }
}

static struct sweep all_kernels(const struct trial *t)
{
    struct sweep made = trial_sweep(t);

    for (int k = 0; k < t->kernels.n; k++) {
        struct sweep_row row = {.set = SWEEP_train, .dim = {1, 1, 1},
                                .outcome = SWEEP_ok, .ms = 1};

        snprintf(row.kernel, sizeof row.kernel, "%s",
                 t->kernels.kernel[k].name);
        trial_row(&made, &row);
    }
    return made;
}

static void blame_cause(struct trial *t, enum study_cause cause, double said,
                        const struct run_numbers *good,
                        const struct run_numbers *bad)
{
    struct text *words = trial_wrong(t);

    if (!words)
        return;
    text_add(words, "it says %s; the cause is %s\n",
             said >= 0 && said < CAUSES ? cause_names[(int)said]
                                        : "a cause that does not exist",
             cause_names[cause]);
    for (int i = 0; i < 2; i++) {
        const struct run_numbers *r = i ? bad : good;

        text_add(words, "  %s M%.0f N%.0f K%.0f, %s: %.4f ms (the other's "
                 "kernel %.4f), asked %.3g, sectors %.3g, memory %.3g bytes\n",
                 i ? "bad: " : "good:", r->M, r->N, r->K,
                 t->kernels.kernel[(int)r->kernel].name, r->ms, r->other_ms,
                 r->asked, r->sectors, r->memory);
    }
    text_add(&t->result->advice, "For each cause, by which factor does it make "
             "a run longer than it had to be? Compare the factors of the two "
             "runs: the one that grew most is the cause.");
}

void trial_cause(struct trial *t)
{
    enum study_cause cause = (enum study_cause)(t->number - 1);
    struct sweep sweep = all_kernels(t);

    for (int i = 0; i < PAIRS && !t->failed; i++) {
        struct run_numbers run[2];
        double numbers[2 * RUN], said;

        draw_pair(t, cause, 16u * (uint64_t)i, &run[0], &run[1]);
        if (cause == STUDY_NO_CAUSE) {
            run[1].ms = run[0].ms * 1.1;
            run[1].other_ms = run[1].ms * 1.05;
        }
        memcpy(numbers, run, sizeof numbers);
        if (!trial_play(t, &sweep, numbers, 2 * RUN))
            break;
        said = trial_number(t);
        if (!isnan(said) && (int)said != (int)cause)
            blame_cause(t, cause, said, &run[0], &run[1]);
    }
    sweep_free(&sweep);
}
