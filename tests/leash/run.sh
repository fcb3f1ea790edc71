#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests bin/leash, as TAP: nothing that a command began is there after it,
# whatever is killed. Processes are found by a mark in their environment.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
leash=${BUILD:-build}/bin/leash
LEASHED=$$
export LEASHED

left() # SECONDS: those that are still there after so long
{
    for _ in $(seq $(($1 * 10))); do
        [ -n "$(marked)" ] || return 0
        sleep 0.1
    done
    for process in $(marked); do
        tr '\0' ' ' <"${process%environ}cmdline"
    done
}

marked()
{
    env -u LEASHED grep -lsz "^LEASHED=$LEASHED\$" /proc/[0-9]*/environ
}

exits_as_the_command()
{
    "$leash" $$ sh -c 'exit 7' </dev/null
    [ $? -eq 7 ] || echo "not 7"
    # shellcheck disable=SC2016 # the inner shell's
    "$leash" $$ sh -c 'kill -9 $$'
    [ $? -eq 137 ] || echo "not 137"
    [ "$(echo text | "$leash" $$ cat)" = text ] || echo "no input or output"
    "$leash" $$ ./no-such-command 2>/dev/null
    [ $? -eq 2 ] || echo "not 2"
    "$leash" 2>/dev/null
    [ $? -eq 2 ] || echo "without a command: not 2"
}

# A daemon has another session, and another parent.
daemons_end()
{
    "$leash" $$ sh -c 'setsid sleep 70 & (sleep 71 & sleep 72 &) & true'
    left 2
}

ends_when_asked()
{
    for signal in TERM INT HUP; do
        "$leash" $$ sh -c '(sleep 73 &); trap "" TERM INT HUP; sleep 74' &
        sleep 0.1
        kill -s $signal $!
        wait $! 2>/dev/null
        left 2
    done
}

# At first it has a caller, which then is killed; or it works for another.
ends_with_the_caller()
{
    # shellcheck disable=SC2016 # the inner shell's
    sh -c '"$1" $$ sh -c "sleep 75 & sleep 76"; true' sh "$leash" &
    sleep 0.2
    kill -9 $!
    wait $! 2>/dev/null
    left 3
    sleep 0.3 &
    "$leash" $! sh -c 'sleep 77 & sleep 78'
    left 2
}

# Where bwrap misses it: its process has begun the sandbox's first one, which
# has not asked yet to die with it. $1 is the leash, or nothing.
sandboxes_end() # [LEASH PID]
{
    for _ in $(seq 20); do
        "$@" bwrap --unshare-pid --unshare-net --die-with-parent \
            --new-session --as-pid-1 --ro-bind / / sleep 79 >/dev/null 2>&1 &
        outer=$!
        [ $# -eq 0 ] || until outer=$(children $!) && [ -n "$outer" ]; do :
        done
        until [ -n "$(children "$outer")" ]; do :; done
        kill -9 "$outer"
        wait $! 2>/dev/null
    done
    left 3
}

children() # PID
{
    cut -d ' ' -f 1 "/proc/$1/task/$1/children"
}

quiet "exit codes, input and output are the command's" exits_as_the_command
quiet "what it leaves behind ends with it" daemons_end
quiet "asked to end, it ends all" ends_when_asked
quiet "it ends with its caller, and with whom it works for" ends_with_the_caller
if bwrap --unshare-pid --unshare-net --ro-bind / / true 2>/dev/null; then
    quiet "killed while a sandbox is made, none is left" \
        sandboxes_end "$leash" $$
else
    skip "killed while a sandbox is made, none is left" "no namespaces here"
fi
plan
