# SPDX-License-Identifier: MIT
# results.json, by PrairieLearn's "External Grading".
include "valid";
each(true; .record as $record | .out |
    must((tojson | length) < 1000000; "more than 1 MB"),
    must(.gradable == $record.graded; "gradable"),
    if .gradable then
        keys_are(["gradable", "score"]; ["message", "output", "images",
            "tests"]),
        must(.score >= 0 and .score <= 1; "a score beyond 0 to 1"),
        must((.score * 100 - $record.points) | fabs < 1e-9; "other points"),
        must([.tests[].name] == [$record.kernels[].name];
            "a name that is not the kernel's"),
        ([.tests, $record.kernels] | transpose[] | . as [$test, $kernel] |
            must($test.output | startswith($kernel.verdict + ", ");
                "a test that does not say its verdict")),
        (.tests[] |
            keys_are(["name", "points", "max_points"]; ["description",
                "message", "output", "images"]),
            must(.points <= .max_points; "more than the most"))
    else
        keys_are(["gradable", "format_errors"]; ["message"])
    end)
