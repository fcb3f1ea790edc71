// SPDX-License-Identifier: MIT
/*
 * cfg_test.c: where lanes that part meet again. First the shapes that
 * compilers make, then random graphs against the definition: a node that all
 * ways to the end pass, the nearest one.
 */
#include "ptx_text.h"
#include "forms_of.h"
#include "simgpu/core/decode/cfg.h"

struct graph {
    struct ptx_module *m;
    const struct ptx_func *f;
    struct cfg *g;
};

static struct graph graph_of(const char *body)
{
    struct graph x = {.m = read_body(body)};
    if (!x.m)
        fail_msg("%s: %s", error, body);
    x.f = find_func(x.m, "k");
    const struct form **forms = forms_of(x.f);
    x.g = cfg_build(x.f, forms);
    free(forms);
    return x;
}

static void graph_free(struct graph *x)
{
    cfg_free(x->g);
    ptx_free(x->m);
}

/* The number n of the instruction `mov.u32 %r0, n`; -1: the function's end. */
static int64_t landmark(const struct ptx_func *f, int32_t at)
{
    if (at < 0)
        return -1;
    const struct ptx_inst *i = &f->insts[at];
    return strcmp(i->op, "mov") == 0 ? i->operands[1].bits : -2;
}

#define AT(n) "mov.u32 %r0, " #n ";\n"

/* The lanes that part at the first branch meet at this landmark. */
static void meets(const char *body, int64_t expected)
{
    struct graph x = graph_of(body);
    for (size_t i = 0; i < x.f->n_insts; i++)
        if (x.f->insts[i].op[0] == 'b') {
            assert_int_equal(landmark(x.f, cfg_meeting(x.g, (int32_t)i)),
                             expected);
            break;
        }
    graph_free(&x);
}

static void test_no_branch(void **state)
{
    (void)state;
    struct graph x = graph_of(AT(1) AT(2) "ret;");
    assert_int_equal(x.g->n, 1);
    assert_int_equal(x.g->block[0].first, 0);
    assert_int_equal(x.g->block[0].last, 3);
    assert_int_equal(x.g->block[0].n_succ, 1);
    assert_int_equal(x.g->block[0].succ[0], 1);
    assert_int_equal(cfg_meeting(x.g, 0), -1);
    graph_free(&x);
}

static void test_shapes(void **state)
{
    (void)state;
    meets("@%p1 bra L;\n" AT(1) "L:" AT(2) "ret;", 2); /* if */
    meets("@%p1 bra E;\n" AT(1) "bra L;\nE:" AT(2) "L:" AT(3) "ret;", 3);
    meets("@%p1 bra E;\n" AT(1) "ret;\nE:" AT(2) "ret;", -1);
    meets("@%p1 bra E;\n" AT(1) "trap;\nE:" AT(2) "exit;", -1);
    meets("L:" AT(1) "@%p1 bra L;\n" AT(2) "ret;", 2); /* a loop */
    meets("@%p1 bra E;\n@%p2 ret;\n" AT(1) "E:" AT(2) "ret;", -1);
    meets("@%p1 bra E;\nt: .branchtargets A, B;\n@%p2 brx.idx %r1, t;\n" AT(1)
          "A:" AT(2) "bra E;\nB:" AT(3) "E:" AT(4) "ret;", 4);
    meets("t: .branchtargets A, B, C; brx.idx %r1, t;\nA:" AT(1) "bra E;\n"
          "B:" AT(2) "bra E;\nC:" AT(3) "E:" AT(4) "ret;", 4);
    meets("t: .branchtargets A, B; @%p1 brx.idx %r1, t;\n" AT(0) "ret;\n"
          "A:" AT(1) "B:" AT(2) "ret;", -1);
    meets("@!%p1 bra L;\nF: bra F;\nL:" AT(2) "ret;", 2); /* endless */
    meets("bra L;\nL:" AT(2) "ret;", 2);
}

static void test_inner_before_outer(void **state)
{
    (void)state;
    struct graph x = graph_of("@%p1 bra B;\n@%p2 bra A;\n" AT(1) "A:" AT(2)
                              "B:" AT(3) "ret;");
    assert_int_equal(landmark(x.f, cfg_meeting(x.g, 0)), 3);
    assert_int_equal(landmark(x.f, cfg_meeting(x.g, 1)), 2);
    assert_int_equal(x.g->block[0].n_succ, 2);
    assert_int_equal(x.g->block[3].n_succ, 1);
    graph_free(&x);
}

static void test_declaration(void **state)
{
    (void)state;
    struct graph x = graph_of("ret;");
    struct cfg *none = cfg_build(find_func(x.m, "f"), NULL);
    assert_int_equal(none->n, 0);
    cfg_free(none);
    graph_free(&x);
}

