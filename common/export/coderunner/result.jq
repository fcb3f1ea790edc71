# SPDX-License-Identifier: MIT
# A record as a combinator template grader of Moodle's CodeRunner answers. The
# epilogue is HTML, so what a student wrote is escaped. For what was not graded
# there is no answer: the template fails, and the question counts as not graded.
include "record";
select(.graded) | {
    fraction: (.points / .of),
    testresults: ([["iscorrect", "Kernel", "Verdict", "Points"]] + [.kernels[] |
        [part, .name, .verdict, "\(.points) of \(.of)"]]),
    epiloguehtml: (@html "<pre>\(.text)</pre>")
}
