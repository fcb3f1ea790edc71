// SPDX-License-Identifier: MIT
/*
 * command.c: see command.h.
 */
#include "command.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void command_arch(const struct build_request *r, char *sm, size_t size)
{
    const char *number = r->arch + strlen("compute_");
    bool special = !isdigit((unsigned char)number[strlen(number) - 1]);

    if (special || atoi(number) > r->sm)
        snprintf(sm, size, "sm_%s", number);
    else
        snprintf(sm, size, "sm_%d", r->sm);
}

/* A launcher without `return` would return whatever lies in a register. CUDA
 * 11 leaves it to the host's compiler to see that. */
static const char missing_return[] = "-diag-error";
static const char missing_return_host[] = "-Werror=return-type";

/* C++17's <cmath> also brings Bessel functions and their like, a third of
 * nvcc's time for a kernel that never calls one. Its guard leaves them out; a
 * source that does not compile so is compiled as it stands. */
static const char without_bessel[] = "-D_GLIBCXX_BITS_SPECFUN_H=1";

/* Lambdas as arguments of kernels. They bring headers that nearly double nvcc's
 * time, so they are allowed where a source does not compile without. */
static const char with_lambdas[] = "--extended-lambda";

/* Linking device code is for -rdc=true. Without that step nvcc takes a
 * twentieth less time. Tried with CUDA 13 alone. */
static const char no_device_link[] = "-nodlink";

static void add(struct command *c, const char *arg)
{
    c->argv[c->n++] = arg;
    c->argv[c->n] = NULL;
}

static void add_code(struct command *c, const struct build_request *r)
{
    char sm[32];

    command_arch(r, sm, sizeof sm);
    if (r->machine_code)
        snprintf(c->gencode, sizeof c->gencode, "arch=%s,code=[%s,%s]",
                 r->arch, r->arch, sm);
    else
        snprintf(c->gencode, sizeof c->gencode, "arch=%s,code=%s", r->arch,
                 r->arch);
    if (r->machine_code)
        add(c, "-Xptxas=-v");
    add(c, "-gencode");
    add(c, c->gencode);
}

void command_make(struct command *c, const struct build_request *r,
                  const char *out, const char *rule, const char *kept,
                  bool quick)
{
    static const char *const always[] = {
        "-cudart", "shared", "-lineinfo", "-I", "common/op",
        "-I", "common", missing_return, "940", "-Xcompiler",
        missing_return_host,
    };
    static const char *const stage[] = {
        "-shared", "-Xcompiler", "-fPIC,-fvisibility=hidden",
        "-cudadevrt", "none", /* CUDA 11 and 12 would export its symbols */
    };

    c->n = 0;
    add(c, r->toolkit->nvcc);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        add(c, always[i]);
    for (size_t i = 0; !r->program && i < sizeof stage / sizeof *stage; i++)
        add(c, stage[i]);
    add(c, quick ? without_bessel : with_lambdas);
    if (!r->machine_code && r->toolkit->major >= 13)
        add(c, no_device_link);
    add_code(c, r);
    add(c, "-MMD");
    if (rule) {
        add(c, "-MF");
        add(c, rule);
    }
    if (kept) {
        add(c, "-keep");
        add(c, "-keep-dir");
        add(c, kept);
    }
    add(c, "-o");
    add(c, out);
    add(c, r->source);
}

void command_key(struct text *key, const struct build_request *r)
{
    struct command c;

    command_make(&c, r, "", NULL, NULL, true);
    text_add(key, "toolkit %s\n", r->toolkit->version);
    for (int i = 1; i < c.n - 2; i++) /* without nvcc's path and the result */
        text_add(key, "%s ", c.argv[i]);
    text_add(key, "\n");
}
