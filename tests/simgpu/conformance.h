// SPDX-License-Identifier: MIT
/*
 * conformance.h: PTX instructions on the simulated GPU against C on the host.
 *
 *   ROW        a lane-wise instruction: bits must be equal
 *   ROW_NEAR   an approximate floating-point instruction, with a tolerance
 *   ROW_BOUND  many inputs of an approximate function, each with its own bound
 *   ROW_WARP   an instruction whose result depends on other lanes of the warp
 *   program    a kernel's body, with one result per thread
 *
 * A row is one line: the result's type, the inputs' types, the PTX, and the
 * same computation in C. Inputs are all pairs of a set of special values, then
 * random ones. Each row runs with all lanes active, with a guard, and within a
 * divergent branch; inactive lanes must keep their old result.
 */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record.h"

union value {
    uint64_t u64;
    int64_t s64;
    uint32_t u32;
    int32_t s32;
    uint16_t u16;
    int16_t s16;
    _Float16 f16;
    float f32;
    double f64;
    uint32_t pred; /* 0 or 1 */
};

enum { LANES = 32, THREADS = 2048, WARPS = THREADS / LANES, INPUTS = 3 };

enum variant { ALL_LANES, GUARDED, BRANCHED, N_VARIANTS };

struct row {
    const char *field;   /* of union value: the result's type */
    const char *inputs;  /* a letter each, see values.c */
    const char *ptx;     /* %d from %a, %b, %c; scratch %p %h %t %l */
    double tolerance;    /* relative; negative: bits must be equal */
    union value in[INPUTS][THREADS];
    union value want[THREADS];
    bool any[THREADS];      /* PTX leaves the result open */
    bool bounded;           /* want is not looked at, but these: */
    double exact[THREADS], allowed[THREADS]; /* absolute */
    uint32_t active[WARPS]; /* lanes, in the variant at hand */
    enum variant variant;
    bool ok;
};

/* rows.c */
struct row *row_begin(const char *field, const char *inputs, const char *ptx);
void row_variant(struct row *row, enum variant variant);
void row_run(struct row *row);
void row_end(struct row *row);

/* values.c: the inputs of the set with this letter; its width in bits, 1 for
 * a predicate. */
void values_fill(char letter, int place, union value in[THREADS]);
int values_width(char letter);
uint64_t random_bits(void);

