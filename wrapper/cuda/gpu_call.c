/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_launch.h"

#include "array.h"
#include "cuda_driver.h"
#include "gpu_module.h"
#include "recorder.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>

/*
 * gpu_variables - keeps the variables of a module and of its shadow equal when a kernel runs
 * unmodified although there is a shadow.
 *
 * The shadow's variables are the valid ones. Copies are enqueued in a stream, captured or not,
 * without waiting. Variables whose names the driver does not know, such as the strings of printf()
 * in PTX, are not copied. Nothing is done for a module without a shadow or without variables.
 */

enum variables_way { VARIABLES_TO_ORIGINAL, VARIABLES_TO_SHADOW };

/* What an attribute means for a launch that runs in slices. PASSED: every slice gets it. DROPPED:
 * it only allows overlap that slices do not have. COOPERATIVE: unless its number is 0, all groups
 * must run at once. REFUSED: a launch that has it runs unmodified. */
enum attribute_sort { PASSED, DROPPED, COOPERATIVE, REFUSED };

/* By CUlaunchAttributeID of cuda.h; an attribute without a row is REFUSED. */
struct attribute_row {
	int number;
	enum attribute_sort sort;
	const char *what;
};

static const struct attribute_row rows[] = {
	{ 0, PASSED, "nothing" },
	{ 1, PASSED, "an access policy window" },
	{ 2, COOPERATIVE, "groups that wait for each other" },
	{ 4, REFUSED, "clusters of groups" },
	{ 5, REFUSED, "clusters of groups" },
	{ 6, DROPPED, "programmatic stream serialization" },
	{ 7, REFUSED, "an event that the kernel itself records" },
	{ 8, PASSED, "a priority" },
	{ 9, PASSED, "a memory synchronization domain map" },
	{ 10, PASSED, "a memory synchronization domain" },
	{ 11, REFUSED, "clusters of groups" },
	{ 12, REFUSED, "an event of its completion" },
	{ 13, REFUSED, "a node that the device may change" },
	{ 14, PASSED, "a preferred carveout of shared memory" },
	{ 16, PASSED, "NVLink-centric scheduling" },
};

static struct attribute_row row_of(int number)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].number == number)
			return rows[i];
	return (struct attribute_row){ number, REFUSED, "an unknown attribute" };
}

static unsigned count_of(const struct cuda_launch_config *config)
{
	return config && config->attributes ? config->attribute_count : 0;
}

const char *gpu_attributes_refused(const struct cuda_launch_config *config)
{
	for (unsigned i = 0; i < count_of(config); i++) {
		struct attribute_row row = row_of(config->attributes[i].id);

		if (row.sort == REFUSED)
			return row.what;
	}
	return NULL;
}

bool gpu_attributes_are_cooperative(const struct cuda_launch_config *config)
{
	for (unsigned i = 0; i < count_of(config); i++)
		if (row_of(config->attributes[i].id).sort == COOPERATIVE &&
		    config->attributes[i].value.number)
			return true;
	return false;
}

unsigned gpu_attributes_pass(const struct cuda_launch_config *config,
                             struct cuda_launch_attribute *out)
{
	unsigned count = 0;

	for (unsigned i = 0; i < count_of(config); i++) {
		enum attribute_sort sort = row_of(config->attributes[i].id).sort;

		if (sort == PASSED || sort == COOPERATIVE)
			out[count++] = config->attributes[i];
	}
	return count;
}

#define TRIES                                                                                      \
	3 /* a lasting failure is the context's, and the application's next call reports it        \
	   */

static CUresult ask(bool is_library, void *code, const char *name, CUdeviceptr *address,
                    size_t *bytes)
{
	const struct cuda_real *real = cuda_real();
	CUresult rc;

	if (!is_library)
		return real->cuModuleGetGlobal_v2(address, bytes, code, name);
	rc = real->cuLibraryGetGlobal(address, bytes, code, name);
	if (rc == CUDA_ERROR_NOT_FOUND && real->cuLibraryGetManaged)
		rc = real->cuLibraryGetManaged(address, bytes, code, name);
	return rc;
}

