# SPDX-License-Identifier: MIT
# Random shapes: the program that loads a stage, and the stages it loads. PTX
# alone: a GPU's driver compiles it, the simulated GPU executes it.

$(BUILD)/shapes/shapes: tests/shapes/shapes.c $(call op_obj,o) | \
                          $(CUDART) $(PROGRAMS)
	@mkdir -p $(@D)
	@$(say)
	$(CC) $(ALL_CFLAGS) -o $@ $^ $(CUDART) -ldl -lm

# $(1): the virtual architecture. The guard of <cmath>'s Bessel functions leaves
# them out, as check does (checker/check/compile/build.c).
SHAPES_NVCC = $(NVCC) -shared -cudart shared -lineinfo -Icommon -Icommon/op \
    -D_GLIBCXX_BITS_SPECFUN_H=1 \
    -Xcompiler -fPIC,-fvisibility=hidden -gencode arch=$(1),code=$(1) -o $@
SHAPES_HEADERS = $(wildcard common/op/*.h common/op/*.cuh)

# The routes alone, build/shapes/short.so, and solutions, as
# build/shapes/05/forward.so.
$(BUILD)/shapes/%.so: tests/shapes/%.cu $(SHAPES_HEADERS)
	@mkdir -p $(@D)
	@$(say)
	$(call SHAPES_NVCC,compute_80) $<

# A chapter's own, where it needs more than compute_80.
shapes_arch = $(or $(filter compute_9%,$(shell sed -n 's/^arch = //p' \
    chapters/$(strip $(1))/chapter.conf)),compute_80)

define shapes_solution
$(BUILD)/shapes/$(firstword $(subst -, ,$(2)))/$(3).so: $(1) $(SHAPES_HEADERS)
	@mkdir -p $$(@D)
	@$$(say)
	$$(call SHAPES_NVCC,$$(call shapes_arch,$(2))) $$<
endef
$(foreach s,$(wildcard solutions/*/*.cu),$(eval $(call shapes_solution,$s,\
$(notdir $(patsubst %/,%,$(dir $s))),$(notdir $(basename $s)))))

$(BUILD)/shapes/routes: tests/shapes/routes.cu $(SHAPES_HEADERS)
	@mkdir -p $(@D)
	@$(say)
	$(NVCC) -cudart shared -Icommon -Icommon/op \
	    -gencode arch=compute_80,code=compute_80 -o $@ $<
