// SPDX-License-Identifier: MIT
/*
 * program.c: whole kernels with one result per thread.
 *
 *   program_run, program_run_in, programs_run
 *   program_limits
 */
#include "conformance.h"

#include <stdio.h>
#include <string.h>

#include "simgpu/core/engine.h"

enum { TEXT = 16384, SHOWN = 3 };

static const char prologue[] =
    "\n{\n"
    ".reg .pred %p<16>; .reg .b16 %h<48>; .reg .b32 %r<64>;\n"
    ".reg .f32 %f<32>; .reg .b64 %l<32>; .reg .f64 %g<32>;\n"
    ".reg .b32 %i, %t, %x, %d; .reg .b64 %in, %out, %me, %at;\n"
    "ld.param.u64 %in, [p_in]; ld.param.u64 %out, [p_out];\n"
    "mov.u32 %t, %tid.x; mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x;\n"
    "mad.lo.s32 %i, %r0, %r1, %t; mul.wide.u32 %at, %i, 4;\n"
    "add.s64 %me, %in, %at; ld.global.u32 %x, [%me];\n"
    "add.s64 %me, %out, %at; mov.u32 %d, 0;\n";

static const char epilogue[] = "\nst.global.u32 [%me], %d;\nret;\n}\n";

static uint32_t in[MAX_RESULTS], out[MAX_RESULTS];
static const char *limits = "";

void program_limits(const char *directives)
{
    limits = directives;
}

static bool compare(const struct program *p)
{
    uint32_t n = p->results ? p->results : p->blocks * p->threads;
    int wrong = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t want = p->want(i, in[i], in);
        if (out[i] != want && wrong++ < SHOWN)
            tap_say("result %u (x = %u): want %#x, got %#x", i, in[i], want,
                    out[i]);
    }
    return !wrong;
}

void program_run_in(const struct program *p, const uint32_t grid[3],
                    const uint32_t block[3])
{
    static const enum buffer params[] = {PROGRAM_IN, PROGRAM_OUT};
    static char text[TEXT];
    for (size_t i = 0; i < MAX_RESULTS; i++) {
        in[i] = random_bits() & 63;
        out[i] = NOT_WRITTEN;
    }
    device_write(PROGRAM_IN, in, sizeof in);
    device_write(PROGRAM_OUT, out, sizeof out);
    int n = snprintf(text, sizeof text,
                     ".version 8.0\n.target sm_90\n.address_size 64\n"
                     "%s\n"
                     ".visible .entry k(.param .u64 p_in, .param .u64 p_out)\n"
                     "%s%s%s%s", p->before ? p->before : "",
                     limits, prologue, p->body, epilogue);
    bool ok = n > 0 && (size_t)n < sizeof text &&
              run_ptx(text, grid, block, p->dynamic_shared, params,
                      sizeof params / sizeof *params);
    if (ok) {
        device_read(PROGRAM_OUT, out, sizeof out, "");
        ok = compare(p);
    }
    tap_case(ok, p->name);
}

void program_run(const struct program *p)
{
    program_run_in(p, (const uint32_t[]){p->blocks, 1, 1},
                   (const uint32_t[]){p->threads, 1, 1});
}

void programs_run(const struct program *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        program_run(&p[i]);
}
