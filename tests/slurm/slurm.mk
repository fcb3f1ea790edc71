# SPDX-License-Identifier: MIT
# A class graded on a real Slurm of one node; see tests/slurm/cluster.sh.
.PHONY: test-slurm
test-slurm: $(READY)
	@exec sh tests/slurm/cluster.sh
