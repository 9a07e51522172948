/* SPDX-License-Identifier: Apache-2.0 */
#include "mock_driver.h"

#include "probe_abi.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ARGUMENTS 4

enum sort { PLATFORM, DEVICE, CONTEXT, QUEUE, BUFFER, PROGRAM, KERNEL, EVENT };

/* A command that waits, or an object; one struct for all keeps the page short. */
struct object {
	enum sort sort;
	int refs;
	struct object *owner; /* retained: program of a kernel */
	unsigned char *bytes; /* of a buffer */
	size_t size;
	bool is_binary; /* program: probed */
	char name[32];  /* kernel */
	unsigned char values[MOST_ARGUMENTS][8];
	/* events */
	cl_int status;
	struct object *waits_for, *before; /* retained */
	struct object *kernel;
	size_t global, local;
	void(CL_CALLBACK *callback)(cl_event, cl_int, void *);
	void *callback_data;
	struct object *next_pending;
	/* queue */
	struct object *last;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct object platform = { .sort = PLATFORM, .refs = 1 };
static struct object device = { .sort = DEVICE, .refs = 1 };
static struct object *pending;
static size_t calls, fail_at = SIZE_MAX;
static const char *failed;
static int alive;
static uint64_t device_bytes;

/* Every call begins with this: whether it is the one to fail. The lock is then held. */
static bool enter(const char *name)
{
	pthread_mutex_lock(&lock);
	if (calls++ != fail_at)
		return true;
	failed = name;
	pthread_mutex_unlock(&lock);
	return false;
}

#define ENTER                                                                                      \
	if (!enter(__func__ + 5))                                                                  \
		return CL_OUT_OF_RESOURCES;
#define ENTER_OBJECT                                                                               \
	if (!enter(__func__ + 5)) {                                                                \
		if (errcode_ret)                                                                   \
			*errcode_ret = CL_OUT_OF_RESOURCES;                                        \
		return NULL;                                                                       \
	}
#define LEAVE(value)                                                                               \
	do {                                                                                       \
		pthread_mutex_unlock(&lock);                                                       \
		return value;                                                                      \
	} while (0)

static struct object *make(enum sort sort, struct object *owner)
{
	struct object *o = calloc(1, sizeof(*o));

	o->sort = sort;
	o->refs = 1;
	o->owner = owner;
	if (owner)
		owner->refs++;
	alive++;
	return o;
}

static void drop(struct object *o)
{
	if (!o || --o->refs > 0)
		return;
	if (o->sort == BUFFER)
		device_bytes -= o->size;
	drop(o->owner);
	drop(o->waits_for);
	drop(o->before);
	drop(o->kernel);
	drop(o->last);
	free(o->bytes);
	free(o);
	alive--;
}

unsigned mock_driver_count(uint64_t i)
{
	return (unsigned)(i * 2654435761u >> 3) % 23;
}

/* The next chunk for a work-item, or NULL. */
static struct probe_chunk *ask_chunk(struct probe_header *h, uint64_t group, uint32_t item)
{
	uint32_t number = h->next_chunk++;
	struct probe_chunk *chunk;

	if (number >= h->chunk_count)
		return NULL;
	chunk = (struct probe_chunk *)(void *)((unsigned char *)h + h->chunks_offset +
	                                       number * (sizeof(*chunk) +
	                                                 h->chunk_events * sizeof(struct event)));
	*chunk = (struct probe_chunk){ group, item, 0 };
	return chunk;
}

static void emit(struct probe_header *h, struct probe_chunk **chunk, uint64_t group, uint32_t item,
                 struct event event)
{
	if (!*chunk || (*chunk)->used == h->chunk_events)
		*chunk = ask_chunk(h, group, item);
	if (*chunk)
		((struct event *)(*chunk + 1))[(*chunk)->used++] = event;
	else
		h->lost_low++;
}

static void update_item(int *a, uint64_t i, struct probe_header *h, uint64_t group, uint32_t item)
{
	struct probe_chunk *chunk = NULL;
	uint32_t lost = h ? h->lost_low : 0;
	uint64_t address = (uint64_t)(uintptr_t)&a[i];

	for (unsigned k = 0; k < mock_driver_count(i); k++) {
		a[i] = (int)((unsigned)a[i] * 3 + (unsigned)i);
		if (!h)
			continue;
		emit(h, &chunk, group, item, (struct event){ address, EVENT_SITE | 0, k });
		emit(h, &chunk, group, item, (struct event){ address, EVENT_SITE | 1, k });
	}
	if (h && h->lost_low != lost)
		h->lost_items++;
}

static struct object *argument(const struct object *kernel, int i)
{
	struct object *o;

