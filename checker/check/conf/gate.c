// SPDX-License-Identifier: MIT
/*
 * gate.c: the table of counters that gates may name; see gate.h.
 *
 * A row is scale * (sum of counters) / (sum of counters, the operator's bytes,
 * or its useful flops). Useful flops and compulsory bytes are the operator's,
 * not the kernel's: a kernel cannot dodge a gate by idle work. Nor by loads of
 * another kind: what an atomic or an asynchronous copy reads counts as loaded,
 * and a ratio over loads that nobody made has no value, which no limit allows.
 */
#include "gate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SUM_MAX = 8 };
#define SECTOR_BYTES 32.0
#define WORD_BYTES 4.0

static const char by_bytes[] = "(bytes)"; /* denominators that are no counter */
static const char by_flops[] = "(flops)";
static const char by_inputs[] = "(inputs)"; /* bytes of the large ones */

struct counter_row {
    const char *name;
    const char *over[SUM_MAX]; /* summed; first NULL: the counter itself;
                                  "-name" is taken off */
    const char *under[SUM_MAX]; /* summed; first NULL: not divided */
    double scale;
    const char *meaning;
    bool must;                 /* 0 over 0 is no value, rather than 0 */
};

#define RAW(name, meaning) {name, {NULL}, {NULL}, 1.0, meaning, false}
#define RATIO(name, over, under, meaning)                                      \
    {name, {over}, {under}, 1.0, meaning, false}

/* Every way in which a kernel reads global memory. */
#define LOADED(unit)                                                           \
    {"global_load_" unit, "async_copy_" unit, "bulk_load_" unit,               \
     "global_atomic_" unit}

/* What it asks for, but for what lanes ask for again: a load of one address by
 * all lanes asks for no more than a sector. */
#define ASKED                                                                  \
    {"global_load_bytes", "async_copy_bytes", "bulk_load_bytes",               \
     "global_atomic_bytes", "-repeated_bytes"}

/* And in which it writes it. Those that only read count here, too. */
#define STORED(unit)                                                           \
    {"global_store_" unit, "bulk_store_" unit, "global_atomic_" unit}

/* All of global memory's sectors. */
#define MOVED                                                                  \
    "global_load_sectors", "global_store_sectors", "async_copy_sectors",       \
        "bulk_load_sectors", "bulk_store_sectors", "global_atomic_sectors",    \
        "api_sectors"

