#!/bin/sh
# SPDX-License-Identifier: MIT
# Grades a class here and on a real Slurm, as TAP: `make test-slurm`, as root.
# The cluster is one node, in namespaces of its own, so that it meets no other
# and ends with this script. While it is at work its node is drained and put
# back, and then fails.
#
#   COUNT=   how many, of which about a third are right; 16
#   PLACE=      where results and logs stay; a folder that is removed at the end
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
BUILD=${BUILD:-build}
COUNT=${COUNT:-16}
if [ "${1-}" != --inside ]; then
    [ "$(id -u)" -eq 0 ] || { echo "Slurm's node is root's: run it as root" >&2
        exit 2; }
    exec unshare --net --pid --mount --fork --kill-child --mount-proc \
        sh tests/slurm/cluster.sh --inside
fi
# Where there is no address but the loopback's own, names are not looked up.
ip link set lo up && ip address add 10.99.99.1/32 dev lo || exit 1
work=${PLACE:-$(mktemp -d)}
mkdir -p "$work/spool" "$work/state" "$work/munge"
work=$(cd "$work" && pwd)
[ -n "${PLACE-}" ] || trap 'rm -rf "$work"' EXIT
CUDA_HOME=$(sh common/cli/find-cuda.sh)
SLURM_CONF=$work/slurm.conf
export BUILD CUDA_HOME SLURM_CONF

# Eight processors, whatever there are: so many tasks are to run at a time.
configure()
{
    cat >"$SLURM_CONF" <<END
ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
SlurmUser=root
SlurmdUser=root
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
MailProg=/bin/true
ReturnToService=2
SlurmdTimeout=600
NodeName=localhost NodeAddr=127.0.0.1 CPUs=8 State=UNKNOWN
PartitionName=closed Nodes=localhost Default=YES State=INACTIVE
PartitionName=class Nodes=localhost MaxTime=INFINITE State=UP
END
}

# What a daemon inherits it keeps, the pipe that says when this is over, too.
start()
{
    chmod 700 "$work/munge"
    head -c 128 /dev/urandom >"$work/munge/key"
    chmod 600 "$work/munge/key"
    munged --force --key-file="$work/munge/key" --socket="$work/munge/socket" \
        --pid-file="$work/munge/pid" --log-file="$work/munge/log" \
        --seed-file="$work/munge/seed" >"$work/daemons" 2>&1 &&
        slurmctld >>"$work/daemons" 2>&1 &&
        slurmd -N localhost >>"$work/daemons" 2>&1 || {
        cat "$work/daemons"
        return
    }
    until_is 120 node_is idle || tail "$work"/*.log
}

until_is() # SECONDS COMMAND...
{
    last=$(($(date +%s) + $1))
    shift
    while ! "$@"; do
        [ "$(date +%s)" -lt $last ] || { echo "in vain: $*"; return 1; }
        sleep 0.2
    done
}

node_is() # STATE
{
    sinfo --noheader --format=%T 2>/dev/null | grep -q "$1"
}

running()
{
    squeue --noheader --states=RUNNING,COMPLETING | grep -c .
}

none_running()
{
    [ "$(running)" -eq 0 ]
}

some_graded() # HOW MANY
{
    [ "$(find "$work/slurm" -name result | wc -l)" -ge "$1" ]
}

student() # NAME: its add.cu is standard input
{
    mkdir -p "$work/class/$1"
    cat >"$work/class/$1/add.cu"
    cp solutions/01-vector-add/program.cu "$work/class/$1/"
}

make_class()
{
    solution=solutions/01-vector-add/add.cu
    for i in $(seq "$COUNT"); do
        case $((i % 6)) in
        0 | 3) sed "s|^{|{   // by $i|" $solution ;;
        1) sed "s/a\[i\] + b\[i\]/a[i] - $i * b[i]/" $solution ;;
        2) sed "s/ i < n/ i <= n + $i/" $solution ;;
        4) { cat $solution; echo "#error $i"; } ;;
        5) echo "#include <unistd.h>"
            sed "s|^{|{   sleep(0 * $i); if (n > 1) _exit($i);|" $solution ;;
        esac | student "student $i"
    done
    cp -R "$work/class/student 3" "$work/class/O'Neil, \"Zoë\""
    mkdir "$work/class/nothing"
}

grade() # TO OPTION...
{
    to=$1
    shift
    env FROM="$work/class" TO="$work/$to" SEED=5 DEVICE=sim PAUSE=1 "$@" \
        sh common/cli/grade.sh grade 01 >"$work/$to.out" 2>"$work/$to.err"
}

here()
{
    grade here JOBS="$(nproc)" || cat "$work/here.err"
    [ "$(wc -l <"$work/here/gradebook.csv")" -eq $((COUNT + 3)) ] ||
        cat "$work/here/gradebook.csv"
}

# Drained, tasks at work end and no other begins; down, they begin again.
disturb()
{
    until_is 600 some_graded 1 || return
    eight=$(running)
    scontrol update nodename=localhost state=drain reason=test
    until_is 600 none_running || return
    some_graded $((COUNT - 2)) && {
        echo "nearly all was done before the drain: COUNT is too small"
        scontrol update nodename=localhost state=resume
        return
    }
    sleep 3
    none_running || echo "tasks began on a drained node"
    scontrol update nodename=localhost state=resume
    before=$(find "$work/slurm" -name result | wc -l)
    until_is 600 some_graded $((before + 1)) || return
    scontrol update nodename=localhost state=down reason=test
    grep -q 'requeue job .* due to failure of node' "$work/slurmctld.log" ||
        echo "no task was at work when the node failed"
    # It registers again within moments, and then nobody has to put it back.
    scontrol update nodename=localhost state=resume 2>"$work/words" ||
        until_is 60 node_is 'idle\|mixed\|allocated' || cat "$work/words"
    [ "$eight" -le 8 ] || echo "$eight tasks at a time"
}

on_slurm()
{
    mkdir -p "$work/slurm"
    grade slurm ON=slurm JOBS=8 SBATCH_PARTITION=class &
    job=$!
    disturb
    wait $job || cat "$work/slurm.err" "$work"/slurm/.slurm/*.log
    grep -q "Slurm job [0-9]*: $((COUNT + 2)) hand-ins" "$work/slurm.err" ||
        cat "$work/slurm.err"
    grep -q 'waits: .*\(DRAIN\|drain\)' "$work/slurm.err" ||
        echo "nobody was told that the node was drained"
}

same_table()
{
    cmp "$work/here/gradebook.csv" "$work/slurm/gradebook.csv" ||
        diff "$work/here/gradebook.csv" "$work/slurm/gradebook.csv"
    ! grep UNGRADED "$work/slurm/gradebook.csv"
}

# A process that is defunct has only to be waited for.
at_work()
{
    ps -eo stat=,args= | grep -E 'bwrap|simgpu-device|bin/(check|runner)' |
        grep -vE '^Z|grep'
    squeue --noheader
}

none_at_work()
{
    [ -z "$(at_work)" ]
}

# What a failing node ended in its middle ends by itself, a little later.
nothing_left()
{
    until_is 60 none_at_work || at_work
}

configure
make_class
quiet "a Slurm of one node" start
quiet "a class, graded here" here
quiet "by Slurm, its node drained and put back, then down" on_slurm
quiet "the same table" same_table
quiet "nothing is left at work" nothing_left
plan