	memcpy(&o, kernel->values[i], sizeof(o));
	return o;
}

static void run_update(const struct object *event)
{
	struct object *kernel = event->kernel;
	int *a = (int *)(void *)argument(kernel, 0)->bytes;
	struct probe_header *h = NULL;

	if (kernel->owner->is_binary) {
		h = (struct probe_header *)(void *)argument(kernel, 1)->bytes;
		((uint64_t *)(void *)(h + 1))[0] = (uint64_t)(uintptr_t)a;
	}
	for (uint64_t i = 0; i < event->global; i++) {
		uint64_t group = i / event->local;

		if (!h || (group >= h->slice_begin && group < h->slice_end))
			update_item(a, i, h, group, (uint32_t)(i % event->local));
	}
}

static bool is_free(const struct object *event)
{
	return (!event->waits_for || event->waits_for->status <= CL_COMPLETE) &&
	       (!event->before || event->before->status <= CL_COMPLETE);
}

/* Run what can run; callbacks are called without the lock, which is held on entry and exit. */
static void pump(void)
{
	struct object **at = &pending;

	while (*at) {
		struct object *event = *at;

		if (!is_free(event)) {
			at = &event->next_pending;
			continue;
		}
		*at = event->next_pending;
		if (event->kernel && strcmp(event->kernel->name, "update") == 0)
			run_update(event);
		event->status = CL_COMPLETE;
		pthread_cond_broadcast(&changed);
		if (event->callback) {
			pthread_mutex_unlock(&lock);
			event->callback((cl_event)event, CL_COMPLETE, event->callback_data);
			pthread_mutex_lock(&lock);
		}
		drop(event);
		at = &pending;
	}
}

/* Put a command behind the queue's last one. */
static void enqueue(struct object *queue, struct object *kernel, const size_t *global,
                    const size_t *local, const cl_event *wait, cl_event *out)
{
	struct object *event = make(EVENT, NULL), **end = &pending;

	event->status = CL_QUEUED;
	event->kernel = kernel;
	if (kernel) { /* arguments as they are now */
		struct object *copy = make(KERNEL, kernel->owner);

		memcpy(copy->name, kernel->name, sizeof(copy->name));
		memcpy(copy->values, kernel->values, sizeof(copy->values));
		event->kernel = copy;
	}
	event->global = global ? *global : 1;
	event->local = local ? *local : 1;
	event->before = queue->last; /* the queue's reference moves here */
	event->waits_for = wait ? (struct object *)*wait : NULL;
	if (event->waits_for)
		event->waits_for->refs++;
	queue->last = event;
	event->refs++; /* ours in the queue; one in the list */
	if (out) {
		*out = (cl_event)event;
		event->refs++;
	}
	while (*end)
		end = &(*end)->next_pending;
	*end = event;
	pump();
}

static cl_int answer(const void *value, size_t size, size_t param_value_size, void *param_value,
                     size_t *param_value_size_ret)
{
	if (param_value && param_value_size < size)
		return CL_INVALID_VALUE;
	if (param_value)
		memcpy(param_value, value, size);
	if (param_value_size_ret)
		*param_value_size_ret = size;
	return CL_SUCCESS;
}

#define ANSWER(value, size)                                                                        \
	LEAVE(answer(value, size, param_value_size, param_value, param_value_size_ret))

static cl_context
mock_clCreateContext(const cl_context_properties *p, cl_uint n, const cl_device_id *d,
                     void(CL_CALLBACK *f)(const char *, const void *, size_t, void *), void *u,
                     cl_int *errcode_ret)
{
	ENTER_OBJECT
	LEAVE((cl_context)make(CONTEXT, NULL));
}

static cl_command_queue mock_clCreateCommandQueue(cl_context context, cl_device_id d,
                                                  cl_command_queue_properties p,
                                                  cl_int *errcode_ret)
{
	ENTER_OBJECT
	LEAVE((cl_command_queue)make(QUEUE, (struct object *)context));
}

static cl_mem mock_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                                  cl_int *errcode_ret)
{
	struct object *o;

	ENTER_OBJECT
	*errcode_ret = CL_MEM_OBJECT_ALLOCATION_FAILURE;
	if (device_bytes + size > MOCK_DEVICE_BYTES)
		LEAVE(NULL);
	*errcode_ret = CL_SUCCESS;
	o = make(BUFFER, (struct object *)context);
	o->bytes = calloc(1, size);
	o->size = size;
	device_bytes += size;
	LEAVE((cl_mem)o);
}