static const struct counter_row table[] = {
    RAW("warp_instructions", "instructions, counted once per warp"),
    RAW("lane_instructions", "instructions, counted once per lane"),
    RAW("global_load_requests", "global load requests"),
    RAW("global_load_sectors", "sectors loaded"),
    RAW("global_load_bytes", "bytes loaded from global memory"),
    RAW("global_store_requests", "global store requests"),
    RAW("global_store_sectors", "sectors stored"),
    RAW("global_store_bytes", "bytes stored to global memory"),
    RAW("async_copy_requests", "asynchronous copies, counted once per warp"),
    RAW("async_copy_fetches", "asynchronous copies that read memory"),
    RAW("async_copy_sectors", "sectors copied asynchronously"),
    RAW("async_copy_bytes", "bytes copied asynchronously"),
    RAW("bulk_copies", "bulk copies from or to global memory"),
    RAW("bulk_load_sectors", "sectors that bulk copies load"),
    RAW("bulk_load_bytes", "bytes that bulk copies load"),
    RAW("loads_by_multipliers", "bulk copies by warps that multiply"),
    RAW("bulk_store_sectors", "sectors that bulk copies store"),
    RAW("bulk_store_bytes", "bytes that bulk copies store"),
    RAW("input_sectors", "sectors loaded of large inputs"),
    RAW("parameter_sectors", "sectors loaded of small inputs"),
    RAW("async_waits", "waits for asynchronous copies"),
    RAW("async_waits_ahead", "waits that leave copies under way"),
    RAW("shared_load_requests", "shared load requests"),
    RAW("shared_load_wavefronts", "shared load wavefronts"),
    RAW("shared_load_conflicts", "shared load bank conflicts"),
    RAW("shared_store_requests", "shared store requests"),
    RAW("shared_store_wavefronts", "shared store wavefronts"),
    RAW("shared_store_conflicts", "shared store bank conflicts"),
    RAW("constant_load_requests", "loads of constants"),
    RAW("constant_load_replays", "further turns of loads of constants"),
    RAW("local_load_requests", "local memory loads (spills, arrays)"),
    RAW("local_store_requests", "local memory stores (spills, arrays)"),
    RAW("global_atomics", "global atomics"),
    RAW("global_atomic_sectors", "sectors that atomics touch"),
    RAW("global_atomic_bytes", "bytes that atomics touch"),
    RAW("shared_atomics", "shared atomics"),
    RAW("barriers", "barriers"),
    RAW("branches", "branches"),
    RAW("divergent_branches", "divergent branches"),
    RAW("flops", "floating-point operations"),
    RAW("fp64_tensor_ops", "operations of tensor cores on fp64"),
    RAW("tf32_tensor_ops", "operations of tensor cores on tf32"),
    RAW("fp16_tensor_ops", "operations of tensor cores on fp16"),
    RAW("bf16_tensor_ops", "operations of tensor cores on bf16"),
    RAW("fp8_tensor_ops", "operations of tensor cores on fp8"),
    RAW("int8_tensor_ops", "operations of tensor cores on integers"),
    RAW("threads", "threads launched"),
    RAW("graph_launches", "kernels that graphs launched"),
    RAW("host_launches", "kernels that the host launched itself"),
    RAW("graph_replays", "kernels of graphs that were launched before"),
    RAW("api_sectors", "sectors that the launcher's copies and memsets move"),
    RAW("busiest_block", "instructions of each launch's busiest block"),
    /* Of a study: trial.h. */
    RAW("regret_mean_percent", "time lost to the best kernel, on average"),
    RAW("regret_p95_percent", "time lost at all but 5 % of the shapes"),
    RAW("regret_p99_percent", "time lost at all but 1 % of the shapes"),
    RAW("regret_worst_percent", "time lost at the worst shape"),
    RAW("regret_training_percent", "time lost at the shapes it was fitted to"),
    RAW("held_out_used", "1: another tree for other held-out times"),
    RAW("measured_percent", "candidates that were measured"),
    {"threads_per_word", {"threads"}, {by_bytes}, WORD_BYTES,
     "threads per 4 bytes that must move", false},
    /* Of the model's, at a shape that is timed: for a time_gate. */
    {"clocks_per_word", {"alone_clocks"}, {by_bytes}, WORD_BYTES,
     "clocks of a thread that has the GPU alone per 4 bytes that must move",
     false},
    {"stored_sectors",
     {"global_store_sectors", "bulk_store_sectors", "global_atomic_sectors",
      "api_sectors"},
     {NULL}, 1.0, "sectors written, in whichever way", false},
    {"global_load_sectors_per_request",
     {"global_load_sectors", "async_copy_sectors", "global_atomic_sectors"},
     {"global_load_requests", "async_copy_fetches", "global_atomics"},
     1.0, "sectors per load of a warp", true},
    {"global_store_sectors_per_request", {"global_store_sectors"},
     {"global_store_requests"}, 1.0, "sectors per store of a warp", false},
    {"loads_by_threads",
     {"global_load_requests", "async_copy_requests", "global_atomics"}, {NULL},
     1.0, "loads of warps, in whichever way", false},
    {"global_load_bytes_per_request",
     {"global_load_bytes", "async_copy_bytes"},
     {"global_load_requests", "async_copy_fetches"}, 1.0,
     "bytes that a load of a warp asks for", false},
    {"global_store_bytes_per_request",
     {"global_store_bytes", "global_atomic_bytes"},
     {"global_store_requests", "global_atomics"}, 1.0,
     "bytes that a store of a warp writes", true},
    {"global_load_bytes_over_asked", LOADED("sectors"), ASKED,
     SECTOR_BYTES, "bytes fetched over the bytes loaded", true},
    {"bytes_asked_again_per_byte", {"bytes_asked_again"}, LOADED("bytes"), 1.0,
     "bytes that several lanes of a load ask for, over the bytes loaded", true},
    {"global_store_bytes_over_asked", STORED("sectors"), STORED("bytes"),
     SECTOR_BYTES, "bytes of sectors touched over the bytes stored", true},
    {"global_bytes_over_compulsory", {MOVED}, {by_bytes}, SECTOR_BYTES,
     "bytes moved over the bytes that must move", false},
    {"bytes_beside_parameters", {MOVED, "-parameter_sectors"}, {by_bytes},
     SECTOR_BYTES, "bytes moved, but for loads of small inputs, over the bytes "
     "that must move", false},
    {"input_reads", {"input_sectors"}, {by_inputs}, SECTOR_BYTES,
     "how often the large inputs are loaded", false},
    {"global_load_bytes_over_compulsory", LOADED("sectors"), {by_bytes},
     SECTOR_BYTES, "bytes loaded over the bytes that must move", false},
    RATIO("async_copy_bytes_over_compulsory", "async_copy_bytes", by_bytes,
          "bytes copied asynchronously over the bytes that must move"),
    RATIO("loaded_bytes_per_copied", "global_load_bytes", "async_copy_bytes",
          "bytes loaded by threads per byte copied asynchronously"),
    RATIO("async_waits_ahead_per_wait", "async_waits_ahead", "async_waits",
          "waits that leave the next copies under way"),
    {"barriers_per_wait", {"barriers", "mbarrier_arrivals"}, {"async_waits"},
     1.0, "barriers, and arrivals at mbarriers, per wait that brings copies",
     false},
    RATIO("branches_per_copied", "branches", "async_copy_sectors",
          "branches per sector that is copied asynchronously"),
    RATIO("shared_load_conflicts_per_request", "shared_load_conflicts",
          "shared_load_requests", "bank conflicts per shared load"),
    RATIO("shared_store_conflicts_per_request", "shared_store_conflicts",
          "shared_store_requests", "bank conflicts per shared store"),
    RATIO("constant_load_replays_per_request", "constant_load_replays",
          "constant_load_requests", "further turns per load of constants"),
    RATIO("shared_load_wavefronts_per_request", "shared_load_wavefronts",
          "shared_load_requests", "wavefronts per shared load"),
    {"shared_stores_per_load", {"shared_store_requests"},
     {"global_load_requests", "global_atomics"}, 1.0,
     "shared stores per global load", false},
    {"shared_load_requests_per_flop",
     {"shared_load_requests", "shared_atomics"}, {by_flops}, 1.0,
     "shared loads per useful flop", false},
    RATIO("shared_load_wavefronts_per_flop", "shared_load_wavefronts",
          by_flops, "shared wavefronts per useful flop"),
    {"global_load_requests_per_flop",
     {"global_load_requests", "global_atomics"}, {by_flops}, 1.0,
     "global loads per useful flop", false},
    RATIO("warp_instructions_per_flop", "warp_instructions", by_flops,
          "instructions per useful flop"),
    RATIO("flops_over_useful", "flops", by_flops,
          "flops done over the flops that are needed"),
    RATIO("blocks_at_work", "warp_instructions", "busiest_block",
          "all instructions over those of the busiest block"),
#define TENSOR(type)                                                           \
    RATIO(type "_tensor_ops_per_flop", type "_tensor_ops", by_flops,           \
          "operations of tensor cores on " type " per useful flop")
    TENSOR("fp64"), TENSOR("tf32"), TENSOR("fp16"), TENSOR("bf16"),
    TENSOR("fp8"), TENSOR("int8"),
#undef TENSOR
    RATIO("lanes_per_instruction", "lane_instructions", "warp_instructions",
          "active lanes per instruction"),
    {"local_requests", {"local_load_requests", "local_store_requests"}, {NULL},
     1.0, "local memory accesses (spills, arrays)", false},
    {"atomics", {"global_atomics", "shared_atomics"}, {NULL}, 1.0, "atomics",
     false},
};

