// SPDX-License-Identifier: MIT
/*
 * why.c: what binds a kernel, from the evidence; see why.h.
 *
 * A table of signs, in the order in which they matter. Where a gate is missed,
 * the first one's sign makes the sentence; else the first whose value passes
 * its limit does. It names the chapter that mends it, and the line.
 */
#include "why.h"

#include <math.h>
#include <string.h>

#include "check/judge/finding.h"
#include "hot.h"

enum {
    SM_REGISTERS = 65536, /* of every architecture that nvcc 12 builds for */
    FEW_THREADS = 1024,   /* half of what most SMs hold, or all */
    LANES = 32,
    AT_THE_ROOF = 90,     /* per cent: a copy itself varies by a few */
};

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
    {"global_store_sectors", MANY, NAN,
     "It stores %s sectors, more than the result has: an array goes to memory "
     "and back, or a sector is stored in parts.", 20, "store_sectors",
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
     "It loads %s times the bytes that must move: the same inputs are loaded "
     "again and again.", 6, "load_sectors", "sectors that it loads"},
    {"lanes_per_instruction", FEW, 20.0,
     "Only %s of 32 lanes work in the average instruction.", 7, "issued",
     "instructions"},
    {"shared_load_requests_per_flop", MANY, 0.01,
     "It makes %s shared loads per useful flop: what is on chip is fetched "
     "again for every output.", 7, "shared_loads", "shared loads"},
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

static double value_of(const struct sign *sign,
                       const struct kernel_result *r)
{
    const struct kernel_conf *conf = r->conf;
    const struct run *run = &r->run[RUN_SIM];

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

static const struct sign *sign_of(const struct gate *gate)
{
    enum too too = gate->op == GATE_GE || gate->op == GATE_GT ? FEW : MANY;

    for (int i = 0; i < SIGNS; i++)
        if (signs[i].too == too && strcmp(signs[i].counter, gate->counter) == 0)
            return &signs[i];
    return NULL;
}

bool why_knows(const struct gate *gate)
{
    return sign_of(gate) != NULL;
}

/* Of the first gate missed: chapter.conf names the chapter's idea first. */
static const struct sign *missed(const struct kernel_result *r)
{
    const struct run *run = &r->run[RUN_SIM];

    for (int i = 0; run->gates_measured && i < r->conf->n_gates; i++)
        if (!run->gate_ok[i])
            return sign_of(&r->conf->gates[i]);
    return NULL;
}

static const struct sign *loudest(const struct kernel_result *r)
{
    for (int i = 0; i < SIGNS; i++)
        if (speaks(&signs[i], value_of(&signs[i], r)))
            return &signs[i];
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
static const struct sign *pick(const struct kernel_result *r)
{
    const struct sign *sign = missed(r);

    if (sign || !r->run[RUN_SIM].counters || r->build.spill_bytes > 0)
        return sign;
    return loudest(r);
}

void why_say(struct text *t, const struct kernel_result *r,
             const struct workbook *w)
{
    const struct sign *sign;

    if (!has_reasons(r))
        return;
    say_bound(t, &r->run[RUN_GPU].speed);
    sign = pick(r);
    if (sign) {
        say_sentence(t, sign->sentence, value_of(sign, r));
        say_where(t, r, sign->chapter, w);
    } else if (r->build.spill_bytes > 0) {
        text_add(t, "ptxas spilled %d bytes: a thread wants more registers "
                 "than it has.", r->build.spill_bytes);
        say_lesson(t, 7, w->options);
    } else if (r->run[RUN_SIM].counters) {
        say_rest(t, r);
    }
}

bool why_next(struct text *t, const struct kernel_result *r,
              const struct workbook *w)
{
    const struct sign *sign = missed(r);

    for (size_t i = 0; sign && sign->line &&
                       i < sizeof drawings / sizeof *drawings; i++)
        if (strcmp(sign->line, drawings[i].count) == 0) {
            text_add(t, "`make trace %d KERNEL=%s` draws %s. Compare it with "
                     "the lesson's pictures.", w->options->number,
                     r->conf->name, drawings[i].drawn);
            return true;
        }
    return false;
}

bool why_line(struct text *place, struct text *source,
              const struct kernel_result *r)
{
    const struct sign *sign = has_reasons(r) ? pick(r) : NULL;
    struct hot hot;

    if (!sign || !sign->line ||
        !hot_line(r->predicted.report, r->source, sign->line, &hot))
        return false;
    text_add(place, "%s:%d, with %.0f %% of the %s:", r->source, hot.line,
             100.0 * hot.share, sign->of);
    if (!finding_source_line(source, r->source, hot.line))
        return false;
    source->s[strcspn(source->s, "\n")] = '\0';
    return true;
}
