/* SPDX-License-Identifier: Apache-2.0 */
#include "strange_host.h"

#include "host_calls.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static cl_program make_a(const struct host *h)
{
	/* The second string has a length, the others end at their NUL. */
	const char *strings[] = { HOST_SOURCE_A_1, HOST_SOURCE_A_2 "garbage behind the end",
		                  HOST_SOURCE_A_3 };
	const size_t lengths[] = { 0, strlen(HOST_SOURCE_A_2), 0 };
	cl_int rc;
	cl_program program = clCreateProgramWithSource(h->context, 3, strings, lengths, &rc);

	check(rc, "clCreateProgramWithSource");
	check(clBuildProgram(program, 1, &h->device, "-DSTEP=3", NULL, NULL), "clBuildProgram");
	return program;
}

static cl_program make_b(const struct host *h)
{
	const char *text = HOST_SOURCE_B;
	cl_int rc;
	cl_program program = clCreateProgramWithSource(h->context, 1, &text, NULL, &rc);

	check(rc, "clCreateProgramWithSource");
	check(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), "clBuildProgram");
	return program;
}

static void start(struct host *h)
{
	cl_platform_id platform;
	cl_int rc;

	check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &h->device, NULL), "clGetDeviceIDs");
	h->context = clCreateContext(NULL, 1, &h->device, NULL, NULL, &rc);
	check(rc, "clCreateContext");
	h->in_order = clCreateCommandQueue(h->context, h->device, CL_QUEUE_PROFILING_ENABLE, &rc);
	check(rc, "clCreateCommandQueue");
	h->out_of_order = clCreateCommandQueue(h->context, h->device,
	                                       CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &rc);
	check(rc, "clCreateCommandQueue");
	h->a = make_a(h);
	h->b = make_b(h);
}

/* Launch 0 and 1: in order; arguments change at once; an offset and no local size. */
static void simple(const struct host *h)
{
	cl_kernel a = make_kernel(h->a, "scale"), b = make_kernel(h->b, "scale");
	cl_mem x = make_buffer(h, HOST_ITEMS, 1), y = make_buffer(h, HOST_ITEMS, 50);
	size_t global = HOST_ITEMS, local = 64, half = HOST_ITEMS / 2, offset = 64;
	int two = 2, hundred = 100;

	check(clSetKernelArg(a, 0, sizeof(x), &x), "arg");
	check(clSetKernelArg(a, 1, sizeof(two), &two), "arg");
	check(clEnqueueNDRangeKernel(h->in_order, a, 1, NULL, &global, &local, 0, NULL, NULL), "0");
	check(clSetKernelArg(a, 1, sizeof(hundred), &hundred), "arg");
	check(clSetKernelArg(a, 0, sizeof(y), &y), "arg");
	check(clSetKernelArg(b, 0, sizeof(x), &x), "arg");
	check(clSetKernelArg(b, 1, sizeof(y), &y), "arg");
	check(clSetKernelArg(b, 2, sizeof(two), &two), "arg");
	check(clEnqueueNDRangeKernel(h->in_order, b, 1, &offset, &half, NULL, 0, NULL, NULL), "1");
	printf("simple %08x\n", hash_buffer(h->in_order, x, HOST_ITEMS));
	clReleaseKernel(a);
	clReleaseKernel(b);
	clReleaseMemObject(x);
	clReleaseMemObject(y);
}

static void CL_CALLBACK count_callback(cl_event event, cl_int status, void *data)
{
	__atomic_fetch_add((int *)data, status == CL_COMPLETE ? 1 : 100, __ATOMIC_SEQ_CST);
}

/*
 * Launch 2 waits for a user event; launch 3, on the same out-of-order queue, does not, and is
 * waited for before that event is set: whoever ties 3 to 2 hangs here. Launch 4 waits for 2.
 */
