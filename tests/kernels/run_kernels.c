/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run_kernels [-p PLATFORM] [-o FILE] [-l FILE] [-x KERNEL]... SOURCE.cl - run the kernels of a
 * file of the corpus, as its lines say (kernel_lines.h), one after another.
 *
 * Prints a line for each buffer and image after its run: RUN KERNEL ARGUMENT HASH (64-bit FNV-1a);
 * FILE of -o gets their bytes, that of -l a line for each run: KERNEL and the bytes of local memory
 * of a work-group, as the driver says. Plain OpenCL 1.2; knows nothing of Warpline. Ends with 1 and
 * a sentence when a call fails, 2 for wrong usage. -x leaves out the runs of a kernel.
 */
#include "kernel_data.h"

#include <CL/cl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LEFT_OUT_MAX 32

struct runner {
	struct kernel_lines lines;
	const char *platform; /* part of its name; NULL: the first */
	const char *left_out[LEFT_OUT_MAX];
	size_t left_out_count;
	FILE *out;   /* NULL: no bytes are written */
	FILE *local; /* NULL: no lines are written */
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
};

static void check(cl_int status, const char *call)
{
	if (status == CL_SUCCESS)
		return;
	fflush(stdout);
	fprintf(stderr, "run_kernels: %s failed with status %d\n", call, (int)status);
	exit(1);
}

static _Noreturn void fail(const char *sentence, const char *name)
{
	fflush(stdout);
	fprintf(stderr, "run_kernels: %s: %s\n", name, sentence);
	exit(1);
}

static void open_device(struct runner *r)
{
	cl_platform_id platforms[16];
	cl_uint count = 0, found = 0;
	char name[128] = "";
	cl_int status;

	check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
	for (found = 0; r->platform && found < count; found++) {
		check(clGetPlatformInfo(platforms[found], CL_PLATFORM_NAME, sizeof(name), name,
		                        NULL),
		      "clGetPlatformInfo");
		if (strstr(name, r->platform))
			break;
	}
	if (found >= count)
		fail("there is no such platform", r->platform ? r->platform : "-");
	check(clGetDeviceIDs(platforms[found], CL_DEVICE_TYPE_ALL, 1, &r->device, NULL),
	      "clGetDeviceIDs");
	r->context = clCreateContext(NULL, 1, &r->device, NULL, NULL, &status);
	check(status, "clCreateContext");
	r->queue = clCreateCommandQueue(r->context, r->device, 0, &status);
	check(status, "clCreateCommandQueue");
}

static void build(struct runner *r)
{
	const char *text = r->lines.text;
	static char log[20000];
	cl_int status;

	r->program = clCreateProgramWithSource(r->context, 1, &text, &r->lines.length, &status);
	check(status, "clCreateProgramWithSource");
	status = clBuildProgram(r->program, 1, &r->device, r->lines.options, NULL, NULL);
	if (status == CL_SUCCESS)
		return;
	clGetProgramBuildInfo(r->program, r->device, CL_PROGRAM_BUILD_LOG, sizeof(log) - 1, log,
	                      NULL);
	fprintf(stderr, "%s\n", log);
	check(status, "clBuildProgram");
}

static cl_mem make_image(const struct runner *r, const struct kernel_argument_line *a, void *data)
{
	bool is_float = a->form == ARGUMENT_IMAGE_FLOAT;
	cl_image_format format = { CL_RGBA, is_float ? CL_FLOAT : CL_UNSIGNED_INT8 };
	cl_image_desc shape = { .image_type = CL_MEM_OBJECT_IMAGE2D,
		                .image_width = a->width,
		                .image_height = a->height };
	cl_mem_flags flags = a->form == ARGUMENT_TARGET ? CL_MEM_WRITE_ONLY : CL_MEM_READ_ONLY;
	cl_int status;
	cl_mem image = clCreateImage(r->context, flags | CL_MEM_COPY_HOST_PTR, &format, &shape,
	                             data, &status);

	check(status, "clCreateImage");
	return image;
}

/* The memory object of a buffer or image with its first contents. */
static cl_mem make_memory(const struct runner *r, const struct kernel_run *run, unsigned i)
{
	const struct kernel_argument_line *a = &run->arguments[i];
	size_t bytes;
	void *data = kernel_data_make(run, i, &bytes);
	cl_int status = CL_SUCCESS;
	cl_mem memory;

	if (!data)
		fail("a fill that is not understood", run->kernel);
	if (a->form == ARGUMENT_BUFFER)
		memory = clCreateBuffer(r->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes,
		                        data, &status);
	else
		memory = make_image(r, a, data);
	check(status, "clCreateBuffer");
	free(data);
	return memory;
}

/* What a run's arguments are made of; released after it. */
struct objects {
	cl_mem memory[KERNEL_ARGUMENTS_MAX];
	cl_sampler samplers[KERNEL_ARGUMENTS_MAX];
};

static void release(const struct objects *o)
{
	for (unsigned i = 0; i < KERNEL_ARGUMENTS_MAX; i++) {
		if (o->memory[i])
			clReleaseMemObject(o->memory[i]);
		if (o->samplers[i])
			clReleaseSampler(o->samplers[i]);
	}
}

static void set_argument(const struct runner *r, const struct kernel_run *run, cl_kernel kernel,
                         struct objects *o, unsigned i)
{
	const struct kernel_argument_line *a = &run->arguments[i];
	unsigned char value[128] = { 0 };
	size_t bytes = sizeof(cl_mem);
	const void *at = &o->memory[i];
	cl_int status;

