// SPDX-License-Identifier: MIT
/*
 * why.c: what binds a kernel, from the evidence; see why.h.
 *
 * A table of signs, in the order in which they matter: the first whose value
 * passes its limit makes the sentence, and names the chapter that mends it.
 */
#include "why.h"

#include <math.h>
#include <string.h>

enum {
    SM_REGISTERS = 65536, /* of every architecture that nvcc 12 builds for */
    FEW_THREADS = 1024,   /* half of what most SMs hold, or all */
    LANES = 32,
    AT_THE_ROOF = 90,     /* per cent: a copy itself varies by a few */
};

struct sign {
    const char *counter;
    bool below;        /* it speaks when the value is below the limit */
    double limit;
    const char *sentence; /* %s: the value */
    int chapter;       /* whose lesson explains it */
};

static const struct sign signs[] = {
    {"global_load_sectors_per_request", false, 16.5,
     "A warp's load touches %s sectors of 32 bytes: neighbouring lanes read "
     "addresses that lie far apart. 4 sectors hold 32 floats.", 5},
    {"global_store_sectors_per_request", false, 16.5,
     "A warp's store touches %s sectors of 32 bytes: neighbouring lanes write "
     "addresses that lie far apart. 4 sectors hold 32 floats.", 5},
    /* These never speak by themselves, only where a gate names them. */
    {"global_load_bytes_per_request", true, 0.0,
     "A warp's load asks for %s bytes; with 16 bytes a lane it asks for 512.",
     3},
    {"warp_instructions_per_flop", true, 0.0,
     "It issues %s instructions a useful flop; a multiply-add of 32 lanes is "
     "1/64 = 0.0156. The rest are the loop's, or addresses.", 3},
    {"threads_per_float", true, 0.0,
     "%s threads for each float that must move: give a thread several values "
     "to work on at once.", 3},
    {"local_requests", false, 0.5,
     "%s accesses go to local memory: an array of yours, or spilled "
     "registers, lives off chip.", 7},
    {"shared_load_conflicts_per_request", false, 0.25,
     "A shared load waits %s extra wavefronts: lanes meet in one bank.", 6},
    {"shared_store_conflicts_per_request", false, 0.25,
     "A shared store waits %s extra wavefronts: lanes meet in one bank.", 6},
    {"global_bytes_over_compulsory", false, 2.0,
     "It moves %s times the bytes that must move: the same inputs are loaded "
     "again and again.", 6},
    {"lanes_per_instruction", true, 20.0,
     "Only %s of 32 lanes work in the average instruction.", 7},
    {"shared_load_requests_per_flop", false, 0.01,
     "It makes %s shared loads a useful flop: what is on chip is fetched "
     "again for every output.", 7},
};

static double value_of(const struct sign *sign,
                       const struct kernel_result *r)
{
    const struct kernel_conf *conf = r->conf;

    return gate_value(sign->counter, r->run[RUN_SIM].counters, conf->op,
                      &r->run[RUN_SIM].counters_shape);
}

static bool speaks(const struct sign *sign, double value)
{
    return sign->below ? value < sign->limit : value > sign->limit;
}

static bool is_missed_gate(const struct kernel_result *r, const char *counter)
{
    for (int i = 0; i < r->conf->n_gates; i++)
        if (!r->run[RUN_SIM].gate_ok[i] &&
            strcmp(r->conf->gates[i].counter, counter) == 0)
            return true;
    return false;
}

/* A sign about a missed gate comes before all others. */
static const struct sign *pick(const struct kernel_result *r, double *value)
{
    enum { SIGNS = sizeof signs / sizeof *signs };

    for (int missed = 1; missed >= 0; missed--)
        for (int i = 0; i < SIGNS; i++) {
            *value = value_of(&signs[i], r);
            if ((missed && is_missed_gate(r, signs[i].counter)) ||
                (!missed && speaks(&signs[i], *value)))
                return &signs[i];
        }
    return NULL;
}

static void say_lesson(struct text *t, int chapter)
{
    char folder[PATH_BYTES];

    if (chapter_folder("chapters", chapter, folder))
        text_add(t, " See %s/README.md.", folder);
}

static void say_sentence(struct text *t, const char *sentence, double value)
{
    const char *at = strstr(sentence, "%s");

    text_add(t, "%.*s%.3g%s", (int)(at - sentence), sentence, value, at + 2);
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
        text_add(t, " Its %d registers a thread leave room for %d threads on "
                 "an SM.", r->build.registers, threads / LANES * LANES);
}

void why_say(struct text *t, const struct kernel_result *r,
             const struct workbook *w)
{
    const struct sign *sign;
    double value;

    if (r->verdict != VERDICT_PASS && r->verdict != VERDICT_TECHNIQUE &&
        r->verdict != VERDICT_SLOW)
        return;
    say_bound(t, &r->run[RUN_GPU].speed);
    if (r->build.spill_bytes > 0) {
        text_add(t, "ptxas spilled %d bytes: a thread wants more registers "
                 "than it has.", r->build.spill_bytes);
        say_lesson(t, 7);
        return;
    }
    if (!r->run[RUN_SIM].counters)
        return;
    sign = pick(r, &value);
    if (!sign) {
        say_rest(t, r);
        return;
    }
    say_sentence(t, sign->sentence, value);
    /* A chapter does not send its reader on to what it has yet to teach. */
    if (r->verdict == VERDICT_PASS || sign->chapter <= w->options->number)
        say_lesson(t, sign->chapter);
}