static void out_of_order(const struct host *h)
{
	cl_kernel a = make_kernel(h->a, "scale");
	cl_mem x = make_buffer(h, HOST_ITEMS, 3), y = make_buffer(h, HOST_ITEMS, 4);
	size_t global = HOST_ITEMS, local = 32;
	cl_event gate, events[3];
	cl_command_type type;
	int three = 3, done = 0;
	cl_int rc;

	gate = clCreateUserEvent(h->context, &rc);
	check(rc, "clCreateUserEvent");
	check(clSetKernelArg(a, 0, sizeof(x), &x), "arg");
	check(clSetKernelArg(a, 1, sizeof(three), &three), "arg");
	check(clEnqueueNDRangeKernel(h->out_of_order, a, 1, NULL, &global, &local, 1, &gate,
	                             &events[0]),
	      "2");
	check(clSetEventCallback(events[0], CL_COMPLETE, count_callback, &done), "callback");
	check(clSetKernelArg(a, 0, sizeof(y), &y), "arg");
	check(clEnqueueNDRangeKernel(h->out_of_order, a, 1, NULL, &global, &local, 0, NULL,
	                             &events[1]),
	      "3");
	check(clWaitForEvents(1, &events[1]), "clWaitForEvents");
	check(clSetKernelArg(a, 0, sizeof(x), &x), "arg");
	check(clEnqueueNDRangeKernel(h->out_of_order, a, 1, NULL, &global, &local, 1, &events[0],
	                             &events[2]),
	      "4");
	check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
	check(clWaitForEvents(1, &events[2]), "clWaitForEvents");
	check(clFinish(h->out_of_order), "clFinish");
	check(clGetEventInfo(events[0], CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL), "type");
	for (int i = 0; i < 1000 && !__atomic_load_n(&done, __ATOMIC_SEQ_CST); i++)
		usleep(1000);
	printf("out of order %08x %08x type %x callbacks %d\n",
	       hash_buffer(h->out_of_order, x, HOST_ITEMS),
	       hash_buffer(h->out_of_order, y, HOST_ITEMS), (unsigned)type, done);
	for (int i = 0; i < 3; i++)
		clReleaseEvent(events[i]);
	clReleaseEvent(gate);
	clReleaseKernel(a);
	clReleaseMemObject(x);
	clReleaseMemObject(y);
}

/* Launch 5: everything it needs is released before it can have run. */
static void released(const struct host *h)
{
	cl_program program = make_a(h);
	cl_kernel a = make_kernel(program, "scale");
	cl_mem x = make_buffer(h, HOST_ITEMS, 5);
	size_t global = HOST_ITEMS, local = 16;
	cl_event gate, event;
	int five = 5;
	cl_int rc;

	clReleaseProgram(program);
	gate = clCreateUserEvent(h->context, &rc);
	check(rc, "clCreateUserEvent");
	check(clSetKernelArg(a, 0, sizeof(x), &x), "arg");
	check(clSetKernelArg(a, 1, sizeof(five), &five), "arg");
	check(clEnqueueNDRangeKernel(h->in_order, a, 1, NULL, &global, &local, 1, &gate, &event),
	      "5");
	clReleaseKernel(a);
	check(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
	check(clWaitForEvents(1, &event), "clWaitForEvents");
	printf("released %08x\n", hash_buffer(h->in_order, x, HOST_ITEMS));
	clReleaseMemObject(x);
	clReleaseEvent(gate);
	clReleaseEvent(event);
}

/* Launch 6: part of a buffer. */
static void part(const struct host *h)
{
	cl_kernel a = make_kernel(h->a, "scale");
	cl_mem whole = make_buffer(h, (size_t)HOST_ITEMS * 2, 6), half;
	cl_buffer_region region = { HOST_ITEMS * sizeof(int), HOST_ITEMS * sizeof(int) };
	size_t global = HOST_ITEMS, local = 128;
	int seven = 7;
	cl_int rc;

	half = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region,
	                         &rc);
	check(rc, "clCreateSubBuffer");
	check(clSetKernelArg(a, 0, sizeof(half), &half), "arg");
	check(clSetKernelArg(a, 1, sizeof(seven), &seven), "arg");
	check(clEnqueueNDRangeKernel(h->in_order, a, 1, NULL, &global, &local, 0, NULL, NULL), "6");
	printf("part %08x\n", hash_buffer(h->in_order, whole, (size_t)HOST_ITEMS * 2));
	clReleaseKernel(a);
	clReleaseMemObject(half);
	clReleaseMemObject(whole);
}

