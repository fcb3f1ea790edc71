// SPDX-License-Identifier: MIT
// mutant: the number of the batch moves before the step's last kernel
// chapter: 24 train
// expect: WRONG|MEMORY
// shape: T5 B3 H4 L24 K8
//> todo wiring
    forward<<<blocks, THREADS, 0, stream>>>(a, s);
    slope<<<blocks, THREADS, 0, stream>>>(a, s);
    next_batch<<<1, 1, 0, stream>>>(a.batch);
    weight_grad<<<sums, THREADS, 0, stream>>>(a, s);
//< todo