#define ROW_NEAR(field, inputs, ptx, limit, expression)                        \
    do {                                                                       \
        struct row *row = row_begin(#field, inputs, ptx);                      \
        row->tolerance = (limit);                                              \
        for (int k = 0; k < THREADS; k++) {                                    \
            const union value a = row->in[0][k], b = row->in[1][k],            \
                              c = row->in[2][k];                               \
            (void)a, (void)b, (void)c;                                         \
            row->want[k].field = (expression);                                 \
        }                                                                      \
        for (int v = 0; v < N_VARIANTS; v++) {                                 \
            row_variant(row, (enum variant)v);                                 \
            row_run(row);                                                      \
        }                                                                      \
        row_end(row);                                                          \
    } while (0)

/* Approximate functions: many inputs, against a bound on the error that may
 * depend on them; x is the exact result, as double. */
enum { BATCHES = 12 };
#define ROW_BOUND(field, inputs, ptx, expression, bound)                       \
    do {                                                                       \
        bool good = true;                                                      \
        for (int batch = 0; batch < BATCHES; batch++) {                        \
            struct row *row = row_begin(#field, inputs, ptx);                  \
            row->bounded = true;                                               \
            for (int k = 0; k < THREADS; k++) {                                \
                const union value a = row->in[0][k], b = row->in[1][k];        \
                (void)a, (void)b;                                              \
                double x = (expression);                                       \
                row->exact[k] = x;                                             \
                row->allowed[k] = (bound);                                     \
            }                                                                  \
            row_variant(row, ALL_LANES);                                       \
            row_run(row);                                                      \
            good &= row->ok;                                                   \
        }                                                                      \
        tap_case(good, ptx " within its bound");                               \
    } while (0)

#define ROW(field, inputs, ptx, expression)                                    \
    ROW_NEAR(field, inputs, ptx, -1.0, expression)

/* In the expression a, b and c are arrays over the warp's lanes; lane is the
 * current lane, and active the mask of active lanes, which PTX has in %m. */
#define ROW_WARP(field, inputs, ptx, expression)                               \
    do {                                                                       \
        struct row *row = row_begin(#field, inputs, ptx);                      \
        for (int v = 0; v < N_VARIANTS; v++) {                                 \
            row_variant(row, (enum variant)v);                                 \
            for (int k = 0; k < THREADS; k++) {                                \
                int lane = k % LANES, first = k - lane;                        \
                uint32_t active = row->active[k / LANES];                      \
                const union value *a = &row->in[0][first],                     \
                                  *b = &row->in[1][first],                     \
                                  *c = &row->in[2][first];                     \
                (void)a, (void)b, (void)c, (void)lane, (void)active;           \
                row->want[k].field = (expression);                             \
            }                                                                  \
            row_run(row);                                                      \
        }                                                                      \
        row_end(row);                                                          \
    } while (0)

/*
 * program.c. A kernel whose body turns %x (0 to 63, another one per thread), %i
 * (the thread in the grid) and %t (in the block) into %d; registers to use:
 * %p %h %r %f %l %g. %in and %out are the arrays' addresses, %me that of the
 * thread's own result. want gives result i; before holds functions and
 * variables.
 */
enum { MAX_RESULTS = 4096 };
#define NOT_WRITTEN 0xEEEEEEEEu /* what results hold before the launch */
struct program {
    const char *name;
    uint32_t blocks, threads; /* threads: of a block */
    const char *before, *body;
    uint32_t (*want)(uint32_t i, uint32_t x, const uint32_t *all_x);
    size_t dynamic_shared;
    uint32_t results; /* compared; 0: one per thread */
};
void program_run(const struct program *p);
/* Of the next programs' kernels: directives. */
void program_limits(const char *directives);
/* The same with a shape; %t and %i know of x alone. */
void program_run_in(const struct program *p, const uint32_t grid[3],
                    const uint32_t block[3]);
void programs_run(const struct program *p, size_t n);

/* harness.c: the engine and TAP. */
/* A new one, with handlers of a vector width ("": the widest there is), and
 * with blocks and warps in an order drawn from seed (0: as they are). */
void engine_use(const char *isa, uint64_t seed);
/* The first write decides how large a buffer is. */
void device_write(enum buffer which, const void *data, size_t bytes);
/* field: of union value, what each 8 bytes hold; "" if other things. */
void device_read(enum buffer which, void *data, size_t bytes,
                 const char *field);
/* Whether the next kernels may use what a shuffle reads from an inactive lane;
 * else that is a finding, which fails the row. */
void accept_shuffles(bool from_nobody);
void tap_case(bool ok, const char *name);
__attribute__((format(printf, 1, 2))) void tap_say(const char *format, ...);
int tap_end(void);
/* Runs kernel k of the text with the addresses of buffers; false (and says
 * why) unless it ended without a fault or a finding. */
bool run_ptx(const char *text, const uint32_t grid[3],
             const uint32_t block[3], size_t dynamic_shared,
             const enum buffer *params, size_t n_params);

/* forms.c: spellings of instructions that ran, and whether all did. */
struct ptx_module;
void forms_note(const struct ptx_module *ptx);
void every_row_is_tested(void);
void every_form_is_tested(void);

/* One function a file of rows. */
void rows_int(void);
void rows_bits(void);
void rows_compare(void);
void rows_float(void);
void rows_round(void);
void rows_convert(void);
void rows_half(void);
void rows_packed(void);
void rows_twins(void);
void rows_newer(void);
void rows_spelt(void);
void rows_approx(void);
void rows_warp(void);
void rows_matrix(void);
void rows_group(void);
void programs_memory(void);
void programs_access(void);
void programs_atomic(void);
void programs_vector(void);
void programs_control(void);
void programs_call(void);
void programs_sync(void);
void programs_async(void);
void programs_cluster(void);
void programs_bulk(void);
void programs_tensor(void);

#endif
