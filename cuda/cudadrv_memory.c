/* SPDX-License-Identifier: Apache-2.0 */
/* Memory, copies and fills of the driver API. */
#include "cuda_core.h"
#include "cuda_error.h"
#include "cudadrv.h"
#include "device_memory.h"

#include <string.h>

enum { SIDE_HOST = 1, SIDE_ARRAY = 3 };

/* Attributes of pointers, with the API's numbers. */
enum {
	POINTER_CONTEXT = 1,
	POINTER_TYPE = 2,
	POINTER_DEVICE = 3,
	POINTER_HOST = 4,
	POINTER_BUFFER_ID = 7,
	POINTER_IS_MANAGED = 8,
	POINTER_ORDINAL = 9,
	POINTER_BEGIN = 11,
	POINTER_BYTES = 12,
	POINTER_IS_MAPPED = 13,
};

int cuda_driver_MemAlloc(void **memory, size_t bytes)
{
	return bytes ? cudart_Malloc(memory, bytes) : (int)cudaErrorInvalidValue;
}

int cuda_driver_MemAllocPitch(void **memory, size_t *pitch, size_t width, size_t height,
                              unsigned element_bytes)
{
	return width && height ? cudart_MallocPitch(memory, pitch, width, height)
	                       : (int)cudaErrorInvalidValue;
}

int cuda_driver_MemGetAddressRange(void **base, size_t *bytes, void *memory)
{
	struct cuda_allocation a;

	if (!cuda_memory_find(memory, &a))
		return cudaErrorSymbolNotFound;
	if (base)
		memcpy(base, &a.address, sizeof(*base));
	if (bytes)
		*bytes = a.bytes;
	return cudaSuccess;
}

static void put_number(void *data, unsigned number)
{
	memcpy(data, &number, sizeof(number));
}

static int put_attribute(void *data, int attribute, const struct cuda_allocation *a,
                         const void *pointer)
{
	bool is_host = a->kind == CUDA_MEMORY_HOST || a->kind == CUDA_MEMORY_REGISTERED;

	switch (attribute) {
	case POINTER_CONTEXT: {
		struct cuda_context *context = NULL;

		(void)cuda_driver_DevicePrimaryCtxRetain(&context, 0);
		memcpy(data, &context, sizeof(context));
		break;
	}
	case POINTER_TYPE:
		put_number(data, is_host ? 1 : 2);
		break;
	case POINTER_DEVICE:
		memcpy(data, &pointer, sizeof(pointer));
		break;
	case POINTER_HOST:
		if (!a->is_shared && !a->is_plain)
			return cudaErrorInvalidValue;
		memcpy(data, &pointer, sizeof(pointer));
		break;
	case POINTER_BUFFER_ID:
		memcpy(data, &a->id, sizeof(a->id));
		break;
	case POINTER_IS_MANAGED:
		put_number(data, !is_host && a->is_shared);
		break;
	case POINTER_ORDINAL:
		put_number(data, 0);
		break;
	case POINTER_BEGIN:
		memcpy(data, &a->address, sizeof(a->address));
		break;
	case POINTER_BYTES:
		memcpy(data, &a->bytes, sizeof(a->bytes));
		break;
	case POINTER_IS_MAPPED:
		put_number(data, 1);
		break;
	default:
		return cudaErrorNotSupported;
	}
	return cudaSuccess;
}

int cuda_driver_PointerGetAttribute(void *data, int attribute, const void *pointer)
{
	struct cuda_allocation a;

	if (!data || !cuda_memory_find(pointer, &a))
		return cudaErrorInvalidValue;
	return put_attribute(data, attribute, &a, pointer);
}

/* For an unknown pointer all values stay unchanged. */
int cuda_driver_PointerGetAttributes(unsigned count, const int *attributes, void **data,
                                     const void *pointer)
{
	struct cuda_allocation a;

	if (!attributes || !data)
		return cudaErrorInvalidValue;
	if (!cuda_memory_find(pointer, &a))
		return cudaSuccess;
	for (unsigned i = 0; i < count; i++)
		(void)put_attribute(data[i], attributes[i], &a, pointer);
	return cudaSuccess;
}

int cuda_driver_Memcpy(void *to, const void *from, size_t bytes, struct cuda_stream *which)
{
	return cudart_Memcpy(to, from, bytes, CUDA_COPY_DEFAULT, which);
}

int cuda_driver_MemcpyAsync(void *to, const void *from, size_t bytes, struct cuda_stream *stream)
{
	return cudart_MemcpyAsync(to, from, bytes, CUDA_COPY_DEFAULT, stream);
}

int cuda_driver_MemcpyPeer(void *to, void *to_context, const void *from, void *from_context,
                           size_t bytes, struct cuda_stream *which)
{
	return cuda_driver_Memcpy(to, from, bytes, which);
}

int cuda_driver_MemcpyPeerAsync(void *to, void *to_context, const void *from, void *from_context,
                                size_t bytes, struct cuda_stream *stream)
{
	return cuda_driver_MemcpyAsync(to, from, bytes, stream);
}

#define COPY(way, kind)                                                                            \
	int cuda_driver_Memcpy##way(void *to, const void *from, size_t bytes,                      \
	                            struct cuda_stream *which)                                     \
	{                                                                                          \
		return cudart_Memcpy(to, from, bytes, kind, which);                                \
	}                                                                                          \
	int cuda_driver_Memcpy##way##Async(void *to, const void *from, size_t bytes,               \
	                                   struct cuda_stream *stream)                             \
	{                                                                                          \
		return cudart_MemcpyAsync(to, from, bytes, kind, stream);                          \
	}
