// SPDX-License-Identifier: MIT
/*
 * tile_words.h: which lanes get, or have, the words of ldmatrix and stmatrix.
 *
 *   tile_parts   accesses of 32 lanes that make up one matrix
 *   tile_word    a lane's part of one of them
 *
 * A matrix has 8 rows of 16 bytes. One lane gives a row's address, but four or
 * eight lanes have its words: word t of row g is lane 4 g + t's; transposed,
 * lane 4 g + t has two halves, which are element g of rows 2 t and 2 t + 1. The
 * race detector wants to know who reads or writes, not who knows the address.
 * Source: PTX ISA, "ldmatrix".
 */
#ifndef SIMGPU_TILE_WORDS_H
#define SIMGPU_TILE_WORDS_H

#include "simgpu/core/state/access.h"

struct tile_word {
    uint32_t row, at; /* of the matrix; byte in the row */
};

static inline uint32_t tile_parts(bool turned)
{
    return turned ? 2 : 1;
}

/* bytes: 4 for whole words, 2 for the halves of a transposed matrix. */
ACCESS_INLINE struct tile_word tile_word(bool turned, uint32_t part,
                                         uint32_t lane, uint32_t bytes)
{
    uint32_t g = lane / 4, t = lane % 4;
    if (!turned)
        return (struct tile_word){g, t * bytes};
    return (struct tile_word){2 * t + part, g * 2 / bytes * bytes};
}

#endif