static CUresult find(bool is_library, void *code, const char *name, CUdeviceptr *address,
                     size_t *bytes)
{
	CUresult rc = CUDA_ERROR_UNKNOWN;

	for (int i = 0; i < TRIES && rc != CUDA_SUCCESS && rc != CUDA_ERROR_NOT_FOUND; i++)
		rc = ask(is_library, code, name, address, bytes);
	return rc;
}

static bool copy(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
	for (int i = 0; i < TRIES; i++)
		if (cuda_real()->cuMemcpyDtoDAsync_v2(to, from, bytes, stream) == CUDA_SUCCESS)
			return true;
	return false;
}

/* Copy one variable, unless the module or the shadow has none of this name. */
static bool copy_variable(const struct gpu_module *m, const char *name, CUstream stream,
                          enum variables_way way)
{
	CUdeviceptr original, shadow;
	size_t bytes, shadow_bytes;
	CUresult rc = find(m->is_library, m->original, name, &original, &bytes);

	if (rc == CUDA_SUCCESS)
		rc = find(m->is_library, m->shadow, name, &shadow, &shadow_bytes);
	if (rc != CUDA_SUCCESS)
		return rc == CUDA_ERROR_NOT_FOUND;
	bytes = bytes < shadow_bytes ? bytes : shadow_bytes;
	return way == VARIABLES_TO_ORIGINAL ? copy(original, shadow, bytes, stream)
	                                    : copy(shadow, original, bytes, stream);
}

/* Copy all of them, in a context of the module. False when the driver refused a copy. */
static bool gpu_variables_copy(const struct gpu_module *m, CUstream stream, enum variables_way way)
{
	char *const *names = m->outline.variables.data;
	bool is_good = true;

	for (size_t i = 0; m->shadow && i < m->outline.variables.count; i++)
		is_good &= copy_variable(m, names[i], stream, way);
	return is_good;
}

/* The calls of the driver that launch: the application's own, and ours of the shadow. */

static CUresult forward(const struct gpu_request *r)
{
	const struct cuda_real *real = cuda_real();
	const unsigned *g = r->groups, *n = r->items;

	if (r->config) {
		/* r->stream may differ: it is never a per-thread NULL. */
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
		is_good &= gpu_variables_copy(m, request->stream, VARIABLES_TO_SHADOW);
	if (!is_good && s)
		recorder_note(s->recorder, "variables of a module",
		              "they could not be copied for a kernel that runs unmodified");
	return rc;
}

/* The arguments of a shadow: the application's, followed by the address of the records. */
struct shadow_values {
	void **values;         /* one more than the application's, or NULL */
	unsigned char *buffer; /* the application's parameters and one more, or NULL */
	size_t buffer_bytes;
	void *extra[5];
};

/* Find the buffer of parameters that `extra` names. */
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

/* Parameters are aligned to their sizes: the last one, an address, to 8. */
static bool fill_buffer(struct shadow_values *v, const struct gpu_job *job, CUdeviceptr records)
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

static bool fill_values(struct shadow_values *v, const struct gpu_job *job, CUdeviceptr *records)
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

static CUresult call_shadow(const struct gpu_job *job, const uint64_t groups[3],
                            struct shadow_values *v, struct cuda_launch_attribute *attributes)
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
		return real->cuLaunchKernelEx(&config, job->shadow, v->values, extra);
	}
	if (r->is_cooperative)
		return real->cuLaunchCooperativeKernel(job->shadow, g[0], g[1], g[2], r->items[0],
		                                       r->items[1], r->items[2], r->shared_bytes,
		                                       r->stream, v->values);
	return real->cuLaunchKernel(job->shadow, g[0], g[1], g[2], r->items[0], r->items[1],
	                            r->items[2], r->shared_bytes, r->stream, v->values, extra);
}

CUresult gpu_launch_shadow(const struct gpu_job *job, const uint64_t groups[3], CUdeviceptr records)
{
	const struct cuda_launch_config *config = job->request->config;
	struct cuda_launch_attribute *attributes = array_alloc(
		config ? config->attribute_count : 0, sizeof(*attributes), "attributes", NULL);
	struct shadow_values v = { 0 };
	CUresult rc = CUDA_ERROR_OUT_OF_MEMORY;

	if (attributes && fill_values(&v, job, &records))
		rc = call_shadow(job, groups, &v, attributes);
	free(attributes);
	free(v.values);
	free(v.buffer);
	return rc;
}
