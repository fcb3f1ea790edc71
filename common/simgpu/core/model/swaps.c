// SPDX-License-Identifier: MIT
/*
 * swaps.c: loops around a compare-and-swap. Interface: swaps.h.
 *
 * sm_90's code of a turn: LDS, the operation, ATOMS.CAST.SPIN, ISETP, BRA; for
 * 64 bits a second ISETP. Nobody measured the loop. Its clocks are those of
 * its instructions: a load from shared memory (latency_shared of
 * tests/hardware/rates-h200.csv), assumed of the swap as well, and the issue
 * classes' (form.h).
 */
#include "swaps.h"

#include <stdlib.h>
#include <string.h>

#include "simgpu/core/memory/cost.h"
#include "simgpu/core/state/state.h"
#include "clocks.h"

enum { WORD = 4, TURN_SLOTS = 5 };

static bool is_float(const struct detail *t)
{
    return t->type_class == PTX_FLOAT || t->type_class == PTX_BFLOAT;
}

bool swaps_is_loop(const struct access *a)
{
    const struct detail *t = a->inst->detail;
    bool wide = t->size == 8 && t->op != ATOM_EXCH && t->op != ATOM_CAS;
    return a->form->kind == ACCESS_ATOMIC && (is_float(t) || wide);
}

/* Clocks from the load's issue to the swap's. */
static uint32_t window(const struct access *a)
{
    const struct detail *t = a->inst->detail;
    unsigned operation = !is_float(t) ? 2 * issue_clocks(ISSUE_INTEGER)
                         : t->size == 8 ? issue_clocks(ISSUE_FP64)
                                        : issue_clocks(ISSUE_FP32);
    return CLOCKS_SHARED + operation;
}

static uint32_t turn(const struct access *a)
{
    return window(a) + CLOCKS_SHARED + issue_clocks(ISSUE_COMPARE) +
           issue_clocks(ISSUE_CONTROL);
}

static void make_room(struct swaps *s, uint64_t word)
{
    if (word < s->words)
        return;
    uint32_t words = (uint32_t)word + 1024;
    s->clocks = realloc(s->clocks, words * sizeof *s->clocks);
    if (!s->clocks)
        abort();
    memset(s->clocks + s->words, 0, (words - s->words) * sizeof *s->clocks);
    s->words = words;
}

static void comes_through(struct swaps *s, uint64_t address, uint32_t clocks)
{
    make_room(s, address / WORD);
    uint32_t now = s->clocks[address / WORD] += clocks;
    s->busiest = now > s->busiest ? now : s->busiest;
}

/* The lanes of mask less one per word. */
static uint32_t unlucky(struct swaps *s, const struct access *a, uint32_t mask)
{
    uint32_t left = mask;
    for (uint32_t rest = mask; rest;) {
        uint64_t address = a->addr[first_lane(rest)];
        left &= ~(rest & -rest);
        if (!a->peer) /* who else is at another block's memory, is not seen */
            comes_through(s, address, window(a));
        for (uint32_t same = rest; same; same &= same - 1)
            if (a->addr[first_lane(same)] == address)
                rest &= ~(1u << first_lane(same));
    }
    return left;
}

struct swaps_cost swaps_add(struct swaps *s, const struct access *a)
{
    struct swaps_cost sum = {0};
    for (uint32_t left = a->mask; left;) {
        uint32_t waves =
            access_wavefronts(a->addr, left, a->bytes, false).wavefronts;
        sum.port += 2 * waves;
        sum.latency += turn(a) + 2 * (waves - 1);
        sum.slots += TURN_SLOTS + (a->bytes == 2 * WORD);
        left = unlucky(s, a, left);
    }
    return sum;
}

uint32_t swaps_busiest(const struct swaps *s)
{
    return s->busiest;
}

void swaps_forget(struct swaps *s)
{
    if (s->busiest)
        memset(s->clocks, 0, s->words * sizeof *s->clocks);
    s->busiest = 0;
}

void swaps_close(struct swaps *s)
{
    free(s->clocks);
}
