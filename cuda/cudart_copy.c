/* SPDX-License-Identifier: Apache-2.0 */
/* Copies, fills and variables in the runtime's interface. */
#include "cuda_binding.h"
#include "cuda_copy.h"
#include "cuda_core.h"
#include "cuda_error.h"
#include "cuda_module.h"
#include "cudart.h"

static int copy(struct cuda_copy c, struct cuda_stream *stream, bool is_waited_for)
{
	struct cuda_stream *s;
	int rc = cuda_stream_find(stream, &s);

	c.is_waited_for = is_waited_for;
	return rc ? rc : cuda_copy_run(&c, s);
}

static int fill(struct cuda_fill f, struct cuda_stream *stream)
{
	struct cuda_stream *s;
	int rc = cuda_stream_find(stream, &s);

	f.value_bytes = 1;
	f.value &= 0xff;
	return rc ? rc : cuda_fill_run(&f, s);
}

int cudart_Memcpy(void *dst, const void *src, size_t count, int kind, struct cuda_stream *which)
{
	return copy(cuda_copy_line(dst, src, count, kind), which, true);
}

int cudart_MemcpyAsync(void *dst, const void *src, size_t count, int kind,
                       struct cuda_stream *stream)
{
	return copy(cuda_copy_line(dst, src, count, kind), stream, false);
}

int cudart_MemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count)
{
	if (dstDevice || srcDevice)
		return cudaErrorInvalidDevice;
	return cudart_Memcpy(dst, src, count, CUDA_COPY_DEFAULT, NULL);
}

int cudart_MemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice, size_t count,
                           struct cuda_stream *stream)
{
	if (dstDevice || srcDevice)
		return cudaErrorInvalidDevice;
	return cudart_MemcpyAsync(dst, src, count, CUDA_COPY_DEFAULT, stream);
}

/* NOLINTBEGIN(readability-function-size): the parameters are the interface's */
static struct cuda_copy rows_of(void *dst, size_t dpitch, const void *src, size_t spitch,
                                size_t width, size_t height, int kind)
{
	return (struct cuda_copy){ .to = dst,
		                   .from = src,
		                   .to_pitch = dpitch,
		                   .from_pitch = spitch,
		                   .width = width,
		                   .height = height,
		                   .depth = 1,
		                   .kind = kind };
}

int cudart_Memcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                    size_t height, int kind, struct cuda_stream *which)
{
	return copy(rows_of(dst, dpitch, src, spitch, width, height, kind), which, true);
}

int cudart_Memcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                         size_t height, int kind, struct cuda_stream *stream)
{
	return copy(rows_of(dst, dpitch, src, spitch, width, height, kind), stream, false);
}
/* NOLINTEND(readability-function-size) */

static int copy_3d(const struct cudart_copy_3d *p, struct cuda_stream *stream, bool is_waited_for)
{
	struct cuda_copy c;

	if (!p || !p->to.pointer || !p->from.pointer)
		return cudaErrorInvalidValue;
	if (p->from_array || p->to_array)
		return cudart_not_supported("cudaMemcpy3D of an array");
	c = rows_of(p->to.pointer, p->to.pitch, p->from.pointer, p->from.pitch, p->extent.width,
	            p->extent.height, p->kind);
	c.depth = p->extent.depth;
	c.to_slice = p->to.pitch * p->to.y_size;
	c.from_slice = p->from.pitch * p->from.y_size;
	c.to = (char *)p->to.pointer + p->to_place.z * c.to_slice + p->to_place.y * c.to_pitch +
	       p->to_place.x;
	c.from = (const char *)p->from.pointer + p->from_place.z * c.from_slice +
	         p->from_place.y * c.from_pitch + p->from_place.x;
	return copy(c, stream, is_waited_for);
}

int cudart_Memcpy3D(const struct cudart_copy_3d *p, struct cuda_stream *which)
{
	return copy_3d(p, which, true);
}

int cudart_Memcpy3DAsync(const struct cudart_copy_3d *p, struct cuda_stream *stream)
{
	return copy_3d(p, stream, false);
}

int cudart_MemsetAsync(void *devPtr, int value, size_t count, struct cuda_stream *stream)
{
	return fill((struct cuda_fill){ .to = devPtr,
	                                .value = (unsigned)value,
	                                .width = count,
	                                .height = 1,
	                                .depth = 1 },
	            stream);
}

