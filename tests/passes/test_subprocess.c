/* SPDX-License-Identifier: Apache-2.0 */
#include "err.h"
#include "subprocess.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

struct run {
	struct str input, output, errors;
	int status, ret;
	struct err err;
};

static void run(struct run *r, char *const argv[])
{
	str_init(&r->output, 1 << 24);
	str_init(&r->errors, 4096);
	r->err = (struct err){ 0 };
	r->status = -1;
	r->ret = subprocess_run(argv, &r->input, &r->output, &r->errors, &r->status, &r->err);
}

static void release(struct run *r)
{
	str_release(&r->input);
	str_release(&r->output);
	str_release(&r->errors);
}

static void streams_and_status_come_back(void **state)
{
	char shell[] = "sh", c[] = "-c", text[] = "cat; echo oops >&2; exit 7";
	char *const argv[] = { shell, c, text, NULL };
	struct run r = { 0 };

	str_init(&r.input, 64);
	assert_int_equal(str_printf(&r.input, NULL, "in"), 0);
	run(&r, argv);
	assert_int_equal(r.ret, 0);
	assert_int_equal(r.status, 7);
	assert_string_equal(r.output.text, "in");
	assert_string_equal(r.errors.text, "oops\n");
	release(&r);
}

/* More than any pipe holds, both ways at once: nobody waits for anybody. */
static void much_text_does_not_block(void **state)
{
	enum { BYTES = 8 << 20 };
	char cat[] = "cat";
	char *const argv[] = { cat, NULL };
	struct run r = { 0 };
	char *bytes = test_malloc(BYTES);

	memset(bytes, 'x', BYTES);
	str_init(&r.input, BYTES);
	assert_int_equal(str_append(&r.input, bytes, BYTES, NULL), 0);
	run(&r, argv);
	assert_int_equal(r.ret, 0);
	assert_int_equal(r.output.length, BYTES);
	assert_memory_equal(r.output.text, bytes, BYTES);
	test_free(bytes);
	release(&r);
}

static void a_recorder_does_not_follow_into_the_child(void **state)
{
	char env[] = "env";
	char *const argv[] = { env, NULL };
	struct run r = { 0 };

	assert_int_equal(setenv("LD_PRELOAD", "", 1), 0);
	assert_int_equal(setenv("OPENCL_LAYERS", "/nowhere.so", 1), 0);
	assert_int_equal(setenv("KEPT_SETTING", "1", 1), 0);
	run(&r, argv);
	assert_int_equal(r.ret, 0);
	assert_null(strstr(r.output.text, "LD_PRELOAD="));
	assert_null(strstr(r.output.text, "OPENCL_LAYERS="));
	assert_non_null(strstr(r.output.text, "KEPT_SETTING=1\n"));
	release(&r);
}

static void failures_say_what_failed(void **state)
{
	char absent[] = "no-such-program-here", shell[] = "sh", c[] = "-c", kill[] = "kill -9 $$";
	char *const missing[] = { absent, NULL }, *const killed[] = { shell, c, kill, NULL };
	struct run r = { 0 };

	run(&r, missing);
	/* glibc reports it on spawning; other libraries as the shell's 127. */
	assert_true(r.ret == ERR_SUBPROCESS || r.status == 127);
	if (r.ret)
		assert_non_null(strstr(r.err.msg, absent));
	release(&r);
	run(&r, killed);
	assert_int_equal(r.ret, 0);
	assert_int_equal(r.status, 128 + 9);
	release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(streams_and_status_come_back),
		cmocka_unit_test(much_text_does_not_block),
		cmocka_unit_test(a_recorder_does_not_follow_into_the_child),
		cmocka_unit_test(failures_say_what_failed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
