# SPDX-License-Identifier: MIT
# The arguments of INGInious' commands, by its page on the run file.
include "valid";
each(true; .record as $record | .out |
    keys_are(["result", "grade", "message"]; []),
    must(.result | IN("success", "failed", "timeout", "overflow", "crash");
        "no such result"),
    must((.result == "crash") == ($record.graded | not); "a crash"),
    must((.result == "success") == ($record.points == $record.of); "success"),
    must(.grade == $record.points; "other points"),
    must(.message | length > 0; "no message"))
