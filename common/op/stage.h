// SPDX-License-Identifier: MIT
/*
 * stage.h: what every stage includes through its operator's header.
 *
 * A stage is one .cu file, built into one shared library that exports its
 * launcher and its workspace query, and nothing else.
 */
#ifndef WB_STAGE_H
#define WB_STAGE_H

#include <stddef.h>

#include <cuda_runtime_api.h>

#ifdef __cplusplus
#define STAGE_BEGIN extern "C" {
#define STAGE_END   }
#else
#define STAGE_BEGIN
#define STAGE_END
#endif

/* Marks the functions that the runner looks up; all others stay hidden. */
#define STAGE_EXPORT __attribute__((visibility("default")))

#endif
