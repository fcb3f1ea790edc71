// SPDX-License-Identifier: MIT
#include "lanes.h"
#define PLAIN(name, f) HANDLER(name) { return f(w, i, mask); }
PLAIN(ld_global_32, op_load) PLAIN(ld_global_64, op_load) PLAIN(ld_global_v2, op_load) PLAIN(ld_global_v4, op_load)
PLAIN(st_global_32, op_store) PLAIN(st_global_64, op_store) PLAIN(st_global_v2, op_store) PLAIN(st_global_v4, op_store)
PLAIN(ld_shared_32, op_load) PLAIN(ld_shared_64, op_load) PLAIN(ld_shared_v2, op_load) PLAIN(ld_shared_v4, op_load)
PLAIN(st_shared_32, op_store) PLAIN(st_shared_64, op_store) PLAIN(st_shared_v2, op_store) PLAIN(st_shared_v4, op_store)
