#!/bin/sh
# SPDX-License-Identifier: MIT
# one-gpu.sh COMMAND...: runs the command when no other call of this script is
# at work on the same GPU, whoever's it is. What is locked is the card's device
# node, which nobody has to make; GPU_LOCK=file names another file.
node=${GPU_LOCK-}
[ -n "$node" ] || {
    card=${CUDA_VISIBLE_DEVICES:-0}
    uuid=$(nvidia-smi -i "${card%%,*}" --query-gpu=uuid \
        --format=csv,noheader 2>/dev/null) && [ -n "$uuid" ] &&
        node=/dev/nvidia$(grep -lsF "$uuid" \
            /proc/driver/nvidia/gpus/*/information |
            xargs -r sed -n 's/^Device Minor:[^0-9]*//p')
}
[ "$node" != /dev/nvidia ] && [ -r "$node" ] || {
    echo "No lock for this GPU: let nobody else grade on it meanwhile." >&2
    exec "$@"
}
flock --close --nonblock "$node" true ||
    echo "Another make grade is at work on this GPU; waiting for its end." >&2
exec flock --close "$node" "$@"
