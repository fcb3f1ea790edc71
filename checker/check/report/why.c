// SPDX-License-Identifier: MIT
/*
 * why.c: what binds a kernel, from the evidence; see why.h.
 *
 * A table of signs, in the order in which they matter. Where a gate is missed,
 * its sign makes the sentence; else the first whose value passes its limit
 * does. It names the lesson that explains it, and the lines.
 *
 * Of several gates that are missed the first one speaks, since chapter.conf
 * names the chapter's idea first; unless one of bytes is missed by much more,
 * which then costs more than the idea would gain.
 */
#include "why.h"

#include <math.h>
#include <string.h>

#include "check/conf/holes.h"
#include "check/judge/finding.h"
#include "excess.h"
#include "hot.h"
#include "remedy.h"

enum {
    SM_REGISTERS = 65536, /* of every architecture that nvcc 12 builds for */
    FEW_THREADS = 1024,   /* half of what most SMs hold, or all */
    LANES = 32,
    AT_THE_ROOF = 90,     /* per cent: a copy itself varies by a few */
    LINES_SHOWN = 3,
};

/* By so much farther than the first a gate of bytes is missed that speaks in
 * its place. */
static const double outweighs = 1.5;

enum too { MANY, FEW };

struct sign {
    const char *counter;
    enum too too;
    double limit;         /* past it, it speaks; NAN: only where a gate asks */
    const char *sentence; /* %s: the value */
    int chapter;          /* whose lesson explains it */
    const char *line;     /* the count that finds its line; NULL: none does */
    const char *of;       /* what that count counts */
};