static cl_program mock_clCreateProgramWithSource(cl_context context, cl_uint n, const char **s,
                                                 const size_t *l, cl_int *errcode_ret)
{
	ENTER_OBJECT
	LEAVE((cl_program)make(PROGRAM, (struct object *)context));
}

static cl_program mock_clCreateProgramWithBinary(cl_context context, cl_uint n,
                                                 const cl_device_id *d, const size_t *l,
                                                 const unsigned char **b, cl_int *status,
                                                 cl_int *errcode_ret)
{
	struct object *o;

	ENTER_OBJECT
	*errcode_ret = CL_SUCCESS;
	o = make(PROGRAM, (struct object *)context);
	o->is_binary = true;
	LEAVE((cl_program)o);
}

static cl_int mock_clBuildProgram(cl_program p, cl_uint n, const cl_device_id *d, const char *o,
                                  void(CL_CALLBACK *f)(cl_program, void *), void *u)
{
	ENTER
	LEAVE(CL_SUCCESS);
}

static cl_kernel mock_clCreateKernel(cl_program program, const char *name, cl_int *errcode_ret)
{
	struct object *o;

	ENTER_OBJECT
	if (errcode_ret)
		*errcode_ret = CL_SUCCESS;
	o = make(KERNEL, (struct object *)program);
	strncpy(o->name, name, sizeof(o->name) - 1);
	LEAVE((cl_kernel)o);
}

static cl_int mock_clSetKernelArg(cl_kernel kernel, cl_uint i, size_t size, const void *value)
{
	ENTER
	if (i >= MOST_ARGUMENTS || size > 8)
		LEAVE(CL_INVALID_ARG_INDEX);
	memcpy(((struct object *)kernel)->values[i], value, size);
	LEAVE(CL_SUCCESS);
}

static cl_int mock_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dim,
                                          const size_t *offset, const size_t *global,
                                          const size_t *local, cl_uint n, const cl_event *wait,
                                          cl_event *event)
{
	ENTER
	enqueue((struct object *)queue, (struct object *)kernel, global, local, n ? wait : NULL,
	        event);
	LEAVE(CL_SUCCESS);
}

/* Wait until the queue's last command is done. */
static void finish(struct object *queue)
{
	while (queue->last && queue->last->status > CL_COMPLETE)
		pthread_cond_wait(&changed, &lock);
}

static cl_int mock_clFinish(cl_command_queue queue)
{
	ENTER
	finish((struct object *)queue);
	LEAVE(CL_SUCCESS);
}

static cl_int mock_clEnqueueReadBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                       size_t offset, size_t size, void *ptr, cl_uint n,
                                       const cl_event *wait, cl_event *event)
{
	ENTER
	finish((struct object *)queue);
	memcpy(ptr, ((struct object *)mem)->bytes + offset, size);
	LEAVE(CL_SUCCESS);
}

static cl_int mock_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                        size_t offset, size_t size, const void *ptr, cl_uint n,
                                        const cl_event *wait, cl_event *event)
{
	ENTER
	finish((struct object *)queue);
	memcpy(((struct object *)mem)->bytes + offset, ptr, size);
	LEAVE(CL_SUCCESS);
}

static cl_int mock_clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t s,
                                       size_t d, size_t size, cl_uint n, const cl_event *wait,
                                       cl_event *event)
{
	ENTER
	finish((struct object *)queue);
	memcpy(((struct object *)to)->bytes + d, ((struct object *)from)->bytes + s, size);
	LEAVE(CL_SUCCESS);
}

static cl_event mock_clCreateUserEvent(cl_context context, cl_int *errcode_ret)
{
	struct object *o;

	ENTER_OBJECT
	o = make(EVENT, NULL);
	o->status = CL_SUBMITTED;
	LEAVE((cl_event)o);
}

