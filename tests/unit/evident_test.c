// SPDX-License-Identifier: MIT
/*
 * evident_test.c: the next step is about what the evidence says is missing: for
 * each sentence of the simulated GPU that names it, a word that the step must
 * have, and one of the usual step that it must not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/judge/finding.h"

static const struct op op = {.n_buffers = 0};

static json_t *found(const char *kind, const char *space, const char *detail,
                     int bytes, bool write)
{
    return json_pack("{s:s, s:s, s:s, s:i, s:b, s:s, s:i, s:[i,i,i], s:[i,i,i],"
                     " s:{s:s, s:i, s:[i,i,i], s:b}}",
                     "kind", kind, "space", space, "detail", detail, "bytes",
                     bytes, "write", (int)write, "file", "k.cu", "line", 7,
                     "thread", 0, 0, 0, "block", 0, 0, 0, "other", "file",
                     "k.cu", "line", 9, "thread", 200, 0, 0, "write",
                     (int)!write);
}

static void say(json_t *f, const char *source, struct text *t,
                struct text *advice)
{
    char path[] = "/tmp/evident-XXXXXX";
    struct arrays arrays = {.op = &op, .source = path};
    int fd = mkstemp(path);

    assert_non_null(f);
    assert_true(fd >= 0);
    assert_true(write(fd, source, strlen(source)) == (ssize_t)strlen(source));
    close(fd);
    finding_say(t, advice, f, &arrays);
    unlink(path);
    json_decref(f);
}

static void expect(json_t *f, const char *source, const char *evidence,
                   const char *has, const char *lacks)
{
    struct text t = {0}, advice = {0};

    say(f, source, &t, &advice);
    if (!strstr(text_get(&t), evidence))
        fail_msg("\"%s\" is not in: %s", evidence, text_get(&t));
    if (!strstr(text_get(&advice), has))
        fail_msg("\"%s\" is not in: %s", has, text_get(&advice));
    if (strstr(text_get(&advice), lacks))
        fail_msg("\"%s\" is in: %s", lacks, text_get(&advice));
    text_free(&t);
    text_free(&advice);
}

static void the_step_is_about_the_evidence(void **unused)
{
    static const struct {
        const char *kind, *space, *detail, *has, *lacks;
    } rows[] = {
        {"race", "global", "that one in block (0,0,0), and a flag says that it "
         "is over, but no __threadfence() came between reading the flag and "
         "this access", "__threadfence() behind the line", "same index"},
        {"race", "global", "that one in block (0,0,0), and a flag says that it "
         "is over, but the scope of its fence or of its accesses ends at the "
         "block", "not __threadfence_block()", "same index"},
        {"race", "global", "that one in block (0,0,0), and blocks run in any "
         "order", "same index", "fence"},
        {"exited", "shared", "the block may have exited while its bulk copy "
         "still reads its shared memory: cp.async.bulk.wait_group.read has to "
         "come before", "cp.async.bulk.wait_group.read", "cluster"},
        {"exited", "shared", "the block may have exited while wgmma still "
         "reads its shared memory: wgmma.wait_group has to come before",
         "wgmma.wait_group 0", "cluster"},
        {"exited", "shared", "rank 1 of the cluster, block (1,0,0), may not "
         "have started: its shared memory needs a cluster barrier before this "
         "access", "before the first such access", "behind the last"},
        {"exited", "shared", "rank 1 of the cluster, block (1,0,0), may have "
         "exited by then: its shared memory needs a cluster barrier behind "
         "this access", "behind the last such access", "before the first"},
        {"race", "shared", "a bulk copy may still read it: "
         "cp.async.bulk.wait_group.read has to come first",
         "cp.async.bulk.wait_group.read", "__pipeline_wait_prior"},
        {"race", "shared", "wgmma may still read it: wgmma.wait_group has to "
         "come first", "wgmma.wait_group", "__pipeline_wait_prior"},
        {"race", "shared", "its bulk copy was not waited for", "mbarrier",
         "__pipeline_wait_prior"},
        {"deadlock", "", "248 registers per thread are asked for, and the "
         "block's other warps never give back as many", "setmaxnreg",
         "__syncthreads"},
        {"deadlock", "shared", "the mbarrier of line 164: 8 of 256 arrivals "
         "came; the others never do", "line that initialises it",
         "__syncthreads"},
        {"deadlock", "shared", "the mbarrier of line 3: 64 bytes that were "
         "announced never come (copies under way bring 0)", "expect_tx",
         "__syncthreads"},
        {"deadlock", "shared", "the mbarrier of line 3: all threads have left "
         "it", "rounds", "__syncthreads"},
        {"deadlock", "", "the barrier of the cluster: 3 of 4 threads of its 2 "
         "blocks came; the others never do", "cluster.sync()",
         "__syncthreads"},
        {"deadlock", "", "12 blocks run at once on this GPU and all wait; the "
         "grid has 99, and the others start when one of these ends",
         "at once", "__syncthreads"},
        {"deadlock", "", "barrier 0: 3 of 4 threads came; the others never do",
         "__syncthreads", "mbarrier"},
        {"illegal", "", "the tensor map lies in local memory, where nvcc "
         "copies a parameter that is no __grid_constant__; the copy engine "
         "cannot read it there", "const __grid_constant__ CUtensorMap map",
         "Look at what"},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect(found(rows[i].kind, rows[i].space, rows[i].detail, 4, false), "",
               rows[i].detail, rows[i].has, rows[i].lacks);
}

/* Where an engine copies, or warps have roles, a __syncthreads() is no help. */
static void barriers_fit_the_roles(void **unused)
{
    static const char roles[] = "group_sync(group);\n", plain[] = "x = 1;\n";

    (void)unused;
    expect(found("race", "shared", "", 16384, true), roles,
           "with no barrier between", "given back", "__syncthreads");
    expect(found("race", "shared", "", 8192, false), roles,
           "with no barrier between", "bar.sync NUMBER", "Put a __sync");
    expect(found("race", "shared", "", 8192, false), plain,
           "with no barrier between", "behind the writes", "__syncthreads");
    expect(found("race", "shared", "", 4, false), roles,
           "with no barrier between", "bar.sync NUMBER", "Put a __sync");
    expect(found("race", "shared", "", 4, false), plain,
           "with no __syncthreads() between", "Put a __syncthreads()", "roles");
}

/* A copy by an engine has an alignment of its own, whatever its size. */
static void copies_are_aligned_as_the_engine_asks(void **unused)
{
    (void)unused;
    expect(found("misaligned", "shared", "such a copy needs an address that is "
                 "a multiple of 128", 16384, true), "",
           "misaligned: such a copy needs an address that is a multiple of 128",
           "alignas(128)", "vector");
    expect(found("misaligned", "global", "the thread divided by 0 at k.cu:3",
                 16, true), "", "16 bytes at once need an address that is a "
           "multiple of 16", "vector", "alignas");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_step_is_about_the_evidence),
        cmocka_unit_test(barriers_fit_the_roles),
        cmocka_unit_test(copies_are_aligned_as_the_engine_asks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
