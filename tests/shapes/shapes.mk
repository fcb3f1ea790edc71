# SPDX-License-Identifier: MIT
# Random shapes: the program that loads a stage, and the stages it loads. PTX
# alone: a GPU's driver compiles it, the simulated GPU executes it.

$(BUILD)/shapes/shapes: tests/shapes/shapes.c $(call op_obj,o) | \
                          $(CUDART) $(PROGRAMS)
	@mkdir -p $(@D)
	@$(say)
	$(CC) $(ALL_CFLAGS) -o $@ $^ $(CUDART) -ldl -lm

SHAPES_NVCC = $(NVCC) -shared -cudart shared -lineinfo -Icommon -Icommon/op \
    -Xcompiler -fPIC,-fvisibility=hidden \
    -gencode arch=compute_80,code=compute_80 -o $@
SHAPES_HEADERS = $(wildcard common/op/*.h common/op/*.cuh)

# The routes alone, build/shapes/short.so, and solutions, as
# build/shapes/05/forward.so.
$(BUILD)/shapes/%.so: tests/shapes/%.cu $(SHAPES_HEADERS)
	@mkdir -p $(@D)
	@$(say)
	$(SHAPES_NVCC) $<

define shapes_solution
$(BUILD)/shapes/$(firstword $(subst -, ,$(2)))/$(3).so: $(1) $(SHAPES_HEADERS)
	@mkdir -p $$(@D)
	@$$(say)
	$$(SHAPES_NVCC) $$<
endef
$(foreach s,$(wildcard solutions/*/*.cu),$(eval $(call shapes_solution,$s,\
$(notdir $(patsubst %/,%,$(dir $s))),$(notdir $(basename $s)))))

$(BUILD)/shapes/routes: tests/shapes/routes.cu $(SHAPES_HEADERS)
	@mkdir -p $(@D)
	@$(say)
	$(NVCC) -cudart shared -Icommon -Icommon/op \
	    -gencode arch=compute_80,code=compute_80 -o $@ $<
