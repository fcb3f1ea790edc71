#!/bin/sh
# SPDX-License-Identifier: MIT
# Who uses whom, as TAP: the arrows between folders and between files, against
# the drawing in docs/architecture.md; and that what a header declares is there
# and wanted.
#
#   run.sh table   prints the drawing's third column as the code has it
#
# An arrow is an #include. A file and the header of its name are one. Two that
# include each other are a circle, which has to be said where it begins, in the
# comment on top: `Circle with NAME: why`.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
build=${BUILD:-build}
work=$build/arrows
mkdir -p "$work"
drawing=docs/architecture.md
export LC_ALL=C

sources() # FIND'S WORDS...: ours
{
    find common checker "$@" | sort
}

# Includes ------------------------------------------------------------------

sources -name '*.[ch]' | xargs grep '^#include "' /dev/null |
    awk -f tests/arrows/includes.awk >"$work/includes"

unknown_includes()
{
    awk '$2 ~ /^\?/ { print $1 " includes " substr($2, 2) ", which is no file" }
        ' "$work/includes"
}

arrows() # PATTERN: both ends without what it matches, and no arrow to itself
{
    awk -v cut="$1" '{
        sub(cut, "", $1)
        sub(cut, "", $2)
        if ($1 != $2) print $1, $2 }' "$work/includes" | sort -u
}
arrows '/[^/]*$' >"$work/folders"

circles() # of arrows on stdin; tsort names who takes part
{
    tsort 2>&1 >/dev/null | sed -n 's/^tsort: -: .*/a circle:/p; t
        s/^tsort: /    /p'
}

folder_circles()
{
    circles <"$work/folders"
}

# What is said of a circle, as `FROM TO` without endings.
said_circles()
{
    sources -name '*.[ch]' | xargs awk '
        FNR == 1 { top = 1 }
        /\*\// { top = 0 }
        top && match($0, /^ \* Circle with [a-z0-9_\/]+: [a-z]/) {
            from = FILENAME
            sub(/\.[ch]$/, "", from)
            to = $4
            sub(/:$/, "", to)
            folder = from
            sub(/[^\/]*$/, "", folder)
            print from, (to ~ /\// ? to : folder to)
        }'
}

file_circles()
{
    arrows '[.][a-z]*$' >"$work/files"
    said_circles >"$work/said"
    awk 'FILENAME == ARGV[1] { said[$0]; next }
        !($0 in said)' "$work/said" "$work/files" | circles
    # A circle that is said and is none any more.
    while read -r from to; do
        grep -qx "$from $to" "$work/files" ||
            echo "$from says a circle with $to, which it does not include"
    done <"$work/said"
}

upwards()
{
    awk '$1 ~ /^common/ && $2 !~ /^common/ {
        print $1 " includes " $2 ", which is above it" }' "$work/includes"
}

# The system ----------------------------------------------------------------

# The reader and the engine run where there is none: ISO C's headers that need
# none, and what reads compressed images. Rounding modes count as the system's.
# The rest is in common/simgpu/host.
system_includes() # FOLDER...
{
    grep -rn '^# *include *<' "$@" | grep -vE \
        '<(float|limits|math|setjmp|std(arg|atomic|bool|def|int|io|lib))\.h>' |
        grep -vE '<(string|lz4|zstd)\.h>'
}

system_includes_are_seen()
{
    mkdir -p "$work/false"
    for header in sys/mman pthread unistd fenv signal time; do
        echo "#include <$header.h>" >"$work/false/a.c"
        [ -n "$(system_includes "$work/false")" ] || echo "$header.h passed"
    done
    echo '#include <stdlib.h>' >"$work/false/a.c"
    system_includes "$work/false"
}

# Events --------------------------------------------------------------------

# An observer is told of an access in one file.
raised_elsewhere() # FILE...
{
    grep -n -- '->access(' "$@" /dev/null |
        grep -v '^common/simgpu/core/access/raise\.h:'
}

raised_in_one_place()
{
    find common/simgpu -name '*.[ch]' | sort | xargs grep -l -- '->access(' |
        grep -qx 'common/simgpu/core/access/raise\.h' ||
        echo "raise.h raises no event"
    # shellcheck disable=SC2046  # no name has a space
    raised_elsewhere $(find common/simgpu -name '*.[ch]' | sort)
}

raised_elsewhere_is_seen()
{
    echo '    r->races->access(&a);' >"$work/raise.c"
    [ -n "$(raised_elsewhere "$work/raise.c")" ] || echo "it passed"
}

# The drawing ---------------------------------------------------------------

all_folders()
{
    sources -name '*.[ch]' | sed 's|/[^/]*$||' | sort -u
}

