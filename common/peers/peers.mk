# SPDX-License-Identifier: MIT
# What `make bench` measures beside the chapters' own reports.

programs: $(BUILD)/bin/bench-results
$(BUILD)/bin/bench-results: $(BUILD)/o/common/peers/results.o
	@mkdir -p $(@D)
	@$(say)
	$(CC) -o $@ $^ $(LIBS)
