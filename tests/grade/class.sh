#!/bin/sh
# SPDX-License-Identifier: MIT
# class.sh FOLDER STUDENTS SEED [KIND...]: hand-ins of chapter 05, made up.
#
# Writes FOLDER/students, a folder per hand-in, and FOLDER/expected: lines
# STUDENT (a tab and a line's end are blanks in it), tab, verdict (A|B: either),
# tab, points (- : any). Every KIND comes once, or each that there is; then the
# SEED draws, the usual ones more often. `hostile` and `wrong` draw from
# tests/cheats and tests/mutants, which say what they must get.
set -eu
cd "$(dirname "$0")/../.."
out=$1 students=$2 seed=$3
shift 3
solution=solutions/05-dwconv-coalesced
starter=chapters/05-dwconv-coalesced
once=fork_bomb # the machine stands still for a while
long="hangs gigabyte"
rare="crashes killer padded huge no_files wrong_name linked
 linked_folder no_folder spy incbin borrower painter forger peeper untouched
 renamed_starter reformatted_starter stuffed_starter broken_starter nested
 late_twice"
usual="right right right right renamed copied crlf wrong wrong wrong hostile"
all="$(echo "$usual" | tr ' ' '\n' | awk '!seen[$0]++') $long $once $rare"
# shellcheck disable=SC2086 # words
[ $# -gt 0 ] || set -- $all

mkdir -p "$out/students"
: >"$out/expected"

# A number below N, the same on every machine.
state=$((seed % 2147483646 + 1))
draw() # N: into $drawn
{
    state=$((state * 16807 % 2147483647))
    drawn=$((state % $1))
}

pick() # WORD...: into $picked
{
    draw $#
    shift "$drawn"
    picked=$1
}

good() # all three kernels, right, and like nobody else's bytes
{
    mkdir -p "$dir"
    for kernel in forward input_grad weight_grad; do
        { cat "$solution/$kernel.cu"; echo "// $n"; } >"$dir/$kernel.cu"
    done
}

with_forward() # the right ones, and another forward.cu from standard input
{
    good
    cat >"$dir/forward.cu"
}

in_launcher() # forward.cu that also does this on the host, once a call
{
    with_forward <<END
$(text=$1 awk '
    /^cudaError_t dwconv_forward/ { print ENVIRON["text"] }
    { print }
    /^{/ && seen { print "    mischief();"; seen = 0 }
    /^cudaError_t dwconv_forward/ { seen = 1 }' "$solution/forward.cu")
END
}

# Each kind makes $dir and says what it must get.

right() { good; expect PASS 100.0; }

# Names exchanged: the same program.
new_names()
{
    sed -e 's/\bpart\b/partial_sum/g' -e 's/\brow\b/r0/g' \
        -e 's/\bnext\b/y_/g' -e 's/\bsum\b/total/g' -e 's/\bexcess\b/c/g' \
        -e 's/^    int h /  int h /' \
        -e 's|^{|{ /* my own work */|'
}

renamed()
{
    good
    for kernel in forward input_grad weight_grad; do
        new_names <"$solution/$kernel.cu" >"$dir/$kernel.cu"
        echo "/* $n */" >>"$dir/$kernel.cu"
    done
    expect PASS 100.0
}

copied()
{
    mkdir -p "$dir"
    cp $solution/*.cu "$dir"
    expect PASS 100.0
}

crlf()
{
    good
    for file in "$dir"/*.cu; do
        sed 's/$/\r/' "$file" >"$file.new" && mv "$file.new" "$file"
    done
    expect PASS 100.0
}

declared() # FILE KEY
{
    sed -n "/^\/\//!q; s|^// $2: *||p" "$1"
}

# Of the files of a suite, those for chapter 05 and any device, all shapes.
drawn_from() # FOLDER
{
    [ -s "$out/.$1" ] || for file in tests/"$1"/*.cu tests/"$1"/*.diff; do
        [ -f "$file" ] || continue
        case $(declared "$file" chapter) in 05\ *) ;; *) continue ;; esac
        [ -n "$(declared "$file" device)$(declared "$file" shape)" ] ||
            echo "$file"
    done >"$out/.$1"
    # shellcheck disable=SC2046 # no blanks
    pick $(cat "$out/.$1")
    good
    sh tests/handins.sh --hand-in "$picked" "$dir"
    expect "$(declared "$picked" expect | sed 's/ .*//')" -
}

wrong() { drawn_from mutants; }
hostile() { drawn_from cheats; }

hangs()
{
    in_launcher 'static void mischief(void)
{ for (volatile int i = 0; ; i++); }'
    expect TIMEOUT 66.7
}

crashes()
{
    in_launcher 'static void mischief(void) { *(volatile int *)8 = 1; }'
    expect CRASH 66.7
}

# Ends all that it can, in a sandbox of its own: nothing but itself.
killer()
{
    in_launcher '#include <signal.h>
#include <unistd.h>
static void mischief(void)
{
    kill(-1, SIGKILL);
    setpgid(0, getpgid(getppid()));
    kill(0, SIGKILL);
}'
    expect PASS 100.0
}

fork_bomb()
{
    in_launcher '#include <unistd.h>
static void mischief(void) { for (;;) fork(); }'
    expect 'TIMEOUT|CRASH|REFUSED' -
}

gigabyte()
{
    in_launcher '#include <stdio.h>
static void mischief(void) { static int i; for (; i < 1 << 24; i++) puts(
"one line of sixty-four characters, so that 2^24 of them are a gigabyte"); }'
    expect 'PASS|CRASH' -
}

padded()
{
    good
    yes '// nothing' | head -c 999999 >>"$dir/forward.cu"
    expect PASS 100.0
}

huge()
{
    good
    yes '// nothing' | head -c 2000000 >>"$dir/forward.cu"
    expect REFUSED 0.0
}

no_files() { mkdir -p "$dir"; expect BUILD 0.0; }

wrong_name()
{
    good
    mv "$dir/forward.cu" "$dir/forward (1).cu"
    expect BUILD 66.7
}

linked()
{
    good
    ln -sf "$PWD/$solution/forward.cu" "$dir/forward.cu"
    expect REFUSED 0.0
}

linked_folder() { ln -s "$PWD/$solution" "$dir"; expect REFUSED 0.0; }
no_folder() { echo text >"$dir"; expect REFUSED 0.0; }

# A first line before the solution.
prefixed()
{
    { echo "$1"; cat "$solution/forward.cu"; } | with_forward
    expect BUILD 66.7
}

spy() { prefixed '#include "/etc/shadow"'; }
incbin() { prefixed 'asm(".incbin \"/etc/shadow\"");'; }
borrower() { prefixed "#include \"../$solution/forward.cu\""; }

painter()
{
    prefixed "$(printf '#error "\033[31m<b>red</b> \302\233 \342\200\256')"
}

# Wrong, and prints a report that says otherwise.
forger()
{
    in_launcher '#include <stdio.h>
static void mischief(void) { puts("\nforward.cu  PASS\n    correct all 98\n"
"PASS  chapter 05; 1.0 s\n{\"verdict\": \"PASS\"}"); }'
    sed 's/^    y\[.*= .*;/    y[0] = 0;/; s/part += /part -= /' \
        "$dir/forward.cu" >"$dir/new" && mv "$dir/new" "$dir/forward.cu"
    expect 'WRONG|RACE' -
}

# Looks for the seed, the report and other students through all it can open.
peeper()
{
    in_launcher '#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void mischief(void)
{
    for (int pid = 1; pid < 40; pid++)
        for (int fd = 0; fd < 12; fd++) {
            char path[64], line[32] = "";
            snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, fd);
            FILE *f = fopen(path, "r");
            if (f && fgets(line, sizeof line, f) && strlen(line) > 2)
                printf("peeped %s", line);
            if (f) fclose(f);
            f = fd > 6 || fd == 1 ? fopen(path, "a") : NULL;
            if (f) { fputs("scribbled", f); fclose(f); }
        }
    if (system("ls /work /home /root /tmp/../etc/passwd 2>&1 | grep -v cannot"))
        return;
}'
    expect 'PASS|REFUSED' -
}

untouched()
{
    mkdir -p "$dir"
    cp $starter/*.cu "$dir"
    expect TECHNIQUE 0.0
}

renamed_starter()
{
    mkdir -p "$dir"
    for file in "$starter"/*.cu; do
        new_names <"$file" >"$dir/${file##*/}"
    done
    expect TECHNIQUE 0.0
}

reformatted_starter()
{
    mkdir -p "$dir"
    for file in "$starter"/*.cu; do
        sed -e 's/^    \([^/#]\)/\1/' -e 's|;$|; // done|' "$file" \
            >"$dir/${file##*/}"
    done
    expect TECHNIQUE 0.0
}

# Starters with statements that do nothing, in the kernel and in the launcher.
stuffed_starter()
{
    mkdir -p "$dir"
    for file in "$starter"/*.cu; do
        awk '{ print }
            /^static __global__/ { kernel = 1 }
            /^{/ && kernel {
                print "    int idle = (int)threadIdx.x;"
                print "    for (int i = 0; i < 4; i++) idle = 3 * idle + i;"
                print "    if (idle == 123456789) return;"
                kernel = 0
            }
            /\(void\)workspace;/ { print "    int busy = 3; busy *= 2;" }' \
            "$file" >"$dir/${file##*/}"
    done
    expect TECHNIQUE 0.0
}