static const struct sign signs[] = {
    {"tf32_tensor_ops_per_flop", FEW, NAN,
     "Tensor cores do %s of its useful flops in tf32: the rest, if any, is "
     "done lane by lane.", 16, NULL, NULL},
    {"bf16_tensor_ops_per_flop", FEW, NAN,
     "Tensor cores do %s of its useful flops in bf16: the rest, if any, is "
     "done in another type, or lane by lane.", 16, NULL, NULL},
    {"global_load_sectors_per_request", MANY, NAN,
     "A warp's load touches %s sectors of 32 bytes, where 4 would hold 32 "
     "floats: neighbouring lanes read addresses that lie far apart.", 5,
     "load_sectors", "sectors that it loads"},
    {"global_store_sectors_per_request", MANY, NAN,
     "A warp's store touches %s sectors of 32 bytes, where 4 would hold 32 "
     "floats: neighbouring lanes write addresses that lie far apart.", 5,
     "store_sectors", "sectors that it stores"},
    {"global_load_bytes_over_asked", MANY, 4.0,
     "It fetches %s times the bytes that its loads ask for: a sector has 32 "
     "bytes, and neighbouring lanes do not share it.", 5, "load_sectors",
     "sectors that it loads"},
    {"global_store_bytes_over_asked", MANY, 4.0,
     "It touches %s times the bytes that it stores: a sector has 32 bytes, and "
     "neighbouring lanes do not share it.", 5, "store_sectors",
     "sectors that it stores"},
    {"global_load_bytes", FEW, NAN,
     "Kernels load only %s bytes: not all of the inputs.", 1, NULL, NULL},
    {"global_store_bytes", FEW, NAN,
     "Kernels store only %s bytes: not all of the result comes from the GPU.",
     1, NULL, NULL},
    {"global_load_bytes", MANY, NAN,
     "Its lanes ask for %s bytes of global memory: several of them load the "
     "same floats, each for itself.", 6, "load_sectors",
     "sectors that it loads"},
    {"global_load_bytes_per_request", FEW, NAN,
     "A warp's load asks for %s bytes; with 16 bytes per lane it asks for 512.",
     3, "loads", "loads"},
    {"global_store_bytes_per_request", FEW, NAN,
     "A warp's store writes %s bytes; with 16 bytes per lane it writes 512.", 3,
     "stores", "stores"},
    {"warp_instructions_per_flop", MANY, NAN,
     "It issues %s instructions per useful flop; a multiply-add of 32 lanes is "
     "1/64 = 0.0156. The rest are the loop's, or addresses.", 3, NULL, NULL},
    {"stored_sectors", MANY, NAN,
     "It writes %s sectors, more than the result has: an array goes to memory "
     "and back, or a sector is written in parts.", 20, "store_sectors",
     "sectors that it stores"},
    {"flops_over_useful", MANY, NAN,
     "It computes %s times what the result needs: work done twice, or tiles "
     "far larger than what they hold.", 16, NULL, NULL},
    {"threads_per_word", MANY, NAN,
     "%s threads per 4 bytes that must move: give a thread several values to "
     "work on at once, and launch fewer threads.", 3, NULL, NULL},
    {"global_load_requests_per_flop", MANY, NAN,
     "It makes %s global loads per useful flop: several threads load the same "
     "floats, each for itself.", 12, "loads", "loads"},
    {"shared_load_wavefronts_per_flop", MANY, NAN,
     "Its shared loads take %s wavefronts per useful flop: a warp's lanes want "
     "more different floats than they could share.", 14, "shared_loads",
     "shared loads"},
    {"threads", FEW, NAN,
     "It launches %s threads, so most of the GPU has nothing to do: more "
     "blocks could share the work.", 15, NULL, NULL},
    {"blocks_at_work", FEW, NAN,
     "One block has so much of the work that, in equal shares, it would occupy "
     "only %s blocks: the others end early.", 15, NULL, NULL},
    {"threads", MANY, NAN,
     "It launches %s threads, more than run at a time: the last blocks have "
     "the GPU for themselves.", 15, NULL, NULL},
    {"shared_load_requests", FEW, NAN,
     "Nothing is read from shared memory: every value comes from global "
     "memory, each time that it is needed.", 6, "loads", "loads"},
    {"async_copy_bytes_over_compulsory", FEW, NAN,
     "Asynchronous copies bring in %s of the bytes that must move; other loads "
     "pass through registers, and a warp waits for them.", 9,
     "load_sectors", "sectors that plain loads fetch"},
    {"async_copy_bytes_over_compulsory", MANY, NAN,
     "Asynchronous copies bring in %s times the bytes that must move: several "
     "blocks copy the same floats.", 15, NULL, NULL},
    {"loaded_bytes_per_copied", MANY, NAN,
     "Its threads load %s bytes through registers for each byte that is copied "
     "asynchronously: their warps wait for those as before.", 15,
     "load_sectors", "sectors that plain loads fetch"},
    {"async_copy_requests", MANY, NAN,
     "Its warps make %s requests for asynchronous copies, each with addresses "
     "of its lanes: the copy engine takes a box per instruction.", 17, NULL,
     NULL},
    {"bulk_load_bytes", FEW, NAN,
     "The copy engine brings in %s bytes: the rest of A and B, or all, is "
     "copied by threads.", 17, "load_sectors", "sectors that threads load"},
    {"bulk_store_bytes", FEW, NAN,
     "The copy engine stores %s bytes: the rest of C, or all, is stored by "
     "threads, and their tensor cores wait.", 17, "store_sectors",
     "sectors that threads store"},
    {"global_store_requests", MANY, NAN,
     "Its warps store %s times: the copy engine could take C from shared "
     "memory, while the next tile is multiplied.", 17, "store_sectors",
     "sectors that it stores"},
    {"async_waits_ahead_per_wait", FEW, NAN,
     "The share of its waits that leave the next tile's copies under way is "
     "%s: at the others a warp waits for every copy, and does no work.", 9,
     "async_waits", "waits"},
    {"global_atomics", FEW, NAN,
     "It makes %s atomic additions, a warp's counted once: here the batch is "
     "cut into slices, and each slice adds its sum to the cell.", 8, NULL,
     NULL},
    {"global_atomics", MANY, NAN,
     "It makes %s atomic additions, a warp's counted once: more sums could "
     "meet on chip before they meet in global memory.", 8, "atomics",
     "atomics"},
    {"atomics", MANY, NAN,
     "It makes %s atomic additions, a warp's counted once: they add in no "
     "fixed order, so the last bits differ from run to run.", 8, "atomics",
     "atomics"},
    {"barriers", MANY, NAN,
     "Its warps come to %s barriers: at each, all of a block wait for its "
     "slowest. A warp's lanes can meet by shuffles, with none.", 8,
     "barriers", "barriers"},
    {"local_requests", MANY, 0.5,
     "%s accesses go to local memory, off chip: an array of yours, spilled "
     "registers, or what printf is given.", 7, "local_requests",
     "local accesses"},
    {"shared_load_conflicts_per_request", MANY, 0.25,
     "A shared load waits %s extra wavefronts: lanes meet in one bank.", 6,
     "shared_load_conflicts", "extra wavefronts"},
    {"shared_store_conflicts_per_request", MANY, 0.25,
     "A shared store waits %s extra wavefronts: lanes meet in one bank.", 6,
     "shared_store_conflicts", "extra wavefronts"},
    {"global_bytes_over_compulsory", MANY, 2.0,
     "It moves %s times the bytes that must move: the same inputs are loaded "
     "again and again.", 6, "global_sectors", "sectors that it moves"},
    {"global_load_bytes_over_compulsory", MANY, NAN,
     "It loads %s times the bytes that must move in all: several blocks load "
     "the same inputs.", 12, "load_sectors", "sectors that it loads"},
    {EXCESS_LOADS, MANY, NAN,
     "It loads %s times the bytes of its inputs: what was loaded before is "
     "loaded again.", 6, "load_sectors", "sectors that it loads"},
    {EXCESS_STORES, MANY, NAN,
     "It stores %s times the bytes of its results: what is stored is loaded "
     "again for what follows.", 19, "store_sectors",
     "sectors that it stores"},
    {EXCESS_ATOMICS, MANY, NAN,
     "Its atomics read, and write again, %s times the bytes of its results: "
     "each one goes to memory by itself.", 8, "atomics", "atomics"},
    {EXCESS_CALLS, MANY, NAN,
     "Copies and memsets of the launcher move %s times the bytes of its inputs "
     "and results.", 19, NULL, NULL},
    {"lanes_per_instruction", FEW, 20.0,
     "Only %s of 32 lanes work in the average instruction.", 7, "issued",
     "instructions"},
    {"shared_load_requests_per_flop", MANY, 0.01,
     "It makes %s shared loads per useful flop: what is on chip is fetched "
     "again for every output.", 7, "shared_loads", "shared loads"},
    {"shared_load_requests_per_flop", FEW, NAN,
     "It makes %s shared loads per useful flop: too few to feed the product, "
     "so most values come from global memory, again and again.", 12, "loads",
     "loads"},
    {"graph_launches", FEW, NAN,
     "Graphs launch %s of its kernels: the host launches each kernel itself, "
     "step after step, instead of replaying what it has recorded.", 24, NULL,
     NULL},
    {"host_launches", MANY, NAN,
     "The host itself launches %s kernels, beside those that graphs launch.",
     24, NULL, NULL},
    {"held_out_used", MANY, NAN,
     "Other times of the held-out shapes lead to another tree (%s): it was "
     "fitted to what it is graded by.", 23, NULL, NULL},
    {"measured_percent", MANY, NAN,
     "It measures %s % of the candidates: a bound by the model, above the "
     "best time so far, says which of them cannot win.", 23, NULL, NULL},
    {"regret_mean_percent", MANY, NAN,
     "What it chooses takes %s % longer than the best kernel does, on average "
     "over shapes that it has not seen.", 23, NULL, NULL},
};

