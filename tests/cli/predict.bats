# SPDX-License-Identifier: MIT
load scratch

lesson() # chapter 5 asks two questions
{
    fake_chapters
    cat >chapters/05-second/README.md <<'END'
# 05

## Predict

1. How many
   sectors?
2. How `fast`?

Write them down.

## The exercise

1. Not a question.

<details><summary>Your predictions, one by one</summary>

1. <!-- result: x -->Four<!-- /result -->, see [why](#why).
2. Twice.

</details>
END
}

@test "predict asks each question and keeps the answers" {
    lesson
    run make predict 5 <<<$'nine\nthrice'
    [ "$status" -eq 0 ]
    says "1         How many sectors?"
    says "2         How fast?"
    [[ "$output" != *"Not a question"* ]]
    [ "$(cut -f 2 .progress/05/predictions)" = $'nine\nthrice' ]
}

@test "predict shows no answer before all are given, and asks none twice" {
    lesson
    run make predict 5 <<<"nine"
    says "Answer the rest"
    [[ "$output" != *Four* ]]
    run make predict 5 <<<"thrice"
    [ "$(printf '%s\n' "$output" | grep -c '^1 .*How many')" -eq 1 ]
    says "you:      nine"
    says "lesson:   Four, see why."
    says "you:      thrice"
    says "lesson:   Twice."
    says "Not measured yet: make check-chapter 5"
}

@test "predict shows what the last check measured" {
    lesson
    fake_check 0
    mkdir -p build/report
    cat >build/report/chapter-05.json <<'END'
{"kernels": [{"name": "forward", "verdict": "PASS", "runs": [
  {"device": {"kind": "sim", "name": "x"},
   "counters": {"global_load_sectors": 19267584, "barriers": 3},
   "gates": [{"name": "flops", "value": 2.5, "op": ">=", "limit": 1,
              "ok": true},
             {"name": "global_load_sectors", "value": 19267584, "op": ">=",
              "limit": 1, "ok": true}]}]},
 {"name": "next", "verdict": "TECHNIQUE", "runs": [
  {"device": {"kind": "sim", "name": "x"},
   "counters": {"global_load_requests": 77}}]}]}
END
    run make predict 5 <<<$'nine\nthrice'
    says "forward: PASS"
    says "global_load_sectors                  19267584"
    says "flops                                2.5"
    [ "$(grep -c global_load_sectors <<<"$output")" -eq 1 ]
    says "next: TECHNIQUE"
    [[ "$output" != *global_load_requests* ]] # a starter's
    [[ "$output" != *barriers* ]]
}

@test "predict says so if a lesson asks nothing" {
    fake_chapters
    printf '# 04\n' >chapters/04-first/README.md
    run make predict 4
    [ "$status" -ne 0 ]
    says "asks for no prediction"
}

@test "the predictions of every lesson are found" {
    for lesson in chapters/*/README.md; do
        number=${lesson#chapters/}
        run make predict "${number%%-*}" </dev/null
        [ "$status" -eq 0 ] || [[ "$output" == *"no prediction"* ]]
        [ "$(grep -c '^you:' <<<"$output")" -ge 1 ]
    done
}

@test "lessons 01 to 09 answer each of their questions" {
    for number in 1 2 3 4 5 6 7 8 9; do
        rm -rf ".progress/0$number"
        yes later | make predict $number >said 2>&1
        grep -c '^lesson: ' said
        [ "$(grep -c '^lesson: ' said)" -ge 3 ]
        ! grep -q 'lesson:   see its section' said
    done
}

@test "predict asks what names the kernel, if anything does" {
    lesson
    sed -i 's/How `fast`/How fast is `forward`/' chapters/05-second/README.md
    run make predict 5 KERNEL=forward <<<$'thrice'
    [ "$status" -eq 0 ]
    says "2         How fast is forward?"
    [[ "$output" != *"How many"* ]]
    run make predict 5 KERNEL=nothing
    [ "$status" -ne 0 ]
    says "there is no kernel nothing"
}

@test "predict takes an answer back that was kept" {
    lesson
    run make predict 5 <<<"nine"
    says "- takes your last answer back"
    run make predict 5 <<<$'-\nfour\nthrice'
    [ "$status" -eq 0 ]
    says "you:      four"
    says "you:      thrice"
    [[ "$output" != *"you:      nine"* ]]
    says "To answer anew: rm .progress/05/predictions"
}

@test "predict asks a question that was left open the next time" {
    lesson
    run make predict 5 <<<$'\nthrice'
    says "Answer the rest"
    run make predict 5 <<<"nine"
    says "you:      nine"
    says "you:      thrice"
}
