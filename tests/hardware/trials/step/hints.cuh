// SPDX-License-Identifier: MIT
/*
 * hints.cuh: LOAD and STORE, which tell the caches that data is used once, or
 * with -DPLAIN do not.
 */
#ifndef WB_HINTS_CUH
#define WB_HINTS_CUH

#ifdef PLAIN
#define LOAD(from)     (*(from))
#define STORE(to, ...) (*(to) = (__VA_ARGS__))
#else
#define LOAD(from)     __ldcs(from)
#define STORE(to, ...) __stcs(to, __VA_ARGS__)
#endif

#endif
