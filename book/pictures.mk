# SPDX-License-Identifier: MIT
# The lessons' pictures and the plots of results, drawn again. They are
# committed, so that a lesson shows them wherever it is read; tests/pictures and
# tests/plots hold them to what draws them.

$(BUILD)/book/draw: $(call obj,o,$(wildcard book/pictures/*.c) \
    common/svg/svg.c common/simgpu/core/memory/cost.c \
    common/simgpu/blocks.c common/simgpu/gpu.c common/simgpu/gpu_rates.c \
    $(wildcard common/sweep/*.c) \
    $(firstword $(wildcard solutions/23-*/tree.c chapters/23-*/tree.c)))
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^ -lm

pictures: plots
plots: $(BUILD)/book/facts.tsv
	for name in $$(sh book/lua.sh plots list $<); do \
	    sh book/lua.sh plots draw $$name $< >$(BUILD)/book/plot.svg && \
	    cp $(BUILD)/book/plot.svg book/plots/$$name.svg || exit 1; \
	done

pictures: $(BUILD)/book/draw
	for name in $$($<); do \
	    $< $$name >book/pictures/$$name.svg || exit 1; \
	done
