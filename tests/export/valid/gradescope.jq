# SPDX-License-Identifier: MIT
# results.json, by Gradescope's autograder specifications. A score is required,
# so there is no file for what was not graded.
include "valid";
each(.graded; .record as $record | .out |
    keys_are(["score"]; ["execution_time", "output", "output_format",
        "visibility", "stdout_visibility", "extra_data", "tests",
        "leaderboard"]),
    must(.score == $record.points; "other points"),
    must(.stdout_visibility == "hidden"; "stdout is shown"),
    must((.tests | length) == 2; "not a test per kernel"),
    must([.tests[].name] == [$record.kernels[].name];
        "a name that is not the kernel's"),
    ([.tests, $record.kernels] | transpose[] | . as [$test, $kernel] |
        must($test.output | startswith($kernel.verdict + ", ");
            "a test that does not say its verdict")),
    (.tests[] |
        keys_are(["score", "max_score", "name"]; ["number", "output",
            "output_format", "tags", "visibility", "status", "extra_data"]),
        must(.score <= .max_score; "more than the most"),
        must(.output_format == "text"; "text taken for markup"),
        must(.visibility == "visible"; "a test that is not shown")))
