/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_core.h"
#include "cuda_error.h"
#include "cuda_module.h"
#include "cuda_module_private.h"
#include "cuda_notice.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

/* The core's lock must be held. */
static struct cuda_function *find(const struct cuda_module *m, const char *name)
{
	struct cuda_function *const *list = m->functions.data;

	for (size_t i = 0; i < m->functions.count; i++)
		if (!strcmp(list[i]->name, name))
			return list[i];
	return NULL;
}

static struct cuda_function *make(struct cuda_module *m, const char *name)
{
	struct cuda_function *f = calloc(1, sizeof(*f)), **slot;

	if (!f)
		return NULL;
	f->module = m;
	f->carveout = -1;
	f->name = str_copy(name, NULL);
	slot = f->name ? array_push(&m->functions, 1, NULL) : NULL;
	if (slot) {
		*slot = f;
		return f;
	}
	free(f->name);
	free(f);
	return NULL;
}

struct cuda_function *cuda_module_function(struct cuda_module *m, const char *name)
{
	struct cuda_core *c = cuda_core_unopened();
	struct cuda_function *f;

	pthread_mutex_lock(&c->lock);
	f = find(m, name);
	if (!f)
		f = make(m, name);
	pthread_mutex_unlock(&c->lock);
	return f;
}

struct cuda_function *cuda_module_function_at(struct cuda_module *m, size_t n)
{
	return n < m->table.kernel_count ? cuda_module_function(m, m->table.kernels[n].name) : NULL;
}

bool cuda_function_exists(const struct cuda_function *f)
{
	struct cuda_core *c = cuda_core_unopened();
	bool exists = false;

	pthread_mutex_lock(&c->lock);
	for (size_t i = 0; !exists && i < c->modules.count; i++) {
		const struct cuda_module *m = ((struct cuda_module **)c->modules.data)[i];
		struct cuda_function *const *list = m->functions.data;

		for (size_t k = 0; !exists && k < m->functions.count; k++)
			exists = list[k] == f;
	}
	pthread_mutex_unlock(&c->lock);
	return exists;
}

/* Say why it cannot run, the first time. */
static void complain(struct cuda_function *f, const char *why)
{
	struct cuda_core *c = cuda_core_unopened();
	bool is_named;

	pthread_mutex_lock(&c->lock);
	is_named = f->is_named;
	f->is_named = true;
	pthread_mutex_unlock(&c->lock);
	if (!is_named)
		cuda_notice("kernel %s cannot run: %s", f->name, why);
}

const char *cuda_function_refusal(const struct cuda_function *f)
{
	return f->entry ? f->entry->refusal : "its module has no kernel of this name";
}

int cuda_function_load(struct cuda_function *f)
{
	struct cuda_core *c = cuda_core();
	const struct kernel_entry *entry;
	int rc = cuda_module_load(f->module);

	if (rc) {
		complain(f, "its module is not loaded");
		return rc;
	}
	pthread_mutex_lock(&c->lock);
	if (!f->entry)
		f->entry = module_table_kernel(&f->module->table, f->name);
	entry = f->entry;
	pthread_mutex_unlock(&c->lock);
	if (entry && !entry->refusal)
		return cudaSuccess;
	complain(f, cuda_function_refusal(f));
	return cudaErrorInvalidDeviceFunction;
}

cl_kernel cuda_function_kernel(struct cuda_function *f)
{
	cl_int code = CL_SUCCESS;

	if (!f->kernel && f->module->program)
		f->kernel = clCreateKernel(f->module->program, f->name, &code);
	if (!f->kernel)
		cuda_notice("kernel %s: the OpenCL device does not make it: %d", f->name, code);
	return f->kernel;
}
