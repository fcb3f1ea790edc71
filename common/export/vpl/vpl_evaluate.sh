#!/bin/bash
# SPDX-License-Identifier: MIT
# VPL calls this to evaluate; what it leaves as vpl_execution is then run beside
# the files handed in. The scale is the activity's.
[ ! -f common_script.sh ] || . common_script.sh
{
    echo '#!/bin/bash'
    echo "export VPL_GRADEMIN=${VPL_GRADEMIN:-0}"
    echo "export VPL_GRADEMAX=${VPL_GRADEMAX:-100}"
    echo 'exec sh /opt/warpbook-%NN%/common/export/one.sh vpl "$PWD"'
} >vpl_execution
chmod +x vpl_execution
