// SPDX-License-Identifier: MIT
/*
 * dwconv_route.cuh: which kernel a shape of depthwise convolution gets.
 *
 *   dwconv_short_fits         few taps: dwconv_short.cuh
 *   dwconv_short_weights_fits   and dwconv_short_weights.cuh
 *   dwconv_long_fits          many taps: dwconv_long.cuh
 *   dwconv_long_weights_fits  many taps: dwconv_long_weights.cuh
 *
 * What neither fits is the tile's, which holds 48 taps and 48 time steps of a
 * row in a lane's registers. The costs below are in tiles, and were fitted to
 * times on an H200 (solutions/09-dwconv-floor/NOTES.md, "Which kernel"): they
 * say which of two kernels is faster, not how fast.
 */
#ifndef WB_DWCONV_ROUTE_CUH
#define WB_DWCONV_ROUTE_CUH

#include "op/dwconv_long_tile.cuh"
#include "op/dwconv_short.cuh"

enum {
    ROUTE_LEAST = 1 << 16,   // cells; a smaller launch is over in no time
    ROUTE_LONGEST = 1 << 30, // so that time past the last tile fits an int
    ROUTE_TILE = 48,         // taps, and time steps, of a tile
    ROUTE_LANES = 1 << 15,   // rows that are worked on at a time, one per lane
    ROUTE_FAR = 256,         // time steps from which fewer rows leave too many
                             // lanes idle for too long
    ROUTE_FEW = 128          // rows of a channel that a tile's sums are worth
};

static inline bool route_large(struct dwconv_shape s)
{
    return (long long)s.B * s.H * s.L >= ROUTE_LEAST && s.L <= ROUTE_LONGEST;
}

static inline bool dwconv_short_fits(struct dwconv_shape s)
{
    return route_large(s) && s.K <= SHORT_MOST_TAPS;
}

static inline bool dwconv_short_weights_fits(struct dwconv_shape s)
{
    return route_large(s) && s.K <= SHORT_MOST_WEIGHTS;
}

static inline double route_pieces(double n, double of)
{
    return (double)(long long)((n + of - 1) / of);
}

// Each tile of a row meets the taps of its own time steps, and for each further
// portion of taps two more: those cost a load and a store of the sums as well.
static inline double route_tile_cost(struct dwconv_shape s)
{
    double rows = (double)s.B * s.H, taps = s.K < s.L ? s.K : s.L;
    double portions = route_pieces(taps, ROUTE_TILE);

    return route_pieces(s.L, ROUTE_TILE) * (2 * portions - 1) *
           (rows > ROUTE_LANES ? rows : ROUTE_LANES);
}

// The long kernel's rows and time steps are rounded up to what a block owns;
// a cell costs 1.3 tiles' worth before the first tap, and 144 taps as much
// again.
static inline double route_long_cost(struct dwconv_shape s)
{
    struct long_shape lanes = long_shape_for(s);
    double taps = s.K < s.L ? s.K : s.L;
    double cells = LONG_WARPS * lanes.along * LONG_GROUP;
    double rows = route_pieces(s.B, lanes.rows) * lanes.rows * s.H;

    return rows * route_pieces(s.L, cells) * cells / ROUTE_TILE * 1.3 *
           (1.0 + taps / 144.0);
}

static inline bool dwconv_long_fits(struct dwconv_shape s)
{
    bool one_portion = s.K <= ROUTE_TILE || s.L <= ROUTE_TILE;

    return route_large(s) && !(one_portion && s.L < ROUTE_FAR) &&
           route_long_cost(s) < route_tile_cost(s);
}

// A tile's sums go to memory and are added there, as many for each channel as
// warps share it: few rows do not pay for that.
static inline bool dwconv_long_weights_fits(struct dwconv_shape s)
{
    return dwconv_long_fits(s) ||
           (route_large(s) && s.B < ROUTE_FEW && s.L >= ROUTE_FAR);
}

#endif
