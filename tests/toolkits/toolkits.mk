# SPDX-License-Identifier: MIT
# `make test`, or some of its suites, under another Debian's CUDA toolkit:
#
#   make test-toolkit DEBIAN=12|13 [SUITES="simgpu bugs"] [WHERE=dir]

test-toolkit:
	@exec sh tests/toolkits/debian.sh "$(DEBIAN)" $(SUITES)
.PHONY: test-toolkit
