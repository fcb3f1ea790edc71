# SPDX-License-Identifier: MIT
# A record as Autolab reads it: text, and scores as JSON in the last line. Every
# line of the text is indented, so that none is taken for scores. Autolab adds
# the scores up, so they are tenths of shares that add up.
include "record";
if .graded then
    (.text | split("\n")[] | "  " + .),
    earned(0.1) as $tenths |
    ({
        scores: ([[.kernels, $tenths] | transpose[] |
            {key: .[0].name, value: (.[1] / 10)}] | from_entries),
        scoreboard: [($tenths | add) / 10]
    } | tojson)
else not_graded end
