# SPDX-License-Identifier: MIT
# TAP for suites written in sh; sourced.
#
#   quiet NAME COMMAND...   passes if the command prints nothing; what it prints
#                           says what is wrong
#   skip NAME REASON
#   plan                    prints the last line and exits
# shellcheck shell=sh

tap_n=0
tap_failed=0

quiet()
{
    tap_name=$1
    shift
    tap_n=$((tap_n + 1))
    tap_wrong=$("$@" 2>&1)
    if [ -z "$tap_wrong" ]; then
        echo "ok $tap_n - $tap_name"
    else
        tap_failed=1
        echo "not ok $tap_n - $tap_name"
        echo "$tap_wrong" | sed 's/^/# /'
    fi
}

skip()
{
    tap_n=$((tap_n + 1))
    echo "ok $tap_n - $1 # SKIP $2"
}

plan()
{
    echo "1..$tap_n"
    exit $tap_failed
}
