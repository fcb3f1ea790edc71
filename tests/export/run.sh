#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests `make export` as TAP: every verdict in every format, held to what the
# format says of itself (valid/); what a bundle holds; and bundles at work, as
# the platform's container would run them (contained.sh).
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
CUDA_HOME=$(sh common/cli/find-cuda.sh)
export BUILD CUDA_HOME
work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
here=tests/export
FORMATS="gradescope prairielearn autolab vpl coderunner inginious classroom50
    junit"

# Classroom 50's runner sets these.
export CLASSROOM=c ASSIGNMENT=a SUBMISSION_TAG=submit/1 COMMIT_URL=https://x/c \
    RELEASE_URL=https://x/r REVIEW_URL=https://x/v

# Formats ----------------------------------------------------------------------

verdicts=$("$BUILD/bin/check" --facts verdicts | cut -f 1 | paste -sd ' ' -)
verdicts="$verdicts UNTOUCHED NO_BETTER UNGRADED"
jq -n -c -L common/export --arg verdicts "$verdicts" \
    -f $here/verdicts.jq >"$work/records"
hand_ins=$(wc -l <"$work/records")

# Every verdict is there; only UNGRADED has no points.
records_are_right()
{
    jq -r .verdict "$work/records" | paste -sd ' ' - >"$work/words"
    [ "$(cat "$work/words")" = "$verdicts" ] || cat "$work/words"
    [ "$hand_ins" -ge 15 ] || echo "$hand_ins verdicts"
    jq -r 'select((.points == null) != (.verdict == "UNGRADED")) | .verdict' \
        "$work/records"
    jq -r 'select(.kernels[0].text | test("all right")) | .verdict' \
        "$work/records"
    jq -r '.kernels[] | select(.name == "weight_grad") | .text |
        select(test("all right") | not)' "$work/records"
}

converted() # FORMAT
{
    jq -r -L common/export -f "common/export/$1/result.jq" "$work/records"
}

valid() # FORMAT, what was converted on stdin
{
    jq -n -r -L $here/valid --slurpfile records "$work/records" \
        -f "$here/valid/$1.jq"
}

json_is_valid() # FORMAT
{
    converted "$1" | valid "$1"
}

text_is_valid() # FORMAT
{
    converted "$1" | awk -v hand_ins="$hand_ins" -v open=1 -v points="$(
        jq -s '[.[].points | numbers] | add' "$work/records")" \
        -f "$here/valid/$1.awk"
}

