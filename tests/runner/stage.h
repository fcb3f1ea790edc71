// SPDX-License-Identifier: MIT
/*
 * stage.h: the values of N that make the test's stage misbehave; with any other
 * N it adds correctly.
 */
#ifndef TEST_RUNNER_STAGE_H
#define TEST_RUNNER_STAGE_H

enum stage_behaviour {
    STAGE_EXIT = 1001, /* ends the process */
    STAGE_CRASH,
    STAGE_HANG,
    STAGE_FORGE,     /* writes a reply of its own */
    STAGE_CLOSE,     /* closes the channel, and goes on */
    STAGE_BEFORE,    /* writes before its output */
    STAGE_AFTER,     /* and after it */
    STAGE_INPUT,     /* changes an input */
    STAGE_SHRINK,    /* truncates the shared file */
    STAGE_FAULT,     /* the kernel faults */
    STAGE_SILENT,    /* the launch fails, the launcher says success */
    STAGE_ERROR,     /* the launcher says so */
    STAGE_LOOK,      /* c[0] = 1 if the cage is as it should be */
    STAGE_WORKSPACE, /* c[0] = last byte of its workspace */
    STAGE_WORKSPACE_OVER, /* writes past its workspace */
    STAGE_PRINT,
    STAGE_SLOW,      /* two milliseconds per launch */
    STAGE_SLOWEST,   /* a thousand seconds, as events say */
    STAGE_UNEVEN,    /* one millisecond and ten by turns */
    STAGE_PARTIAL,   /* leaves the last cell alone */
    STAGE_REMEMBER,  /* adds in its first call, then repeats the answer */
    STAGE_DEFER,     /* a tenth of a millisecond that no event sees */
    STAGE_LAZY = 4000003, /* does nothing, and 48 MB of it */
};

#endif
