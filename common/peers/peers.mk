# SPDX-License-Identifier: MIT
# What `make bench` measures beside the chapters' own reports.

STAGES_OBJ = $(call obj,o,checker/bench/stages.c $(SHARED_SRC) $(HARNESS_SRC) \
    $(filter-out %/main.c,$(CHECK_SRC)) common/simgpu/gpu.c) $(call op_obj,o)

programs: $(BUILD)/bin/bench-stages $(BUILD)/bin/bench-results
$(BUILD)/bin/bench-results: $(BUILD)/o/common/peers/results.o
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^ $(LIBS)
$(BUILD)/bin/bench-stages: $(STAGES_OBJ)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^ $(LIBS)