/* The definition, by search ----------------------------------------------- */

enum { MOST = 16 };

/* Whether the end can be reached from b without the node avoid. */
static bool reaches(const struct cfg *g, int32_t b, int32_t avoid)
{
    bool seen[MOST + 1] = {false};
    int32_t stack[MOST + 1], n = 0;
    if (b == avoid)
        return false;
    stack[n++] = b;
    seen[b] = true;
    while (n) {
        int32_t at = stack[--n];
        if (at == g->n)
            return true;
        for (int32_t s = 0; s < g->block[at].n_succ; s++) {
            int32_t to = g->block[at].succ[s];
            if (to != avoid && !seen[to]) {
                seen[to] = true;
                stack[n++] = to;
            }
        }
    }
    return false;
}

static bool passes(const struct cfg *g, int32_t b, int32_t d)
{
    return d == g->n || !reaches(g, b, d);
}

static int32_t nearest(const struct cfg *g, int32_t b)
{
    if (!reaches(g, b, -1))
        return g->n;
    for (int32_t d = 0; d <= g->n; d++) {
        bool first = d != b && passes(g, b, d);
        for (int32_t e = 0; first && e < g->n; e++)
            first = e == b || e == d || !passes(g, b, e) || passes(g, d, e);
        if (first && (d == g->n || reaches(g, d, -1)))
            return d;
    }
    return -1;
}

static uint32_t next(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 16) % below;
}

/* Blocks B0, B1, ... that begin with landmarks and end at random. */
static void write_random(char *text, size_t room, uint32_t *seed,
                         uint32_t blocks)
{
    size_t n = 0;
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t to = next(seed, blocks), other = next(seed, blocks);
        n += (size_t)snprintf(text + n, room - n, "B%u: mov.u32 %%r0, %u;\n",
                              b, b);
        switch (next(seed, 8)) {
        case 0: case 1: case 2:
            n += (size_t)snprintf(text + n, room - n, "@%%p1 bra B%u;\n", to);
            break;
        case 3:
            n += (size_t)snprintf(text + n, room - n, "bra B%u;\n", to);
            break;
        case 4:
            n += (size_t)snprintf(text + n, room - n,
                                  "t%u: .branchtargets B%u, B%u;\n"
                                  "brx.idx %%r1, t%u;\n", b, to, other, b);
            break;
        case 5:
            n += (size_t)snprintf(text + n, room - n, "@%%p1 ret;\n");
            break;
        case 6:
            if (next(seed, 3) == 0)
                n += (size_t)snprintf(text + n, room - n, "exit;\n");
            break;
        default:
            break;
        }
    }
    snprintf(text + n, room - n, "ret;\n");
}

/* A block is where a label or a branch makes one, with its ways on. */
static void check_blocks(const struct graph *x)
{
    const struct cfg *g = x->g;
    for (int32_t b = 0; b < g->n; b++) {
        const struct basic *block = &g->block[b];
        assert_true(block->first < block->last);
        assert_int_equal(block->first, b ? g->block[b - 1].last : 0);
        for (int32_t i = block->first; i < block->last; i++)
            assert_int_equal(g->block_of[i], b);
        const struct ptx_inst *last = &x->f->insts[block->last - 1];
        bool ends = strcmp(last->op, "ret") == 0 ||
                    strcmp(last->op, "exit") == 0;
        int32_t ways = ends ? 1 : strcmp(last->op, "brx") == 0 ? 2 : 1;
        if (last->guard >= 0)
            ways++;
        assert_int_equal(block->n_succ, ways);
        if (ends)
            assert_int_equal(block->succ[0], g->n);
    }
    assert_int_equal(g->block[g->n - 1].last, x->f->n_insts);
}

static void test_random(void **state)
{
    static char text[4096];
    uint32_t seed = 7;
    (void)state;
    for (int round = 0; round < 400; round++) {
        write_random(text, sizeof text, &seed, 2 + next(&seed, 9));
        struct graph x = graph_of(text);
        assert_true(x.g->n <= MOST);
        check_blocks(&x);
        for (int32_t b = 0; b < x.g->n; b++) {
            if (x.g->block[b].ipdom != nearest(x.g, b))
                fail_msg("block %d meets at %d, not %d, in\n%s", b,
                         x.g->block[b].ipdom, nearest(x.g, b), text);
            int32_t d = nearest(x.g, b);
            assert_int_equal(cfg_meeting(x.g, x.g->block[b].first),
                             d < x.g->n ? x.g->block[d].first : -1);
        }
        graph_free(&x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_branch),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_inner_before_outer),
        cmocka_unit_test(test_declaration),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