# A document per hand-in. What was not graded has errors and no failures.
junit_is_valid()
{
    mkdir -p "$work/xml"
    converted junit | awk -v to="$work/xml" '/^<\?xml/ { n++ }
        { print >(to "/" n ".xml") }'
    xmllint --noout --schema $here/valid/junit.xsd "$work"/xml/*.xml 2>&1 |
        grep -v 'validates$'
    n=0
    for word in $verdicts; do
        n=$((n + 1))
        case $word in
        PASS) expected='tests="2" failures="0" errors="0"' ;;
        UNGRADED) expected='tests="2" failures="0" errors="2"' ;;
        *) expected='tests="2" failures="1" errors="0"' ;;
        esac
        grep -q "$expected" "$work/xml/$n.xml" || echo "$word: $(
            sed -n 2p "$work/xml/$n.xml")"
    done
}

# The programs in valid/ see what is wrong.
wrong_is_seen()
{
    for change in '.score = 3' '.tests[0].output = "SEED=5"' 'del(.score)' \
        '.tests[1].output_format = "html"' '.extra = 1' '.tests = []' \
        '.tests[0].output = "\u001b[31m"' 'select(.score < 80)' \
        '.tests[0].name += ": WRONG"' '.tests[0].output |= sub("^[^,]*"; "")'
    do
        [ -n "$(converted gradescope | jq "$change" |
            valid gradescope 2>&1)" ] ||
            echo "gradescope: $change passed"
    done
    for change in '.score = 2' '.gradable = true' '.message = "/tmp/x"' \
        'if .tests then .tests[1].name = "PASS" else . end'; do
        [ -n "$(converted prairielearn | jq "$change" |
            valid prairielearn 2>&1)" ] ||
            echo "prairielearn: $change passed"
    done
    [ -n "$(converted vpl | sed 's/^>G/G/' | awk -v hand_ins="$hand_ins" \
        -v open=1 -f $here/valid/vpl.awk)" ] ||
        echo "vpl: a forged grade passed"
    [ -n "$(converted autolab | sed 's/^  {/{/' | awk -v open=1 \
        -v hand_ins="$hand_ins" -f $here/valid/autolab.awk)" ] ||
        echo "autolab: forged scores passed"
}

# What the kernels of a chapter are worth adds up where a platform adds it.
parts_add_up()
{
    for points in 33.3:33.3:33.3 33.3:0.0:13.3 0.0:0.0:0.0; do
        jq -n -c -L common/export --arg points "$points" 'include "record";
            ($points | split(":")) as $p | graded("verdict\tSLOW\n" +
            ([range(3) | "kernel\tk\(.)\tSLOW\t\($p[.])\t33.3\n"] | add) +
            "sum\t\($p | if .[1] == "33.3" then 100 else map(tonumber) |
                add end)\t100.0\n"; ""; "Chapter 05")' >"$work/three"
        jq -r -L common/export -f common/export/autolab/result.jq \
            "$work/three" | tail -n 1 | jq -c --arg points "$points" \
            '[$points, ([.scores[]] | add * 10 | round / 10),
                .scoreboard[0], .scores.k1]'
        jq -c -L common/export -f common/export/classroom50/result.jq \
            "$work/three" | jq -c '[.score, ."max-score",
                ([.tests[]."max-score"] | add)]'
    done >"$work/sums"
    cat <<'END' | diff "$work/sums" -
["33.3:33.3:33.3",100,100,33.4]
[100,100,100]
["33.3:0.0:13.3",46.6,46.6,0]
[46,100,100]
["0.0:0.0:0.0",0,0,0]
[0,100,100]
END
}

# A kernel that is worth nothing (`input_grad = 0`) takes no grade away.
worth_nothing()
{
    jq -n -c -L common/export 'include "record";
        graded("verdict\tPASS\nkernel\tforward\tPASS\t100.0\t100.0\n" +
            "kernel\tinput_grad\t" + ("PASS", "SLOW") + "\t0.0\t0.0\n" +
            "sum\t100.0\t100.0\n"; ""; "Chapter 05")' >"$work/weightless"
    for format in $FORMATS; do
        jq -r -L common/export -f "common/export/$format/result.jq" \
            "$work/weightless" >"$work/$format.weightless" ||
            echo "$format failed"
    done
    {
        sed -n '/^{/p' "$work/autolab.weightless" | jq -c .scores
        jq -c '[.score, .tests[1].score]' "$work/classroom50.weightless"
        jq -c '[.fraction, .testresults[2][0]]' "$work/coderunner.weightless"
    } >"$work/sums"
    cat <<'END' | diff "$work/sums" -
{"forward":100,"input_grad":0}
{"forward":100,"input_grad":0}
[100,0]
[100,0]
[1,1]
[1,0]
END
}

# One kernel of two stopped at an instruction that nobody knows here.
one_is_open()
{
    printf '%b' 'verdict\tUNSUPPORTED\nkernel\tadd\tUNSUPPORTED\t\t50.0\n' \
        'kernel\tprogram\tPASS\t50.0\t50.0\nsum\t50.0\t100.0\nend\t.\n' |
        jq -n -c -L common/export --rawfile result /dev/stdin \
            'include "record"; graded($result; ""; "Chapter 01") |
            [.graded, .verdict, .points, .kernels[].points]'
}

same() # TEXT COMMAND
{
    said=$($2)
    [ "$said" = "$1" ] || echo "$said"
}

# A hand-in without any result, as when the grader itself ended.
nothing_known()
{
    jq -n -c -L common/export 'include "record";
        graded("verdict\tUNGRADED\n"; ""; "Chapter 05")' >"$work/none"
    for format in $FORMATS; do
        jq -r -L common/export -f "common/export/$format/result.jq" \
            "$work/none" >"$work/$format.none" || echo "$format failed"
        ! grep -iE 'grade :=>>|"score|fraction|success' "$work/$format.none"
    done
    xmllint --noout --schema $here/valid/junit.xsd "$work/junit.none" 2>&1 |
        grep -v 'validates$'
    grep -q 'errors="1"' "$work/junit.none" || cat "$work/junit.none"
}

# Bundles ----------------------------------------------------------------------

exported() # FORMAT
{
    FOR=$1 TO=$work/for/$1 SEED=7 sh common/cli/export.sh export 01 2>&1 |
        grep -v 'README.md in it says what to do'
}

# FORMAT:FILE, what is uploaded.
PARTS="gradescope:autograder.zip gradescope:Dockerfile
gradescope:run_autograder gradescope:setup.sh prairielearn:Dockerfile
prairielearn:questions/warpbook-01/info.json
prairielearn:questions/warpbook-01/question.html
prairielearn:serverFilesCourse/warpbook/run.sh autolab:autograde-Makefile
autolab:autograde.tar autolab:Dockerfile vpl:vpl_run.sh vpl:vpl_evaluate.sh
vpl:server.sh coderunner:template.py coderunner:server.sh
inginious:warpbook-01/task.yaml inginious:warpbook-01/run inginious:Dockerfile
classroom50:autograders/warpbook-01/autograder.py classroom50:runtime.json
classroom50:Dockerfile junit:gitlab-ci.yml junit:github.yml junit:artemis.sh
junit:Dockerfile"

bundles_are_whole()
{
    for format in $FORMATS; do
        exported "$format"
        for part in README.md workbook.tar.gz; do
            [ -s "$work/for/$format/$part" ] || echo "$format lacks $part"
        done
    done
    for part in $PARTS; do
        [ -s "$work/for/${part%%:*}/${part#*:}" ] || echo "$part is not there"
    done
    grep -rnIE '%[A-Z]+%' "$work/for"
    find "$work/for" -name '*.part.*'
}

# What JSON they hold says what it must.
bundles_say()
{
    jq -e '.gradingMethod == "External" and .type == "v3" and
        .externalGradingOptions.timeout <= 600' \
        "$work/for/prairielearn/questions/warpbook-01/info.json" >/dev/null ||
        echo "prairielearn: info.json"
    jq -e '[.problems[].name] == ["add.cu", "program.cu"]' \
        "$work/for/inginious/warpbook-01/task.yaml" >/dev/null ||
        echo "inginious: task.yaml"
    jq -e '.container.user == "root"' \
        "$work/for/classroom50/runtime.json" >/dev/null ||
        echo "classroom50: runtime.json"
}

# The stage of an image that is published never saw the workbook's archive.
no_layer_with_answers()
{
    for file in "$work"/for/*/Dockerfile; do
        awk '/^FROM/ { last = "" } { last = last $0 "\n" }
            END { printf "%s", last }' "$file" | grep -n -e ADD -e bundle
        grep -q '^FROM packages$' "$file" || echo "$file has no last stage"
    done
}

