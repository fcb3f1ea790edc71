// SPDX-License-Identifier: MIT
// routes: reads shapes, "B64 H512 L512 K5" a line, and prints which kernel the
// launcher takes for the forward path and for the weight gradient.
#include <stdio.h>

#include "op/dwconv_route.cuh"

int main(void)
{
    struct dwconv_shape s;

    while (scanf(" B%d H%d L%d K%d", &s.B, &s.H, &s.L, &s.K) == 4) {
        printf("B%d H%d L%d K%d %s %s\n", s.B, s.H, s.L, s.K,
               dwconv_short_fits(s)  ? "short"
               : dwconv_long_fits(s) ? "long"
                                     : "tile",
               dwconv_short_weights_fits(s)  ? "short"
               : dwconv_long_weights_fits(s) ? "long"
                                             : "tile");
    }
    return 0;
}
