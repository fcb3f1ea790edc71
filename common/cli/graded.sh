# SPDX-License-Identifier: MIT
# graded.sh: the check that a grade hangs on; sourced.
#
#   checked_in_sandbox FOLDER REPORT    check's exit code, or 124 and 137 if
#                                       $LIMIT seconds were not enough
#   points_are_right                    ends the command unless $POINTS is right
#                                       for $kernels
#
# grade.sh sets what it reads: $BUILD, $CLASS, $DEVICE, $SANDBOX, $LIMIT, $WAIT
# (seconds per launcher; empty: check's own), $number, and $GRADE_PID, without
# which no check goes on. Neither the seed nor the report is
# where a stage could reach it.
# shellcheck shell=sh
# shellcheck disable=SC2154 # those above

points_are_right()
{
    [ -f "$POINTS" ] || die "POINTS=$POINTS: there is no such file"
    wrong=$(awk -f common/cli/settings.awk -v kernels="$kernels" \
        -v known="$("$BUILD/bin/check" --facts verdicts | cut -f 1 |
            paste -sd ' ' -)" "$POINTS") || die "POINTS=$POINTS is not readable"
    [ -z "$wrong" ] ||
        die "$(printf '%s\n' "$wrong" | file=$POINTS awk '
            { print ENVIRON["file"] ":" $0 }')" "Nothing was graded."
}

checked_in_sandbox()
{
    "$BUILD/bin/leash" "${GRADE_PID:-$$}" \
        timeout --foreground -k 10 "$LIMIT" sh "$SANDBOX" "$1" \
        build/bin/check chapter "${number#0}" --build build --root . \
        --src /handin --grade --device "$DEVICE" --seed - \
        --remember build/predicted --jobs 1 ${WAIT:+--patience "$WAIT"} \
        --json fd:9 9>"$2" 8>&- <"$CLASS/seed"
}