# Starters that are wrong in some cases: most are right, as they were.
broken_starter()
{
    mkdir -p "$dir"
    for file in "$starter"/*.cu; do
        awk '{ print }
            /\(void\)workspace;/ {
                print "    if (shape.L == 1) return cudaSuccess;"
            }' "$file" >"$dir/${file##*/}"
    done
    expect 'WRONG|TECHNIQUE' 0.0
}

nested()
{
    outer=$dir
    dir=$dir/${solution##*/}
    good
    dir=$outer
    expect PASS 100.0
}

# The first in time is worth less than the second.
late_twice()
{
    dir="$dir@2026-01-01T10:00"
    mkdir -p "$dir"
    cp $starter/*.cu "$dir"
    dir="${dir%@*}@2026-01-02T10:00"
    good
    expect PASS 100.0
}

expect() # VERDICT POINTS
{
    shown=$(printf %s "${dir##*/}" |
        sed -z 's/\t/␉/g; s/\n/␊/g; s/@2026.*//')
    printf '%s\t%s\t%s\n' "$shown" "$1" "$2" >>"$out/expected"
}

# Names that scripts and spreadsheets stumble over.
name() # N
{
    case $(($1 % 12)) in
    1) echo "O'Neil, \"Zoë\" $1" ;;
    2) echo "Jürgen Müßig $1" ;;
    3) echo "=HYPERLINK(\"x\";$1)" ;;
    4) echo "-rf $1" ;;
    5) echo "+$1" ;;
    6) echo "@anna@uni.example $1" ;;
    7) echo "a;b,c \$(touch x) \`id\` $1" ;;
    8) printf 'two\nlines %s' "$1" ;;
    9) echo "<b>%s%n\\ $1" ;;
    *) echo "student $1" ;;
    esac
}

n=0
while [ $n -lt "$students" ]; do
    n=$((n + 1))
    dir=$out/students/$(name $n)
    if [ $# -gt 0 ]; then
        kind=$1
        shift
    else
        # shellcheck disable=SC2086 # words
        pick $usual $usual $usual $usual $usual $usual $usual $usual $rare \
            $rare $long
        kind=$picked
    fi
    $kind
    echo "$kind" >>"$out/kinds"
done
