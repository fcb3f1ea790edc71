// SPDX-License-Identifier: MIT
// mutant: 16 bytes per lane wherever a plane begins
// chapter: 22 fused
// expect: MEMORY
// shape: B3 C5 S37
    //> todo launch
    unsigned channels = shape.C, planes = channels * shape.B;
    unsigned blocks = (planes - 1) / (THREADS / LANES) + 1;
    struct moments *of_plane = (struct moments *)workspace;
    float *p = (float *)(of_plane + planes);

    if (true) {
        statistics<true><<<blocks, THREADS, 0, stream>>>(x, of_plane, shape);
        together<<<channels, THREADS, 0, stream>>>(of_plane, p, moving, shape);
        results<true><<<blocks, THREADS, 0, stream>>>(x, gamma, beta, v, p,
                                                      of_plane, y, shape);
    } else {
        statistics<false><<<blocks, THREADS, 0, stream>>>(x, of_plane, shape);
        together<<<channels, THREADS, 0, stream>>>(of_plane, p, moving, shape);
        results<false><<<blocks, THREADS, 0, stream>>>(x, gamma, beta, v, p,
                                                       of_plane, y, shape);
    }
    //< todo
