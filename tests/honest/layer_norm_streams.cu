// SPDX-License-Identifier: MIT
// honest: blocks stay, rows stream through rings in shared memory by bulk copies
// chapter: 21 layer_norm
// expect: PASS
// since: 12.0 bulk copies are of PTX ISA 8.0
//> todo kernel
#include <stdint.h>

// Each warp owns some columns, keeps their gamma and beta, and has a ring of
// pieces of rows, which bulk copies fill while it works. Warps of a block, and
// blocks of a cluster, say what they know of a row by barriers that count
// arrivals; meanwhile they go over the next row. What is sent does not say that
// the sender has read what was sent to it, so every PERIOD rows the blocks of a
// cluster arrive at a barrier, for which they wait half a period later.
enum {
    MOST = 512,                          // threads of a block
    WARPS = MOST / CHIP_LANES,
    WIDTH = CHIP_VECTOR / sizeof(float), // of a vector
    VECTORS = 8,                         // of a row, per lane
    UNITS = 4,                           // of them in a piece
    PIECES = VECTORS / UNITS,
    PIECE = UNITS * CHIP_LANES, // vectors
    SLOTS = 3 * PIECES,         // pieces of a warp's ring
    TURNS = 16,                 // rows for which there is room to say something
    PERIOD = 8
};

typedef chip_moments moments;
typedef chip_vector<float> vector;

struct given {
    const float *x, *gamma, *beta;
    float *y, eps;
    size_t groups; // of blocks that own a row
};

#if __CUDA_ARCH__ >= 900
static __device__ unsigned on_chip(const void *at)
{
    return (unsigned)__cvta_generic_to_shared(at);
}

static __device__ void init(uint64_t *barrier, unsigned arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                     on_chip(barrier)),
                 "r"(arrivals)
                 : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

static __device__ void arrive(uint64_t *barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(
                     on_chip(barrier))
                 : "memory");
}

// Arrives, and says how many bytes the phase also waits for.
static __device__ void expect(uint64_t *barrier, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                     on_chip(barrier)),
                 "r"(bytes)
                 : "memory");
}

// Waits for the end of the phase of this parity: 0 for the first, then 1.
static __device__ void wait(uint64_t *barrier, unsigned parity)
{
    unsigned over;

    do {
        asm volatile("{\n"
                     ".reg .pred over;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 over, [%1], "
                     "%2;\n"
                     "selp.b32 %0, 1, 0, over;\n"
                     "}\n"
                     : "=r"(over)
                     : "r"(on_chip(barrier)), "r"(parity)
                     : "memory");
    } while (!over);
}

static __device__ void bring(void *to, const void *from, unsigned bytes,
                             uint64_t *barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx"
                 "::bytes [%0], [%1], %2, [%3];" ::"r"(on_chip(to)),
                 "l"(from), "r"(bytes), "r"(on_chip(barrier))
                 : "memory");
}

// Stores to this word as block `rank` of the cluster has it; four bytes arrive
// at its barrier.
static __device__ void send(float *to, float value, uint64_t *barrier,
                            unsigned rank)
{
    asm volatile("{\n"
                 ".reg .b32 word, there;\n"
                 "mapa.shared::cluster.u32 word, %0, %3;\n"
                 "mapa.shared::cluster.u32 there, %2, %3;\n"
                 "st.async.shared::cluster.mbarrier::complete_tx::bytes.f32 "
                 "[word], %1, [there];\n"
                 "}\n" ::"r"(on_chip(to)),
                 "f"(value), "r"(on_chip(barrier)), "r"(rank)
                 : "memory");
}

// What warps, and then blocks, know of a row. `turn` counts rows.
struct known {
    moments of_warp[TURNS][WARPS], of_block[TURNS][CLUSTER_MOST];
    uint64_t warps[TURNS], blocks[TURNS];