# A base that cannot carry the grader is refused by one line, first of all. What
# two formats need nobody can pull.
base_is_right()
{
    mkdir -p "$work/base/bin"
    for format in autolab inginious; do
        grep -qx 'ARG BASE=' "$work/for/$format/Dockerfile" ||
            echo "$format names a base"
        sed -n '/^RUN for need/,/done$/p' "$work/for/$format/Dockerfile" |
            sed 's/^RUN //' >"$work/base/$format"
        PATH=$work/base/bin /bin/sh "$work/base/$format" 2>&1
    done >"$work/out"
    ln -s /usr/bin/true "$work/base/bin/apt-get"
    for format in autolab inginious; do
        PATH=$work/base/bin /bin/sh "$work/base/$format" 2>&1
    done >>"$work/out"
    cat <<'END' | diff "$work/out" -
BASE has no apt-get; README.md says which image it must be.
BASE has no apt-get; README.md says which image it must be.
BASE has no /usr/bin/autodriver; README.md says which image it must be.
END
}

# Tango's job is no root. It calls the grader by the words that its image lets
# it call, wherever the hand-in lies in its archive.
autolab_calls_as_allowed()
{
    mkdir -p "$work/tango/bin" "$work/tango/files"
    printf '#!/bin/sh\necho 1000\n' >"$work/tango/bin/id"
    printf '#!/bin/sh\nprintf "%%s\\n" "$*"; ls "$5"\n' >"$work/tango/bin/sudo"
    chmod +x "$work"/tango/bin/*
    cp solutions/01-vector-add/*.cu "$work/tango/files/"
    (cd "$work/tango/files" && tar -cf ../flat.tar ./*.cu)
    tar -C "$work/tango" -cf "$work/tango/folder.tar" files
    allowed=$(sed -n 's|.*"\(/bin/sh .* handin\)".*|\1|p' \
        "$work/for/autolab/Dockerfile")
    for archive in flat folder; do
        mkdir "$work/tango/$archive"
        tar -C "$work/tango/$archive" -xf "$work/for/autolab/autograde.tar"
        (cd "$work/tango/$archive" &&
            PATH=$work/tango/bin:$PATH sh run.sh ../$archive.tar 2>&1) |
            paste -sd ' ' - |
            grep -vx -e "-n $allowed add.cu program.cu"
    done
    grep -q 'NOPASSWD' "$work/for/autolab/Dockerfile" || echo "no sudo entry"
}

refused() # EXPECTED ARGUMENT...
{
    expected=$1
    shift
    env "$@" sh common/cli/export.sh export 01 >"$work/out" 2>&1
    [ $? -eq 2 ] || echo "exit code not 2"
    grep -q "$expected" "$work/out" || cat "$work/out"
}

template_checks()
{
    exported template
    to=$work/for/template
    for part in .github/workflows/check.yml .gitlab-ci.yml; do
        grep -q 'make check-chapter 1$' "$to/$part" || echo "no check in $part"
        grep -q 'sh common/export/junit/ci.sh >junit.xml' "$to/$part" ||
            echo "no XML from $part"
    done
    [ ! -e "$to/solutions" ] || echo "solutions are in it"
    mkdir -p "$to/build/report"
    cat >"$to/build/report/chapter-01.json" <<'END'
{"chapter": 1, "verdict": "WRONG", "owner": "you", "kernels": [
 {"name": "add", "verdict": "WRONG", "owner": "you", "evidence": "a < b"},
 {"name": "program", "verdict": "SLOW", "owner": "machine", "evidence": null},
 {"name": "third", "verdict": "PASS", "owner": null, "evidence": null}]}
END
    sh "$to/common/export/junit/ci.sh" >"$work/ci.xml"
    xmllint --noout --schema $here/valid/junit.xsd "$work/ci.xml" 2>&1 |
        grep -v 'validates$'
    grep -q 'tests="3" failures="1" errors="1"' "$work/ci.xml" ||
        cat "$work/ci.xml"
}

# What a push takes along: CI has the step before to time against.
template_is_pushed()
{
    to=$work/for/pushed
    FOR=template TO=$to sh common/cli/export.sh export 05 >"$work/out" 2>&1 ||
        cat "$work/out"
    (cd "$to" && find build -type f | sort) >"$work/stages"
    [ "$(wc -l <"$work/stages")" -ge 2 ] || echo "no stages in it"
    mkdir -p "$to/build/bin" "$to/build/stage/05"
    touch "$to/build/bin/check" "$to/build/stage/05/forward.so"
    echo '*.so' >"$work/ignored" # as many have it
    git -C "$to" init -q
    git -C "$to" -c core.excludesFile="$work/ignored" add .
    git -C "$to" -c user.name=a -c user.email=a@b commit -q -m all
    git clone -q "$to" "$work/pushed" 2>&1
    (cd "$work/pushed" && find build -type f | sort) | diff "$work/stages" -
    for part in bin simgpu harness; do
        ln -s "$BUILD/$part" "$work/pushed/build/$part"
    done
    cp solutions/05-*/forward.cu "$work"/pushed/chapters/05-*/
    (cd "$work/pushed" && build/bin/check chapter 5 --kernel forward \
        --device sim --root . --build "$PWD/build") >"$work/out" 2>&1
    tr -s ' \n' ' ' <"$work/out" |
        grep -q 'as fast as the reference stage 04' || cat "$work/out"
}

