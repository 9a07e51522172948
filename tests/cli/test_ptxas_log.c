/* SPDX-License-Identifier: Apache-2.0 */
#include "ptxas_log.h"

#include "err.h"
#include "file.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As ptxas 13.0 prints it of two kernels, a function and a template, for two targets. */
static const char two_targets[] =
	"ptxas info    : 24 bytes gmem, 8 bytes cmem[4]\n"
	"ptxas info    : Compiling entry function '_ZN1q6matmulEPf' for 'sm_75'\n"
	"ptxas info    : Function properties for _ZN1q6matmulEPf\n"
	"    32 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
	"ptxas info    : Used 16 registers, used 0 barriers, 360 bytes cmem[0]\n"
	"ptxas info    : Compiling entry function 'plain' for 'sm_75'\r\n"
	"ptxas info    : Used 10 registers, used 1 barriers, 256 bytes smem\r\n"
	"ptxas info    : Compiling entry function '_ZN1q6matmulEPf' for 'sm_80'\n"
	"ptxas info    : Used 18 registers, used 0 barriers\n"
	"ptxas info    : Compiling entry function 'plain' for 'sm_80'\n"
	"ptxas info    : Used 10 registers, used 1 barriers, 256 bytes smem\n"
	"ptxas info    : Compiling entry function '_Z5scaleIfEvPT_f' for 'sm_80'\n"
	"ptxas info    : Used 8 registers, used 0 barriers\n"
	"ptxas info    : Compiling entry function '_Z5scaleIdEvPT_f' for 'sm_80'\n"
	"ptxas info    : Used 12 registers, used 0 barriers\n";

struct row {
	const char *text, *target, *kernel;
	int expected; /* registers, or an error */
};

static const struct row rows[] = {
	{ two_targets, "", "plain", 10 },
	{ two_targets, "", "matmul", ERR_USAGE },
	{ two_targets, "@sm_75", "matmul", 16 },
	{ two_targets, "@sm_80", "matmul", 18 },
	{ two_targets, "@sm_80", "_ZN1q6matmulEPf", 18 },
	{ two_targets, "@sm_80", "_Z5scaleIfEvPT_f", 8 },
	{ two_targets, "@sm_80", "scale", ERR_USAGE },
	{ two_targets, "@sm_75", "scale", 0 },
	{ two_targets, "", "mat", 0 },
	{ two_targets, "", "q", 0 },
	{ two_targets, "", "", 0 },
	{ two_targets, "@sm_90", "plain", ERR_FORMAT },
	{ "", "", "plain", ERR_FORMAT },
	{ "all is well\n", "", "plain", ERR_FORMAT },
	{ "Compiling entry function 'a' for 'sm_1'\n", "", "a", ERR_FORMAT },
	{ "Compiling entry function 'a for sm_1\nUsed 3 registers\n", "", "a", ERR_FORMAT },
	{ "Compiling entry function 'a' for 'sm_1\nUsed 3 registers\n", "", "a", ERR_FORMAT },
	{ "Compiling entry function 'a' for 'sm_1'\nUsed 99999999999 registers\n", "", "a",
	  ERR_FORMAT },
	{ "Compiling entry function '_Z99999999999999999999a' for 'sm_1'\nUsed 3 registers", "",
	  "a", 0 },
	{ "Compiling entry function '_Z2a' for 'sm_1'\nUsed 3 registers", "", "a", 0 },
	{ "Compiling entry function '_Z' for 'sm_1'\nUsed 3 registers", "", "", 0 },
	{ "Compiling entry function '_Z1a' for 'sm_1'\nUsed 3 registers", "", "a", 3 },
};

static int ask(const struct row *row)
{
	char file[] = "/tmp/ptxas_log.XXXXXX", what[64];
	struct ptxas_log log = { 0 };
	struct err err = { 0 };
	uint32_t registers = 0;
	int fd = mkstemp(file), ret;

	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(file_write(file, row->text, strlen(row->text), &err), 0);
	snprintf(what, sizeof(what), "%s%s", file, row->target);
	ret = ptxas_log_load(&log, what, &err);
	if (!ret)
		ret = ptxas_log_find(&log, row->kernel, &registers, &err);
	assert_int_equal(ret, err.code);
	assert_true(!ret == !*err.msg);
	ptxas_log_release(&log);
	unlink(file);
	return ret ? ret : (int)registers;
}

static void registers_are_those_of_the_kernel_and_target(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (ask(&rows[i]) != rows[i].expected)
			fail_msg("row %zu: kernel '%s': %d registers, expected %d", i,
			         rows[i].kernel, ask(&rows[i]), rows[i].expected);
}

static void a_missing_file_is_named(void **state)
{
	struct ptxas_log log;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(ptxas_log_load(&log, "/nowhere/log@sm_80", &err), ERR_IO);
	assert_non_null(strstr(err.msg, "/nowhere/log:"));
	ptxas_log_release(&log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_are_those_of_the_kernel_and_target),
		cmocka_unit_test(a_missing_file_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
