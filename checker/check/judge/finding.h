// SPDX-License-Identifier: MIT
/*
 * finding.h: the simulated GPU's accusations, in the learner's words.
 *
 *   finding_verdict    which verdict a kind of finding leads to
 *   finding_say        file, line, thread, what it did, to which element
 *   finding_note       a line for what is no accusation: writes of one value
 *   finding_writers    who wrote the watched cell, a line per place
 *
 * The device knows addresses; check knows which array lies there and what its
 * indices are called.
 */
#ifndef CHECK_FINDING_H
#define CHECK_FINDING_H

#include "result.h"
#include "target.h"

enum verdict finding_verdict(const json_t *finding);
/* Evidence into text, one sentence of advice into advice. */
void finding_say(struct text *text, struct text *advice,
                 const json_t *finding, const struct arrays *arrays);
/* The same words for the same lines of source, whichever threads they are. */
void finding_note(struct text *text, const json_t *finding,
                  const struct arrays *arrays);
void finding_writers(struct text *text, const json_t *report,
                     const struct arrays *arrays);

#endif
