// SPDX-License-Identifier: MIT
/*
 * page.h: chapter.conf's key `page`, a kernel that a page of the book runs.
 *
 *   page_first   "forward: B 1 2*;H 2 5*" -> "B2 H5"
 */
#ifndef CHECK_PAGE_H
#define CHECK_PAGE_H

#include <stdbool.h>
#include <stddef.h>

/* The shape that the page shows first. false: value is not as
 * docs/architecture.md says. */
bool page_first(const char *value, char *shape, size_t room);

#endif
