// SPDX-License-Identifier: MIT
/* A header of three bytes, then a misaligned read of a word. */
__global__ void parse(const unsigned char *packet, unsigned *x)
{
#ifdef MENDED
    unsigned v = 0;
    for (int b = 0; b < 4; b++)
        v |= (unsigned)packet[3 + b] << 8 * b;
    *x = v;
#else
    *x = *(const unsigned *)(packet + 3); // finds: misaligned
#endif
}

static void run(void)
{
    parse<<<1, 1>>>((const unsigned char *)cells(4), (unsigned *)cells(1));
    launched();
}
