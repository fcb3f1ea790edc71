# SPDX-License-Identifier: MIT
# Behind `make profile`: the recorder that is loaded before a program, the
# program that reads what it wrote, and one that launches a stage.

PROFILE_SRC = $(filter-out %/record.c,$(wildcard common/profile/*.c))
$(call obj,o,common/profile/record.c common/profile/stage/launch.c): $(TOOLKIT)
$(BUILD)/o/common/profile/record.o: INC += -DPROFILE_CUDART='"$(CUDART_SO)"'

programs: $(BUILD)/bin/profile $(BUILD)/profile/record.so \
          $(BUILD)/bin/launch-stage

$(BUILD)/bin/profile: $(call obj,o,$(PROFILE_SRC) common/simgpu/device/demangle.c)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^ $(LIBS)

# It is not linked with the runtime: the program that it is loaded into is.
$(BUILD)/profile/record.so: $(call obj,o,common/profile/record.c)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -shared -o $@ $^ -ldl -pthread

$(BUILD)/bin/launch-stage: $(call obj,o,common/profile/stage/launch.c) \
                           $(call op_obj,o) | $(CUDART)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^ $(CUDART) -ldl -lm -pthread
