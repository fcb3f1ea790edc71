// SPDX-License-Identifier: MIT
/*
 * trap.c: see trap.h.
 *
 * The hard idea: the verdict must not depend on luck. Every ten successive
 * launches have the same ten deviations, shuffled, and every outlier_every
 * launches have one outlier. So with any seed, a timer that takes a hundred
 * samples sees the typical time, and one that takes a single sample does not.
 */
#include "vclock/trap.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* In units of the spread. Few are near zero; as many are above as below. */
static const double deviations[] = {-1, -0.8, -0.7, -0.5, -0.02,
                                    0.02, 0.5, 0.7, 0.8, 1};
enum { DEVIATIONS = sizeof deviations / sizeof *deviations };

bool trap_read(struct trap *trap, const char *text)
{
    static const struct {
        const char *name;
        size_t at;
    } fields[] = {
#define X(name) {#name, offsetof(struct trap, name)},
        TRAP_FIELDS(X)
#undef X
    };
    size_t n = strcspn(text, "=");
    char *end;

    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (strlen(fields[i].name) != n ||
            strncmp(fields[i].name, text, n) != 0 || text[n] != '=')
            continue;
        double value = strtod(text + n + 1, &end);
        memcpy((char *)trap + fields[i].at, &value, sizeof value);
        return end != text + n + 1 && *end == '\0' && isfinite(value);
    }
    return false;
}

/* A pseudo-random number (splitmix64). */
static uint64_t mix(uint64_t seed, uint64_t i)
{
    uint64_t z = seed + (i + 1) * 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* The deviation of a launch. Each ten launches have their own shuffle of the
 * table (Fisher and Yates). */
static double deviation(uint64_t seed, uint64_t launch)
{
    uint64_t block = launch / DEVIATIONS;
    double order[DEVIATIONS];

    memcpy(order, deviations, sizeof order);
    for (size_t i = DEVIATIONS - 1; i > 0; i--) {
        size_t j = mix(seed ^ block, i) % (i + 1);
        double kept = order[i];

        order[i] = order[j];
        order[j] = kept;
    }
    return order[launch % DEVIATIONS];
}

static bool is_outlier(const struct trap *trap, uint64_t launch)
{
    uint64_t every = (uint64_t)trap->outlier_every;

    return every > 0 &&
           mix((uint64_t)trap->seed, ~(launch / every)) % every ==
               launch % every;
}

double trap_launch_us(const struct trap *trap, uint64_t launch)
{
    double us = trap->kernel_us;

    if (trap->spread > 0)
        us *= 1 + trap->spread * deviation((uint64_t)trap->seed, launch);
    if (is_outlier(trap, launch))
        us *= trap->outlier_times;
    return launch == 0 ? us + trap->first_us : us;
}

double trap_ramp(const struct trap *trap, double busy_ms)
{
    if (busy_ms >= trap->ramp_ms)
        return 1;
    return 1 + (trap->ramp - 1) * (1 - busy_ms / trap->ramp_ms);
}
