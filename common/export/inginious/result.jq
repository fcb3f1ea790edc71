# SPDX-License-Identifier: MIT
# A record as the arguments of INGInious' commands feedback-result,
# feedback-grade and feedback-msg, which the task's `run` calls. What was not
# graded is a crash of the grader's, without a grade.
include "record";
if .graded then {
    result: (if .points == .of then "success" elif .verdict == "TIMEOUT"
        then "timeout" else "failed" end),
    grade: (.points / .of * 10000 | round / 100),
    message: "\(sentence)\n\n\(.text)"
} else {result: "crash", grade: null, message: not_graded} end
