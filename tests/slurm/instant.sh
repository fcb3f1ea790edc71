#!/bin/sh
# SPDX-License-Identifier: MIT
# instant.sh HAND-IN COMMAND...: stands in for sandbox.sh where not the checking
# is tested: HAND-IN/report.h is the report, and its exit code the command's.
[ "$2" != true ] || exit 0
[ -f "$1/report.h" ] || { echo "no report.h" >&2; exit 2; }
cat >/dev/null # the seed
cat "$1/report.h" >&9
exit "$(sed -n 's/.*"exit_code": *\([0-9]*\).*/\1/p' "$1/report.h")"