	switch (a->form) {
	case ARGUMENT_SCALAR:
		bytes = kernel_data_scalar(a, value);
		at = value;
		break;
	case ARGUMENT_LOCAL:
		bytes = a->count;
		at = NULL;
		break;
	case ARGUMENT_SAME:
		at = &o->memory[a->count];
		break;
	case ARGUMENT_SAMPLER:
		o->samplers[i] = clCreateSampler(r->context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE,
		                                 CL_FILTER_NEAREST, &status);
		check(status, "clCreateSampler");
		at = &o->samplers[i];
		break;
	case ARGUMENT_BUFFER:
	case ARGUMENT_IMAGE:
	case ARGUMENT_IMAGE_FLOAT:
	case ARGUMENT_TARGET:
		o->memory[i] = make_memory(r, run, i);
		break;
	}
	check(clSetKernelArg(kernel, i, bytes, at), "clSetKernelArg");
}

/* Read argument i back, print its line, write its bytes. */
static void show(const struct runner *r, size_t number, unsigned i, cl_mem memory)
{
	const struct kernel_run *run = &r->lines.runs[number];
	const struct kernel_argument_line *a = &run->arguments[i];
	size_t bytes = a->count * value_type_bytes(a->type);
	size_t origin[3] = { 0 }, region[3] = { a->width, a->height, 1 };
	unsigned char *data = calloc(bytes, 1);
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	if (!data)
		fail("no memory", run->kernel);
	if (a->form == ARGUMENT_BUFFER)
		check(clEnqueueReadBuffer(r->queue, memory, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
		      "clEnqueueReadBuffer");
	else
		check(clEnqueueReadImage(r->queue, memory, CL_TRUE, origin, region, 0, 0, data, 0,
		                         NULL, NULL),
		      "clEnqueueReadImage");
	for (size_t k = 0; k < bytes; k++)
		hash = (hash ^ data[k]) * UINT64_C(0x100000001b3);
	printf("%zu %s %u %016" PRIx64 "\n", number, run->kernel, i, hash);
	if (r->out && fwrite(data, 1, bytes, r->out) != bytes)
		fail("the outputs cannot be written", run->kernel);
	free(data);
}

static void write_local_bytes(const struct runner *r, const char *name, cl_kernel kernel)
{
	cl_ulong bytes = 0;

	check(clGetKernelWorkGroupInfo(kernel, r->device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof(bytes),
	                               &bytes, NULL),
	      "clGetKernelWorkGroupInfo");
	if (fprintf(r->local, "%s %" PRIu64 "\n", name, (uint64_t)bytes) < 0)
		fail("the bytes of local memory cannot be written", name);
}

static void run_one(const struct runner *r, size_t number)
{
	const struct kernel_run *run = &r->lines.runs[number];
	struct objects o = { 0 };
	cl_int status;
	cl_kernel kernel = clCreateKernel(r->program, run->kernel, &status);

	check(status, "clCreateKernel");
	for (unsigned i = 0; i < run->argument_count; i++)
		set_argument(r, run, kernel, &o, i);
	if (r->local)
		write_local_bytes(r, run->kernel, kernel);
	check(clEnqueueNDRangeKernel(r->queue, kernel, run->dimensions, run->offset, run->global,
	                             run->local[0] ? run->local : NULL, 0, NULL, NULL),
	      "clEnqueueNDRangeKernel");
	check(clFinish(r->queue), "clFinish");
	for (unsigned i = 0; i < run->argument_count; i++)
		if (o.memory[i])
			show(r, number, i, o.memory[i]);
	release(&o);
	clReleaseKernel(kernel);
}

static bool is_left_out(const struct runner *r, const char *kernel)
{
	for (size_t i = 0; i < r->left_out_count; i++)
		if (strcmp(r->left_out[i], kernel) == 0)
			return true;
	return false;
}

static void read_options(struct runner *r, int argc, char **argv)
{
	char message[256];
	int option;

	while ((option = getopt(argc, argv, "p:o:l:x:")) != -1) {
		if (option == 'p')
			r->platform = optarg;
		else if (option == 'x' && r->left_out_count < LEFT_OUT_MAX)
			r->left_out[r->left_out_count++] = optarg;
		else if (option == 'l' && (r->local = fopen(optarg, "w")))
			continue;
		else if (option != 'o' || !(r->out = fopen(optarg, "wb")))
			fail("wrong option, or a file that cannot be written", argv[optind - 1]);
	}
	if (optind + 1 != argc) {
		fprintf(stderr,
		        "usage: run_kernels [-p PLATFORM] [-o FILE] [-l FILE] [-x KERNEL]... "
		        "SOURCE.cl\n");
		exit(2);
	}
	if (kernel_lines_read(&r->lines, argv[optind], message, sizeof(message)) != 0)
		fail(message, "lines");
}

int main(int argc, char **argv)
{
	struct runner r = { 0 };

	/* Lines that are out stay out when a kernel ends the program. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	read_options(&r, argc, argv);
	open_device(&r);
	build(&r);
	for (size_t i = 0; i < r.lines.run_count; i++)
		if (!is_left_out(&r, r.lines.runs[i].kernel))
			run_one(&r, i);
	clReleaseProgram(r.program);
	clReleaseCommandQueue(r.queue);
	clReleaseContext(r.context);
	kernel_lines_release(&r.lines);
	if (r.out && fclose(r.out) != 0)
		fail("the outputs cannot be written", "-o");
	if (r.local && fclose(r.local) != 0)
		fail("the bytes of local memory cannot be written", "-l");
	return 0;
}