/* Launch 7, 8, 9: local memory and a barrier in two dimensions; uneven loops in place; rows. */
static void loops(const struct host *h)
{
	cl_kernel kernels[8];
	cl_uint count = 0;
	cl_mem x = make_buffer(h, HOST_ITEMS, 7);
	cl_mem rows = make_buffer(h, (size_t)HOST_ITEMS * HOST_ROW, 8);
	size_t plane[2] = { 32, 8 }, tile[2] = { 8, 4 }, global = HOST_ITEMS, local = 64;
	cl_kernel row = make_kernel(h->b, "rows");
	int n = HOST_ROW;
	char name[32];

	check(clCreateKernelsInProgram(h->a, 8, kernels, &count), "clCreateKernelsInProgram");
	for (cl_uint i = 0; i < count; i++) {
		check(clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof(name), name,
		                      NULL),
		      "name");
		if (strcmp(name, "reverse") == 0) {
			check(clSetKernelArg(kernels[i], 0, sizeof(x), &x), "arg");
			check(clSetKernelArg(kernels[i], 1, 32 * sizeof(int), NULL), "arg");
			check(clEnqueueNDRangeKernel(h->in_order, kernels[i], 2, NULL, plane, tile,
			                             0, NULL, NULL),
			      "7");
		}
	}
	for (cl_uint i = 0; i < count; i++) {
		check(clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof(name), name,
		                      NULL),
		      "name");
		if (strcmp(name, "uneven") == 0) {
			check(clSetKernelArg(kernels[i], 0, sizeof(x), &x), "arg");
			check(clEnqueueNDRangeKernel(h->in_order, kernels[i], 1, NULL, &global,
			                             &local, 0, NULL, NULL),
			      "8");
		}
	}
	check(clSetKernelArg(row, 0, sizeof(rows), &rows), "arg");
	check(clSetKernelArg(row, 1, sizeof(x), &x), "arg");
	check(clSetKernelArg(row, 2, sizeof(n), &n), "arg");
	check(clEnqueueNDRangeKernel(h->in_order, row, 1, NULL, &global, &local, 0, NULL, NULL),
	      "9");
	printf("loops %u %08x\n", count, hash_buffer(h->in_order, x, HOST_ITEMS));
	for (cl_uint i = 0; i < count; i++)
		clReleaseKernel(kernels[i]);
	clReleaseKernel(row);
	clReleaseMemObject(x);
	clReleaseMemObject(rows);
}

/* Launch 10 and 11: three dimensions, without a local size; a task. */
static void other_forms(const struct host *h)
{
	cl_kernel cube = make_kernel(h->b, "cube"), a = make_kernel(h->a, "scale");
	cl_mem x = make_buffer(h, HOST_ITEMS, 9);
	size_t volume[3] = { 8, 4, 8 };
	cl_command_type type;
	cl_event event;
	int nine = 9;

	check(clSetKernelArg(cube, 0, sizeof(x), &x), "arg");
	check(clEnqueueNDRangeKernel(h->in_order, cube, 3, NULL, volume, NULL, 0, NULL, NULL),
	      "10");
	check(clSetKernelArg(a, 0, sizeof(x), &x), "arg");
	check(clSetKernelArg(a, 1, sizeof(nine), &nine), "arg");
	check(clEnqueueTask(h->in_order, a, 0, NULL, &event), "11");
	check(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL), "type");
	printf("forms %08x type %x\n", hash_buffer(h->in_order, x, HOST_ITEMS), (unsigned)type);
	clReleaseEvent(event);
	clReleaseKernel(cube);
	clReleaseKernel(a);
	clReleaseMemObject(x);
}

/* Launch 12: the four times of its event, and its references. */
static void profile(const struct host *h)
{
	cl_kernel a = make_kernel(h->a, "scale");
	cl_mem x = make_buffer(h, HOST_ITEMS, 12);
	size_t global = HOST_ITEMS, local = 64;
	cl_uint kernel_refs, mem_refs, args;
	cl_ulong times[4] = { 0 };
	cl_event event;
	int one = 1;
	bool is_ascending = true;

	check(clSetKernelArg(a, 0, sizeof(x), &x), "arg");
	check(clSetKernelArg(a, 1, sizeof(one), &one), "arg");
	check(clEnqueueNDRangeKernel(h->in_order, a, 1, NULL, &global, &local, 0, NULL, &event),
	      "12");
	check(clFinish(h->in_order), "clFinish");
	for (cl_uint i = 0; i < 4; i++) {
		check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i,
		                              sizeof(*times), &times[i], NULL),
		      "clGetEventProfilingInfo");
		is_ascending = is_ascending && (!i || times[i - 1] <= times[i]);
	}
	clGetKernelInfo(a, CL_KERNEL_REFERENCE_COUNT, sizeof(kernel_refs), &kernel_refs, NULL);
	clGetKernelInfo(a, CL_KERNEL_NUM_ARGS, sizeof(args), &args, NULL);
	clGetMemObjectInfo(x, CL_MEM_REFERENCE_COUNT, sizeof(mem_refs), &mem_refs, NULL);
	printf("profile ascending %d took time %d refs %u %u args %u\n", is_ascending,
	       times[3] > times[2], kernel_refs, mem_refs, args);
	clReleaseEvent(event);
	clReleaseKernel(a);
	clReleaseMemObject(x);
}

