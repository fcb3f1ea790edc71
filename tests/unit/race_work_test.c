// SPDX-License-Identifier: MIT
/*
 * race_work_test.c: drawn kernels of loads and stores, barriers and .sync: a
 * race is found where there is one, and the quick ways (race_lanes.h,
 * race_known.c) leave no more work to race_words.c than they must.
 *
 * Whether there is a race is asked of all pairs of accesses. How much work is
 * left was recorded: RACE_WORK=print prints the table anew, for a change that
 * means to leave another amount.
 */
#include "engine_kernel.h"
#include "simgpu/core/race/race.h"

enum {
    KERNELS = 240, OPS = 14, THREADS = 96, BLOCKS = 2, WORDS = 4,
    UNITS = THREADS * 2 * WORDS + WORDS, /* of an array */
};

enum index { UNIT, EVERY_SECOND, ONE, PAIRS, REVERSED, OTHER_WARPS, INDICES };
enum order { NOTHING, WARP_SYNC, BARRIER };

struct op {
    bool write, shared, odd; /* odd: lanes with odd numbers alone */
    bool copy;               /* asynchronous, of global words, waited for */
    enum index index;
    int words;               /* 1, 2 or 4 of a lane */
    int times;
    enum order after;
};

struct drawn {
    struct op op[OPS];
    int n;
    uint32_t blocks;
    bool equal;              /* all stores write one value */
};

static uint32_t draw(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % below;
}

static bool shares_words(enum index i)
{
    return i == ONE || i == PAIRS;
}

/* Of three kernels one has a barrier after each op, one lets each thread touch
 * its own words alone, and no store of either comes to another's word. */
enum kind { ANY, BARRIERS, OWN, KINDS };

static struct op draw_op(uint64_t *state, enum kind kind,
                         const struct op *first, uint32_t stores)
{
    struct op o = {
        .write = draw(state, 4) <= stores,
        .shared = draw(state, 4) > 0,
        .odd = draw(state, 8) == 0,
        .index = first ? first->index : (enum index)draw(state, INDICES),
        .words = 1 << (draw(state, 2) ? 0 : draw(state, 3)),
        .times = draw(state, 3) ? 1 : 3,
        .after = draw(state, 2) ? BARRIER : (enum order)draw(state, 3),
    };

    if (kind == BARRIERS)
        o.after = BARRIER;
    if (kind == OWN && shares_words(o.index))
        o.index = REVERSED;
    if (kind == OWN && first)
        o.words = first->words;
    if (kind != ANY && o.write)
        o.shared = true;
    if (kind != ANY && shares_words(o.index))
        o.write = false;
    o.copy = kind != ANY && o.write && draw(state, 3) == 0;
    return o;
}

static struct drawn draw_kernel(uint64_t seed)
{
    struct drawn k = {.n = OPS};
    uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
    enum kind kind = (enum kind)(seed % KINDS);
    uint32_t stores = draw(&state, 3), one_index = draw(&state, 2);

    k.blocks = 1 + draw(&state, BLOCKS);
    k.equal = draw(&state, 6) == 0;
    for (int n = 0; n < k.n; n++)
        k.op[n] = draw_op(&state, kind,
                          n && (one_index || kind == OWN) ? &k.op[0] : NULL,
                          stores);
    return k;
}

/* In PTX ------------------------------------------------------------------- */

static void add_text(char *to, size_t bytes, const char *what)
{
    assert_true(strlen(to) + strlen(what) < bytes);
    strcat(to, what);
}

/* %r10: the index of the thread %r2. */
static const char *const index_ptx[INDICES] = {
    [UNIT] = "mov.u32 %r10, %r2;\n",
    [EVERY_SECOND] = "shl.b32 %r10, %r2, 1;\n",
    [ONE] = "mov.u32 %r10, 5;\n",
    [PAIRS] = "shr.u32 %r10, %r2, 1;\n",
    [REVERSED] = "sub.u32 %r10, 95, %r2;\n",
    [OTHER_WARPS] = "add.u32 %r10, %r2, 32;\nrem.u32 %r10, %r10, 96;\n",
};

static uint32_t index_of(enum index i, uint32_t thread)
{
    switch (i) {
    case EVERY_SECOND: return 2 * thread;
    case ONE: return 5;
    case PAIRS: return thread / 2;
    case REVERSED: return THREADS - 1 - thread;
    case OTHER_WARPS: return (thread + LANES) % THREADS;
    default: return thread;
    }
}

/* At %rd10 of the array, or a copy of what is there in global memory. */
static void access_ptx(const struct op *o, char *line, size_t bytes)
{
    static const char *const vector[] = {"", "", ".v2", "", ".v4"};
    static const char *const from[] = {"", "%r11", "{%r11,%r11}", "",
                                       "{%r11,%r11,%r11,%r11}"};
    static const char *const into[] = {"", "%r12", "{%r12,%r13}", "",
                                       "{%r12,%r13,%r14,%r15}"};
    const char *guard = o->odd ? "@%p2 " : "";
    const char *space = o->shared ? "shared" : "global";

    if (o->copy)
        snprintf(line, bytes,
                 "%scp.async.ca.shared.global [%%rd10], [%%rd12], %d;\n"
                 "cp.async.commit_group;\ncp.async.wait_group 0;\n",
                 guard, o->words * RACE_WORD);
    else if (o->write)
        snprintf(line, bytes, "%sst.%s%s.u32 [%%rd10], %s;\n", guard, space,
                 vector[o->words], from[o->words]);
    else
        snprintf(line, bytes, "%sld.%s%s.u32 %s, [%%rd10];\n", guard, space,
                 vector[o->words], into[o->words]);
}

