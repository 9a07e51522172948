/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lower_cuda IN OUT CALLS: the step lower_cuda_calls() alone, for tests: the IR in IN (whose triple
 * is spir64's already) goes to CALLS as text behind it, and to OUT as bitcode with the library
 * linked in.
 */
#include "cuda_calls.h"
#include "err.h"
#include "program.h"
#include "steps.h"

#include <llvm-c/BitWriter.h>
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

static int write_text(const struct program *p, const char *path, struct err *err)
{
	char *message = NULL;
	int ret = 0;

	if (LLVMPrintModuleToFile(p->module, path, &message))
		ret = err_set(err, ERR_IO, "%s: %s", path, message);
	LLVMDisposeMessage(message);
	return ret;
}

int main(int argc, char **argv)
{
	struct settings settings = { .source = argc > 1 ? argv[1] : NULL };
	struct err err = { 0 };
	struct program p = { 0 };
	int ret;

	if (argc != 4) {
		fprintf(stderr, "usage: lower_cuda IN OUT CALLS\n");
		return 2;
	}
	ret = program_init(&p, &settings, &err);
	if (!ret)
		ret = read_module(&p, argv[1], &err);
	if (!ret)
		ret = lower_cuda_calls(&p, &err);
	if (!ret)
		ret = write_text(&p, argv[3], &err);
	if (!ret)
		ret = finish_code(&p, &err);
	if (!ret && LLVMWriteBitcodeToFile(p.module, argv[2]))
		ret = err_set(&err, ERR_IO, "%s: cannot be written", argv[2]);
	program_release(&p);
	if (ret)
		fprintf(stderr, "lower_cuda: %s\n", err.msg);
	return ret ? 1 : 0;
}
