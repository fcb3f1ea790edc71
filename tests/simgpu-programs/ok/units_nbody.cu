// SPDX-License-Identifier: MIT
// units: gravity.cu
/* units_nbody.cu: bodies that attract each other; the force is a function of
 * another unit, where a static variable has the name of one here. */
#include "../check.h"
#include "../units/gravity.h"

#include <cmath>
#include <vector>

enum { BODIES = 192, TILE = 64, STEPS = 3 };

static __device__ float scale = 0.5f; /* of time; gravity.cu has another */

__global__ void accelerate(const float4 *body, float4 *velocity)
{
    __shared__ float4 tile[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    float4 me = body[i];
    float3 sum = make_float3(0, 0, 0);
    for (int first = 0; first < BODIES; first += TILE) {
        tile[threadIdx.x] = body[first + threadIdx.x];
        __syncthreads(); /* the tile is complete */
        for (int k = 0; k < TILE; k++)
            sum = pull(sum, me, tile[k]);
        __syncthreads(); /* everybody has read it */
    }
    velocity[i].x += scale * sum.x;
    velocity[i].y += scale * sum.y;
    velocity[i].z += scale * sum.z;
}

__global__ void move(float4 *body, const float4 *velocity)
{
    int i = blockIdx.x * TILE + threadIdx.x;
    body[i].x += scale * velocity[i].x;
    body[i].y += scale * velocity[i].y;
    body[i].z += scale * velocity[i].z;
}

static void on_host(std::vector<float4> &body, std::vector<float4> &velocity)
{
    for (int i = 0; i < BODIES; i++) {
        double x = 0, y = 0, z = 0;
        for (int k = 0; k < BODIES; k++) {
            double dx = body[k].x - body[i].x, dy = body[k].y - body[i].y;
            double dz = body[k].z - body[i].z;
            double r = std::sqrt(dx * dx + dy * dy + dz * dz + SOFT);
            double f = PULL * body[k].w / (r * r * r);
            x += dx * f, y += dy * f, z += dz * f;
        }
        velocity[i].x += 0.5 * x;
        velocity[i].y += 0.5 * y;
        velocity[i].z += 0.5 * z;
    }
    for (int i = 0; i < BODIES; i++) {
        body[i].x += 0.5 * velocity[i].x;
        body[i].y += 0.5 * velocity[i].y;
        body[i].z += 0.5 * velocity[i].z;
    }
}

static float random_unit(unsigned *state)
{
    *state = *state * 1664525 + 1013904223;
    return (float)(*state >> 8) / (1 << 24) - 0.5f;
}

int main()
{
    std::vector<float4> body(BODIES), velocity(BODIES), got(BODIES);
    float4 *b, *v;
    unsigned state = 7;
    for (float4 &p : body)
        p = make_float4(random_unit(&state), random_unit(&state),
                        random_unit(&state), 1.5f + random_unit(&state));
    size_t bytes = BODIES * sizeof(float4);
    CUDA(cudaMalloc(&b, bytes));
    CUDA(cudaMalloc(&v, bytes));
    CUDA(cudaMemcpy(b, body.data(), bytes, cudaMemcpyHostToDevice));
    CUDA(cudaMemset(v, 0, bytes));
    for (int step = 0; step < STEPS; step++) {
        accelerate<<<BODIES / TILE, TILE>>>(b, v);
        move<<<BODIES / TILE, TILE>>>(b, v);
        on_host(body, velocity);
    }
    CUDA(cudaMemcpy(got.data(), b, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < BODIES; i++) {
        CHECK(std::fabs(got[i].x - body[i].x) <= 1e-4);
        CHECK(std::fabs(got[i].y - body[i].y) <= 1e-4);
        CHECK(std::fabs(got[i].z - body[i].z) <= 1e-4);
    }
    printf("%d bodies, %d steps\n", BODIES, STEPS);
}
