#!/bin/sh
# SPDX-License-Identifier: MIT
# peers.sh BUILD CUDA_HOME FOLDER KEY=VALUE...: times the newest stages beside
# their peers on this machine's GPU, at the peer_shapes of the chapters, into
# FOLDER/peers-FAMILY-PEER.json (results.c, peers.schema.json). KEY=VALUE is
# their provenance. PEERS="ours pytorch" measures these alone, and
# FAMILIES="dwconv" these families alone.
#
#   peers.sh list       the peers there are, FAMILY PEER per line
#
# A family is a file of common/op, NAME.c, with its operators NAME or NAME_...;
# its peers are `ours`, the newest stages, and the programs in this folder's
# NAME/: PEER.py or PEER.sh, called with NAME SHAPE... and, in $OPERATORS, a
# line OPERATOR, tab, NAME for each of them. They print the lines that results.c
# describes; what is not here they name with its reason. No peer can stop
# another.
set -u
. common/cli/lib.sh
here=$(dirname "$0")
LIMIT=200 # seconds per peer, for all shapes

# FAMILY OPERATOR NAME SHAPE of each peer_shape
asked()
{
    families=$(for file in common/op/*.c; do basename "$file" .c; done)
    conf_lines chapters/[0-9]* | awk -F '\t' -v families="$families" '
        BEGIN { n = split(families, family, "\n") }
        $3 == "op" { op = $4 }
        $3 == "peer_shape" {
            best = ""
            for (i = 1; i <= n; i++)
                if ((op == family[i] || index(op, family[i] "_") == 1) &&
                    length(family[i]) > length(best)) best = family[i]
            sub(/: /, "\t", $4)
            print best "\t" op "\t" $4
        }'
}

column() # FAMILY FROM-TO: those columns of its lines, each once
{
    echo "$all" | awk -F '\t' -v family="$1" '$1 == family' | cut -f "$2" |
        awk '!seen[$0]++'
}

peers_of() # FAMILY: ours, and its programs
{
    echo ours
    for program in "$here/$1"/*.py "$here/$1"/*.sh; do
        [ -f "$program" ] || continue
        program=${program##*/}
        echo "${program%.*}"
    done
}

wanted() # WORD WORDS: is it one of them, or are there none?
{
    [ -n "$2" ] || return 0
    case " $2 " in *" $1 "*) return 0 ;; esac
    return 1
}

run() # NAME COMMAND...: its lines; one more where it does not end well
{
    name=$1
    shift
    echo "peer $name" >&2
    timeout "$LIMIT" "$@" 2>"$WORK/words"
    code=$?
    case $code in
    0) ;;
    124) echo "absent $name the rest of it: took more than $LIMIT s" ;;
    *) echo "absent $name the rest of it: exit code $code:" \
        "$(tail -n 1 "$WORK/words")" ;;
    esac
}

lines() # FAMILY PEER
{
    family=$1
    peer=$2
    column "$family" 3,4 | sed 's/	/ /; s/^/shape /'
    if [ "$peer" = ours ]; then
        # shellcheck disable=SC2046 # operators are words
        run ours "$build/bin/bench-stages" "$build" $(column "$family" 2)
        return
    fi
    OPERATORS=$(column "$family" 2,3)
    export OPERATORS
    set --
    while IFS='	' read -r shape extents; do
        set -- "$@" "$shape" "$extents"
    done <<END
$(column "$family" 3,4)
END
    if [ -f "$here/$family/$peer.sh" ]; then
        run "$peer" sh "$here/$family/$peer.sh" "$@"
    elif command -v python3 >/dev/null; then
        run "$peer" python3 "$here/$family/$peer.py" "$@"
    else
        echo "absent $peer there is no python3"
    fi
}

all=$(asked)
if [ "${1-}" = list ]; then
    for family in $(echo "$all" | cut -f 1 | sort -u); do
        peers_of "$family" | sed "s/^/$family /"
    done
    exit
fi

build=$1
CUDA_HOME=$2
folder=$3
shift 3
WORK=$(mktemp -d) || exit 1
trap 'rm -rf "$WORK"' EXIT
export CUDA_HOME WORK
failed=0
for family in $(echo "$all" | cut -f 1 | sort -u); do
    wanted "$family" "${FAMILIES:-}" || continue
    for peer in $(peers_of "$family"); do
        wanted "$peer" "${PEERS:-}" || continue
        (lines "$family" "$peer") >"$WORK/lines"
        "$build/bin/bench-results" peers "$folder/peers-$family-$peer.json" \
            "$@" <"$WORK/lines" || failed=1
    done
done
exit $failed
