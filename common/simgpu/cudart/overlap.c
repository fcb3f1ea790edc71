// SPDX-License-Identifier: MIT
/*
 * overlap.c: a copy within device memory whose two ends overlap.
 *
 *   rt_tell_overlap   adds it to the device's log, as a finding
 *
 * CUDA does not say what such a copy does: its threads read and write in any
 * order. (Onto itself it changes nothing, so that is not told.) The simulated
 * device copies as memmove does, so the bytes do not show it. Rows are compared
 * one by one, because two parts of one pitched array may be interleaved.
 */
#include "runtime.h"

#include <inttypes.h>
#include <stdio.h>

struct rows { /* of one end, in ascending order */
    uint64_t at, pitch, slice;
    size_t height, row, z;
};

static uint64_t begin(const struct rows *r)
{
    return r->at + r->z * r->slice + r->row * r->pitch;
}

static void next(struct rows *r)
{
    if (++r->row == r->height) {
        r->row = 0;
        r->z++;
    }
}

/* Walks both ends; to and from are then the rows that overlap. */
static bool find(const struct rt_copy *c, struct rows *to, struct rows *from)
{
    while (to->z < c->depth && from->z < c->depth) {
        uint64_t a = begin(to), b = begin(from);
        if (a < b + c->width && b < a + c->width)
            return true;
        next(a < b ? to : from);
    }
    return false;
}

/* "byte 64 of allocation 1" */
static void place(char *text, size_t room, uint64_t address)
{
    struct simwire_header m = {.op = OP_LOCATE, .a = {address}};
    if (rt_ask(&m, NULL, NULL, 0) == cudaSuccess && m.a[0])
        snprintf(text, room, "byte %" PRIu64 " of allocation %" PRIu64,
                 address - m.a[1], m.a[0]);
    else
        snprintf(text, room, "0x%" PRIx64, address);
}

void rt_tell_overlap(const struct rt_copy *c)
{
    struct rows to = {rt_address(c->to), c->to_pitch,
                      c->to_pitch * c->to_height, c->height, 0, 0};
    struct rows from = {rt_address(c->from), c->from_pitch,
                        c->from_pitch * c->from_height, c->height, 0, 0};
    char text[300], source[80], target[80];
    bool same = to.at == from.at && (c->height * c->depth == 1 ||
                                     c->to_pitch == c->from_pitch);
    if (same || !find(c, &to, &from))
        return;
    place(source, sizeof source, begin(&from));
    place(target, sizeof target, begin(&to));
    snprintf(text, sizeof text,
             "source and destination overlap, which CUDA leaves undefined: "
             "%zu bytes from %s, to %s%s", c->width, source, target,
             c->height * c->depth > 1 ? " (rows of the copy)" : "");
    rt_accuse("memcpy within the device", text);
}
