// SPDX-License-Identifier: MIT
/* threads.cu: several host threads use the device at once; each has its own
 * last error; a forked child cannot use its parent's device. */
#include "../check.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 30, N = 64 };

__global__ void set(int *x, int value)
{
    x[threadIdx.x] = value + threadIdx.x;
}

static void *work(void *argument)
{
    int me = (int)(size_t)argument, h[N], *d;
    CHECK(cudaGetLastError() == cudaSuccess);
    for (int round = 0; round < ROUNDS; round++) {
        CUDA(cudaMalloc(&d, sizeof h));
        set<<<1, N>>>(d, 1000 * me + round);
        CUDA(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
        for (int i = 0; i < N; i++)
            CHECK(h[i] == 1000 * me + round + i);
        CUDA(cudaFree(d));
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];
    int status;
    void *p;
    CHECK(cudaSetDevice(7) == cudaErrorInvalidDevice);
    for (int t = 0; t < THREADS; t++)
        CHECK(pthread_create(&thread[t], NULL, work, (void *)(size_t)t) == 0);
    for (int t = 0; t < THREADS; t++)
        CHECK(pthread_join(thread[t], NULL) == 0);
    CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0)
        _exit(cudaMalloc(&p, 100) == cudaSuccess);
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CUDA(cudaMalloc(&p, 100));
    CUDA(cudaFree(p));
    return 0;
}
