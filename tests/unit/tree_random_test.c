// SPDX-License-Identifier: MIT
/*
 * tree_random_test.c: random programs, where each lane must go the way it
 * would go alone, and all must come together again behind each statement.
 */
#include "tree_sample.h"

/* Random programs --------------------------------------------------------- */

static uint32_t next(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 16) % below;
}

/* A lane's own die: its throws depend on no other lane. */
static uint32_t thrown[LANES];

static bool throw_die(int lane, int64_t sides)
{
    uint32_t x = (uint32_t)lane * 2654435761u + thrown[lane]++ * 40503u;
    x ^= x >> 15;
    x *= 2246822519u;
    return (x >> 13) % (uint32_t)sides == 0;
}

static const struct inst *die(struct warp *w, const struct inst *i,
                              uint32_t mask)
{
    uint32_t *p = slot(w, i->a);
    for (int l = 0; l < LANES; l++)
        if (mask >> l & 1)
            *p = (*p & ~(1u << l)) |
                 (uint32_t)throw_die(l, i->imm) << l;
    return i + 1;
}

struct writer {
    struct hand *h;
    uint32_t *seed;
    int64_t ids;
    bool exits, calls;
};

static void put_die(struct writer *x, int64_t sides)
{
    hand_put(x->h, (struct inst){.fn = die, .a = PRED(0), .imm = sides});
}

static void write_block(struct writer *x, int depth);

/* note A; statement; note A + 1. */
static void write_statement(struct writer *x, int depth)
{
    struct hand *h = x->h;
    int64_t id = x->ids += 2;
    put_note(h, id);
    uint32_t kind = depth ? next(x->seed, 5) : 3 + next(x->seed, 2);
    struct inst *branch = NULL, *over = NULL;
    switch (kind) {
    case 0: /* if, perhaps with else */
    case 1:
        put_die(x, 2);
        branch = put_branch(h, PRED(0));
        write_block(x, depth - 1);
        over = kind ? put(h, op_branch_uniform) : NULL;
        branch->target = &h->code[h->n];
        if (over)
            write_block(x, depth - 1);
        branch->rpc = put(h, op_reconverge);
        if (over)
            over->target = branch->rpc;
        else
            branch->target = branch->rpc;
        break;
    case 2: /* do while */
        branch = &h->code[h->n];
        write_block(x, depth - 1);
        put_die(x, 3);
        over = hand_put(h, (struct inst){.fn = op_branch, .a = PRED(0),
                                         .guard_xor = UINT32_MAX});
        over->target = branch;
        over->rpc = put(h, op_reconverge);
        break;
    case 3:
        if (x->exits) {
            put_die(x, 9);
            hand_put(h, (struct inst){.fn = op_exit, .guard = PRED(0) + 1});
        }
        break;
    default:
        if (x->calls) {
            put_die(x, 2);
            hand_put(h, (struct inst){.fn = op_call, .detail = h->detail,
                                      .guard = PRED(0) + 1});
        }
    }
    put_note(h, id + 1);
}

static void write_block(struct writer *x, int depth)
{
    for (uint32_t n = 1 + next(x->seed, 2); n > 0; n--)
        write_statement(x, depth);
}

/* The callee's own statements are written behind the kernel's. */
static void write_program(struct writer *x)
{
    static struct call_info info;
    struct hand *h = x->h;
    info = (struct call_info){.callee = &h->function[1]};
    h->detail[0].call = &info;
    write_block(x, 3);
    put(h, op_exit);
    h->function[1].insts = &h->code[h->n];
    x->calls = false;
    write_block(x, 2);
    put_die(x, 3);
    hand_put(h, (struct inst){.fn = op_return, .guard = PRED(0) + 1});
    write_block(x, 1);
    put(h, op_return);
    h->function[1].n_insts = 1;
}

/* A lane alone: how often it passes each note. */
static void alone(const struct hand *h, int lane, int *times)
{
    const struct inst *i = h->code, *caller = NULL;
    bool p = false, kept = false;
    for (;;) {
        if (i->guard && !p)
            i++;
        else if (i->fn == note)
            times[i++->imm]++;
        else if (i->fn == die)
            p = throw_die(lane, i++->imm);
        else if (i->fn == op_branch)
            i = p != (i->guard_xor != 0) ? i->target : i + 1;
        else if (i->fn == op_branch_uniform)
            i = i->target;
        else if (i->fn == op_call) {
            kept = p;
            caller = i + 1;
            i = h->function[1].insts;
        } else if (i->fn == op_return && caller) {
            p = kept;
            i = caller;
            caller = NULL;
        } else if (i->fn == op_exit || i->fn == op_return)
            return;
        else
            i++;
    }
}

/* Each lane goes its way; and without exits, whoever came to a statement in
 * one step leaves it in one step. */
static void check_program(const struct writer *x)
{
    static int times[LANES][HAND_MOST * 2];
    int before, after;
    memset(times, 0, sizeof times);
    memset(thrown, 0, sizeof thrown);
    for (int l = 0; l < LANES; l++)
        alone(x->h, l, times[l]);
    for (int64_t id = 2; id <= x->ids + 1; id++)
        for (int l = 0; l < LANES; l++)
            assert_int_equal(passed(id, l, NULL), times[l][id]);
    for (int64_t id = 2; !x->exits && id <= x->ids; id += 2) {
        passed(id, 0, &before);
        passed(id + 1, 0, &after);
        assert_int_equal(before, after);
    }
}

static void test_random_programs(void **state)
{
    uint32_t seed = 5;
    (void)state;
    for (int round = 0; round < 300; round++) {
        struct writer x = {.h = tree_begin(32), .seed = &seed,
                           .exits = round % 3 == 0, .calls = round % 2};
        memset(thrown, 0, sizeof thrown);
        write_program(&x);
        hand_start(x.h);
        run_all(x.h);
        check_program(&x);
        assert_int_equal(x.h->worker.block.live, 0);
        tree_end(x.h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
