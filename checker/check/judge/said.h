// SPDX-License-Identifier: MIT
/*
 * said.h: the parts of an accusation's sentences: where, who, which line.
 *
 *   said_place    "FILE:LINE: ", and from where a header's function was called
 *   said_who      "thread (1,0,0) of block (0,0,0)"
 *   said_triple   "(1,0,0)"
 *   said_source   the line that a finding names, and the call that led to it
 *   said_line     any line of a file, numbered, as evidence shows it
 *   said_file     a compiler's path, as the report names it
 *   said_base     a path's last part
 */
#ifndef CHECK_SAID_H
#define CHECK_SAID_H

#include "target.h"

/* site: an object with file and line, a finding or its `other`. */
void said_place(struct text *text, const json_t *site,
                const struct arrays *arrays);
void said_who(struct text *text, const json_t *finding);
void said_triple(struct text *text, const json_t *array);
void said_source(struct text *text, const json_t *site,
                 const struct arrays *arrays);
/* source: the .cu that is checked. false: the file has no such line, or is not
 * for a report about this .cu (quote.h). */
bool said_line(struct text *text, const char *source, const char *path,
               long long line);
const char *said_file(const struct arrays *arrays, const char *file);
const char *said_base(const char *path);

#endif
