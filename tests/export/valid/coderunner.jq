# SPDX-License-Identifier: MIT
# What a combinator template grader of CodeRunner answers. Without an answer the
# question counts as not graded.
include "valid";
each(.graded; .record as $record | .out |
    keys_are(["fraction"]; ["testresults", "prologuehtml", "epiloguehtml",
        "columnformats", "showdifferences"]),
    must(.fraction >= 0 and .fraction <= 1; "a fraction beyond 0 to 1"),
    must((.fraction * 100 - $record.points) | fabs < 1e-9; "other points"),
    must([.testresults[] | length] | unique | length == 1; "ragged table"),
    must(.epiloguehtml | test("^<pre>[^<>]*</pre>$"); "HTML of the student's"))