enum { SIGNS = sizeof signs / sizeof *signs };

/* What a lane does is no measure of a kernel that tensor cores work for. */
static const struct sign tensor_signs[] = {
    {"warp_instructions_per_flop", MANY, NAN,
     "It issues %s instructions per useful flop; an mma of 16 x 8 x 8 does "
     "2048 of them, 1/2048 = 0.000488. The rest copy tiles, load fragments, or "
     "work out addresses.", 16, NULL, NULL},
    {"shared_load_requests_per_flop", MANY, NAN,
     "Its warps make %s shared loads per useful flop: a load brings few bytes, "
     "or a fragment serves few mma.", 16, "shared_loads", "shared loads"},
};

enum { TENSOR_SIGNS = sizeof tensor_signs / sizeof *tensor_signs };

/* What `make trace` draws of a count, so that a missed gate's line need not be
 * looked at by thought alone. Of the other counts a picture says little. */
static const struct {
    const char *count; /* a sign's `line` */
    const char *drawn;
} drawings[] = {
    {"load_sectors", "which addresses the lanes of a warp load"},
    {"store_sectors", "which addresses the lanes of a warp store to"},
    {"shared_load_conflicts", "which lanes meet in a bank when they load"},
    {"shared_store_conflicts", "which lanes meet in a bank when they store"},
};

