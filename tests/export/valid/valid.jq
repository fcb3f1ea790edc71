# SPDX-License-Identifier: MIT
# What the programs beside this one are made of. They are given $records, an
# array, and on stdin what result.jq made of those that `which` selects; they
# print what is wrong.

def must(condition; $words): if condition then empty else $words end;

def keys_are($needed; $allowed):
    must(($needed - keys) == []; "missing: \($needed - keys)"),
    must((keys - $needed - $allowed) == [];
        "unknown: \(keys - $needed - $allowed)");

# Neither control codes, nor seeds, nor paths, anywhere.
def clean:
    must([.. | strings | select(test("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x{9f}" +
        "\\x{202a}-\\x{202e}]|SEED=[0-9]|/handin|/workbook|/tmp/"))] == [];
        "not clean");

# `check` sees {record, out}.
def each(which; check):
    [inputs] as $outs | [$records[] | select(which)] as $wanted |
    must(($outs | length) == ($wanted | length); "\($outs | length) results " +
        "of \($wanted | length) hand-ins"),
    ([$wanted, $outs] | transpose[] | {record: .[0], out: .[1]} |
        .record.verdict as $verdict |
        ((.out | clean), check) | "\($verdict): \(.)");
