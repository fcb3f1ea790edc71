# SPDX-License-Identifier: MIT
# Conformance of the simulated GPU: PTX instructions against C on the host.

$(BUILD)/bin/simgpu-conformance: \
    $(call obj,o,$(filter-out %/audit.c,$(wildcard tests/simgpu/*.c))) $(call sim_obj,o)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^ $(LIBS)

$(BUILD)/bin/simgpu-audit: $(call obj,o,tests/simgpu/audit.c) \
    $(call sim_obj,o)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^ $(LIBS)
