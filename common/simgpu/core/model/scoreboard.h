// SPDX-License-Identifier: MIT
/*
 * scoreboard.h: how long a warp would take if it were alone.
 *
 *   scoreboard_begin   a warp of this function starts
 *   scoreboard_close
 *   scoreboard_issue   the clock at which an instruction's operands are ready
 *   scoreboard_spill   an access that ptxas adds to an instruction
 *   scoreboard_poll    an access that a spin loop may make
 *   scoreboard_left    are copies under way when a wait is over?
 *   scoreboard_reached the clock that it has come to
 *   scoreboard_meet    it goes on at this clock at the earliest
 *   scoreboard_pause   it does nothing until this clock
 *   scoreboard_sleep   it does nothing for so many clocks
 *   scoreboard_pending an access to global memory will be done by then
 *   scoreboard_done    notes when its results will be
 */
#ifndef SIMGPU_SCOREBOARD_H
#define SIMGPU_SCOREBOARD_H

#include "simgpu/core/state/state.h"

enum {
    SCOREBOARD_GROUPS = 16, /* of copies: the latest, whose ends are kept */
    SCOREBOARD_WORDS = 256, /* of loads: a thread has no more registers */
};

struct scoreboard {
    uint64_t *ready;    /* clock at which each register can be read */
    size_t n;
    uint64_t stretch;   /* their number, from 1 */
    uint64_t begin;     /* of the stretch of code that may be reordered */
    uint64_t latest;    /* issue in it */
    uint64_t port;      /* the load/store unit is this warp's until then */
    uint32_t position;  /* instructions in it so far */
    const struct inst *loop; /* the branch that ends the unrolled loop, */
    uint32_t turns;     /* and how often it has gone back; NULL: in none */
    uint64_t loaded[SCOREBOARD_WORDS]; /* when the latest words are there */
    uint64_t words;     /* loaded so far */
    uint32_t room;      /* registers for words under way */
    uint64_t copied;    /* when the asynchronous copies so far are there */
    uint64_t group[SCOREBOARD_GROUPS]; /* and those of each group, committed */
    uint64_t groups;
    const struct inst *poll; /* the latest access that a spin loop may make, */
    uint64_t poll_at;   /* its address, */
    uint64_t polled;    /* the clock of its issue, */
    uint64_t asked, answered; /* and both its clocks, if it repeated the one
                                 before and the stretch goes on; else 0 */
    uint64_t slept;     /* clocks since then, which are part of waiting */
    uint64_t pending;   /* when all its accesses to global memory are done */
    uint64_t waited;    /* clocks of stretches that ended with such an answer */
};

/* registers: of a thread, as ptxas says. */
void scoreboard_begin(struct scoreboard *p, const struct function *f,
                      int registers);
void scoreboard_close(struct scoreboard *p);
uint64_t scoreboard_issue(struct scoreboard *p, const struct inst *i,
                          const struct source *s);
/* It comes before the instruction that could issue at this clock: when that
 * does. latency: of what the instruction waits for; 0: of nothing. */
uint64_t scoreboard_spill(struct scoreboard *p, uint64_t at, uint32_t port,
                          uint32_t latency);
/* Whether copies stay under way when this wait is over. */
bool scoreboard_left(const struct scoreboard *p, const struct inst *i);
/* Its stretch ends here. */
uint64_t scoreboard_reached(struct scoreboard *p);
/* least: if nobody had to wait for what he polls. */
void scoreboard_meet(struct scoreboard *p, uint64_t at, uint64_t least);
void scoreboard_pause(struct scoreboard *p, uint64_t until);
void scoreboard_sleep(struct scoreboard *p, uint64_t clocks);
void scoreboard_pending(struct scoreboard *p, uint64_t until);
/* issued, answered: its clocks. One that repeats the one before, at the same
 * address, waits for what others do. fences: it ends a stretch by itself. */
void scoreboard_poll(struct scoreboard *p, const struct inst *i,
                     uint64_t address, bool fences, uint64_t issued,
                     uint64_t answered);
/* port: clocks of the load/store unit; latency: until the data is there. */
void scoreboard_done(struct scoreboard *p, const struct inst *i,
                     const struct source *s, uint64_t issued, uint32_t port,
                     uint32_t latency);

#endif
