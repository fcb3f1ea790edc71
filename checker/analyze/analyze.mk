# SPDX-License-Identifier: MIT
# The program behind `make analyze N` and `make roofline N`.

ANALYZE_SRC = $(wildcard checker/analyze/*.c)
ANALYZE_OBJ = $(call obj,o,$(ANALYZE_SRC) $(SHARED_SRC) $(HARNESS_SRC) \
    $(filter-out %/main.c,$(CHECK_SRC)) common/simgpu/gpu.c) $(call op_obj,o)

programs: $(BUILD)/bin/analyze
$(BUILD)/bin/analyze: $(ANALYZE_OBJ)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^ $(LIBS)

$(BUILD)/unit/model_test: $(BUILD)/san/checker/analyze/model.o

# The program that Nsight Compute profiles; omitted if tests/ is missing.
ifneq ($(wildcard tests/hardware/launch.c),)
programs: $(BUILD)/hardware/launch
endif