/* Calls that the driver refuses, and its words for it. */
static void errors(const struct host *h)
{
	cl_kernel a = make_kernel(h->a, "scale");
	cl_mem x = make_buffer(h, HOST_ITEMS, 13);
	size_t global = HOST_ITEMS, local = 64, odd = 48, huge[3] = { 1 << 20, 1, 1 };
	int codes[6], one = 1;

	codes[0] = clEnqueueNDRangeKernel(h->in_order, a, 1, NULL, &global, &local, 0, NULL, NULL);
	clSetKernelArg(a, 0, sizeof(x), &x);
	codes[1] = clEnqueueNDRangeKernel(h->in_order, a, 1, NULL, &global, &local, 0, NULL, NULL);
	clSetKernelArg(a, 1, sizeof(one), &one);
	codes[2] = clEnqueueNDRangeKernel(h->in_order, a, 1, NULL, &global, &odd, 0, NULL, NULL);
	codes[3] = clEnqueueNDRangeKernel(h->in_order, a, 4, NULL, &global, &local, 0, NULL, NULL);
	codes[4] = clEnqueueNDRangeKernel(h->in_order, a, 1, NULL, huge, huge, 0, NULL, NULL);
	codes[5] = clSetKernelArg(a, 2, sizeof(one), &one);
	printf("errors");
	for (int i = 0; i < 6; i++)
		printf(" %d", codes[i]);
	printf("\n");
	clReleaseKernel(a);
	clReleaseMemObject(x);
}

struct thread_data {
	const struct host *host;
	int number;
	unsigned hash;
};

/* The last launches: two threads, each with a queue, a kernel and a buffer of its own. */
static void *run_thread(void *argument)
{
	struct thread_data *data = argument;
	const struct host *h = data->host;
	size_t global = HOST_ITEMS, local = 64;
	cl_int rc;
	cl_command_queue queue = clCreateCommandQueue(h->context, h->device, 0, &rc);
	cl_kernel a = make_kernel(h->a, "scale");
	cl_mem x = make_buffer(h, HOST_ITEMS, 20 + data->number);

	check(rc, "clCreateCommandQueue");
	for (int turn = 0; turn < HOST_THREAD_TURNS; turn++) {
		int f = data->number + turn;

		check(clSetKernelArg(a, 0, sizeof(x), &x), "arg");
		check(clSetKernelArg(a, 1, sizeof(f), &f), "arg");
		check(clEnqueueNDRangeKernel(queue, a, 1, NULL, &global, &local, 0, NULL, NULL),
		      "thread");
	}
	data->hash = hash_buffer(queue, x, HOST_ITEMS);
	clReleaseMemObject(x);
	clReleaseKernel(a);
	clReleaseCommandQueue(queue);
	return NULL;
}

static void threads(const struct host *h, bool are_parallel)
{
	struct thread_data data[HOST_THREADS];
	pthread_t handles[HOST_THREADS];

	for (int i = 0; i < HOST_THREADS; i++) {
		data[i] = (struct thread_data){ h, i, 0 };
		if (are_parallel)
			pthread_create(&handles[i], NULL, run_thread, &data[i]);
		else
			run_thread(&data[i]);
	}
	printf("threads");
	for (int i = 0; i < HOST_THREADS; i++) {
		if (are_parallel)
			pthread_join(handles[i], NULL);
		printf(" %08x", data[i].hash);
	}
	printf("\n");
}

/* An argument "serial" keeps to one thread, for devices that cannot take two. */
int main(int argc, char **argv)
{
	struct host h;

	start(&h);
	simple(&h);
	out_of_order(&h);
	released(&h);
	part(&h);
	loops(&h);
	other_forms(&h);
	profile(&h);
	errors(&h);
	threads(&h, argc < 2 || strcmp(argv[1], "serial") != 0);
	clReleaseProgram(h.a);
	clReleaseProgram(h.b);
	clReleaseCommandQueue(h.in_order);
	clReleaseCommandQueue(h.out_of_order);
	clReleaseContext(h.context);
	return 7;
}
