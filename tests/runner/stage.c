// SPDX-License-Identifier: MIT
/*
 * stage.c: a vector_add whose behaviour depends on N; see stage.h.
 */
#include "stage.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "op/gemm.h"
#include "op/vector_add.h"
#include "wire.h"

void fake_launch_error(cudaError_t error);
void fake_fault(cudaError_t error);
void fake_defer(double seconds);
void fake_advance(int seconds);

static void spin(double seconds)
{
    double until = wire_now() + seconds;

    while (wire_now() < until)
        ;
}

/* A forged reply, sent before the runner's own. */
static void forge(void)
{
    static struct wire_reply reply; /* says: done */

    wire_send(WIRE_FD_CHANNEL, WIRE_REPLY, 0, &reply, sizeof reply);
}

/* What the cage must have done; the answer is c[0]. */
static float look_around(void)
{
    struct rlimit core, files;
    extern char **environ;
    int variables = 0, more_fds = 0;

    getrlimit(RLIMIT_CORE, &core);
    getrlimit(RLIMIT_FSIZE, &files);
    while (environ[variables])
        variables++;
    for (int fd = WIRE_FD_MEMORY + 1; fd < 64; fd++)
        more_fds += lseek(fd, 0, SEEK_CUR) != -1;
    return getenv("WARPBOOK_TEST_SECRET") == NULL && variables <= 6 &&
           core.rlim_max == 0 && files.rlim_max < RLIM_INFINITY &&
           more_fds == 0 && getc(stdin) == EOF && getpgrp() == getpid();
}

size_t vector_add_workspace(struct vector_add_shape shape)
{
    return shape.N == STAGE_WORKSPACE || shape.N == STAGE_WORKSPACE_OVER
               ? 1000
               : 0;
}

static void spin_unevenly(void)
{
    static bool brief;

    spin(brief ? 1e-3 : 10e-3);
    brief = !brief;
}

static void repeat(float *c)
{
    static float first[STAGE_REMEMBER];
    static bool known;

    if (known)
        memcpy(c, first, sizeof first);
    else
        memcpy(first, c, sizeof first);
    known = true;
}

static void misbehave(enum stage_behaviour how, const float *a, float *c, int n,
                      void *workspace)
{
    switch (how) {
    case STAGE_EXIT:
        exit(3);
    case STAGE_CRASH:
        raise(SIGSEGV);
        break;
    case STAGE_HANG:
        for (;;)
            pause();
    case STAGE_FORGE:
        forge();
        break;
    case STAGE_CLOSE:
        close(WIRE_FD_CHANNEL);
        spin(60);
        break;
    case STAGE_BEFORE:
        ((char *)c)[-3] = 1;
        break;
    case STAGE_AFTER:
        c[n] = 1;
        break;
    case STAGE_INPUT:
        ((float *)(uintptr_t)a)[n / 2] += 1;
        break;
    case STAGE_SHRINK:
        if (ftruncate(WIRE_FD_MEMORY, 0) != 0)
            abort();
        break;
    case STAGE_FAULT:
        fake_fault(cudaErrorIllegalAddress);
        break;
    case STAGE_SILENT:
        fake_launch_error(cudaErrorInvalidConfiguration);
        break;
    case STAGE_LOOK:
        c[0] = look_around();
        break;
    case STAGE_WORKSPACE:
        c[0] = ((unsigned char *)workspace)[999]; /* poison */
        break;
    case STAGE_WORKSPACE_OVER:
        ((unsigned char *)workspace)[1001] = 1;
        break;
    case STAGE_PRINT:
        printf("PASS\n");
        break;
    case STAGE_SLOW:
        spin(2e-3);
        break;
    case STAGE_SLOWEST:
        fake_advance(1000);
        break;
    case STAGE_UNEVEN:
        spin_unevenly();
        break;
    case STAGE_REMEMBER:
        repeat(c);
        break;
    case STAGE_DEFER:
        fake_defer(0.1e-3);
        break;
    default:
        break;
    }
}

cudaError_t vector_add(const float *a, const float *b, float *c,
                       struct vector_add_shape shape, void *workspace,
                       cudaStream_t stream)
{
    int n = shape.N == STAGE_PARTIAL ? shape.N - 1 : shape.N;

    (void)stream;
    if (shape.N == STAGE_LAZY)
        return cudaSuccess;
    if (shape.N == STAGE_ERROR)
        return cudaErrorInvalidConfiguration;
    for (int i = 0; i < n; i++)
        c[i] = a[i] + b[i];
    misbehave((enum stage_behaviour)shape.N, a, c, shape.N, workspace);
    return cudaSuccess;
}

size_t gemm_f32_workspace(struct gemm_shape shape)
{
    (void)shape;
    return 0;
}

/* Of one element each. */
cudaError_t gemm_f32(const float *A, const float *B, float *C,
                     struct gemm_shape shape, float alpha, float beta,
                     void *workspace, cudaStream_t stream)
{
    (void)shape, (void)workspace, (void)stream;
    *C = alpha * *A * *B + beta * *C;
    return cudaSuccess;
}
