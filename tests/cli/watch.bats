# SPDX-License-Identifier: MIT
# watch checks again at each save, with inotifywait and without.
load scratch

wait_for() # TEXT COUNT in the log, at most 15 seconds
{
    for _ in $(seq 150); do
        [ "$(grep -c "$1" log)" -ge "$2" ] && return
        sleep 0.1
    done
    cat log
    return 1
}

watch_and_save()
{
    setsid sh common/cli/watch.sh watch 05 >log 2>&1 3>&- &
    pid=$!
    wait_for "^watching" 1
    edit chapters/05-second/forward.cu
    wait_for "^watching" 2
    kill -TERM -- "-$pid"
    wait "$pid"
}

@test "a save is checked, and the signal ends it with success" {
    fake_chapters
    fake_check 0
    export BUILD=build
    watch_and_save
    [ "$(grep -c '^chapter$' log)" -eq 2 ]
}

@test "without inotifywait it looks once a second" {
    fake_chapters
    fake_check 0
    mkdir bin
    for tool in sh cat cksum sleep date mkdir cp git seq awk printf cmp rm; do
        ln -s "$(command -v "$tool")" "bin/$tool"
    done
    export BUILD=build
    PATH=$PWD/bin:$PATH
    ! PATH=$PWD/bin command -v inotifywait
    setsid=$(command -v setsid)
    PATH=$PWD/bin "$setsid" sh common/cli/watch.sh watch 05 >log 2>&1 3>&- &
    pid=$!
    wait_for "^watching" 1
    edit chapters/05-second/forward.cu
    wait_for "^watching" 2
    kill -TERM -- "-$pid"
    wait "$pid"
}

@test "watch of no such chapter is an error" {
    run make watch 99
    [ "$status" -ne 0 ]
    says "there is no chapter 99"
}
