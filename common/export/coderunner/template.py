# SPDX-License-Identifier: MIT
# The template of a CodeRunner question: puts the answer and the attachments into
# a folder, and prints what the grader says of them. If it says nothing, the
# hand-in could not be graded, and neither is the question.
import os, shutil, subprocess, sys, tempfile

answer = """{{ STUDENT_ANSWER | e('py') }}"""
attachments = """{{ ATTACHMENTS | e('py') }}"""

with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(folder, "%FIRST%"), "w", encoding="utf-8") as file:
        file.write(answer)
    for name in filter(None, attachments.split(",")):
        shutil.copy(name, os.path.join(folder, os.path.basename(name)))
    graded = subprocess.run(
        ["sh", "/opt/warpbook-%NN%/common/export/one.sh", "coderunner", folder],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
if graded.returncode != 0:
    sys.exit("Not graded, and that is not your fault: "
             "the grader's machine could not check this hand-in.")
sys.stdout.write(graded.stdout.decode("utf-8"))
