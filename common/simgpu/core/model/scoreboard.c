// SPDX-License-Identifier: MIT
/*
 * scoreboard.c: a warp's own time, by dataflow. Interface: scoreboard.h.
 *
 * Hard idea: ptxas reorders. Within a stretch of code it moves loads up and the
 * instructions that need them down. So the model lets an instruction issue as
 * soon as its operands are ready, one instruction per clock, wherever it
 * stands. A stretch ends where code cannot move across: at a backward branch, a
 * barrier, a wait for copies (FORM_FENCES). A short forward branch does not end
 * it, since ptxas turns it into predicates. Results still pending at the end of
 * a stretch stay pending.
 */
#include "scoreboard.h"

#include <stdlib.h>
#include <string.h>

enum {
    REGISTER = 4,   /* bytes: the smallest slot, a predicate */
    UNROLLED = 4,   /* turns of a loop that ptxas makes into one */
    OTHERS = 20,    /* registers that hold no words under way: addresses and
                       counters; 32 leave room for 12 loads of 11's gemm */
    LEAST_ROOM = 8,
    LOOP = 32,      /* clocks of the rest of a spin loop, at most */
    PREDICATED = 16, /* instructions that a branch may skip and not be one:
                        the machine code of 13 has predicates for ten, that of
                        14 keeps its branches around branches */
};

void scoreboard_begin(struct scoreboard *p, const struct function *f,
                      int registers)
{
    size_t n = f->frame_bytes / REGISTER + 1;
    if (n > p->n) {
        free(p->ready);
        p->ready = malloc(n * sizeof *p->ready);
        p->n = n;
    }
    if (!p->ready)
        abort();
    memset(p->ready, 0, p->n * sizeof *p->ready);
    p->begin = p->latest = p->port = p->copied = p->groups = 0;
    p->asked = p->answered = p->waited = p->slept = p->pending = 0;
    p->poll = NULL;
    p->words = 0;
    p->room = registers > OTHERS + LEAST_ROOM
                  ? (uint32_t)(registers - OTHERS) : LEAST_ROOM;
    p->position = p->turns = 0;
    p->loop = NULL;
    p->stretch = 1;
}