/* What speaks of a result. */
struct reason {
    const struct sign *sign; /* NULL: nothing does */
    int gate;                /* that is missed; -1: none is */
};

static double value_of(const struct sign *sign,
                       const struct kernel_result *r)
{
    const struct kernel_conf *conf = r->conf;
    const struct run *run = &r->run[RUN_SIM];
    double excess = excess_value(sign->counter, r);

    if (!isnan(excess))
        return excess;
    for (int i = 0; run->gates_measured && i < conf->n_gates; i++)
        if (strcmp(conf->gates[i].counter, sign->counter) == 0)
            return run->gate_value[i]; /* a study's, too, has no counters */
    return gate_value(sign->counter, r->run[RUN_SIM].counters, conf->op,
                      &r->run[RUN_SIM].counters_shape);
}

static bool speaks(const struct sign *sign, double value)
{
    return sign->too == FEW ? value < sign->limit : value > sign->limit;
}

static enum too side_of(const struct gate *gate)
{
    return gate->op == GATE_GE || gate->op == GATE_GT ? FEW : MANY;
}

static const struct sign *sign_named(const char *counter, enum too too)
{
    for (int i = 0; i < SIGNS; i++)
        if (signs[i].too == too && strcmp(signs[i].counter, counter) == 0)
            return &signs[i];
    return NULL;
}

bool why_knows(const struct gate *gate)
{
    return sign_named(gate->counter, side_of(gate)) != NULL;
}

static bool is_of_bytes(const struct gate *gate)
{
    return side_of(gate) == MANY && strstr(gate->counter, "_bytes_over_");
}

/* As a factor. A loop that was left out altogether is missed by infinity. */
static double missed_by(const struct gate *gate, double value)
{
    double by = side_of(gate) == FEW ? gate->limit / value
                                     : value / gate->limit;

    return isnan(by) ? INFINITY : by;
}

static int missed(const struct kernel_result *r)
{
    const struct run *run = &r->run[RUN_SIM];
    double most = 0.0;
    int gate = -1, first = -1;

    for (int i = 0; run->gates_measured && i < r->conf->n_gates; i++) {
        double by = missed_by(&r->conf->gates[i], run->gate_value[i]);

        if (run->gate_ok[i] ||
            (first >= 0 && !(is_of_bytes(&r->conf->gates[i]) && by > most)))
            continue;
        most = first < 0 ? by * outweighs : by;
        first = first < 0 ? i : first;
        gate = i;
    }
    return gate;
}

/* Bytes over the compulsory ones have several causes. */
static const struct sign *sign_of(const struct kernel_result *r,
                                  const struct gate *gate)
{
    const char *cause = NULL;

    if (side_of(gate) == MANY && strstr(gate->counter, "_over_compulsory") &&
        r->run[RUN_SIM].counters)
        cause = excess_of(r);
    for (int i = 0; i < TENSOR_SIGNS && remedy_is_of_tensors(r->conf); i++)
        if (side_of(gate) == tensor_signs[i].too &&
            strcmp(tensor_signs[i].counter, gate->counter) == 0)
            return &tensor_signs[i];
    return sign_named(cause ? cause : gate->counter, side_of(gate));
}

/* Does most of what it counts come from given code, which the learner is not to
 * change? */
static bool is_given(const struct sign *sign, const struct kernel_result *r)
{
    struct hot at;

    if (!sign->line || !r->predicted.report)
        return false;
    if (hot_elsewhere(r->predicted.report, r->source, sign->line))
        return true;
    return hot_line(r->predicted.report, r->source, sign->line, &at) &&
           !holes_around(r->source, at.line);
}

static const struct sign *loudest(const struct kernel_result *r)
{
    for (int i = 0; i < SIGNS; i++)
        if (speaks(&signs[i], value_of(&signs[i], r))) {
            const char *cause = strstr(signs[i].counter, "_over_compulsory")
                                    ? excess_of(r) : NULL;
            const struct sign *sign = cause ? sign_named(cause, MANY)
                                            : &signs[i];

            if (!is_given(sign, r))
                return sign;
        }
    return NULL;
}

/* Whoever is graded may have been handed out no later lesson. */
static void say_lesson(struct text *t, int chapter, const struct options *o)
{
    char folder[PATH_BYTES];

    if (o->grade && chapter > o->number)
        return;
    if (chapter_folder("chapters", chapter, folder))
        text_add(t, " See %s/README.md.", folder);
}