static void op_ptx(const struct op *o, int n, char *to, size_t bytes)
{
    static const char *const after[] = {
        [NOTHING] = "", [BARRIER] = "bar.sync 0;\n",
        [WARP_SYNC] = "bar.warp.sync 0xffffffff;\n"};
    char line[512];

    add_text(to, bytes, index_ptx[o->index]);
    snprintf(line, sizeof line,
             "mul.wide.u32 %%rd10, %%r10, %d;\nadd.s64 %%rd12, %%rd10, %%rd1;"
             "\n%s\nmov.u32 %%r20, 0;\nL%d:\n",
             o->words * RACE_WORD,
             o->shared ? "mov.u64 %rd11, tile;\nadd.s64 %rd10, %rd10, %rd11;"
                       : "mov.u64 %rd10, %rd12;", n);
    add_text(to, bytes, line);
    access_ptx(o, line, sizeof line);
    add_text(to, bytes, line);
    snprintf(line, sizeof line,
             "add.u32 %%r20, %%r20, 1;\nsetp.lt.u32 %%p3, %%r20, %d;\n"
             "@%%p3 bra L%d;\n%s", o->times, n, after[o->after]);
    add_text(to, bytes, line);
}

static void kernel_ptx(const struct drawn *k, char *to, size_t bytes)
{
    to[0] = '\0';
    add_text(to, bytes,
             "and.b32 %r16, %r2, 1;\nsetp.eq.u32 %p2, %r16, 1;\n");
    add_text(to, bytes, k->equal ? "mov.u32 %r11, 7;\n"
                                 : "add.u32 %r11, %r1, 1000;\n");
    for (int n = 0; n < k->n; n++)
        op_ptx(&k->op[n], n, to, bytes);
}

/* Of all pairs ------------------------------------------------------------- */

static bool touches(const struct op *o, uint32_t thread, uint32_t unit)
{
    uint32_t first = index_of(o->index, thread) * (uint32_t)o->words;

    return (!o->odd || thread % 2) && unit >= first &&
           unit < first + (uint32_t)o->words;
}

/* A barrier, or a .sync if both are of one warp, stands between the ops. */
static bool ordered(const struct drawn *k, int first, int second, bool one_warp)
{
    for (int n = first; n < second; n++)
        if (k->op[n].after == BARRIER ||
            (k->op[n].after == WARP_SYNC && one_warp))
            return true;
    return false;
}

/* A thread of this block touches the unit by op n: does another's access by
 * op m of the same block race with it? */
static bool races_within(const struct drawn *k, int n, int m, uint32_t thread,
                         uint32_t unit)
{
    for (uint32_t other = 0; other < THREADS; other++)
        if (other != thread && touches(&k->op[m], other, unit) &&
            !ordered(k, n, m, thread / LANES == other / LANES))
            return true;
    return false;
}

static bool races_across(const struct drawn *k, int m, uint32_t unit)
{
    for (uint32_t other = 0; k->blocks > 1 && other < THREADS; other++)
        if (touches(&k->op[m], other, unit))
            return true;
    return false;
}

static bool pair_races(const struct drawn *k, int n, int m)
{
    const struct op *a = &k->op[n], *b = &k->op[m];

    if (a->shared != b->shared || (!a->write && !b->write) ||
        (a->write && b->write && k->equal))
        return false;
    for (uint32_t thread = 0; thread < THREADS; thread++)
        for (uint32_t unit = 0; unit < UNITS; unit++)
            if (touches(a, thread, unit) &&
                (races_within(k, n, m, thread, unit) ||
                 (!a->shared && races_across(k, m, unit))))
                return true;
    return false;
}

static bool any_races(const struct drawn *k)
{
    for (int n = 0; n < k->n; n++)
        for (int m = n; m < k->n; m++)
            if (pair_races(k, n, m))
                return true;
    return false;
}

/* What is found -------------------------------------------------------- */

struct work {
    uint64_t given, slow, races, equal; /* lanes left to race_access; those
                                           that it looked at word by word */
};

static const struct work recorded[KERNELS] = {
#include "race_work.inc"
};

static struct work work_of(const struct drawn *k)
{
    static char text[12000];
    struct buffers b;
    struct work x = {0};

    kernel_ptx(k, text, sizeof text);
    prepare(&b, ".shared .align 16 .b8 tile[3200];\n", text, MANY);
    const struct launch_report *r = run(&b, k->blocks, THREADS);
    x.races = r->races;
    x.equal = r->equal_writes;
    for (const struct race *race = b.s.engine->races; race; race = race->next) {
        x.given += race->work.given;
        x.slow += race->work.slow;
    }
    sample_close(&b.s);
    return x;
}

static void expect(int n, const struct work *x, bool races)
{
    if (races != (x->races > 0))
        fail_msg("kernel %d: %d races found, expected %s", n, (int)x->races,
                 races ? "some" : "none");
    if (getenv("RACE_WORK"))
        printf("{%d, %d, %d, %d},\n", (int)x->given, (int)x->slow,
               (int)x->races, (int)x->equal);
    else if (memcmp(x, &recorded[n], sizeof *x) != 0)
        fail_msg("kernel %d: {%d, %d, %d, %d}", n, (int)x->given,
                 (int)x->slow, (int)x->races, (int)x->equal);
}

static void drawn_kernels(void **state)
{
    int found = 0;

    (void)state;
    for (int n = 0; n < KERNELS; n++) {
        struct drawn k = draw_kernel((uint64_t)n);
        struct work x = work_of(&k);
        bool races = any_races(&k);

        expect(n, &x, races);
        found += races;
    }
    assert_in_range(found, KERNELS / 5, KERNELS / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(drawn_kernels)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
