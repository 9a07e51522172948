/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of the driver that launch: the application's own, and ours of the twin. */
#include "array.h"
#include "gpu_attributes.h"
#include "gpu_launch.h"
#include "gpu_variables.h"
#include "recorder.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>

static CUresult forward(const struct gpu_request *r)
{
	const struct cuda_real *real = cuda_real();
	const unsigned *g = r->groups, *n = r->items;

	if (r->config) {
		/* With the stream by its name. */
		struct cuda_launch_config config = *r->config;

		config.stream = r->stream;
		return real->cuLaunchKernelEx(&config, r->function, r->values, r->extra);
	}
	if (r->is_cooperative)
		return real->cuLaunchCooperativeKernel(r->function, g[0], g[1], g[2], n[0], n[1],
		                                       n[2], r->shared_bytes, r->stream, r->values);
	return real->cuLaunchKernel(r->function, g[0], g[1], g[2], n[0], n[1], n[2],
	                            r->shared_bytes, r->stream, r->values, r->extra);
}

CUresult gpu_launch_original(const struct gpu_request *request, const struct gpu_module *m)
{
	struct session *s = session_current();
	bool is_good = true;
	CUresult rc;

	if (m)
		is_good = gpu_variables_copy(m, request->stream, VARIABLES_TO_ORIGINAL);
	rc = forward(request);
	if (m)
		is_good &= gpu_variables_copy(m, request->stream, VARIABLES_TO_TWIN);
	if (!is_good && s)
		recorder_note(s->recorder, "variables of a module",
		              "they could not be copied for a kernel that runs unmodified");
	return rc;
}

/* What a twin is launched with; its own value is the last. */
struct twin_values {
	void **values;         /* one more than the application's, or NULL */
	unsigned char *buffer; /* the application's parameters and one more, or NULL */
	size_t buffer_bytes;
	void *extra[5];
};

/* The parameters that lie in one buffer, as `extra` says. */
static bool find_buffer(void *const *extra, const void **buffer, size_t *bytes)
{
	*buffer = NULL;
	*bytes = 0;
	for (; extra && *extra != CUDA_PARAM_END; extra += 2) {
		if (*extra == CUDA_PARAM_BUFFER_POINTER)
			*buffer = extra[1];
		else if (*extra == CUDA_PARAM_BUFFER_SIZE)
			memcpy(bytes, extra[1], sizeof(*bytes));
		else
			return false;
	}
	return *buffer;
}

/* All parameters lie at multiples of their sizes: the last one, an address, at one of 8. */
static bool fill_buffer(struct twin_values *v, const struct gpu_job *job, CUdeviceptr records)
{
	const struct gpu_function *f = job->function;
	const struct ptx_kernel *k = ptx_outline_kernel(&f->module->outline, f->name);
	const void *buffer;
	size_t bytes, own;

	if (!k || !find_buffer(job->request->extra, &buffer, &bytes))
		return false;
	own = (k->parameter_bytes + sizeof(records) - 1) / sizeof(records) * sizeof(records);
	v->buffer_bytes = own + sizeof(records);
	v->buffer = array_alloc(v->buffer_bytes, 1, "parameters", NULL);
	if (!v->buffer)
		return false;
	memcpy(v->buffer, buffer, bytes < own ? bytes : own);
	memcpy(v->buffer + own, &records, sizeof(records));
	v->extra[0] = CUDA_PARAM_BUFFER_POINTER;
	v->extra[1] = v->buffer;
	v->extra[2] = CUDA_PARAM_BUFFER_SIZE;
	v->extra[3] = &v->buffer_bytes;
	v->extra[4] = CUDA_PARAM_END;
	return true;
}

static bool fill_values(struct twin_values *v, const struct gpu_job *job, CUdeviceptr *records)
{
	size_t count = job->line.table->argument_count;

	if (count && !job->request->values)
		return fill_buffer(v, job, *records);
	v->values = array_alloc(count + 1, sizeof(*v->values), "values", NULL);
	if (!v->values)
		return false;
	if (count)
		memcpy(v->values, job->request->values, count * sizeof(*v->values));
	v->values[count] = records;
	return true;
}

static CUresult call_twin(const struct gpu_job *job, const uint64_t groups[3],
                          struct twin_values *v, struct cuda_launch_attribute *attributes)
{
	const struct cuda_real *real = cuda_real();
	const struct gpu_request *r = job->request;
	void **extra = v->buffer ? v->extra : NULL;
	unsigned g[3];

	for (int d = 0; d < 3; d++)
		g[d] = (unsigned)groups[d];
	if (r->config) {
		struct cuda_launch_config config = *r->config;

		memcpy(config.groups, g, sizeof(g));
		config.stream = r->stream;
		config.attributes = attributes;
		config.attribute_count = gpu_attributes_pass(r->config, attributes);
		return real->cuLaunchKernelEx(&config, job->twin, v->values, extra);
	}
	if (r->is_cooperative)
		return real->cuLaunchCooperativeKernel(job->twin, g[0], g[1], g[2], r->items[0],
		                                       r->items[1], r->items[2], r->shared_bytes,
		                                       r->stream, v->values);
	return real->cuLaunchKernel(job->twin, g[0], g[1], g[2], r->items[0], r->items[1],
	                            r->items[2], r->shared_bytes, r->stream, v->values, extra);
}

CUresult gpu_launch_twin(const struct gpu_job *job, const uint64_t groups[3], CUdeviceptr records)
{
	const struct cuda_launch_config *config = job->request->config;
	struct cuda_launch_attribute *attributes = array_alloc(
		config ? config->attribute_count : 0, sizeof(*attributes), "attributes", NULL);
	struct twin_values v = { 0 };
	CUresult rc = CUDA_ERROR_OUT_OF_MEMORY;

	if (attributes && fill_values(&v, job, &records))
		rc = call_twin(job, groups, &v, attributes);
	free(attributes);
	free(v.values);
	free(v.buffer);
	return rc;
}
