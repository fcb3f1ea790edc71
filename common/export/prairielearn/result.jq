# SPDX-License-Identifier: MIT
# A record as PrairieLearn's results.json. "gradable": false costs no attempt.
include "record";
if .graded then {
    gradable: true,
    score: (.points / .of),
    message: sentence,
    tests: [.kernels[] | {
        name, points, max_points: .of, output: "\(sentence)\n\n\(.text)"
    }]
} else {
    gradable: false, message: not_graded, format_errors: [not_graded]
} end
