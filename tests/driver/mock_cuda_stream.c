/* SPDX-License-Identifier: Apache-2.0 */
/* Streams: what is enqueued waits until somebody waits for it; memory and events. */
#include "mock_cuda_private.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (UINT64_C(1) << 30)

struct mock_command {
	struct mock_command *next;
	bool is_launch;
	struct mock_launch launch;
	void *to;
	const void *from;
	size_t bytes;
};

static struct mock_stream {
	struct mock_command *first, **last;
	bool is_held;
} streams[MOCK_STREAMS];

CUstream mock_cuda_stream(unsigned number)
{
	return mock_cuda_at(number);
}

void *mock_cuda_at(uint64_t address)
{
	void *memory;

	memcpy(&memory, &address, sizeof(memory));
	return memory;
}

static struct mock_stream *stream_of(CUstream stream)
{
	return &streams[(uintptr_t)stream % MOCK_STREAMS];
}

static void enqueue(CUstream stream, const struct mock_command *command)
{
	struct mock_stream *s = stream_of(stream);
	struct mock_command *copy = malloc(sizeof(*copy));

	*copy = *command;
	copy->next = NULL;
	if (!s->first)
		s->last = &s->first;
	*s->last = copy;
	s->last = &copy->next;
}

void mock_enqueue_launch(CUstream stream, const struct mock_launch *launch)
{
	enqueue(stream, &(struct mock_command){ .is_launch = true, .launch = *launch });
}

void mock_enqueue_copy(CUstream stream, void *to, const void *from, size_t bytes)
{
	enqueue(stream, &(struct mock_command){ .to = to, .from = from, .bytes = bytes });
}

bool mock_run_stream(CUstream stream)
{
	struct mock_stream *s = stream_of(stream);

	while (!s->is_held && s->first) {
		struct mock_command *c = s->first;

		if (c->is_launch)
			c->launch.function->kernel->run(&c->launch);
		else
			memcpy(c->to, c->from, c->bytes);
		s->first = c->next;
		free(c);
	}
	return !s->is_held && !s->first;
}

void mock_cuda_hold(CUstream stream, bool is_held)
{
	stream_of(stream)->is_held = is_held;
}

/* A wait for a stream that is held would never end. One that fails has run what there was. */
CUresult cuStreamSynchronize(CUstream stream)
{
	bool is_good = mock_cuda_enter(__func__);

	if (!is_good)
		mock_cuda_enter("");
	if (!mock_run_stream(stream))
		abort();
	LEAVE(is_good ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN);
}

CUresult cuStreamQuery(CUstream stream)
{
	ENTER;
	LEAVE(mock_run_stream(stream) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY);
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
	ENTER;
	mock_enqueue_copy(stream, mock_cuda_at(to), from, bytes);
	LEAVE(CUDA_SUCCESS);
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
	ENTER;
	mock_enqueue_copy(stream, to, mock_cuda_at(from), bytes);
	LEAVE(CUDA_SUCCESS);
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
	ENTER;
	mock_enqueue_copy(stream, mock_cuda_at(to), mock_cuda_at(from), bytes);
	LEAVE(CUDA_SUCCESS);
}

/* A driver's events: two kinds of nothing that are alike to us. */
CUresult cuEventCreate(CUevent *event, unsigned flags)
{
	ENTER;
	*event = mock_cuda_make(1);
	LEAVE(CUDA_SUCCESS);
}

CUresult cuEventDestroy_v2(CUevent event)
{
	ENTER;
	mock_cuda_free(event);
	LEAVE(CUDA_SUCCESS);
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
	ENTER;
	LEAVE(CUDA_SUCCESS);
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent begin, CUevent end)
{
	ENTER;
	*milliseconds = 0.25F;
	LEAVE(CUDA_SUCCESS);
}

static CUresult allocate(void **address, size_t bytes)
{
	if (!bytes || bytes > MOST_BYTES)
		return CUDA_ERROR_OUT_OF_MEMORY;
	*address = memset(mock_cuda_make(bytes), 0xee, bytes);
	return CUDA_SUCCESS;
}

static CUresult allocate_on_device(CUdeviceptr *address, size_t bytes)
{
	void *memory = NULL;
	CUresult rc = allocate(&memory, bytes);

	*address = (CUdeviceptr)(uintptr_t)memory;
	return rc;
}

static CUresult give_back(void *address)
{
	mock_cuda_free(address);
	return CUDA_SUCCESS;
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)
{
	ENTER;
	LEAVE(allocate_on_device(address, bytes));
}

CUresult cuMemAllocPitch_v2(CUdeviceptr *address, size_t *pitch, size_t width, size_t height,
                            unsigned element_bytes)
{
	ENTER;
	*pitch = (width + 511) / 512 * 512;
	LEAVE(allocate_on_device(address, *pitch * height));
}

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags)
{
	ENTER;
	LEAVE(allocate_on_device(address, bytes));
}

CUresult cuMemFree_v2(CUdeviceptr address)
{
	ENTER;
	LEAVE(give_back(mock_cuda_at(address)));
}

CUresult cuMemAllocHost_v2(void **address, size_t bytes)
{
	ENTER;
	LEAVE(allocate(address, bytes));
}

CUresult cuMemHostAlloc(void **address, size_t bytes, unsigned flags)
{
	ENTER;
	LEAVE(allocate(address, bytes));
}

CUresult cuMemFreeHost(void *address)
{
	ENTER;
	LEAVE(give_back(address));
}

CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, uint64_t handle, uint64_t flags)
{
	ENTER;
	LEAVE(CUDA_SUCCESS);
}

CUresult cuMemUnmap(CUdeviceptr address, size_t bytes)
{
	ENTER;
	LEAVE(CUDA_SUCCESS);
}
