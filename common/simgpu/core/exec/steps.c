// SPDX-License-Identifier: MIT
/*
 * steps.c: follows a launch instruction by instruction. Interface: steps.h.
 *
 * A warp pauses before the first instruction that is not asked for. It stays
 * as it is, so the scheduler can resume it there later, and everything happens
 * in the order of a launch that is not followed.
 */
#include "steps.h"

#include <string.h>

#include "simgpu/core/memory/cost.h"
#include "simgpu/core/state/finding.h"

static void resume(struct warp *w)
{
    run_of(w)->steps->paused = false;
}

static bool pauses(struct warp *w)
{
    struct steps *s = run_of(w)->steps;
    s->paused = s->done == s->n;
    return s->paused;
}

static void issue(struct warp *w, const struct inst *i, uint32_t mask)
{
    const struct steps *s = run_of(w)->steps;
    const struct block *b = w->block;
    const struct function *f = w->leaf->frame->function;
    const struct source *from = finding_source(f, i);
    struct engine_step *to = &s->to[s->done];
    *to = (struct engine_step){
        .block = {b->id[0], b->id[1], b->id[2]}, .warp = w->index,
        .mask = mask, .function = f->name, .pc = (uint32_t)(i - f->insts),
        .file = from->file, .line = from->line, .ptx_line = from->ptx_line,
        .op = from->op};
}

static void issued(struct warp *w, const struct inst *i)
{
    (void)i;
    run_of(w)->steps->done++;
}

/* Copies that land at a later instruction are not of it. */
static void on_access(const struct access *a)
{
    const struct steps *s = run_of(a->warp)->steps;
    struct engine_step *step = &s->to[s->done];
    if (a->part == PART_LANDED || step->n_accesses == ENGINE_STEP_ACCESSES)
        return;
    struct engine_access *to = &step->access[step->n_accesses++];
    *to = (struct engine_access){.space = a->space, .write = a->form->write,
                                 .atomic = a->form->kind == ACCESS_ATOMIC,
                                 .merges = access_merges(a),
                                 .mask = a->mask, .bytes = a->bytes};
    memcpy(to->address, a->addr, sizeof to->address);
}

struct engine_cost engine_access_cost(const struct engine_access *a)
{
    enum { MOST_BYTES = 32 }; /* per lane, but of bulk copies */
    struct engine_cost c = {0};
    if (!a->mask || a->bytes > MOST_BYTES)
        return c;
    if (a->space == PTX_SPACE_GLOBAL) {
        c.sectors = access_sectors(a->address, a->mask);
    } else if (a->space == PTX_SPACE_SHARED) {
        c.lanes = access_pass_lanes(a->address, a->mask, a->bytes, a->merges);
        c.wavefronts = access_wavefronts(a->address, a->mask, a->bytes,
                                         a->merges).wavefronts;
    }
    return c;
}

static void nothing(struct worker *k)
{
    (void)k;
}

const struct observer steps_observer = {
    .block = nothing, .block_end = nothing, .access = on_access,
    .resume = resume, .pauses = pauses, .issue = issue, .issued = issued,
};
