// SPDX-License-Identifier: MIT
/*
 * gate.h: a chapter's structural demands on the simulator's counters.
 *
 *   gate_parse      "global_load_sectors_per_request <= 6" -> gate
 *   gate_value      the counter, raw or derived
 *   gate_value_text   for people
 *   gate_holds      value OP limit
 *   gate_is_parameter   an input that is small beside the others
 *   gate_ratio      the names of the derived counters, from 0 until NULL
 *
 * Counters arrive as the device's JSON object, by name. A ratio with nothing
 * above and nothing below is 0: a kernel without shared loads has no conflicts.
 * Of loads from global memory it has no value: every kernel reads its inputs.
 */
#ifndef CHECK_GATE_H
#define CHECK_GATE_H

#include <jansson.h>

#include "op/op.h"

enum gate_op { GATE_LE, GATE_GE, GATE_LT, GATE_GT, GATE_EQ };

struct gate {
    char counter[64];
    enum gate_op op;
    double limit;
    int at; /* which of its kernel's sim_shapes; 0: the first */
};

/* Returns NULL on success, else what is wrong (a static string). */
const char *gate_parse(const char *text, struct gate *gate);
/* NaN when the counters lack what the gate needs: such a gate never holds. */
double gate_value(const char *counter, const json_t *counters,
                  const struct op *op, const struct op_shape *shape);
/* "2.04", or "none" of NaN. */
/* Whether its limit means the same at any size: it is a ratio, and not one of
 * numbers of blocks. */
bool gate_is_relative(const char *counter);
/* An input of which others of the operator's arrays have 16 times as many
 * bytes: what all rows share, such as a factor per column. */
bool gate_is_parameter(const struct op *op, int buffer,
                       const struct op_shape *shape);
void gate_value_text(char *text, size_t size, double value);
bool gate_holds(const struct gate *gate, double value);
const char *gate_ratio(size_t i);
const char *gate_op_text(enum gate_op op);

/* What the counter means, for the report: "sectors per load request", or its
 * own name where there is nothing shorter to say. */
const char *gate_meaning(const char *counter);

#endif
