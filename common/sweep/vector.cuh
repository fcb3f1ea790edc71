// SPDX-License-Identifier: MIT
// What vector.cu and vector_bf16.cu share: how many cells and threads a block
// of gemm_vector.cuh has. A file that includes this defines, before it:
//
//   FEW, SHORT        sizes, which a candidate changes in its own file
//   element           of A, B and C
//   LAUNCHER, QUERY   the operator's symbols

size_t QUERY(struct gemm_shape shape)
{
    (void)shape;
    return 0;
}

// A block per cell while these are few, with all of k under way at once; else
// a block has neighbours of a row, which share sectors of B. In one column no
// cell has neighbours.
cudaError_t LAUNCHER(const element *A, const element *B, element *C,
                     struct gemm_shape shape, float alpha, float beta,
                     void *workspace, cudaStream_t stream)
{
    bool few = (long long)shape.M * shape.N <= FEW, brief = shape.K <= SHORT;
    auto launch = shape.N > 1 && !few
                      ? brief ? vector_launch<element, 4, 512>
                              : vector_launch<element, 4, 1024>
                  : brief ? vector_launch<element, 1, 128>
                  : few   ? vector_launch<element, 1, 512>
                          : vector_launch<element, 1, 256>;

    (void)workspace; // none was asked for
    return launch(A, B, C, shape, alpha, beta, stream);
}