# At work ----------------------------------------------------------------------

contained() # COMMAND...
{
    timeout 120 sh $here/contained.sh "$work/root" "$@" >"$work/out" 2>&1
}

# As Gradescope unpacks it and calls its set-up, but with what is built here.
gradescope_sets_up()
{
    root=$work/root
    mkdir -p "$root/autograder/source" "$root/autograder/submission" \
        "$root/autograder/results" "$root/opt/warpbook/build" "$root/fake"
    unzip -q "$work/for/gradescope/autograder.zip" \
        -d "$root/autograder/source" || echo "the archive is damaged"
    cp "$root/autograder/source/run_autograder" "$root/autograder/"
    for part in bin simgpu harness vclock; do
        cp -R "$BUILD/$part" "$root/opt/warpbook/build/"
    done
    ln -s /usr/bin/true "$root/fake/apt-get"
    contained env PATH="/fake:/usr/sbin:/usr/bin" \
        sh /autograder/source/setup.sh || cat "$work/out"
    grep -q 'Ready to grade chapter 01' "$work/out" || cat "$work/out"
    [ ! -e "$root/opt/warpbook/solutions" ] || echo "solutions are left"
    [ ! -e "$root/opt/warpbook/export/seed" ] || echo "the seed is left"
}

gradescope_grades()
{
    sed 's/a\[i\] + b\[i\]/a[i] - b[i]/' solutions/01-vector-add/add.cu \
        >"$work/root/autograder/submission/add.cu"
    cp solutions/01-vector-add/program.cu "$work/root/autograder/submission/"
    contained /autograder/run_autograder || cat "$work/out"
    jq -r 'if .score > 50 and .score < 60 and ([.tests[].name] ==
        ["add", "program"]) and (.tests[0].output | startswith("WRONG, "))
        then empty else . end' \
        "$work/root/autograder/results/results.json"
    grep -nE 'SEED=[0-9]|/opt|/tmp|/handin|/autograder' \
        "$work/root/autograder/results/results.json"
}

