#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests bin/leash, as TAP: nothing that a command began is there after it,
# whatever is killed. Processes are found by a mark in their environment.
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
leash=${BUILD:-build}/bin/leash
LEASHED=$$
export LEASHED
work=$(mktemp) || exit 1
trap 'rm -f "$work"' EXIT

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

# Of the command alone, though it leaves others that end before and after it,
# and the leash looks late.
exits_as_no_orphan()
{
    # shellcheck disable=SC2016 # the inner shell's
    "$leash" $$ sh -c '(sh -c "sleep 0.1; exit 3" & sleep 60 &) &
        sleep 0.3; exit 7' &
    sleep 0.05
    kill -s STOP $!
    sleep 0.5
    kill -s CONT $!
    wait $!
    [ $? -eq 7 ] || echo "not 7"
    env --ignore-signal=CHLD timeout 5 "$leash" $$ sh -c 'exit 7'
    [ $? -eq 7 ] || echo "not 7 where SIGCHLD was ignored"
}

# A daemon has another session, and another parent.
daemons_end()
{
    "$leash" $$ sh -c 'setsid sleep 70 & (sleep 71 & sleep 72 &) & true'
    left 2
}

ends_when_asked()
{
    for signal in TERM INT HUP QUIT USR1; do
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

# Nobody waits for the process that it works for, and it is a zombie.
ends_with_a_zombie()
{
    sh -c 'sleep 0.1 & echo $!; exec sleep 3' >"$work" &
    until [ -s "$work" ]; do :; done
    begun=$(date +%s)
    "$leash" "$(cat "$work")" sleep 5
    [ $(($(date +%s) - begun)) -lt 3 ] || echo "it went on"
    wait $!
}

# Killed itself, by whoever lacks memory, say.
command_ends_with_it()
{
    "$leash" $$ sleep 80 &
    sleep 0.1
    kill -9 $!
    wait $! 2>/dev/null
    left 2
}

# Where bwrap misses it: its process has begun the sandbox's first one, which
# has not asked yet to die with it.
sandboxes_end()
{
    for _ in $(seq 20); do
        "$leash" $$ bwrap --unshare-pid --unshare-net --die-with-parent \
            --new-session --as-pid-1 --ro-bind / / sleep 79 >/dev/null 2>&1 &
        until outer=$(children $!) && [ -n "$(children "$outer")" ]; do
            kill -0 $! || return
        done
        kill -9 "$outer"
        wait $! 2>/dev/null
    done
    left 3
}

children() # PID
{
    cut -d ' ' -f 1 "/proc/$1/task/$1/children" 2>/dev/null
}

quiet "exit codes, input and output are the command's" exits_as_the_command
quiet "exit code: nobody else's" exits_as_no_orphan
quiet "what it leaves behind ends with it" daemons_end
quiet "asked to end, it ends all" ends_when_asked
quiet "it ends with its caller, and with whom it works for" ends_with_the_caller
quiet "a zombie is gone" ends_with_a_zombie
quiet "killed itself, it takes the command along" command_ends_with_it
if bwrap --unshare-pid --unshare-net --ro-bind / / true 2>/dev/null; then
    quiet "killed while a sandbox is made, none is left" \
        sandboxes_end
else
    skip "killed while a sandbox is made, none is left" "no namespaces here"
fi
plan
