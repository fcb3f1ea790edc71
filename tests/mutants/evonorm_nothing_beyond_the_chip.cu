// SPDX-License-Identifier: MIT
// mutant: channels that do not fit on chip are left as they are
// chapter: 22 evonorm_b0
// expect: WRONG|REFUSED
    //> todo launch (about 23 lines)
    size_t bytes = ((size_t)shape.S + 1) * sizeof(float); // a plane, its root
    const void *kernel = plane_wide(shape.S) ? (const void *)on_chip<true>
                                             : (const void *)on_chip<false>;
    struct channel_plan plan =
        channel_plan_of(kernel, shape.B, shape.C, bytes, CHIP_WARPS);
    void *args[] = {&x, &gamma, &beta, &v, &moving, &y, &shape, &plan.images};

    if (plan.blocks)
        return channel_launch(kernel, plan, shape.C, args, stream);
    //< todo
