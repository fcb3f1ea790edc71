# SPDX-License-Identifier: MIT
# What the C functions behind the page's calculators say.

$(BUILD)/test/calculators: $(call obj,o,tests/calculators/calculators.c \
    common/simgpu/blocks.c common/simgpu/gpu.c common/simgpu/gpu_rates.c \
    common/harness/roofline.c)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^ -lm
