/* SPDX-License-Identifier: Apache-2.0 */
#include "array.h"
#include "cuda_core.h"
#include "cuda_error.h"
#include "cuda_notice.h"
#include "cuda_thread.h"
#include "cudart.h"

#include <string.h>

int cudart_keep(int code)
{
	if (!code)
		code = cuda_stream_broken();
	if (code)
		cuda_thread()->last_error = code;
	return code;
}

/* Whether a call is named for the first time. */
static bool is_new(const char *name)
{
	struct cuda_core *c = cuda_core_unopened();
	const char **list, **slot = NULL;
	bool is_known = false;

	pthread_mutex_lock(&c->lock);
	list = c->missing.data;
	for (size_t i = 0; !is_known && i < c->missing.count; i++)
		is_known = strcmp(list[i], name) == 0;
	if (!is_known)
		slot = array_push(&c->missing, 1, NULL);
	if (slot)
		*slot = name;
	pthread_mutex_unlock(&c->lock);
	return slot != NULL;
}

int cudart_not_supported(const char *name)
{
	if (is_new(name))
		cuda_notice("%s is not supported", name);
	cuda_thread()->last_error = cudaErrorNotSupported;
	return cudaErrorNotSupported;
}

int cudart_cudaGetLastError(void)
{
	struct cuda_thread *t = cuda_thread();
	int code = t->last_error;

	t->last_error = cuda_stream_broken();
	return code ? code : t->last_error;
}

int cudart_cudaPeekAtLastError(void)
{
	int code = cuda_thread()->last_error;

	return code ? code : cuda_stream_broken();
}

const char *cudart_cudaGetErrorName(int error)
{
	const char *name = cuda_error_runtime_name(error);

	return name ? name : "unrecognized error code";
}

const char *cudart_cudaGetErrorString(int error)
{
	const char *text = cuda_error_text(error);

	return text ? text : "unrecognized error code";
}
