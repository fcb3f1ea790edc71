# SPDX-License-Identifier: MIT
# The programs that time stages: behind `make bench` and `make sweep`.

BENCH_OBJ  = $(call obj,o,checker/bench/measure.c $(SHARED_SRC) $(HARNESS_SRC) \
    $(filter-out %/main.c,$(CHECK_SRC)) common/simgpu/gpu.c) $(call op_obj,o)

programs: $(addprefix $(BUILD)/bin/bench-,stages sweep roofs)
$(addprefix $(BUILD)/bin/bench-,stages roofs): $(BUILD)/bin/bench-%: \
    $(BUILD)/o/checker/bench/%.o $(BENCH_OBJ)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^ $(LIBS)
$(BUILD)/bin/bench-sweep: $(call obj,o,checker/bench/sweep.c \
    $(addprefix checker/bench/,candidates.c forecast.c together.c)) $(BENCH_OBJ)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^ $(LIBS)
