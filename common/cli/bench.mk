# SPDX-License-Identifier: MIT

.PHONY: bench
bench: $(READY)
	@sh common/cli/bench.sh $(BUILD) $(CUDA_HOME)