# Without nvcc nothing can be graded, and nobody is blamed.
gradescope_is_broken()
{
    mv "$work/root/opt/warpbook/build/bin/runner" "$work/runner"
    contained /autograder/run_autograder && echo "exit code 0"
    find "$work/root/autograder/results" -type f
    grep -q 'not graded' "$work/out" || cat "$work/out"
    grep -q 'There is no solution of chapter 1 here' "$work/out" ||
        cat "$work/out"
    grep -nE 'SEED=[0-9]|/opt|/tmp|/autograder|/usr' "$work/out"
    mv "$work/runner" "$work/root/opt/warpbook/build/bin/runner"
}

prairielearn_grades()
{
    mkdir -p "$work/root/grade/student" "$work/root/grade/tests"
    cp -R "$work/for/prairielearn/serverFilesCourse" "$work/root/grade/"
    cp solutions/01-vector-add/*.cu "$work/root/grade/student/"
    contained /grade/serverFilesCourse/warpbook/run.sh || cat "$work/out"
    jq -r 'if .gradable and .score == 1 and (.tests | length) == 2 then empty
        else . end' "$work/root/grade/results/results.json"
}

prairielearn_is_broken()
{
    mv "$work/root/opt/warpbook/build/bin/runner" "$work/runner"
    contained /grade/serverFilesCourse/warpbook/run.sh || cat "$work/out"
    jq -r 'if .gradable == false and (has("score") | not) then empty
        else . end' "$work/root/grade/results/results.json"
    mv "$work/runner" "$work/root/opt/warpbook/build/bin/runner"
}

# A hand-in that wants to see what lies around.
autolab_grades()
{
    mkdir -p "$work/root/lab" "$work/spy"
    cp "$work/for/autolab/autograde-Makefile" "$work/root/lab/Makefile"
    cp "$work/for/autolab/autograde.tar" "$work/root/lab/"
    cp solutions/01-vector-add/program.cu "$work/spy/"
    for secret in /autograder/source/setup.sh /opt/warpbook/export/points; do
        echo "#include \"$secret\"" >"$work/spy/add.cu"
        tar -C "$work" -cf "$work/root/lab/handin.tar" spy
        rm -rf "$work/root/lab/handin" "$work/root/lab/unpacked"
        contained make -s -C /lab || cat "$work/out"
        tail -n 1 "$work/out" | jq -r 'if .scores == {add: 0, program: 50}
            then empty else . end'
        grep -q 'Permission denied' "$work/out" || cat "$work/out"
    done
}

# A server: jobs are an ordinary user's.
server=$work/server/warpbook

made_ready() # COMMAND...
{
    PREBUILT=1 "$@" sh "$server/common/export/image.sh" server \
        >"$work/out" 2>&1
}

job() # FORMAT
{
    setpriv --reuid 23456 --regid 23456 --clear-groups --inh-caps=-all \
        sh "$server/common/export/one.sh" "$1" "$work/server/hand-in" \
        >"$work/out" 2>"$work/err"
}

# What root may do says nothing about the users.
server_of_root_alone()
{
    mkdir -p "$work/server/hand-in" "$server/build" "$work/root-alone"
    chmod 755 "$work"
    cp solutions/01-vector-add/*.cu "$work/server/hand-in/"
    tar -C "$work/server" -xzf "$work/for/vpl/workbook.tar.gz"
    for part in bin simgpu harness vclock; do
        cp -R "$BUILD/$part" "$server/build/"
    done
    cat >"$work/root-alone/bwrap" <<END
#!/bin/sh
[ "\$(id -u)" -eq 0 ] && exec $(command -v bwrap) "\$@"
echo "bwrap: No permissions" >&2
exit 1
END
    chmod -R a+rX "$work/server" "$work/root-alone"
    chmod +x "$work/root-alone/bwrap"
    made_ready env PATH="$work/root-alone:$PATH" && echo "exit code 0"
    grep -q 'Ordinary users of this server may not' "$work/out" ||
        cat "$work/out"
    [ -d "$server/solutions" ] || echo "it is half ready"
}

# Points are not enough: the format's text must come out of them.
server_without_text()
{
    result=$server/common/export/vpl/result.jq
    cp "$result" "$work/result.jq"
    echo 'error("no text")' >"$result"
    made_ready env && echo "exit code 0"
    grep -q 'No text for the grader comes out' "$work/out" || cat "$work/out"
    [ -d "$server/solutions" ] || echo "it is half ready"
    cp "$work/result.jq" "$result"
}

server_grades()
{
    made_ready env || cat "$work/out"
    grep -q 'Ready to grade chapter 01' "$work/out" || cat "$work/out"
    job vpl || cat "$work/out" "$work/err"
    grep -qx 'Grade :=>> 100' "$work/out" || cat "$work/out"
    cat "$work/err"
}

# As VPL's default is: in a chroot the kernel lets no user make namespaces. The
# student is told nothing of the server; the grader is told why.
server_in_a_chroot()
{
    mkdir -p "$work/server/jail"
    for format in vpl autolab junit; do
        unshare --mount sh -c 'mount --rbind / "$1" && chroot "$@"' \
            sh "$work/server/jail" setpriv --reuid 23456 --regid 23456 \
            --clear-groups --inh-caps=-all \
            sh "$server/common/export/one.sh" $format \
            "$work/server/hand-in" >"$work/out" 2>"$work/err" &&
            echo "$format: exit code 0"
        case $format in
        junit) grep -q 'no sandbox: ' "$work/err" || cat "$work/err" ;;
        *) cat "$work/err" ;;
        esac
        grep -E 'Grade :=>>|"scores"|/opt|/tmp|no sandbox' "$work/out"
    done
    [ "$(cat "$server"/export/why/* | grep -c 'no sandbox: ')" -eq 2 ] ||
        cat "$server"/export/why/*
    setpriv --reuid 23456 --clear-groups --inh-caps=-all \
        ls "$server/export/why" 2>&1 | grep -v 'Permission denied'
}

quiet "a record of every verdict" records_are_right
for format in gradescope prairielearn coderunner inginious classroom50; do
    quiet "every verdict for $format" json_is_valid $format
done
for format in autolab vpl; do
    quiet "every verdict for $format" text_is_valid $format
done
quiet "every verdict as JUnit's XML" junit_is_valid
quiet "what is wrong in a format is seen" wrong_is_seen
quiet "parts of points add up" parts_add_up
quiet "a kernel that is worth nothing" worth_nothing
quiet "a kernel on which a person decides: no points" \
    same '[false,"UNGRADED",null,null,null]' one_is_open
quiet "nothing known: no points in any format" nothing_known
quiet "each bundle is whole" bundles_are_whole
quiet "what they say of themselves" bundles_say
quiet "no layer of an image holds answers" no_layer_with_answers
quiet "a base that cannot carry the grader is refused" base_is_right
quiet "Autolab: the job calls what it may" autolab_calls_as_allowed
quiet "without FOR" refused 'There are: .*gradescope' FOR=
quiet "FOR something else" refused 'FOR=moon is unknown.$' FOR=moon
quiet "FOR misspelt" refused \
    'FOR=gradscope is unknown. Did you mean: FOR=gradescope?' FOR=gradscope
echo 'TECHNIQE = 3' >"$work/slip"
quiet "a slip in the points" refused 'there is no .TECHNIQE' FOR=vpl \
    POINTS="$work/slip" TO="$work/slipped"
{ cat common/cli/points; echo 'deadline = 2026-11-30T23:59Z'; } >"$work/dated"
quiet "a deadline in the points" refused 'dated has a deadline' FOR=vpl \
    POINTS="$work/dated" TO="$work/slipped"
quiet "a seed that is none" refused 'SEED=abc' FOR=vpl SEED=abc \
    TO="$work/slipped"
quiet "a bundle that is there" refused 'is there already' FOR=vpl \
    TO="$work/for/vpl"
quiet "a template that checks itself" template_checks
quiet "a template's stages are pushed" template_is_pushed
mkdir -p "$work/root/opt"
if sh $here/contained.sh "$work/root" true 2>/dev/null; then
    quiet "Gradescope: set up in a container" gradescope_sets_up
    quiet "Gradescope: grades in a container" gradescope_grades
    quiet "Gradescope: no score for the machine's fault" gradescope_is_broken
    quiet "PrairieLearn: grades in a container" prairielearn_grades
    quiet "PrairieLearn: not gradable by the machine's fault" \
        prairielearn_is_broken
    quiet "Autolab: grades in a container" autolab_grades
else
    skip "bundles in a container" "no namespaces here, so nothing is graded"
fi
if [ "$(id -u)" -ne 0 ]; then
    skip "a server of many users" "needs root, who installs it"
elif ! setpriv --reuid 23456 --clear-groups bwrap --unshare-all --ro-bind / / \
    true 2>/dev/null; then
    skip "a server of many users" "users may not make namespaces here"
else
    quiet "a server whose users may not make namespaces is refused" \
        server_of_root_alone
    quiet "a server whose format says nothing is refused" server_without_text
    quiet "a server grades as an ordinary user" server_grades
    quiet "in a chroot nothing is graded, and the student is not told why" \
        server_in_a_chroot
fi
plan