    __device__ void start(const struct chip_plan &plan)
    {
        if (threadIdx.x < TURNS) {
            init(warps + threadIdx.x, plan.threads / CHIP_LANES);
            init(blocks + threadIdx.x, 1);
        }
        cooperative_groups::this_cluster().sync();
    }
    // What was sent for rows before the arrival has been read after the wait.
    __device__ void pace(const struct chip_plan &plan, size_t turn)
    {
        __syncwarp(); // a warp arrives as one
        if (plan.blocks > 1 && turn % PERIOD == 0)
            cooperative_groups::this_cluster().barrier_arrive();
        if (plan.blocks > 1 && turn % PERIOD == PERIOD / 2)
            cooperative_groups::this_cluster().barrier_wait();
    }
    // After the last row: was the last arrival waited for?
    __device__ void stop(const struct chip_plan &plan, size_t turns)
    {
        int since = turns % PERIOD;

        if (plan.blocks > 1 && since > 0 && since <= PERIOD / 2)
            cooperative_groups::this_cluster().barrier_wait();
        cooperative_groups::this_cluster().sync();
    }
    __device__ void tell(moments m, const struct chip_plan &plan, size_t turn)
    {
        int lane = threadIdx.x % CHIP_LANES, warp = threadIdx.x / CHIP_LANES;
        int rank = blockIdx.x % plan.blocks, now = turn % TURNS;

        m = moments::over(m, CHIP_LANES);
        if (lane == 0) {
            of_warp[now][warp] = m;
            arrive(warps + now);
        }
        if (plan.blocks == 1 || warp != 0)
            return;
        wait(warps + now, turn / TURNS & 1);
        m = lane < plan.threads / CHIP_LANES ? of_warp[now][lane]
                                             : moments::none();
        m = moments::over(m, CHIP_LANES);
        if (lane == 0)
            expect(blocks + now, plan.blocks * sizeof m);
        if (lane < plan.blocks)
            for (int i = 0; i < (int)(sizeof m / sizeof(float)); i++)
                send((float *)&of_block[now][rank] + i, ((const float *)&m)[i],
                     blocks + now, lane);
    }
    __device__ moments ask(const struct chip_plan &plan, size_t turn)
    {
        int lane = threadIdx.x % CHIP_LANES, now = turn % TURNS;
        bool one = plan.blocks == 1;
        int count = one ? plan.threads / CHIP_LANES : plan.blocks;
        moments m = moments::none();

        wait((one ? warps : blocks) + now, turn / TURNS & 1);
        if (lane < count)
            m = one ? of_warp[now][lane] : of_block[now][lane];
        return moments::over(m, CHIP_LANES);
    }
};

template <bool SHIFTED> struct ring {
    typedef chip_row<float, SHIFTED> row_t;
    vector (*slots)[PIECE]; // the warp's
    uint64_t *here;         // a slot's piece has come
    size_t next;            // the row whose pieces are asked for
    int piece, to;          // the next of them, and its slot
    int first, from;        // the warp's first vector of a row; what it reads
    unsigned parity;        // next, and the phase in which that comes

    __device__ int unit(int i) const
    {
        return first + i * CHIP_LANES + threadIdx.x % CHIP_LANES;
    }
    __device__ void get(const row_t &row, int slot, int i, float *v) const
    {
        row.floats(slots[slot][i % UNITS * CHIP_LANES +
                               threadIdx.x % CHIP_LANES],
                   row.at(unit(i)), 0.0f, v);
    }
    // Asks for the next piece; one lane.
    __device__ void ask(const given &op, const struct chip_plan &plan)
    {
        row_t row(plan, next);
        int i = first + piece * PIECE, count = min(row.count - i, (int)PIECE);

        if (next >= plan.rows)
            return;
        if (count > 0 && row.bytes(i + count - 1) != CHIP_VECTOR) {
            count--; // the array ends inside the last vector
            slots[to][count] = row.load(op.x, i + count);
        }
        expect(here + to, max(count, 0) * CHIP_VECTOR);
        if (count > 0)
            bring(slots[to], op.x + row.first + i * WIDTH, count * CHIP_VECTOR,
                  here + to);
        to = (to + 1) % SLOTS;
        piece = (piece + 1) % PIECES;
        next += piece ? 0 : op.groups;
    }
    __device__ moments reduce(const row_t &row)
    {
        moments m = moments::none();
        float v[WIDTH];

        for (int i = 0; i < VECTORS; i++) {
            if (i % UNITS == 0)
                wait(here + from, parity);
            if (unit(i) < row.count) {
                get(row, from, i, v);
                m.join(moments::of(v, row.at(unit(i))));
            }
            if (i % UNITS == UNITS - 1 && ++from == SLOTS) {
                from = 0;
                parity ^= 1;
            }
        }
        return m;
    }
};
#endif

