# SPDX-License-Identifier: MIT
# Conformance of the simulated GPU: PTX instructions against C on the host.

$(BUILD)/bin/simgpu-conformance: \
    $(call obj,o,$(wildcard tests/simgpu/*.c)) $(call sim_obj,o)
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^ $(LIBS)