static cl_int mock_clSetUserEventStatus(cl_event event, cl_int status)
{
	ENTER((struct object *)event)->status = status;
	pump();
	LEAVE(CL_SUCCESS);
}

static cl_int mock_clSetEventCallback(cl_event event, cl_int type,
                                      void(CL_CALLBACK *f)(cl_event, cl_int, void *), void *data)
{
	struct object *o = (struct object *)event;
	bool is_over;

	ENTER
	is_over = o->status <= CL_COMPLETE;
	o->callback = f;
	o->callback_data = data;
	pthread_mutex_unlock(&lock);
	if (is_over)
		f(event, CL_COMPLETE, data);
	return CL_SUCCESS;
}

static cl_int mock_clGetEventInfo(cl_event event, cl_event_info param_name, size_t param_value_size,
                                  void *param_value, size_t *param_value_size_ret)
{
	ENTER
	ANSWER(&((struct object *)event)->status, sizeof(cl_int));
}

static cl_int mock_clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name,
                                           size_t param_value_size, void *param_value,
                                           size_t *param_value_size_ret)
{
	cl_ulong time = param_name;

	ENTER
	ANSWER(&time, sizeof(time));
}

static cl_int mock_clGetPlatformInfo(cl_platform_id p, cl_platform_info param_name,
                                     size_t param_value_size, void *param_value,
                                     size_t *param_value_size_ret)
{
	ENTER
	ANSWER("Mock", 5);
}

static cl_int mock_clGetDeviceInfo(cl_device_id d, cl_device_info param_name,
                                   size_t param_value_size, void *param_value,
                                   size_t *param_value_size_ret)
{
	static const size_t sizes[3] = { 1024, 1024, 1024 };
	void *the_platform = &platform;
	cl_ulong wide = MOCK_DEVICE_BYTES;
	cl_uint bits = 64;

	ENTER
	switch (param_name) {
	case CL_DEVICE_MAX_WORK_ITEM_SIZES:
		ANSWER(sizes, sizeof(sizes));
	case CL_DEVICE_PLATFORM:
		ANSWER(&the_platform, sizeof(the_platform));
	case CL_DEVICE_ADDRESS_BITS:
		ANSWER(&bits, sizeof(bits));
	case CL_DEVICE_LOCAL_MEM_SIZE:
	case CL_DEVICE_GLOBAL_MEM_SIZE:
	case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
		ANSWER(&wide, sizeof(wide));
	case CL_DEVICE_EXTENSIONS:
		ANSWER("cl_khr_spir", 12);
	default:
		ANSWER("1.2", 4);
	}
}

static cl_int mock_clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info param_name,
                                         size_t param_value_size, void *param_value,
                                         size_t *param_value_size_ret)
{
	void *handle = param_name == CL_QUEUE_DEVICE ? (void *)&device
	                                             : (void *)((struct object *)queue)->owner;
	cl_command_queue_properties none = 0;

	ENTER
	if (param_name == CL_QUEUE_PROPERTIES)
		ANSWER(&none, sizeof(none));
	ANSWER(&handle, sizeof(handle));
}

static cl_int mock_clGetProgramInfo(cl_program program, cl_program_info param_name,
                                    size_t param_value_size, void *param_value,
                                    size_t *param_value_size_ret)
{
	void *handle = param_name == CL_PROGRAM_DEVICES ? (void *)&device
	                                                : (void *)((struct object *)program)->owner;

	ENTER
	ANSWER(&handle, sizeof(handle));
}

static cl_int mock_clGetProgramBuildInfo(cl_program program, cl_device_id d,
                                         cl_program_build_info param_name, size_t param_value_size,
                                         void *param_value, size_t *param_value_size_ret)
{
	ENTER
	ANSWER("log", 4);
}

static cl_int mock_clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name,
                                   size_t param_value_size, void *param_value,
                                   size_t *param_value_size_ret)
{
	struct object *o = (struct object *)kernel;
	cl_uint count = 1;

	ENTER
	switch (param_name) {
	case CL_KERNEL_FUNCTION_NAME:
		ANSWER(o->name, strlen(o->name) + 1);
	case CL_KERNEL_NUM_ARGS:
		ANSWER(&count, sizeof(count));
	case CL_KERNEL_PROGRAM:
		ANSWER(&o->owner, sizeof(o->owner));
	default: /* CL_KERNEL_CONTEXT */
		ANSWER(&o->owner->owner, sizeof(o->owner));
	}
}