template <bool SHIFTED>
static __global__ void __launch_bounds__(MOST)
streamed_rows(given op, struct chip_plan plan)
{
#if __CUDA_ARCH__ >= 900
    extern __shared__ uint4 shared[];
    __shared__ struct known all;
    __shared__ uint64_t here[WARPS][SLOTS];
    int warp = threadIdx.x / CHIP_LANES, slot = 0;
    int of_block = plan.threads / CHIP_LANES;
    size_t group = blockIdx.x / plan.blocks, turn = 0;
    ring<SHIFTED> pieces = {
        (vector (*)[PIECE])shared + warp * SLOTS, here[warp], group, 0, 0,
        (int)(blockIdx.x % plan.blocks * of_block + warp) * VECTORS *
            CHIP_LANES,
        0, 0};
    chip_row<float, SHIFTED> first(plan, group);
    float gamma[VECTORS][WIDTH], beta[VECTORS][WIDTH];

    for (int i = 0; i < VECTORS; i++)
        if (pieces.unit(i) < first.count) {
            first.at(pieces.unit(i)).columns(op.gamma, gamma[i]);
            first.at(pieces.unit(i)).columns(op.beta, beta[i]);
        }
    if (threadIdx.x % CHIP_LANES == 0) {
        for (int i = 0; i < SLOTS; i++)
            init(pieces.here + i, 1);
        for (int i = 0; i < SLOTS; i++)
            pieces.ask(op, plan);
    }
    all.start(plan);
    all.tell(pieces.reduce(first), plan, 0);
    for (size_t r = group; r < plan.rows; r += op.groups, turn++) {
        chip_row<float, SHIFTED> row(plan, r), after(plan, r + op.groups);
        bool last = r + op.groups >= plan.rows;
        moments next = last ? moments::none() : pieces.reduce(after);

        all.pace(plan, turn);

        moments m = all.ask(plan, turn);
        float scale = rsqrtf(m.squares / m.n + op.eps), v[WIDTH];

        for (int i = 0; i < VECTORS; i++) {
            int unit = pieces.unit(i);

            if (unit < row.count) {
                pieces.get(row, slot, i, v);
                for (int e = 0; e < WIDTH; e++)
                    v[e] = (v[e] - m.mean) * scale * gamma[i][e] + beta[i][e];
                row.store(op.y, unit, row.at(unit), v);
            }
            if (i % UNITS == UNITS - 1) {
                __syncwarp(); // the piece is read: another may take its place
                if (threadIdx.x % CHIP_LANES == 0)
                    pieces.ask(op, plan);
                slot = (slot + 1) % SLOTS;
            }
        }
        if (!last)
            all.tell(next, plan, turn + 1);
    }
    all.stop(plan, turn); // nobody writes to us any more
#endif
}

// Rows that begin inside a vector are a multiple of WIDTH apart, so that a
// thread's columns are the same in each.
static cudaError_t layer_norm_run(given op, size_t rows, int cols,
                                  cudaStream_t stream)
{
    struct chip_plan plan =
        chip_plan_of(rows, cols, WIDTH, VECTORS, MOST);
    const void *kernel = cols % WIDTH ? (const void *)streamed_rows<true>
                                      : (const void *)streamed_rows<false>;
    void *args[] = {&op, &plan};
    cudaError_t error;

    if (plan.lanes) {
        plan.lanes = 0;
        plan.threads = CHIP_LANES;
    }
    plan.shared = plan.threads / CHIP_LANES * SLOTS * PIECE * sizeof(vector);
    if ((error = cluster_groups(kernel, &plan, &op.groups)) != cudaSuccess)
        return error;
    op.groups -= cols % WIDTH ? op.groups % WIDTH : 0;
    if (op.groups > rows)
        op.groups = rows;
    return cluster_launch(kernel, &plan, op.groups, args, stream);
}
//< todo
//> todo workspace
    (void)shape;
    return 0;
//< todo
//> todo launch
    (void)workspace;
    cudaError_t error = layer_norm_run({x, gamma, beta, y, eps, 0}, shape.R,
                                       shape.C, stream);

    if (error != cudaSuccess)
        return error;
//< todo
