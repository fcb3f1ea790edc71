# SPDX-License-Identifier: MIT
# best.awk: what paths.tsv says. Per path: how many pairs are within 1.2 and 1.5
# floors with the committed kernels, and with all; the fastest at each pair; and
# for each K and kind of L the kernel with the least regret.
BEGIN {
    FS = "\t"
}

/WRONG/ { print "wrong:", $0 }
/^#/ || NF < 9 || $6 == "copy" || $6 == "read" { next }

# Shapes that are not the sweep's come last, one by one.
$3 != 64 || $2 != int(8388608 / 64 / $4) {
    other = $1 " B" $2 " H" $3 " L" $4 " K" $5
    others[other] = others[other] sprintf(" %s %.4f (%.2f)", $6, $7, $8)
    next
}

{
    path[$1] = length_of[$4] = taps_of[$5] = kernels[$6] = 1
    at = $1 SUBSEP $4 SUBSEP $5
    ratio[at, $6] = $8
    old = $6 == "committed" || $6 == "middle"
    if (old && (!(at in before) || $8 < before[at]))
        before[at] = $8
    if (!(at in best) || $8 < best[at]) {
        best[at] = $8
        name[at] = $6
    }
}

function sorted(set, to,    n, i, key, swap)
{
    n = 0
    for (key in set) {
        to[++n] = key + 0
        for (i = n; i > 1 && to[i] < to[i - 1]; i--) {
            swap = to[i]
            to[i] = to[i - 1]
            to[i - 1] = swap
        }
    }
    return n
}

# The kernel that costs least at K, over lengths that are aligned or not.
function least(p, k, odd,    kernel, i, at, sum, n, worst, lowest, says)
{
    lowest = 0
    for (kernel in kernels) {
        sum = n = worst = 0
        for (i = 1; i <= lengths; i++) {
            at = p SUBSEP L[i] SUBSEP k
            if (!(at in best) || (L[i] % 4 > 0) != odd)
                continue
            n++
            if (!((at, kernel) in ratio))
                ratio[at, kernel] = 99
            sum += ratio[at, kernel] / best[at]
            if (ratio[at, kernel] / best[at] > worst)
                worst = ratio[at, kernel] / best[at]
        }
        if (n > 0 && (lowest == 0 || sum / n < lowest)) {
            lowest = sum / n
            says = sprintf("%s, %.2f times the best on average, %.2f at most",
                           kernel, lowest, worst)
        }
    }
    return says
}

END {
    lengths = sorted(length_of, L)
    taps = sorted(taps_of, K)
    for (p in path) {
        all = was12 = was15 = now12 = now15 = worst = 0
        for (at in best) {
            split(at, part, SUBSEP)
            if (part[1] != p)
                continue
            all++
            was12 += before[at] <= 1.2
            was15 += before[at] <= 1.5
            now12 += best[at] <= 1.2
            now15 += best[at] <= 1.5
            if (best[at] > worst)
                worst = best[at]
        }
        printf "%s: of %d within 1.2 %d, now %d; 1.5 %d, now %d; worst %.2f\n",
            p, all, was12, now12, was15, now15, worst
        for (j = 1; j <= taps; j++) {
            line = ""
            for (i = 1; i <= lengths; i++) {
                at = p SUBSEP L[i] SUBSEP K[j]
                if (at in best)
                    line = line sprintf("  %d: %.2f %s", L[i], best[at],
                                        name[at])
            }
            printf "K %d%s\n", K[j], line
        }
        for (j = 1; j <= taps; j++)
            for (odd = 0; odd < 2; odd++)
                if ((says = least(p, K[j], odd)) != "")
                    printf "rule, %s, K %d, L %s: %s\n", p, K[j],
                        odd ? "no multiple of 4" : "a multiple of 4", says
    }
    for (other in others)
        print other ":" others[other]
}
