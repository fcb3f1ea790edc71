# SPDX-License-Identifier: MIT
# A record as Gradescope's results.json. A score is required there, so there is
# no file for what was not graded: run_autograder fails, and Gradescope says so.
include "record";
select(.graded) | {
    score: .points,
    output: "\(.title): \(sentence)",
    output_format: "text",
    visibility: "visible",
    stdout_visibility: "hidden",
    tests: [.kernels[] | {
        name, score: .points, max_score: .of,
        output: "\(sentence)\n\n\(.text)", output_format: "text",
        visibility: "visible"
    }]
}