static cl_int mock_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id d,
                                            cl_kernel_work_group_info param_name,
                                            size_t param_value_size, void *param_value,
                                            size_t *param_value_size_ret)
{
	static const size_t most[3] = { 256, 0, 0 }, required[3] = { 0, 0, 0 };
	cl_ulong local = 0;

	ENTER
	switch (param_name) {
	case CL_KERNEL_WORK_GROUP_SIZE:
		ANSWER(most, sizeof(most[0]));
	case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
		ANSWER(required, sizeof(required));
	default: /* CL_KERNEL_LOCAL_MEM_SIZE */
		ANSWER(&local, sizeof(local));
	}
}

/* Retain and release, for every sort alike. */
#define RETAIN(type, Type)                                                                         \
	static cl_int mock_clRetain##Type(type handle)                                             \
	{                                                                                          \
		ENTER((struct object *)handle)->refs++;                                            \
		LEAVE(CL_SUCCESS);                                                                 \
	}
#define RELEASE(type, Type)                                                                        \
	static cl_int mock_clRelease##Type(type handle)                                            \
	{                                                                                          \
		ENTER drop((struct object *)handle);                                               \
		LEAVE(CL_SUCCESS);                                                                 \
	}
/* clang-format off */
RETAIN(cl_context, Context)
RETAIN(cl_mem, MemObject)
RETAIN(cl_program, Program)
RETAIN(cl_kernel, Kernel)
RETAIN(cl_event, Event)
RELEASE(cl_context, Context)
RELEASE(cl_command_queue, CommandQueue)
RELEASE(cl_mem, MemObject)
RELEASE(cl_program, Program)
RELEASE(cl_kernel, Kernel)
RELEASE(cl_event, Event)
/* clang-format on */

const struct opencl_real *mock_driver(void)
{
	static const struct opencl_real mock = {
#define ROW(name) .name = mock_##name,
		/* clang-format off */
		ROW(clCreateContext) ROW(clRetainContext) ROW(clReleaseContext)
		ROW(clCreateCommandQueue) ROW(clReleaseCommandQueue) ROW(clGetCommandQueueInfo)
		ROW(clCreateBuffer) ROW(clRetainMemObject) ROW(clReleaseMemObject)
		ROW(clCreateProgramWithSource) ROW(clCreateProgramWithBinary) ROW(clBuildProgram)
		ROW(clRetainProgram) ROW(clReleaseProgram) ROW(clGetProgramInfo)
		ROW(clGetProgramBuildInfo) ROW(clCreateKernel) ROW(clRetainKernel)
		ROW(clReleaseKernel) ROW(clSetKernelArg) ROW(clGetKernelInfo)
		ROW(clGetKernelWorkGroupInfo) ROW(clEnqueueNDRangeKernel) ROW(clFinish)
		ROW(clEnqueueReadBuffer) ROW(clEnqueueWriteBuffer) ROW(clEnqueueCopyBuffer)
		ROW(clCreateUserEvent) ROW(clSetUserEventStatus) ROW(clSetEventCallback)
		ROW(clRetainEvent) ROW(clReleaseEvent) ROW(clGetEventInfo)
		ROW(clGetEventProfilingInfo) ROW(clGetPlatformInfo) ROW(clGetDeviceInfo)
	/* clang-format on */
#undef ROW
	};

	return &mock;
}

void mock_driver_reset(void)
{
	pthread_mutex_lock(&lock);
	pending = NULL;
	alive = 0;
	device_bytes = 0;
	pthread_mutex_unlock(&lock);
}

void mock_driver_fail(size_t number)
{
	pthread_mutex_lock(&lock);
	calls = 0;
	fail_at = number;
	failed = NULL;
	pthread_mutex_unlock(&lock);
}

size_t mock_driver_calls(void)
{
	size_t count;

	pthread_mutex_lock(&lock);
	count = calls;
	pthread_mutex_unlock(&lock);
	return count;
}

const char *mock_driver_failed(void)
{
	const char *name;

	pthread_mutex_lock(&lock);
	name = failed;
	pthread_mutex_unlock(&lock);
	return name;
}

int mock_driver_alive(void)
{
	int count;

	pthread_mutex_lock(&lock);
	count = alive;
	pthread_mutex_unlock(&lock);
	return count;
}
