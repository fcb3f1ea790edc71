// SPDX-License-Identifier: MIT
// routes: reads shapes, "B64 H512 L512 K5" a line, and prints which kernel the
// launcher takes for the forward path and for the weight gradient.
#include <stdio.h>

#include "op/dwconv_route.cuh"

int main(void)
{
    struct dwconv_shape s;

    while (scanf(" B%d H%d L%d K%d", &s.B, &s.H, &s.L, &s.K) == 4) {
        bool few = dwconv_short_fits(s);

        printf("B%d H%d L%d K%d %s %s\n", s.B, s.H, s.L, s.K,
               few ? "short" : dwconv_long_fits(s) ? "long" : "tile",
               few ? "short" : dwconv_long_weights_fits(s) ? "long" : "tile");
    }
    return 0;
}