COPY(HtoD, CUDA_COPY_HOST_TO_DEVICE)
COPY(DtoH, CUDA_COPY_DEVICE_TO_HOST)
COPY(DtoD, CUDA_COPY_DEVICE_TO_DEVICE)

/* Returns the first byte of a side whose slices have `slice` bytes; NULL for an array. */
static char *begin_of(const struct cuda_driver_side_3d *s, size_t slice)
{
	char *base = s->type == SIDE_HOST ? s->host : s->device;

	if (s->type == SIDE_ARRAY || !base)
		return NULL;
	return base + s->z * slice + s->y * s->pitch + s->x;
}

static int copy(const struct cuda_driver_copy_3d *from, struct cuda_stream *stream,
                bool is_waited_for)
{
	struct cuda_copy c = { .to_pitch = from->to.pitch,
		               .from_pitch = from->from.pitch,
		               .width = from->width,
		               .height = from->height,
		               .depth = from->depth,
		               .kind = CUDA_COPY_DEFAULT,
		               .is_waited_for = is_waited_for };
	struct cuda_stream *s;
	int rc = cuda_stream_find(stream, &s);

	c.to_pitch = c.to_pitch ? c.to_pitch : c.width;
	c.from_pitch = c.from_pitch ? c.from_pitch : c.width;
	c.to_slice = c.to_pitch * (from->to.height ? from->to.height : c.height);
	c.from_slice = c.from_pitch * (from->from.height ? from->from.height : c.height);
	c.to = begin_of(&from->to, c.to_slice);
	c.from = begin_of(&from->from, c.from_slice);
	if (rc == cudaSuccess && (!c.to || !c.from))
		return cudart_not_supported("a copy with an array");
	return rc ? rc : cuda_copy_run(&c, s);
}

static struct cuda_driver_side_3d side_of(const struct cuda_driver_side_2d *s)
{
	return (struct cuda_driver_side_3d){ .x = s->x,
		                             .y = s->y,
		                             .type = s->type,
		                             .host = s->host,
		                             .device = s->device,
		                             .pitch = s->pitch };
}

static int copy_2d(const struct cuda_driver_copy_2d *from, struct cuda_stream *stream,
                   bool is_waited_for)
{
	struct cuda_driver_copy_3d c = { .depth = 1 };

	if (!from)
		return cudaErrorInvalidValue;
	c.from = side_of(&from->from);
	c.to = side_of(&from->to);
	c.width = from->width;
	c.height = from->height;
	return copy(&c, stream, is_waited_for);
}

int cuda_driver_Memcpy2D(const struct cuda_driver_copy_2d *from, struct cuda_stream *which)
{
	return copy_2d(from, which, true);
}

int cuda_driver_Memcpy2DAsync(const struct cuda_driver_copy_2d *from, struct cuda_stream *stream)
{
	return copy_2d(from, stream, false);
}

int cuda_driver_Memcpy3D(const struct cuda_driver_copy_3d *from, struct cuda_stream *which)
{
	return from ? copy(from, which, true) : (int)cudaErrorInvalidValue;
}

int cuda_driver_Memcpy3DAsync(const struct cuda_driver_copy_3d *from, struct cuda_stream *stream)
{
	return from ? copy(from, stream, false) : (int)cudaErrorInvalidValue;
}

static int fill(struct cuda_fill f, struct cuda_stream *stream)
{
	struct cuda_stream *s;
	int rc = cuda_stream_find(stream, &s);

	if (__builtin_mul_overflow(f.width, f.value_bytes, &f.width))
		return cudaErrorInvalidValue;
	f.depth = 1;
	return rc ? rc : cuda_fill_run(&f, s);
}

#define FILL(bits, type)                                                                           \
	int cuda_driver_MemsetD2D##bits##Async(void *to, size_t pitch, type value, size_t width,   \
	                                       size_t height, struct cuda_stream *stream)          \
	{                                                                                          \
		return fill((struct cuda_fill){ .to = to,                                          \
		                                .value = value,                                    \
		                                .value_bytes = sizeof(value),                      \
		                                .pitch = pitch,                                    \
		                                .width = width,                                    \
		                                .height = height },                                \
		            stream);                                                               \
	}                                                                                          \
	int cuda_driver_MemsetD2D##bits(void *to, size_t pitch, type value, size_t width,          \
	                                size_t height, struct cuda_stream *which)                  \
	{                                                                                          \
		return cuda_driver_MemsetD2D##bits##Async(to, pitch, value, width, height, which); \
	}                                                                                          \
	int cuda_driver_MemsetD##bits##Async(void *to, type value, size_t n,                       \
	                                     struct cuda_stream *stream)                           \
	{                                                                                          \
		return cuda_driver_MemsetD2D##bits##Async(to, 0, value, n, 1, stream);             \
	}                                                                                          \
	int cuda_driver_MemsetD##bits(void *to, type value, size_t n, struct cuda_stream *which)   \
	{                                                                                          \
		return cuda_driver_MemsetD##bits##Async(to, value, n, which);                      \
	}
FILL(8, unsigned char)
FILL(16, unsigned short)
FILL(32, unsigned)