void scoreboard_close(struct scoreboard *p)
{
    free(p->ready);
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t ready(const struct scoreboard *p, uint32_t slot)
{
    return slot / REGISTER < p->n ? p->ready[slot / REGISTER] : 0;
}

/* When the copies that this instruction waits for have arrived; imm: how many
 * groups may still be pending. */
static uint64_t waited_for(const struct scoreboard *p, const struct inst *i)
{
    uint64_t stay = (uint64_t)i->imm;
    if (i->p0)
        return p->copied;
    if (stay >= p->groups || stay >= SCOREBOARD_GROUPS)
        return 0;
    return p->group[(p->groups - 1 - stay) % SCOREBOARD_GROUPS];
}

bool scoreboard_left(const struct scoreboard *p, const struct inst *i)
{
    return !i->p0 && i->imm > 0 && p->groups > 0;
}

void scoreboard_poll(struct scoreboard *p, const struct inst *i,
                     uint64_t address, bool fences, uint64_t issued,
                     uint64_t answered)
{
    bool again = p->poll == i && p->poll_at == address;
    uint64_t most = answered - issued + LOOP, since = issued - p->polled;
    if (again)
        p->waited += p->slept;
    p->slept = 0;
    if (again && fences)
        p->waited += since < most ? since : most;
    p->asked = again && !fences ? issued : 0;
    p->answered = again && !fences ? answered : 0;
    p->polled = issued;
    p->poll = i;
    p->poll_at = address;
}

/* If the stretch could not end before a poll was answered, that is what its
 * warp waited for. Where nobody asks for the answer, it costs no time. */
static void end_poll(struct scoreboard *p)
{
    uint64_t end = p->answered + LOOP;
    if (p->answered && p->latest >= p->answered)
        p->waited += (p->latest < end ? p->latest : end) - p->asked;
    p->asked = p->answered = 0;
}

static void set_ready(struct scoreboard *p, uint32_t slot, uint64_t at)
{
    if (slot / REGISTER < p->n)
        p->ready[slot / REGISTER] = at;
}

/* Whether ptxas leaves a forward branch as it is. It turns one into predicates
 * if what lies before the place where the lanes meet again is short and has no
 * branch of its own. */
static bool stays(const struct inst *i, const struct source *s)
{
    if (!i->rpc || i->rpc <= i || i->rpc - i > PREDICATED)
        return true;
    for (const struct inst *at = i + 1; at < i->rpc; at++) {
        const struct source *inner = &s[at->source - i->source];
        if (inner->form && inner->form->flags & FORM_JUMPS && inner->n_read)
            return true;
    }
    return false;
}

uint64_t scoreboard_reached(struct scoreboard *p)
{
    end_poll(p);
    return later(p->latest, p->begin + p->position);
}

/* Nothing moves across. */
static void end_stretch(struct scoreboard *p, uint32_t clocks)
{
    p->begin = scoreboard_reached(p) + clocks;
    p->latest = p->begin;
    p->position = 0;
    p->stretch++;
}

void scoreboard_meet(struct scoreboard *p, uint64_t at, uint64_t least)
{
    p->latest = later(p->latest, at);
    p->waited = p->latest - least;
    if (p->position == 0)
        p->begin = p->latest;
}

void scoreboard_pause(struct scoreboard *p, uint64_t until)
{
    p->latest = later(p->latest, until);
    end_stretch(p, 0);
}

void scoreboard_sleep(struct scoreboard *p, uint64_t clocks)
{
    scoreboard_pause(p, scoreboard_reached(p) + clocks);
    p->slept += clocks;
}

void scoreboard_pending(struct scoreboard *p, uint64_t until)
{
    p->pending = later(p->pending, until);
}

/* Whether a loop goes on in the same stretch: ptxas makes one of four turns of
 * it (decode/unroll.c). The branch out of its head is no branch then. */
static bool goes_on(struct scoreboard *p, const struct inst *i,
                    const struct source *s)
{
    if (!s->unrolled || i->target > i)
        return s->unrolled;
    if (p->loop != i)
        p->turns = 0;
    p->loop = i;
    return ++p->turns % UNROLLED > 0;
}

/* What comes behind an unrolled loop is not part of its last turns. */
static void leave_loop(struct scoreboard *p, const struct inst *i)
{
    if (!p->loop || (i >= p->loop->target && i <= p->loop))
        return;
    p->loop = NULL;
    end_stretch(p, 0);
}

/* Registers of a thread that a load from far fills. */
static uint32_t words_of(const struct inst *i, const struct source *s)
{
    bool loads = s->form && s->form->flags & FORM_LOADS &&
                 s->class == ISSUE_GLOBAL && i->detail;
    return loads ? (i->detail->access.n * i->detail->access.size + REGISTER -
                    1u) / REGISTER : 0;
}

/* When so many registers are free for words under way. */
static uint64_t has_room(const struct scoreboard *p, uint32_t words)
{
    uint64_t last = p->words + words;
    return words && last > p->room
               ? p->loaded[(last - p->room - 1) % SCOREBOARD_WORDS] : 0;
}

uint64_t scoreboard_issue(struct scoreboard *p, const struct inst *i,
                          const struct source *s)
{
    leave_loop(p, i);
    uint64_t at = p->begin + p->position;
    p->position += issue_slots(s->form ? s->form->work : NULL);
    for (unsigned k = 0; k < s->n_read; k++)
        at = later(at, ready(p, s->slot[k]));
    if (s->form && s->form->flags & FORM_WAITS)
        at = later(at, waited_for(p, i));
    at = later(at, has_room(p, words_of(i, s)));
    p->latest = later(p->latest, at);
    return at;
}

/* When an access has passed the load/store unit. The unit serves a warp's
 * accesses one after the other, in whatever order they become ready. */
static uint64_t through_port(struct scoreboard *p, uint64_t issued,
                             uint32_t port)
{
    p->port = later(p->port, p->begin) + port;
    return later(p->port, issued + port);
}

uint64_t scoreboard_spill(struct scoreboard *p, uint64_t at, uint32_t port,
                          uint32_t latency)
{
    uint64_t passed = through_port(p, at, port);
    p->position++;
    at = latency ? passed + latency : at;
    p->latest = later(p->latest, at);
    return at;
}

void scoreboard_done(struct scoreboard *p, const struct inst *i,
                     const struct source *s, uint64_t issued, uint32_t port,
                     uint32_t latency)
{
    const struct form *form = s->form;
    if (!form)
        return; /* the launch ended here */
    bool parts = form->flags & FORM_JUMPS && i->target &&
                 !goes_on(p, i, s) &&
                 (i->target <= i || (s->n_read && stays(i, s)));
    unsigned clocks = form->work->latency ? form->work->latency
                                          : issue_clocks(s->class);
    if (form->flags & FORM_COMMITS)
        p->group[p->groups++ % SCOREBOARD_GROUPS] = p->copied;
    if (form->flags & FORM_FENCES || parts) {
        end_stretch(p, clocks);
        return;
    }
    if (s->class == ISSUE_CONTROL)
        return;
    uint64_t done = port ? through_port(p, issued, port) + latency
                         : issued + clocks;
    if (i->detail && i->detail->access.kind == ACCESS_COPY)
        p->copied = later(p->copied, done);
    for (uint32_t n = words_of(i, s); n > 0; n--)
        p->loaded[p->words++ % SCOREBOARD_WORDS] = done;
    for (unsigned k = 0; k < s->n_written; k++)
        set_ready(p, s->slot[s->n_read + k], done);
}
