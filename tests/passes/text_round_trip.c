/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text_round_trip NATIVE TEXT [OPTIONS [SEED]]: run each kernel of NATIVE, an OpenCL C file, and
 * the one of that name in TEXT, which the text door made of it, with the same arguments, and
 * compare all that they leave in memory, bit by bit.
 *
 * A line for each kernel: "same", "differs", "refused" (not in TEXT). Exits 0 when none differs and
 * all are there, 1 else, 77 when there is no device or it does not build NATIVE.
 */
#include "text_arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GLOBAL = 128, LOCAL = 16, MAX_KERNELS = 256 };

struct trip {
	struct cl_device device;
	cl_program native, text;
	uint64_t seed;
	bool has_failed;
};

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	char *text = calloc(1, (size_t)16 << 20);

	if (!file || !text || !fread(text, 1, ((size_t)16 << 20) - 1, file)) {
		fprintf(stderr, "%s: cannot be read\n", path);
		exit(1);
	}
	fclose(file);
	return text;
}

static cl_program build(const struct cl_device *d, const char *text, const char *options)
{
	static char log[65536];
	cl_int code;
	cl_program program = clCreateProgramWithSource(d->context, 1, &text, NULL, &code);

	if (code == CL_SUCCESS &&
	    clBuildProgram(program, 1, &d->id, options, NULL, NULL) == CL_SUCCESS)
		return program;
	clGetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL);
	fprintf(stderr, "with '%s': %s\n", options, log);
	return NULL;
}

/* "// options: ..." */
static cl_program build_text(const struct cl_device *d, const char *text)
{
	const char *begin = text + strlen("// options:");
	char options[4096];

	snprintf(options, sizeof(options), "%.*s", (int)strcspn(begin, "\n"), begin);
	return build(d, text, options);
}

static bool launch(struct trip *t, cl_kernel kernel)
{
	size_t global[3] = { GLOBAL, 1, 1 }, local[3] = { LOCAL, 1, 1 }, required[3] = { 0 };

	clGetKernelWorkGroupInfo(kernel, t->device.id, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
	                         sizeof(required), required, NULL);
	for (int i = 0; required[0] && i < 3; i++) {
		local[i] = required[i];
		global[i] = i == 0 ? GLOBAL : required[i] * 2;
	}
	return clEnqueueNDRangeKernel(t->device.queue, kernel, required[0] ? 3 : 1, NULL, global,
	                              local, 0, NULL, NULL) == CL_SUCCESS &&
	       clFinish(t->device.queue) == CL_SUCCESS;
}

static const char *compare(struct trip *t, const struct text_arguments *a,
                           const struct text_arguments *b)
{
	static unsigned char x[TEXT_ARGUMENTS_BYTES], y[TEXT_ARGUMENTS_BYTES];
	static char where[96];

	for (cl_uint i = 0; i < a->count; i++) {
		size_t bytes = text_arguments_read(a, &t->device, i, x);

		text_arguments_read(b, &t->device, i, y);
		for (size_t at = 0; at < bytes; at++)
			if (x[at] != y[at]) {
				snprintf(where, sizeof(where),
				         "differs: argument %u at byte %zu: %02x, not %02x", i, at,
				         y[at], x[at]);
				return where;
			}
	}
	return "same";
}

static const char *run_both(struct trip *t, cl_kernel native, cl_kernel text)
{
	struct text_arguments a, b;
	const char *result = "differs: cannot be run";

	memset(&a, 0, sizeof(a));
	memset(&b, 0, sizeof(b));
	if (text_arguments_init(&a, &t->device, native, native, t->seed) &&
	    text_arguments_init(&b, &t->device, native, text, t->seed) && launch(t, native) &&
	    launch(t, text))
		result = compare(t, &a, &b);
	text_arguments_release(&a);
	text_arguments_release(&b);
	return result;
}

static void run_kernel(struct trip *t, cl_kernel native)
{
	char name[256];
	const char *result = "refused";
	cl_kernel text;
	cl_int code;

	clGetKernelInfo(native, CL_KERNEL_FUNCTION_NAME, sizeof(name), name, NULL);
	text = t->text ? clCreateKernel(t->text, name, &code) : NULL;
	if (text) {
		result = run_both(t, native, text);
		clReleaseKernel(text);
	}
	t->has_failed |= strcmp(result, "same") != 0;
	printf("%s: %s\n", name, result);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct trip t = { .seed = argc > 4 ? strtoull(argv[4], NULL, 10) : 1 };
	cl_kernel kernels[MAX_KERNELS];
	char options[4096], *text;
	cl_uint count = 0;

	if (argc < 3) {
		fprintf(stderr, "text_round_trip NATIVE TEXT [OPTIONS [SEED]]\n");
		return 1;
	}
	if (!cl_device_init(&t.device))
		return 77;
	snprintf(options, sizeof(options), "-cl-kernel-arg-info %s", argc > 3 ? argv[3] : "");
	text = read_file(argv[1]);
	t.native = build(&t.device, text, options);
	free(text);
	if (!t.native)
		return 77;
	text = read_file(argv[2]);
	t.text = build_text(&t.device, text);
	free(text);
	if (!t.text)
		return 1;
	clCreateKernelsInProgram(t.native, MAX_KERNELS, kernels, &count);
	for (cl_uint i = 0; i < count && i < MAX_KERNELS; i++) {
		run_kernel(&t, kernels[i]);
		clReleaseKernel(kernels[i]);
	}
	clReleaseProgram(t.native);
	clReleaseProgram(t.text);
	cl_device_release(&t.device);
	return t.has_failed;
}