/* The chapter's kernel that starts from this one; NULL: it is the last. */
static const struct kernel_conf *step_after(const struct kernel_conf *kernel,
                                            const struct conf *conf)
{
    for (int i = 0; i < conf->n_kernels; i++)
        if (!conf->kernels[i].previous &&
            strcmp(conf->kernels[i].previous_kernel, kernel->name) == 0)
            return &conf->kernels[i];
    return NULL;
}

/* Where to read on: a later chapter only once this one's steps are done. */
static void say_where(struct text *t, const struct kernel_result *r,
                      int chapter, const struct workbook *w)
{
    const struct kernel_conf *after = step_after(r->conf, &w->conf);

    if (chapter <= w->options->number)
        say_lesson(t, chapter, w->options);
    else if (r->verdict == VERDICT_PASS && after)
        text_add(t, " The next step is %s.%s.", after->name,
                 conf_extension(after));
    else if (r->verdict == VERDICT_PASS)
        say_lesson(t, chapter, w->options);
}

/* What is loaded twice, and stored in between, is what most chapters are
 * about: each has its own way out, unless a lesson to come is about nothing
 * else. So has the first gate of each kernel. */
static int lesson_of(const struct reason *why, const struct options *o)
{
    const char *counter = why->sign->counter;
    bool ahead = why->gate < 0 && why->sign->chapter > o->number;
    bool excess = strcmp(counter, EXCESS_LOADS) == 0 ||
                  strcmp(counter, EXCESS_ATOMICS) == 0 ||
                  strcmp(counter, EXCESS_STORES) == 0;

    return why->gate == 0 || (excess && !ahead) ? o->number
                                                : why->sign->chapter;
}

/* An atomic addition is a store to the gates, and moves 4 bytes per lane. */
static bool is_spoiled_by_atomics(const struct sign *sign,
                                  const struct kernel_result *r)
{
    const json_t *counters = r->run[RUN_SIM].counters;
    double atomics = json_number_value(
        json_object_get(counters, "global_atomics"));
    double stores = json_number_value(
        json_object_get(counters, "global_store_requests"));

    return strcmp(sign->counter, "global_store_bytes_per_request") == 0 &&
           atomics > 0.1 * stores;
}

static void say_sentence(struct text *t, const char *sentence, double value)
{
    const char *at = strstr(sentence, "%s");

    if (isnan(value))
        text_add(t, "The gate judges how loads of global memory fall "
                 "together, and this kernel makes none: what it reads comes "
                 "another way.");
    else if (at)
        text_add(t, value < 1000.0 ? "%.*s%.3g%s" : "%.*s%.0f%s",
                 (int)(at - sentence), sentence, value, at + 2);
    else
        text_add(t, "%s", sentence);
}

static void say_bound(struct text *t, const struct speed *s)
{
    if (!s->timed || !(s->percent_of_roof > 0.0))
        return;
    text_add(t, "Its roof on this GPU is %s, and it reaches %.0f %% of that. ",
             s->bound, s->percent_of_roof);
}

/* Timed, and no counter is to blame. */
static void say_rest(struct text *t, const struct kernel_result *r)
{
    const struct speed *s = &r->run[RUN_GPU].speed;
    int threads = r->build.registers > 0 ? SM_REGISTERS / r->build.registers
                                         : 0;

    if (!s->timed || !(s->percent_of_roof > 0.0))
        return;
    if (s->percent_of_roof >= AT_THE_ROOF) {
        text_add(t, "Only less work could make it faster.");
        return;
    }
    text_add(t, "No counter stands out, so it waits: too few loads are under "
             "way at once, or loads and arithmetic take turns.");
    if (threads > 0 && threads < FEW_THREADS)
        text_add(t, " Its %d registers per thread leave room for %d threads "
                 "on an SM.", r->build.registers, threads / LANES * LANES);
}

static bool has_reasons(const struct kernel_result *r)
{
    return r->verdict == VERDICT_PASS || r->verdict == VERDICT_TECHNIQUE ||
           r->verdict == VERDICT_SLOW;
}

/* Spills are not in PTX, so no counter shows them; a missed gate still is the
 * chapter's subject. */
static struct reason pick(const struct kernel_result *r)
{
    struct reason why = {.gate = missed(r)};

