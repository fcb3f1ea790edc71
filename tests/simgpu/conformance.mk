# SPDX-License-Identifier: MIT
# Conformance of the simulated GPU: PTX instructions against C on the host.

$(BUILD)/bin/simgpu-conformance: \
    $(call obj,o,$(filter-out %/audit.c %/census.c %/replay.c,$(wildcard tests/simgpu/*.c))) $(call sim_obj,o)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^ $(LIBS)

$(BUILD)/bin/simgpu-audit: $(call obj,o,tests/simgpu/audit.c) \
    $(call sim_obj,o)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^ $(LIBS)

$(BUILD)/bin/simgpu-census: $(call obj,o,tests/simgpu/census.c) \
    $(call sim_obj,o)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^ $(LIBS)

# The page of what the decoder takes; a test holds it to the decoder.
instructions: $(BUILD)/bin/simgpu-census
	$(BUILD)/bin/simgpu-census tests/simgpu/refused.txt \
	    >common/simgpu/instructions.md
.PHONY: instructions
