/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_lowered.h"

#include "err.h"
#include "file.h"
#include "str.h"
#include "subprocess.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CODE_LIMIT_BYTES = 1 << 24 };

static void lower(const char *lower_cuda, const char *in, const char *calls, const char *linked,
                  const char *code)
{
	const char *const words[] = { lower_cuda, in, calls, linked, code, NULL };
	char *argv[sizeof(words) / sizeof(words[0])];
	struct str none, said;
	struct err err = { 0 };
	int status = -1;

	memcpy(argv, words, sizeof(argv));
	str_init(&none, 1);
	str_init(&said, CODE_LIMIT_BYTES);
	if (subprocess_run(argv, &none, &said, &said, &status, &err) || status)
		fail_msg("%d %s %s", status, err.msg, said.text ? said.text : "");
	str_release(&said);
}

cl_program cuda_lowered_build(const struct cl_device *device, const char *lower_cuda,
                              const char *text, size_t length)
{
	char directory[] = "/tmp/cuda-lowered-XXXXXX", in[64], calls[64], linked[64], code[64];
	struct str made;
	struct err err = { 0 };
	cl_program program;

	assert_non_null(mkdtemp(directory));
	snprintf(in, sizeof(in), "%s/in.ll", directory);
	snprintf(calls, sizeof(calls), "%s/calls.ll", directory);
	snprintf(linked, sizeof(linked), "%s/linked.ll", directory);
	snprintf(code, sizeof(code), "%s/code.cl", directory);
	assert_int_equal(file_write(in, text, length, &err), 0);
	lower(lower_cuda, in, calls, linked, code);
	str_init(&made, CODE_LIMIT_BYTES);
	assert_int_equal(file_read(code, &made, &err), 0);
	program = cl_device_build_source(device, made.text, "-cl-std=CL1.2");
	str_release(&made);
	unlink(in);
	unlink(calls);
	unlink(linked);
	unlink(code);
	rmdir(directory);
	return program;
}