    if (why.gate >= 0)
        why.sign = sign_of(r, &r->conf->gates[why.gate]);
    else if (r->run[RUN_SIM].counters && r->build.spill_bytes == 0)
        why.sign = loudest(r);
    return why;
}

void why_say(struct text *t, const struct kernel_result *r,
             const struct workbook *w)
{
    struct reason why;

    if (!has_reasons(r))
        return;
    say_bound(t, &r->run[RUN_GPU].speed);
    why = pick(r);
    if (why.sign) {
        say_sentence(t, is_spoiled_by_atomics(why.sign, r)
                            ? "Atomic additions count as stores, and at most "
                              "4 bytes per lane: with them, a store writes %s "
                              "bytes on average."
                            : why.sign->sentence, value_of(why.sign, r));
        say_where(t, r, lesson_of(&why, w->options), w);
    } else if (r->build.spill_bytes > 0) {
        text_add(t, "ptxas spilled %d bytes: a thread wants more registers "
                 "than it has.", r->build.spill_bytes);
        say_lesson(t, 7, w->options);
    } else if (r->run[RUN_SIM].counters) {
        say_rest(t, r);
    }
}

/* A step that has one before it is there for the one thing that is new in it:
 * which its first gate asks for. */
static void say_idea(struct text *t, const struct kernel_result *r,
                     const struct workbook *w)
{
    struct text idea = {0};
    char path[PATH_BYTES];

    if (!w->conf.previous && !r->conf->previous_kernel[0])
        return;
    path_set(path, "%s/%s.%s", w->chapter, r->conf->name,
             conf_extension(r->conf));
    if (remedy_idea(&idea, path))
        text_add(t, "What is new in this step: %s ", idea.s);
    text_free(&idea);
}

static void say_drawing(struct text *t, const struct sign *sign,
                        const struct kernel_result *r,
                        const struct workbook *w)
{
    for (size_t i = 0; sign->line && i < sizeof drawings / sizeof *drawings;
         i++)
        if (strcmp(sign->line, drawings[i].count) == 0)
            text_add(t, "%s`make trace %d KERNEL=%s` draws %s.",
                     t->n ? " " : "", w->options->number, r->conf->name,
                     drawings[i].drawn);
}

bool why_next(struct text *t, const struct kernel_result *r,
              const struct workbook *w)
{
    struct reason why = pick(r);
    const char *remedy;

    if (why.gate < 0 || !why.sign)
        return false;
    if (why.gate == 0)
        say_idea(t, r, w);
    remedy = remedy_of(why.sign->counter, why.sign->too == FEW);
    if (is_spoiled_by_atomics(why.sign, r))
        remedy = remedy_of("atomics", false);
    if (remedy_is_of_tensors(r->conf) && remedy_of_tensors(why.sign->counter))
        remedy = remedy_of_tensors(why.sign->counter);
    if (remedy)
        text_add(t, "%s", remedy);
    if (isnan(excess_value(why.sign->counter, r)))
        say_drawing(t, why.sign, r, w); /* twice, a picture looks as once */
    return t->n > 0;
}

static void add_place(struct text *place, const struct kernel_result *r,
                      const struct hot *at, int n, const char *of)
{
    text_add(place, "%s:%d", r->source, at[0].line);
    for (int i = 1; i < n; i++)
        text_add(place, "%s %d", i + 1 < n ? "," : " and", at[i].line);
    text_add(place, ", with ");
    for (int i = 0; i < n; i++)
        text_add(place, "%s%.0f", i == 0 ? "" : i + 1 < n ? ", " : " and ",
                 100.0 * at[i].share);
    text_add(place, " %% of the %s:", of);
}

bool why_line(struct text *place, struct text *source,
              const struct kernel_result *r)
{
    struct reason why = {.sign = NULL};
    struct hot at[LINES_SHOWN];
    int n;

    if (has_reasons(r))
        why = pick(r);
    if (!why.sign || !why.sign->line)
        return false;
    n = hot_lines(r->predicted.report, r->source, why.sign->line, at,
                  isnan(excess_value(why.sign->counter, r)) ? 1 : LINES_SHOWN);
    if (n == 0)
        return false;
    add_place(place, r, at, n, why.sign->of);
    for (int i = 0; i < n; i++)
        if (!finding_source_line(source, r->source, r->source,
                                 at[i].line))
            return false;
    source->s[source->n - 1] = '\0';
    return true;
}
