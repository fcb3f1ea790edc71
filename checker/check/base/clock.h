// SPDX-License-Identifier: MIT
/*
 * clock.h: time that only moves forward.
 *
 *   clock_seconds   since some fixed moment; for differences
 */
#ifndef CHECK_CLOCK_H
#define CHECK_CLOCK_H

double clock_seconds(void);

#endif