static const char *const op_texts[] = {
    [GATE_LE] = "<=", [GATE_GE] = ">=", [GATE_LT] = "<", [GATE_GT] = ">",
    [GATE_EQ] = "==",
};

static const struct counter_row *row_of(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

const char *gate_op_text(enum gate_op op)
{
    return op_texts[op];
}

const char *gate_meaning(const char *counter)
{
    const struct counter_row *row = row_of(counter);

    return row ? row->meaning : counter;
}

const char *gate_parse(const char *text, struct gate *gate)
{
    char op[3], end[2];
    int n = sscanf(text, " %63[a-z0-9_] %2[<>=] %lf %1s", gate->counter, op,
                   &gate->limit, end);

    if (n != 3)
        return "a gate reads: COUNTER <= NUMBER (or >=, <, >, ==)";
    if (!row_of(gate->counter))
        return "no such counter (checker/check/conf/gate.c lists them)";
    if (!isfinite(gate->limit))
        return "a gate's limit is a finite number";
    for (size_t i = 0; i < sizeof op_texts / sizeof *op_texts; i++)
        if (strcmp(op_texts[i], op) == 0) {
            gate->op = (enum gate_op)i;
            return NULL;
        }
    return "a gate compares with <=, >=, <, > or ==";
}

static double counter(const json_t *counters, const char *name)
{
    const json_t *value = json_object_get(counters, name);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

static double sum(const char *const names[SUM_MAX], const json_t *counters)
{
    double all = 0.0;

    for (int i = 0; i < SUM_MAX && names[i]; i++)
        all += names[i][0] == '-' ? -counter(counters, names[i] + 1)
                                  : counter(counters, names[i]);
    return all;
}

bool gate_is_parameter(const struct op *op, int buffer,
                       const struct op_shape *shape)
{
    enum { DWARFED = 16 };
    size_t bytes = op_bytes(op, buffer, shape), most = 0;

    for (int i = 0; i < op->n_buffers; i++)
        if (op_bytes(op, i, shape) > most)
            most = op_bytes(op, i, shape);
    return !op_is_written(op, buffer) && bytes <= most / DWARFED;
}

static double large_inputs(const struct op *op, const struct op_shape *shape)
{
    double bytes = 0.0;

    for (int i = 0; i < op->n_buffers; i++)
        if (!op_is_written(op, i) && !gate_is_parameter(op, i, shape))
            bytes += (double)op_bytes(op, i, shape);
    return bytes;
}

static double denominator(const struct counter_row *row,
                          const json_t *counters, const struct op *op,
                          const struct op_shape *shape)
{
    if (!row->under[0])
        return 1.0;
    if (row->under[0] == by_bytes)
        return op->bytes(op, shape);
    if (row->under[0] == by_flops)
        return op->flops(shape);
    if (row->under[0] == by_inputs)
        return large_inputs(op, shape);
    return sum(row->under, counters);
}

double gate_value(const char *name, const json_t *counters,
                  const struct op *op, const struct op_shape *shape)
{
    const struct counter_row *row = row_of(name);
    double over, under;

    if (!row)
        return NAN;
    over = row->over[0] ? sum(row->over, counters) : counter(counters, name);
    under = denominator(row, counters, op, shape);
    if (over == 0.0 && under == 0.0)
        return row->must ? NAN : 0.0;
    return row->scale * over / under;
}

bool gate_is_relative(const char *name)
{
    const struct counter_row *row = row_of(name);

    return row && row->under[0] && row->under[0] != by_bytes &&
           strcmp(row->under[0], "busiest_block") != 0;
}

void gate_value_text(char *text, size_t size, double value)
{
    static const double digits = 1e15; /* whole below, as a double */

    if (isnan(value))
        snprintf(text, size, "none");
    else if (fabs(value) < digits && value == rint(value))
        snprintf(text, size, "%.0f", value); /* a count: all its digits */
    else
        snprintf(text, size, "%.6g", value);
}

const char *gate_ratio(size_t i)
{
    for (size_t row = 0; row < sizeof table / sizeof *table; row++)
        if (table[row].over[0] && i-- == 0)
            return table[row].name;
    return NULL;
}

bool gate_holds(const struct gate *gate, double value)
{
    switch (gate->op) {
    case GATE_LE:
        return value <= gate->limit;
    case GATE_GE:
        return value >= gate->limit;
    case GATE_LT:
        return value < gate->limit;
    case GATE_GT:
        return value > gate->limit;
    case GATE_EQ:
        return value == gate->limit;
    }
    return false;
}
