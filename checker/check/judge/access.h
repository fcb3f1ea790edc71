// SPDX-License-Identifier: MIT
/*
 * access.h: findings about an access to memory, in the learner's words.
 *
 *   access_bounds, access_freed, access_misaligned, access_uninitialised,
 *   access_race, access_unfenced, access_proxy
 *                               each puts evidence into text, and one sentence
 *                               into advice
 *   access_say_launch           the grid and block, on a line of their own
 *   access_is_unset             uninitialised is a variable in a register: no
 *                               memory is accessed
 */
#ifndef CHECK_ACCESS_H
#define CHECK_ACCESS_H

#include "target.h"

void access_bounds(struct text *text, struct text *advice,
                   const json_t *finding, const struct arrays *arrays);
void access_freed(struct text *text, struct text *advice,
                  const json_t *finding, const struct arrays *arrays);
void access_misaligned(struct text *text, struct text *advice,
                       const json_t *finding, const struct arrays *arrays);
/* Nothing, if launch is NULL. */
void access_say_launch(struct text *text, const json_t *launch);
bool access_is_unset(const json_t *finding);
void access_uninitialised(struct text *text, struct text *advice,
                          const json_t *finding, const struct arrays *arrays);
void access_race(struct text *text, struct text *advice,
                 const json_t *finding, const struct arrays *arrays);
void access_unfenced(struct text *text, struct text *advice,
                     const json_t *finding, const struct arrays *arrays);
void access_proxy(struct text *text, struct text *advice,
                  const json_t *finding, const struct arrays *arrays);

#endif
