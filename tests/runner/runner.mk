# SPDX-License-Identifier: MIT
# A runtime without a device, and a stage without a kernel: what runner_test
# and together_test put around build/bin/runner.

FAKE = $(BUILD)/fake
FAKES = $(FAKE)/gpu/$(CUDART_SO) \
        $(FAKE)/sim/$(CUDART_SO) $(FAKE)/stage.so \
        $(FAKE)/empty.so $(FAKE)/tensor_roofs.so

$(BUILD)/unit/runner_test $(BUILD)/unit/together_test: | $(FAKES) \
    $(BUILD)/bin/runner
$(BUILD)/unit/together_test: $(call obj,san,$(addprefix checker/bench/, \
    measure.c together.c))

FAKE_FLAGS_sim = -DFAKE_SIMULATED
$(FAKE)/%/$(CUDART_SO): tests/runner/fake_cudart.c
	@mkdir -p $(@D)
	@$(say)
	echo '$(@F) { global: *; };' >$(@D)/cudart.map
	$(CC) $(ALL_CFLAGS) $(FAKE_FLAGS_$*) -shared -o $@ $< \
	    -Wl,-soname,$(@F),--version-script=$(@D)/cudart.map

$(FAKE)/stage.so: $(BUILD)/o/tests/runner/stage.o \
                  $(call obj,o,checker/wire.c) $(call op_obj,o)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -shared -o $@ $^ -lm

$(FAKE)/tensor_roofs.so: tests/runner/tensor_roofs.c
	@mkdir -p $(@D)
	@$(say)
	$(CC) $(ALL_CFLAGS) -shared -o $@ $<

$(FAKE)/empty.so:
	@mkdir -p $(@D)
	@$(say)
	echo 'extern int nothing; int nothing;' | $(CC) -shared -fPIC -x c -o $@ -
