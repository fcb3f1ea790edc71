// SPDX-License-Identifier: MIT
/*
 * result.h: what a check found out, for the report and for JSON.
 *
 *   result_blame      a verdict, its owner and its evidence
 *   result_excuse     the verdict that was just blamed is the machine's fault
 *   result_remark     what stands behind the verdict's word
 *
 * A kernel keeps the verdict that comes first in order, with the evidence of
 * the first case that gave it; result_blame() is the only way to set it.
 */
#ifndef CHECK_RESULT_H
#define CHECK_RESULT_H

#include <jansson.h>

#include "check/compile/build.h"
#include "check/time/timed.h"
#include "data.h"
#include "target.h"
#include "uneven.h"
#include "verdict.h"

/* Times in milliseconds. */
struct speed {
    bool timed, has_previous;
    struct interval this_ms, previous_ms, speedup;
    enum timing_verdict verdict;
    struct op_shape shape;      /* shrunk where the GPU's memory is small */
    double flops, bytes;        /* the operator's */
    double copy_ms;             /* of the same bytes; 0: not measured */
    double percent_of_roof;     /* NAN: no roof is known */
    char bound[16];             /* "memory", "compute", "unknown" */
    bool datasheet;             /* the compute roof is the vendor's figure */
    char previous[PATH_BYTES];  /* whose stage "previous" was */
    char message[256];          /* throttling, in words; "" for none */
};

/* What a wrong case needs before it, to be wrong. */
enum after {
    AFTER_NOTHING, /* it is wrong in the first launch of all, or nobody knows */
    AFTER_ITSELF,  /* only in its second launch, */
    AFTER_OTHERS   /* or only among other cases */
};

/* One kernel on one device. */
struct run {
    bool ran;
    bool simulated;
    bool known;                   /* from an earlier check, of the same stage */
    uint64_t seed;                /* of its cases */
    char device[80];
    int planned;                  /* cases, had none ended the run */
    int cases, passed;
    bool exact_alone;             /* wrong: inputs that allow no error, only */
    char apart[64];               /* "among them all whose K is a multiple of
                                   * 32": the right cases; "": none is known */
    bool all_zero;                /* in nearly all wrong cases, of several,
                                   * every wrong cell holds 0 */
    bool apart_by_gaps;           /* or whose rows have no gap between them */
    struct test_case wrong_case;  /* where first_wrong.kind says so */
    struct comparison first_wrong;
    enum after wrong_after;
    bool wrong_launched;          /* a kernel ran in that case */
    char launched_as[128];        /* "grid (1,1,1), block (256,1,1)", the last
                                   * one of a simulated case; or "" */
    char wrong_launch[128];       /* the same of wrong_case */
    char wrong_writer[512];       /* who wrote its first wrong cell; or "" */
    bool gates_measured;          /* those for the first sim_shape,
                                     or for SHAPE= */
    bool gate_measured[CONF_GATES];
    double gate_value[CONF_GATES];
    bool gate_ok[CONF_GATES];
    json_t *counters;             /* NULL: not taken */
    struct op_shape counters_shape;  /* the first sim_shape, or SHAPE= */
    struct uneven uneven;         /* of the launches that were counted */
    struct busiest busiest;       /* at the timed shape; busiest.h */
    long long memory_errors, races, equal_writes;
    char findings_noted[1024];    /* lines about what is no accusation; or "" */
    struct speed speed;
};

/* At the timed shape, on a GPU that is not there; predict.c. */
struct predicted {
    double ms;              /* 0: none */
    double least_ms;        /* if it did not have to wait for what it polls */
    double speedup;         /* over the stage before; 0: not known */
    double asked;           /* more than that, and let pass; 0: nothing is */
    char gpu[80];
    char bound[32], bound_words[96]; /* its longest part */
    char previous[PATH_BYTES];
    double l2_bytes, memory_bytes; /* that move */
    json_t *parts;          /* name -> ms; NULL where there is none */
    json_t *report;         /* the device's, with its lines; or NULL */
    json_t *at_gates;       /* the same at the shape of the gates, if one is
                             * missed there alone; or NULL */
    bool known;             /* whether there is a report, and which */
    bool late;              /* there is none: its launch did not end in time */
    bool unfair;            /* and had no processor */
    struct arrays arrays;   /* of the stage, where it was launched now */
};

enum { RUN_SIM, RUN_GPU, RUNS };

struct kernel_result {
    const struct kernel_conf *conf;
    char source[PATH_BYTES];
    struct build build;
    enum verdict verdict;
    enum owner owner;
    int blamed_case;         /* CASE= that repeats it; -1: any run does */
    struct text evidence;    /* lines, the first one the headline */
    struct text advice;      /* instead of the verdict's own, if not empty */
    struct text notes;       /* worth saying, whatever the verdict */
    struct text table;       /* of a study: shown whatever the verdict */
    struct text output;      /* what the learner's code printed */
    struct run run[RUNS];
    struct predicted predicted;
};

/* Records a verdict unless an earlier one stands. Returns the text to put the
 * evidence into, or NULL when it is not wanted. */
struct text *result_blame(struct kernel_result *r, enum verdict verdict,
                          enum owner owner, int case_number);
/* After result_blame; nothing if it was fair. */
void result_excuse(struct kernel_result *r, bool unfair);
/* " (PREDICTED)" of a time that was not measured; else "". */
const char *result_remark(const struct kernel_result *r);
/* What was found on devices, for a stage that is refused after all. */
void result_forget_runs(struct kernel_result *result);
void result_free(struct kernel_result *r);
void predicted_free(struct predicted *p);

/* No slower than the stage before, and no more than a tenth longer than a copy
 * of the operator's bytes takes: less time is not to be had on this GPU. By its
 * datasheet they take datasheet_ms (0: not known): a copy that something else
 * slowed down is no floor. */
bool speed_at_floor(const struct speed *s, double datasheet_ms);

/* "B3 H5 L37 K11, signed inputs, case 12" */
void case_name(struct text *text, const struct op *op,
               const struct test_case *c);

#endif
