# SPDX-License-Identifier: MIT

.PHONY: bench bench-check
bench: $(READY)
	@sh common/cli/bench.sh $(BUILD) $(CUDA_HOME)

# How long a verdict takes, against nvcc alone.
bench-check: $(READY)
	@BUILD=$(BUILD) CUDA_HOME=$(CUDA_HOME) sh checker/bench/waiting.sh $(N)
