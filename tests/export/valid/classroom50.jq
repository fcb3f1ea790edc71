# SPDX-License-Identifier: MIT
# result.json, by Classroom 50's contract.
include "valid";
each(.graded; .record as $record | .out |
    keys_are(["schema", "classroom", "assignment", "submission", "commit",
        "release", "review", "datetime", "score", "max-score", "tests"];
        ["owner", "assignment_type", "graded_at", "submitted_by"]),
    must(.schema == "classroom50/result/v1"; "schema"),
    (.classroom, .assignment, .submission, .commit, .release, .review |
        must(type == "string" and . != ""; "an empty field")),
    must(.datetime | test("^[0-9-]{10}T[0-9:]{8}Z$"); "datetime"),
    must([.score, ."max-score"] | all(. == floor); "not whole"),
    must((.score - $record.points) | fabs <= 1; "other points"),
    must(.score == ([.tests[].score] | add); "not the sum"),
    must(."max-score" == 100 and ([.tests[]."max-score"] | add) == 100;
        "not the most"),
    must([.tests[]."test-name"] == [$record.kernels[].name];
        "a name that is not the kernel's"),
    (.tests[] |
        keys_are(["test-name", "passed", "score", "max-score"]; []),
        must(.passed | type == "boolean"; "passed")))
