// SPDX-License-Identifier: MIT
/*
 * channel.c: descriptions of a texture's elements.
 *
 *   cudaCreateChannelDesc   a helper of the host; textures are refused where a
 *                           program makes one (stubs.h)
 */
#include "runtime.h"

struct cudaChannelFormatDesc cudaCreateChannelDesc(
    int x, int y, int z, int w, enum cudaChannelFormatKind f)
{
    return (struct cudaChannelFormatDesc){.x = x, .y = y, .z = z, .w = w,
                                          .f = f};
}
