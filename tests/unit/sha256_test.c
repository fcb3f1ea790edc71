// SPDX-License-Identifier: MIT
/*
 * sha256_test.c: the digests of FIPS 180-4's examples, of every length around a
 * block's end in pieces of every size, and what is no file.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/base/sha256.h"
#include "check/base/text.h"

static const char *digest(const void *data, size_t n, size_t piece)
{
    static char hex[SHA256_HEX];
    const char *at = data;
    struct sha256 s;

    sha256_begin(&s);
    for (size_t i = 0; i < n; i += piece)
        sha256_add(&s, at + i, n - i < piece ? n - i : piece);
    sha256_end(&s, hex);
    return hex;
}

static void the_standards_examples(void **state)
{
    static const char two[] =
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    static char million[1000000];

    (void)state;
    memset(million, 'a', sizeof million);
    assert_string_equal(digest("", 0, 1),
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_string_equal(digest("abc", 3, 3),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_string_equal(digest(two, strlen(two), 7),
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    assert_string_equal(digest(million, sizeof million, 1000),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* sha256sum, written by others, says the same of every length. */
static void as_sha256sum_says(void **state)
{
    char path[] = "/tmp/sha256_test.XXXXXX", command[80], theirs[SHA256_HEX];
    char bytes[200], ours[SHA256_HEX];
    int fd = mkstemp(path);

    (void)state;
    assert_true(fd >= 0);
    for (size_t n = 50; n < sizeof bytes; n++) {
        struct sha256 s;
        FILE *pipe;

        for (size_t i = 0; i < n; i++)
            bytes[i] = (char)(i * 37 + n);
        assert_true(file_write(path, bytes, n));
        snprintf(command, sizeof command, "sha256sum %s", path);
        pipe = popen(command, "r");
        assert_non_null(pipe);
        assert_int_equal(fscanf(pipe, "%64s", theirs), 1);
        pclose(pipe);
        sha256_begin(&s);
        assert_true(sha256_file(&s, path));
        sha256_end(&s, ours);
        assert_string_equal(ours, theirs);
        assert_string_equal(digest(bytes, n, n % 9 + 1), theirs);
    }
    close(fd);
    unlink(path);
}

static void what_is_no_file_is_refused(void **state)
{
    struct sha256 s;

    (void)state;
    sha256_begin(&s);
    assert_false(sha256_file(&s, "/nowhere/at/all"));
    assert_false(sha256_file(&s, "/tmp"));
    assert_false(sha256_file(&s, "/dev/zero"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_standards_examples),
        cmocka_unit_test(as_sha256sum_says),
        cmocka_unit_test(what_is_no_file_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
