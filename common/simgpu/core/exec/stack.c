// SPDX-License-Identifier: MIT
/*
 * stack.c: local memory taken while a function runs.
 *
 *   op_alloca          alloca d, bytes, align: lanes may take as they like
 *   op_stack_save, op_stack_restore
 *   stack_top          where a callee's own local memory begins
 *
 * What a lane has taken lies behind its frame's variables, and ends with the
 * function. It is unwritten at first, as a variable is.
 */
#include "stack.h"
#include "simgpu/core/state/finding.h"

static uint32_t fixed_end(const struct frame *f)
{
    return f->local_base + f->function->local_bytes;
}

uint32_t stack_top(const struct frame *f)
{
    uint32_t most = 0;
    for (int l = 0; l < LANES; l++)
        most = f->grown[l] > most ? f->grown[l] : most;
    return fixed_end(f) + (most + STACK_ALIGN - 1) / STACK_ALIGN * STACK_ALIGN;
}

static const struct inst *no_room(struct warp *w, const struct inst *i, int l,
                                  uint64_t bytes)
{
    struct finding x = {.space = PTX_SPACE_LOCAL};
    snprintf(x.detail, sizeof x.detail,
             "alloca of %llu bytes does not fit the thread's stack",
             (unsigned long long)bytes);
    finding_add(w, i, l, FIND_STACK, &x);
    return fault_raise(w, FAULT_STACK);
}

/* imm: the alignment, a power of two. */
const struct inst *op_alloca(struct warp *w, const struct inst *i,
                             uint32_t mask)
{
    struct frame *f = w->leaf->frame;
    uint64_t room = run_of(w)->kernel->local_bytes, align = (uint64_t)i->imm;
    const uint64_t *wanted = slot(w, i->a);
    uint64_t *d = slot(w, i->d);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        uint64_t bytes = wanted[l];
        uint64_t at = fixed_end(f) + f->grown[l];
        at = (at + align - 1) & ~(align - 1);
        if (at > room || bytes > room - at)
            return no_room(w, i, l, bytes);
        bits_clear(w->local_init, (uint64_t)l * room + at, bytes);
        f->grown[l] = (uint32_t)(at + bytes) - fixed_end(f);
        d[l] = at;
    }
    return i + 1;
}

const struct inst *op_stack_save(struct warp *w, const struct inst *i,
                                 uint32_t mask)
{
    const struct frame *f = w->leaf->frame;
    uint64_t *d = slot(w, i->d);
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        d[first_lane(rest)] = fixed_end(f) + f->grown[first_lane(rest)];
    return i + 1;
}

const struct inst *op_stack_restore(struct warp *w, const struct inst *i,
                                    uint32_t mask)
{
    struct frame *f = w->leaf->frame;
    const uint64_t *saved = slot(w, i->a);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = first_lane(rest);
        uint64_t top = saved[l];
        struct finding x = {.space = PTX_SPACE_LOCAL,
                            .detail = "stackrestore of what no stacksave gave"};
        if (top < fixed_end(f) || top > fixed_end(f) + f->grown[l]) {
            finding_add(w, i, l, FIND_STACK, &x);
            return fault_raise(w, FAULT_STACK);
        }
        f->grown[l] = (uint32_t)top - fixed_end(f);
    }
    return i + 1;
}
