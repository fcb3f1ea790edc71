# SPDX-License-Identifier: MIT
# The program that plays a study's steps, with what keeps files from them; and
# the one behind `make tune`.

SWEEP_OBJ = $(call obj,o,$(wildcard common/sweep/*.c))

programs: $(BUILD)/bin/study $(BUILD)/bin/study-shut.so $(BUILD)/bin/tune
$(BUILD)/bin/study: $(call obj,o,checker/study/main.c checker/study/plays.c) \
                    $(SWEEP_OBJ)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^ -ldl -lm
$(BUILD)/bin/study-shut.so: $(call obj,o,checker/study/shut.c)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -shared -o $@ $^
$(BUILD)/bin/tune: $(call obj,o,checker/study/tune.c) $(SWEEP_OBJ)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^ -ldl -lm