# | `FOLDER/` | text | TO, TO | as `FOLDER TO`, and `FOLDER -` first. A folder
# on the right may be called by the last part of its name.
drawn()
{
    all_folders | awk -F '|' '
        FILENAME == "-" {
            last = $1
            sub(/.*\//, "", last)
            twice = last in full
            full[last] = twice ? "two folders are called " last : $1
            next
        }
        /^\| `(common|checker)\/[^|]*\|[^|]*\|[^|]*\|$/ {
            split($2, from, "`")
            sub(/\/$/, "", from[2])
            print from[2], "-"
            gsub(/[` ]/, "", $4)
            n = split($4, to, ",")
            for (k = 1; k <= n; k++)
                print from[2], (to[k] in full ? full[to[k]] : to[k])
        }' - "$drawing"
}

expected_drawing()
{
    cat "$work/folders"
    all_folders | sed 's/$/ -/'
}

drawing_differs()
{
    drawn | sort >"$work/drawn"
    expected_drawing | sort -u >"$work/expected"
    comm -13 "$work/drawn" "$work/expected" | awk '
        $2 == "-" { print $1 " is not in the drawing"; next }
        { print $1 " uses " $2 ", and the drawing does not say so" }'
    comm -23 "$work/drawn" "$work/expected" | awk '
        $2 == "-" { print $1 " is drawn, and is no folder with sources"; next }
        { print $1 " does not use " $2 ", as the drawing says" }'
}

# A row uses only what stands above it.
drawing_order()
{
    drawn | awk '$2 == "-" { seen[$1]; next }
        !($2 in seen) { print $1 " stands above " $2 ", which it uses" }'
}

# What the drawing should say, to be pasted; from who uses least.
if [ "${1-}" = table ]; then
    {
        awk '{ print $2, $1 }' "$work/folders"
        all_folders | sed 's/.*/& &/'
    } | tsort 2>/dev/null | while read -r folder; do
        uses=$(awk -v from="$folder" '$1 == from {
            sub(/.*\//, "", $2)
            printf "%s`%s`", n++ ? ", " : "", $2 }' "$work/folders")
        echo "| \`$folder/\` | | $uses |"
    done
    exit
fi

# Names ---------------------------------------------------------------------

# What objects define and want, as `NAME SOURCE`; objects whose source is gone
# are old.
symbols() # NM'S OPTION...
{
    find "$build/o" -name '*.o' | while read -r object; do
        source=${object#"$build/o/"}
        source=${source%.o}
        for isa in base avx2 avx512; do source=${source%."$isa"}; done
        [ -f "$source.c" ] || [ "$source" = op_table ] || continue
        echo "$object"
    done | xargs nm -A -g "$@" | awk -v folder="$build/o/" '{
        from = substr($1, length(folder) + 1)
        sub(/[.]o:.*/, "", from)
        sub(/[.](base|avx2|avx512)$/, "", from)
        print $NF, from
    }' | sort -u
}

declared() # NAME HEADER:LINE of each function that a header declares
{
    sources -name '*.h' | while read -r header; do
        ${CC:-gcc} -std=c11 -D_GNU_SOURCE -Icommon -Ichecker \
            ${CUDA_HOME:+-isystem "$CUDA_HOME/include"} -w -x c \
            -fsyntax-only -aux-info "$work/aux" "$header" || continue
        awk '$3 ~ /^extern$/ && $0 ~ /:NC \*\// && match($0,
                /[A-Za-z_0-9]+ \(/) {
            at = $2
            sub(/:NC$/, "", at)
            print substr($0, RSTART, RLENGTH - 2), at
        }' "$work/aux"
    done | grep -E ' (common|checker)/' | sort -u
}

# But those that say on top that another file includes them.
not_readable_alone()
{
    sed -n 's/^\([^: ]*\.h\):.*/\1/p' "$work/errors" | sort -u |
        while read -r header; do
            sed '/\*\//q' "$header" | tr '\n' ' ' |
                grep -q 'included by' || echo "$header"
        done
}

patterns() # FILE: the first word of each line
{
    sed '/^#/d; s/ .*//' "$1"
}

# awk: does one of the patterns match the whole name?
# shellcheck disable=SC2016
matches='BEGIN { n = split(exported, pattern, "\n") }
    function matches(name, k) {
        for (k = 1; k <= n; k++)
            if (name ~ "^(" pattern[k] ")$") return 1
        return 0
    }'

mentioned() # FILE OF NAMES: those: that a test or the book's programs name
{
    grep -rhow -f "$1" tests book/pictures --include='*.[ch]' | sort -u
}

not_defined()
{
    awk 'FILENAME == ARGV[1] { is[$1]; next }
        !($1 in is) { print $2 ": " $1 " is declared, and nowhere defined" }
        ' "$work/defined" "$work/declared"
}

# Used by no other file: it should be static, or go.
not_used()
{
    awk '{ print $1 }' "$work/defined" | sort -u >"$work/names"
    mentioned "$work/names" >"$work/mentioned"
    awk -v exported="$(patterns tests/arrows/exported)" "$matches"'
        FILENAME == ARGV[1] { tested[$1]; next }
        FILENAME == ARGV[2] { by[$1] = by[$1] " " $2; next }
        !matches($1) {
            others = split(by[$1], who, " ")
            used = 0
            for (k = 1; k <= others; k++)
                used += who[k] != $2
            if (!used && !($1 in tested))
                print $2 ".c: " $1 " is external, and no other file uses it"
        }' "$work/mentioned" "$work/wanted" "$work/defined"
}

no_prefix()
{
    awk -v exported="$(patterns tests/arrows/prefixes | sed 's/$/.*/')" \
        "$matches"'
        $2 ~ /^common\/simgpu\/core/ && $2 !~ /\/lanes_[a-z]*$/ &&
            !matches($1) {
            print $2 ".c: " $1 " begins with no prefix of the core" }
        ' "$work/defined"
}

# A prefix that went with its names would let a new one in unseen.
prefix_of_nothing() # FILE OF PREFIXES
{
    patterns "$1" | while read -r prefix; do
        awk -v prefix="$prefix" '
            $2 ~ /^common\/simgpu\/core/ && index($1, prefix) == 1 { exit 1 }
            ' "$work/defined" && echo "no external begins with $prefix"
    done
}

prefix_of_nothing_is_seen()
{
    printf '%s\n' 'race_ the race detector' 'tap_ gone' >"$work/prefixes"
    [ "$(prefix_of_nothing "$work/prefixes")" = \
        "no external begins with tap_" ] || echo "it passed"
}

# A name of one word, such as `find`, meets the learner's in one process, and
# says nothing of its file.
bare() # FILE OF `NAME SOURCE`
{
    awk -v exported="$(patterns tests/arrows/exported)" "$matches"'
        $1 !~ /[a-z0-9]_[a-z0-9]/ && !matches($1) {
            print $2 ".c: " $1 " is external, and has no prefix" }' "$1"
}

bare_is_seen()
{
    printf '%s\n' 'find a/b' '_lane a/b' 'main a/b' 'cudaFree a/b' \
        'file_find a/b' >"$work/bare"
    [ "$(bare "$work/bare" | wc -l)" -eq 2 ] || bare "$work/bare"
}

# A parameter that is cast away, of a function that is only ever called, and
# that is there once: whose type nothing prescribes.
unused_parameters()
{
    sources -name '*.[ch]' | xargs awk '
        FNR == 1 { name = "" }
        /^[A-Za-z_].*\(/ && !/;$/ && !/^#/ {
            name = $0
            sub(/\(.*/, "", name)
            sub(/.*[ *]/, "", name)
        }
        /^}/ { name = "" }
        /^    \(void\)[a-z]/ && !/\\$/ && name != "" {
            print name, FILENAME ":" FNR }' >"$work/cast"
    awk '{ print $1 }' "$work/cast" | sort -u >"$work/names"
    # How a name stands in the code: `name(`, or `name` as a value.
    sources -name '*.[ch]' | xargs grep -hv '^ *\(/\*\|\*\|//\)' |
        grep -oE '[A-Za-z_][A-Za-z_0-9]*\(?' | awk '
            FILENAME == ARGV[1] { cast[$1]; next }
            {
                name = $0
                sub(/\($/, "", name)
                if (name in cast && $0 !~ /\($/) print name
            }' "$work/names" - | sort -u >"$work/values"
    sources -name '*.c' | xargs awk '
        /^[a-z].*\(/ && !/;$/ && !/^static/ {
            sub(/\(.*/, "")
            sub(/.*[ *]/, "")
            print }' | sort | uniq -d >"$work/twice"
    awk -v exported="$(patterns tests/arrows/exported)" "$matches"'
        FILENAME != ARGV[3] { prescribed[$1]; next }
        !($1 in prescribed) && !matches($1) {
            print $2 ": " $1 " does not use a parameter" }
        ' "$work/values" "$work/twice" "$work/cast"
}

quiet "every include names a file" unknown_includes
quiet "the engine includes nothing of the system" \
    system_includes common/simgpu/ptx common/simgpu/core
quiet "an include of the system would be seen" system_includes_are_seen
quiet "an access is raised in one file" raised_in_one_place
quiet "another one would be seen" raised_elsewhere_is_seen
if [ -d "$build/o" ]; then
    symbols --defined-only >"$work/defined"
    symbols --undefined-only >"$work/wanted"
    declared >"$work/declared" 2>"$work/errors"
    quiet "every header can be read alone" not_readable_alone
    quiet "what a header declares is defined" not_defined
    quiet "what is external is used by another file" not_used
    quiet "each external of the core has a prefix" no_prefix
    quiet "each of these prefixes is one" prefix_of_nothing \
        tests/arrows/prefixes
    quiet "one of nothing would be seen" prefix_of_nothing_is_seen
    quiet "no external is of one word" bare "$work/defined"
    quiet "one would be seen" bare_is_seen
    quiet "no function casts away a parameter that it need not have" \
        unused_parameters
else
    skip "what headers declare, and objects define" "no objects in $build/o"
fi
quiet "no circle between folders" folder_circles
quiet "no circle between files but those that say so" file_circles
quiet "common/ uses nothing above it" upwards
quiet "the drawing in $drawing is what the includes say" drawing_differs
quiet "the drawing has everything above what uses it" drawing_order
plan
