# SPDX-License-Identifier: MIT
# graded.sh: the check that a grade hangs on; sourced.
#
#   checked_in_sandbox FOLDER REPORT    check's exit code, or 124 and 137 if
#                                       $LIMIT seconds were not enough
#
# grade.sh sets what it reads: $CLASS, $DEVICE, $SANDBOX, $LIMIT, $WAIT (seconds
# per launcher; empty: check's own), $number. Neither the seed nor the report is
# where a stage could reach it.
# shellcheck shell=sh
# shellcheck disable=SC2154 # those above

checked_in_sandbox()
{
    timeout --foreground -k 10 "$LIMIT" sh "$SANDBOX" "$1" \
        build/bin/check chapter "${number#0}" --build build --root . \
        --src /handin --grade --device "$DEVICE" --seed - \
        --remember build/predicted --jobs 1 ${WAIT:+--patience "$WAIT"} \
        --json fd:9 9>"$2" 8>&- <"$CLASS/seed"
}