int cudart_Memset(void *devPtr, int value, size_t count, struct cuda_stream *which)
{
	return cudart_MemsetAsync(devPtr, value, count, which);
}

int cudart_Memset2DAsync(void *devPtr, size_t pitch, int value, size_t width, size_t height,
                         struct cuda_stream *stream)
{
	return fill((struct cuda_fill){ .to = devPtr,
	                                .value = (unsigned)value,
	                                .pitch = pitch,
	                                .width = width,
	                                .height = height,
	                                .depth = 1 },
	            stream);
}

int cudart_Memset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height,
                    struct cuda_stream *which)
{
	return cudart_Memset2DAsync(devPtr, pitch, value, width, height, which);
}

int cudart_Memset3DAsync(struct cudart_pitched pitchedDevPtr, int value,
                         struct cudart_extent extent, struct cuda_stream *stream)
{
	return fill((struct cuda_fill){ .to = pitchedDevPtr.pointer,
	                                .value = (unsigned)value,
	                                .pitch = pitchedDevPtr.pitch,
	                                .slice = pitchedDevPtr.pitch * pitchedDevPtr.y_size,
	                                .width = extent.width,
	                                .height = extent.height,
	                                .depth = extent.depth },
	            stream);
}

int cudart_Memset3D(struct cudart_pitched pitchedDevPtr, int value, struct cudart_extent extent,
                    struct cuda_stream *which)
{
	return cudart_Memset3DAsync(pitchedDevPtr, value, extent, which);
}

/* `bytes` at an offset in a variable of the program. */
static int find_symbol(const void *symbol, size_t offset, size_t bytes, char **memory)
{
	struct cuda_binding b;
	void *begin;
	size_t size;
	int rc;

	if (!cuda_binding_find_variable(symbol, &b))
		return cudaErrorInvalidSymbol;
	rc = cuda_module_variable(b.module, b.name, &begin, &size);
	if (rc)
		return rc;
	if (offset > size || bytes > size - offset)
		return cudaErrorInvalidValue;
	*memory = (char *)begin + offset;
	return cudaSuccess;
}

static int to_symbol(const void *symbol, struct cuda_copy c, size_t offset,
                     struct cuda_stream *stream, bool is_waited_for)
{
	char *memory = NULL;
	int rc = find_symbol(symbol, offset, c.width, &memory);

	c.to = memory;
	return rc ? rc : copy(c, stream, is_waited_for);
}

static int from_symbol(const void *symbol, struct cuda_copy c, size_t offset,
                       struct cuda_stream *stream, bool is_waited_for)
{
	char *memory = NULL;
	int rc = find_symbol(symbol, offset, c.width, &memory);

	c.from = memory;
	return rc ? rc : copy(c, stream, is_waited_for);
}

int cudart_MemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset,
                          int kind, struct cuda_stream *which)
{
	return to_symbol(symbol, cuda_copy_line(NULL, src, count, kind), offset, which, true);
}

int cudart_MemcpyToSymbolAsync(const void *symbol, const void *src, size_t count, size_t offset,
                               int kind, struct cuda_stream *stream)
{
	return to_symbol(symbol, cuda_copy_line(NULL, src, count, kind), offset, stream, false);
}

int cudart_MemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset, int kind,
                            struct cuda_stream *which)
{
	return from_symbol(symbol, cuda_copy_line(dst, NULL, count, kind), offset, which, true);
}

int cudart_MemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
                                 int kind, struct cuda_stream *stream)
{
	return from_symbol(symbol, cuda_copy_line(dst, NULL, count, kind), offset, stream, false);
}

int cudart_GetSymbolAddress(void **devPtr, const void *symbol)
{
	char *memory = NULL;
	int rc = devPtr ? find_symbol(symbol, 0, 0, &memory) : (int)cudaErrorInvalidValue;

	if (rc == cudaSuccess)
		*devPtr = memory;
	return rc;
}

int cudart_GetSymbolSize(size_t *size, const void *symbol)
{
	struct cuda_binding b;
	void *memory;

	if (!size)
		return cudaErrorInvalidValue;
	if (!cuda_binding_find_variable(symbol, &b))
		return cudaErrorInvalidSymbol;
	return cuda_module_variable(b.module, b.name, &memory, size);
}

struct cudart_channel cudart_cudaCreateChannelDesc(int x, int y, int z, int w, int f)
{
	return (struct cudart_channel){ x, y, z, w, f };
}
