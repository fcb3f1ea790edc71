# SPDX-License-Identifier: MIT
# A record as JUnit's XML, which Artemis, GitLab, GitHub's actions and Jenkins
# read: a testcase per kernel; a failure is the student's, an error is not.
include "record";
([.kernels[] | select(.fault == "you")] | length) as $failures |
([.kernels[] | select(.fault == "machine")] | length) as $errors |
(if .graded or $errors > 0 then 0 else 1 end) as $no_kernel |
.title as $title |
@html "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
@html "<testsuites><testsuite name=\"\(.title)\" tests=\"\((.kernels | length) +
    $no_kernel)\" failures=\"\($failures)\" errors=\"\($errors + $no_kernel
    )\" skipped=\"0\" time=\"0\">",
(select($no_kernel == 1) | @html "<testcase classname=\"\($title
    )\" name=\"grader\" time=\"0\"><error type=\"UNGRADED\" message=\"\(
    not_graded)\"/></testcase>"),
(.kernels[] |
    @html "<testcase classname=\"\($title)\" name=\"\(.name)\" time=\"0\">",
    (select(.fault == "you") | @html "<failure type=\"\(.verdict
        )\" message=\"\(sentence)\">\(.text)</failure>"),
    (select(.fault == "machine") | @html "<error type=\"\(.verdict
        )\" message=\"\(not_graded)\">\(.text)</error>"),
    "</testcase>"),
"</testsuite></testsuites>"
