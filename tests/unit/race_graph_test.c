// SPDX-License-Identifier: MIT
/*
 * race_graph_test.c: what a search of releases finds, and how far it goes
 * (race/race_graph.c).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "simgpu/core/race/race_graph.h"

static uint64_t tag_of(uint32_t thread, uint32_t stamp)
{
    return (uint64_t)stamp << TAG_STAMP | (uint64_t)thread << TAG_THREAD;
}

static const struct release *release_by(struct race_graph *g, uint64_t block,
                                        uint32_t thread, uint32_t stamp,
                                        const struct release *seen,
                                        const struct release *flag)
{
    struct release x = {.block = block, .thread = thread, .stamp = stamp + 1,
                        .fence = {.own = stamp}, .before = {seen, flag}};
    return race_graph_add(g, &x);
}

/* Releases that the last search came to, of those from here back by flags. */
static int visited(const struct race_graph *g, const struct release *r)
{
    int n = 0;
    for (; r; r = r->before[1])
        n += r->mark == g->mark;
    return n;
}

/* A lock that changes hands: a search takes as many steps as it has done so
 * since, and none for who has released nothing. */
static void test_lock(void **state)
{
    enum { HANDS = 5000, BLOCKS = 7 };
    (void)state;
    struct race_graph g = {0};
    const struct release *flag = NULL;
    for (uint32_t n = 0; n < HANDS; n++)
        flag = release_by(&g, n % BLOCKS, n / BLOCKS % 1024, n + 10, NULL,
                          flag);
    for (uint32_t back = 1; back < HANDS; back *= 4) {
        uint32_t n = HANDS - back, thread = n / BLOCKS % 1024;
        const struct release *r = race_graph_search(
            &g, flag, n % BLOCKS, tag_of(thread, n + 9));
        assert_non_null(r);
        assert_int_equal(r->number, n);
        assert_int_equal(visited(&g, flag), back);
        assert_null(race_graph_search(&g, flag, n % BLOCKS,
                                      tag_of(thread, HANDS + 20)));
        assert_int_equal(visited(&g, flag), 0);
    }
    assert_null(race_graph_search(&g, flag, BLOCKS, tag_of(0, 1)));
    assert_int_equal(visited(&g, flag), 0);
    race_graph_free(&g);
}

/* Who has seen only what came before the release has not far to go, either. */
static void test_seen_before(void **state)
{
    enum { HANDS = 100 };
    (void)state;
    struct race_graph g = {0};
    const struct release *flag = NULL, *seen = NULL;
    for (uint32_t n = 0; n < HANDS; n++) {
        flag = release_by(&g, 0, n, n + 10, NULL, flag);
        if (n == HANDS / 2)
            seen = flag;
    }
    assert_null(race_graph_search(&g, seen, 0, tag_of(HANDS / 2 + 1, 2)));
    assert_int_equal(visited(&g, flag), 0);
    assert_non_null(race_graph_search(&g, seen, 0, tag_of(HANDS / 2, 2)));
    race_graph_free(&g);
}

/* Who is in a hurry looks at some releases, and finds what is among them. */
static void test_some(void **state)
{
    enum { HANDS = 100, MOST = 10 };
    (void)state;
    struct race_graph g = {0};
    const struct release *flag = NULL;
    for (uint32_t n = 0; n < HANDS; n++)
        flag = release_by(&g, 0, n, n + 10, NULL, flag);
    for (uint32_t n = 0; n < HANDS; n++) {
        const struct release *r = race_graph_search_since(
            &g, flag, 0, tag_of(n, 2), 0, MOST);
        assert_int_equal(r != NULL, n >= HANDS - MOST);
        assert_true(visited(&g, flag) <= MOST + 1);
    }
    race_graph_free(&g);
}

/* The flag's own write has the stamp behind its fence. */
static void test_own_write(void **state)
{
    (void)state;
    struct race_graph g = {0};
    uint64_t strong = (uint64_t)RACE_STRONG_READ << TAG_CLASS;
    const struct release *r = release_by(&g, 3, 4, 10, NULL, NULL);
    assert_non_null(race_graph_search(&g, r, 3, tag_of(4, 9)));
    assert_null(race_graph_search(&g, r, 3, tag_of(4, 10)));
    assert_null(race_graph_search(&g, r, 3, tag_of(4, 11)));
    assert_non_null(race_graph_search(&g, r, 3, tag_of(4, 11) | strong));
    assert_null(race_graph_search(&g, r, 3, tag_of(4, 12) | strong));
    race_graph_free(&g);
}

/* Random graphs: the search finds what one without short cuts does. */

enum { RELEASES = 300, QUESTIONS = 400, HANDS = 3, THREADS = 70, STAMPS = 90 };

static uint32_t drawn(uint64_t *seed, uint32_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % below;
}

static bool reaches(const struct release *r, uint64_t block, uint64_t tag,
                    bool *been)
{
    if (!r || been[r->number])
        return false;
    been[r->number] = true;
    return race_graph_covers(r, block, tag) ||
           reaches(r->before[0], block, tag, been) ||
           reaches(r->before[1], block, tag, been);
}

static struct fenced *fenced_by_all(uint64_t *seed)
{
    struct fenced *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->floor = drawn(seed, STAMPS);
    for (int n = 0; n < MAX_WARPS; n++) {
        f->lanes[n] = drawn(seed, 4);
        f->own[n] = f->lanes[n] ? drawn(seed, STAMPS) : UINT32_MAX;
        f->warp[n] = drawn(seed, STAMPS);
    }
    return f;
}

static void test_random(void **state)
{
    (void)state;
    uint64_t seed = 7;
    int found = 0;
    for (int round = 0; round < 20; round++) {
        struct race_graph g = {0};
        const struct release *all[RELEASES + 1] = {NULL};
        struct fenced *met[RELEASES] = {NULL};
        for (uint32_t n = 0; n < RELEASES; n++) {
            uint32_t stamp = drawn(&seed, STAMPS), kind = drawn(&seed, 8);
            struct release x = {
                .block = drawn(&seed, HANDS), .stamp = stamp,
                .thread = drawn(&seed, THREADS),
                .fence = {.own = drawn(&seed, stamp + 1),
                          .warp = kind == 1 ? drawn(&seed, stamp + 1) : 0,
                          .block = kind == 2 ? drawn(&seed, stamp + 1) : 0},
                .before = {all[n - drawn(&seed, n + 1)],
                           all[n - drawn(&seed, n + 1)]}};
            if (kind == 3)
                x.fenced = met[n] = fenced_by_all(&seed);
            if (kind == 4)
                x.block = UINT64_MAX;
            all[n + 1] = race_graph_add(&g, &x);
        }
        for (int n = 0; n < QUESTIONS; n++) {
            bool been[RELEASES] = {false};
            uint64_t block = drawn(&seed, HANDS);
            uint64_t tag = tag_of(drawn(&seed, THREADS), drawn(&seed, STAMPS)) |
                           (uint64_t)drawn(&seed, 4) << TAG_CLASS;
            const struct release *from = all[drawn(&seed, RELEASES + 1)];
            const struct release *r = race_graph_search(&g, from, block, tag);
            assert_int_equal(r != NULL, reaches(from, block, tag, been));
            assert_true(!r || race_graph_covers(r, block, tag));
            found += r != NULL;
        }
        race_graph_free(&g);
        for (int n = 0; n < RELEASES; n++)
            free(met[n]);
    }
    assert_in_range(found, 800, 7200); /* of 8000 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lock),
        cmocka_unit_test(test_seen_before),
        cmocka_unit_test(test_some),
        cmocka_unit_test(test_own_write),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
