# SPDX-License-Identifier: MIT

.PHONY: bench
bench: programs
	@sh common/cli/bench.sh $(BUILD) $(CUDA_HOME)
