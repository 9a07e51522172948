/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower_cuda IN CALLS LINKED [CODE]: the step lower_cuda_calls() alone, for tests: the IR in IN
 * (whose triple is spir64's already) goes to CALLS as IR after it, to LINKED as IR with the library
 * linked in, and that to CODE as OpenCL C.
 */
#include "cuda_calls.h"

#include "err.h"
#include "file.h"
#include "program.h"
#include "steps.h"
#include "str.h"

#include <llvm-c/IRReader.h>

#include <stdio.h>

static int read_module(struct program *p, const char *path, struct err *err)
{
	LLVMMemoryBufferRef buffer;
	char *message = NULL;
	int ret = 0;

	if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message) ||
	    LLVMParseIRInContext(p->context, buffer, &p->module, &message))
		ret = err_set(err, ERR_FORMAT, "%s: %s", path, message);
	LLVMDisposeMessage(message);
	return ret;
}

static int write_ir(const struct program *p, const char *path, struct err *err)
{
	char *message = NULL;
	int ret = 0;

	if (LLVMPrintModuleToFile(p->module, path, &message))
		ret = err_set(err, ERR_IO, "%s: %s", path, message);
	LLVMDisposeMessage(message);
	return ret;
}

static int write_code(struct program *p, const char *path, struct err *err)
{
	struct str code;
	int ret;

	str_init(&code, 1u << 24);
	ret = text_door_write(p, &code, err);
	for (size_t i = 0; !ret && i < p->kernel_count; i++)
		if (p->tables[i].refusal)
			ret = err_set(err, ERR_UNSUPPORTED, "%s", p->tables[i].refusal);
	if (!ret)
		ret = file_write(path, code.text, code.length, err);
	str_release(&code);
	return ret;
}

int main(int argc, char **argv)
{
	struct settings settings = { .source = argc > 1 ? argv[1] : NULL };
	struct err err = { 0 };
	struct program p = { 0 };
	int ret;

	if (argc != 4 && argc != 5) {
		fprintf(stderr, "usage: lower_cuda IN CALLS LINKED [CODE]\n");
		return 2;
	}
	ret = program_init(&p, &settings, &err);
	if (!ret)
		ret = read_module(&p, argv[1], &err);
	if (!ret)
		ret = lower_cuda_calls(&p, &err);
	if (!ret)
		ret = write_ir(&p, argv[2], &err);
	if (!ret && argc == 5)
		ret = program_find_kernels(&p, &err);
	if (!ret)
		ret = finish_code(&p, &err);
	if (!ret)
		ret = write_ir(&p, argv[3], &err);
	if (!ret && argc == 5)
		ret = write_code(&p, argv[4], &err);
	program_release(&p);
	if (ret)
		fprintf(stderr, "lower_cuda: %s\n", err.msg);
	return ret ? 1 : 0;
}
