// SPDX-License-Identifier: MIT
/*
 * cost.c: the access model. Interface: cost.h.
 *
 * A shared access of 4 bytes per lane (or fewer) is one pass, of 8 bytes two
 * half-warps, of 16 bytes four quarter-warps. A pass takes as many wavefronts
 * as the busiest bank has distinct words. Loads of 8 and 16 bytes merge
 * passes in twos when every pair of lanes (n, n^1), or every pair (n, n^2),
 * reads one address; those of matrix loads do not.
 */
#include "cost.h"

enum { BANKS = 32, WORD = 4, WARP = 32, SECTOR_SHIFT = 5 };

static bool sorted(const uint64_t addr[32], uint32_t *changes)
{
    uint32_t n = 0, back = 0;
    for (int l = 1; l < WARP; l++) {
        uint64_t a = addr[l - 1] >> SECTOR_SHIFT, b = addr[l] >> SECTOR_SHIFT;
        n += a != b;
        back |= b < a;
    }
    *changes = n;
    return !back;
}

uint32_t access_sectors(const uint64_t addr[32], uint32_t mask)
{
    uint32_t changes;
    if (mask == UINT32_MAX && sorted(addr, &changes))
        return changes + 1;
    uint64_t near = 0, first = addr[__builtin_ctz(mask)] >> SECTOR_SHIFT;
    bool fits = true;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint64_t d = (addr[__builtin_ctz(rest)] >> SECTOR_SHIFT) - first + 32;
        fits &= d < 64;
        near |= 1ull << (d & 63);
    }
    if (fits)
        return (uint32_t)__builtin_popcountll(near);
    uint64_t seen[WARP];
    uint32_t n = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint64_t sector = addr[__builtin_ctz(rest)] >> SECTOR_SHIFT;
        uint32_t k = n;
        while (k > 0 && seen[k - 1] != sector)
            k--;
        if (k == 0)
            seen[n++] = sector;
    }
    return n;
}

/* Wavefronts of one pass. An aligned access of several words touches a group
 * of neighbouring banks, so that groups stand for banks. What lies within one
 * round of the groups has a group to itself: the usual access is done there. */
static uint32_t pass(const uint64_t addr[32], uint32_t mask, uint32_t words)
{
    uint32_t groups = BANKS / words, most = 0;
    int shift = __builtin_ctz(WORD * words);
    uint64_t low = UINT64_MAX, high = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint64_t item = addr[__builtin_ctz(rest)] >> shift;
        low = item < low ? item : low;
        high = item > high ? item : high;
    }
    if (high - low < groups)
        return 1;
    uint64_t seen[BANKS][WARP];
    uint32_t count[BANKS] = {0};
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint64_t item = addr[__builtin_ctz(rest)] >> shift;
        uint32_t group = (uint32_t)item & (groups - 1), k = count[group];
        while (k > 0 && seen[group][k - 1] != item)
            k--;
        if (k > 0)
            continue;
        seen[group][count[group]++] = item;
        if (count[group] > most)
            most = count[group];
    }
    return most;
}

/* Every two active lanes whose numbers differ in bit read one address. */
static bool paired(const uint64_t addr[32], uint32_t mask, int bit)
{
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        int l = __builtin_ctz(rest), other = l ^ bit;
        if ((mask >> other & 1) && addr[l] != addr[other])
            return false;
    }
    return true;
}

static uint32_t words_of(uint32_t bytes)
{
    return bytes < WORD ? 1 : bytes / WORD;
}

uint32_t access_pass_lanes(const uint64_t addr[32], uint32_t mask,
                           uint32_t bytes, bool merges)
{
    uint32_t words = words_of(bytes), lanes = WARP / words;
    bool two = merges && words > 1 &&
               (paired(addr, mask, 1) || paired(addr, mask, 2));
    return two ? 2 * lanes : lanes;
}

struct wavefronts access_wavefronts(const uint64_t addr[32], uint32_t mask,
                                    uint32_t bytes, bool merges)
{
    uint32_t words = words_of(bytes);
    uint32_t lanes = access_pass_lanes(addr, mask, bytes, merges);
    struct wavefronts w = {0};
    uint32_t passes = 0, group = lanes >= WARP ? UINT32_MAX
                                               : (1u << lanes) - 1;
    for (uint32_t first = 0; first < WARP; first += lanes) {
        uint32_t active = mask & group << first;
        if (!active)
            continue;
        passes++;
        w.wavefronts += pass(addr, active, words);
    }
    w.conflicts = w.wavefronts - passes;
    return w;
}

uint32_t access_addresses(const uint64_t addr[32], uint32_t mask)
{
    uint32_t n = 0;
    for (uint32_t rest = mask; rest; n++) {
        uint64_t one = addr[__builtin_ctz(rest)];
        for (uint32_t same = rest; same; same &= same - 1)
            if (addr[__builtin_ctz(same)] == one)
                rest &= ~(1u << __builtin_ctz(same));
    }
    return n;
}
