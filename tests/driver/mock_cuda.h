/*
 * mock_cuda - a CUDA driver of our own, whose device is the host, for kernels that it knows by
 * name.
 *
 * What is enqueued runs when somebody waits for its stream, not before. A module is the text it is
 * loaded from; one that begins with MOCK_SHADOW_MARK has the probes of probe_abi.h in its kernels,
 * as the table says that the test hands out. Kernels:
 *
 *   update(int *a, unsigned n)      a[i] = a[i] * 3 + i, mock_cuda_count(i) times: reads and writes
 *   gather(int *a, const int *b)    a[i] += b[i % 8]: a read of b, a read and a write of a
 *   count(unsigned n)               adds 1 to the module's variable `total` for each i < n
 *
 * Every function of the table may fail on request. Functions are those of cuda_driver.h, by their
 * names.
 */
#ifndef MOCK_CUDA_H
#define MOCK_CUDA_H

#include "cuda_driver.h"

#define MOCK_SHADOW_MARK "// shadow"

/* The driver's table. */
const struct cuda_real *mock_cuda(void);

/* Let the call fail that comes after `number` others; SIZE_MAX: none. Counting begins anew. */
void mock_cuda_fail(size_t number);
size_t mock_cuda_calls(void);
const char *mock_cuda_failed(void); /* the one that did, or NULL */

/* Allocations, modules and events that are still there; the context that ends takes them along. */
int mock_cuda_alive(void);

/* How often update() goes round for item i; and the words that shadows write: of chunks (0) or
 * slots, by 1 or 32 lanes. */
unsigned mock_cuda_count(uint64_t i);
void mock_cuda_set_lanes(uint32_t lanes);

/* Kernels launched so far, of all streams; and with probes. */
unsigned mock_cuda_launches(void);
unsigned mock_cuda_shadow_launches(void);

/* Streams are captured from now on, or not. */
void mock_cuda_capture(bool is_captured);

/* What stream(number) waits for before anything else runs there; false: nothing. */
void mock_cuda_hold(CUstream stream, bool is_held);

CUstream mock_cuda_stream(unsigned number);

/* What is at an address of the device: the host's own. */
void *mock_cuda_at(uint64_t address);

#endif
