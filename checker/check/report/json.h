// SPDX-License-Identifier: MIT
/*
 * json.h: the report for programs; checker/report.schema.json describes it.
 *
 *   report_json    the whole report; the caller owns it
 *   json_write     to a file, folders made; or "fd:9"
 */
#ifndef CHECK_JSON_H
#define CHECK_JSON_H

#include <jansson.h>

#include "check/conf/workbook.h"
#include "check/judge/result.h"

struct outcome {
    const struct workbook *workbook;
    uint64_t seed;
    int n;
    struct kernel_result *kernels;
    bool partial;          /* not the chapter's own cases, or not all */
    enum verdict verdict;  /* of the first failing kernel */
    enum owner owner;
    char source_sha256[65];
    double seconds;
};

json_t *report_json(const struct outcome *outcome);
bool json_write(const json_t *report, const char *path);

#endif
