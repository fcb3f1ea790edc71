// SPDX-License-Identifier: MIT
// mutant: both arguments of the maximum get its gradient
// chapter: 22 gradient
// expect: WRONG
// shape: B3 C5 S37
        //> todo add
        float other = c.v * x + image;
        float r = __fdividef(1.0f, other > c.root ? other : c.root);
        float h = -g * c.gamma * x * r * r;

        gamma += g * x * r;
        beta += g;
        if (other > c.root) {
            t += h;
            v += h * x;
        }
        a += h;
        //< todo
