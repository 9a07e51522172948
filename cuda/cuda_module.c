/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_module.h"

#include "array.h"
#include "cuda_allocation.h"
#include "cuda_binding.h"
#include "cuda_compile.h"
#include "cuda_copy.h"
#include "cuda_core.h"
#include "cuda_error.h"
#include "cuda_module_private.h"
#include "cuda_notice.h"
#include "cuda_stream.h"
#include "device_image.h"
#include "err.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

#define FUNCTION_LIMIT (1u << 20)
#define TRAP_NAME      "__warpline_trap"

struct cuda_module *cuda_module_create(const void *image, size_t length)
{
	struct cuda_core *c = cuda_core_unopened();
	struct cuda_module *m = calloc(1, sizeof(*m)), **slot = NULL;

	if (!m)
		return NULL;
	m->image = image;
	m->length = length;
	m->copy = length ? malloc(length) : NULL;
	if (m->copy) {
		memcpy(m->copy, image, length);
		m->image = m->copy;
	}
	pthread_mutex_init(&m->lock, NULL);
	array_init(&m->functions, sizeof(struct cuda_function *), FUNCTION_LIMIT, "kernels");
	pthread_mutex_lock(&c->lock);
	if (!length || m->copy)
		slot = array_push(&c->modules, 1, NULL);
	if (slot)
		*slot = m;
	pthread_mutex_unlock(&c->lock);
	if (slot)
		return m;
	free(m->copy);
	free(m);
	return NULL;
}

/* Where a module is in the list, or the count; the core's lock must be held. */
static size_t place_of(const struct cuda_core *c, const struct cuda_module *m)
{
	struct cuda_module *const *list = c->modules.data;
	size_t i = 0;

	while (i < c->modules.count && list[i] != m)
		i++;
	return i;
}

static void release_functions(struct cuda_module *m)
{
	struct cuda_function **list = m->functions.data;

	for (size_t i = 0; i < m->functions.count; i++) {
		if (list[i]->kernel)
			clReleaseKernel(list[i]->kernel);
		free(list[i]->name);
		free(list[i]);
	}
	array_release(&m->functions);
}

void cuda_module_free(struct cuda_module *m)
{
	struct cuda_core *c = cuda_core_unopened();
	struct cuda_module **list;
	size_t place;

	if (!m)
		return;
	cuda_binding_remove(m);
	pthread_mutex_lock(&c->lock);
	place = place_of(c, m);
	list = c->modules.data;
	if (place < c->modules.count)
		list[place] = list[--c->modules.count];
	pthread_mutex_unlock(&c->lock);
	for (size_t i = 0; m->symbols && i < m->table.symbol_count; i++)
		if (m->symbols[i])
			(void)cuda_memory_free(m->symbols[i], 1u << CUDA_MEMORY_SYMBOL);
	free(m->symbols);
	release_functions(m);
	module_table_release(&m->table);
	if (m->program)
		clReleaseProgram(m->program);
	pthread_mutex_destroy(&m->lock);
	free(m->copy);
	free(m);
}

void cuda_module_retire(struct cuda_module *m)
{
	cuda_binding_remove(m);
	pthread_mutex_lock(&m->lock);
	if (!m->is_tried)
		m->code = cudaErrorCudartUnloading;
	m->is_tried = true;
	pthread_mutex_unlock(&m->lock);
}

bool cuda_module_exists(const struct cuda_module *m)
{
	struct cuda_core *c = cuda_core_unopened();
	bool exists;

	pthread_mutex_lock(&c->lock);
	exists = place_of(c, m) < c->modules.count;
	pthread_mutex_unlock(&c->lock);
	return exists;
}

/* What a variable holds at first, with addresses of others in it. */
static int fill_symbol(const struct cuda_module *m, size_t i)
{
	const struct symbol_entry *s = &m->table.symbols[i];
	unsigned char *bytes = calloc(s->bytes + 1, 1);
	struct cuda_copy copy =
		cuda_copy_line(m->symbols[i], bytes, s->bytes, CUDA_COPY_HOST_TO_DEVICE);
	int rc;

	if (!bytes)
		return cudaErrorMemoryAllocation;
	if (s->initial)
		memcpy(bytes, s->initial, s->bytes);
	for (size_t r = 0; r < s->relocation_count; r++) {
		const struct symbol_relocation *at = &s->relocations[r];
		uintptr_t address = (uintptr_t)m->symbols[at->symbol] + (uintptr_t)at->addend;

		memcpy(bytes + at->offset, &address, sizeof(address));
	}
	copy.is_waited_for = true;
	rc = cuda_copy_run(&copy, cuda_core()->legacy);
	free(bytes);
	return rc;
}

static int fill_symbols(const struct cuda_module *m)
{
	int rc = cudaSuccess;

	for (size_t i = 0; rc == cudaSuccess && m->symbols && i < m->table.symbol_count; i++)
		rc = fill_symbol(m, i);
	return rc;
}

static int make_symbols(struct cuda_module *m)
{
	const struct module_table *t = &m->table;
	int rc = cudaSuccess;

	m->symbols = calloc(t->symbol_count + 1, sizeof(*m->symbols));
	if (!m->symbols)
		return cudaErrorMemoryAllocation;
	for (size_t i = 0; rc == cudaSuccess && i < t->symbol_count; i++)
		rc = cuda_memory_alloc_symbol(t->symbols[i].space == SYMBOL_MANAGED,
		                              t->symbols[i].bytes ? t->symbols[i].bytes : 1,
		                              &m->symbols[i]);
	m->trap = module_table_symbol(t, TRAP_NAME);
	return rc ? rc : fill_symbols(m);
}

/* Where a managed variable is. */
static void *memory_by_name(void *context, const char *name)
{
	const struct cuda_module *m = context;
	size_t symbol = module_table_symbol(&m->table, name);

	return symbol < m->table.symbol_count ? m->symbols[symbol] : NULL;
}

static int code_of(int rc, enum device_image_kind kind)
{
	switch (rc) {
	case ERR_NOMEM:
		return cudaErrorMemoryAllocation;
	case ERR_UNSUPPORTED:
		return cudaErrorNoKernelImageForDevice;
	case ERR_FORMAT:
		return cudaErrorInvalidKernelImage;
	default:
		return kind == DEVICE_IMAGE_PTX ? cudaErrorInvalidPtx
		                                : cudaErrorNoKernelImageForDevice;
	}
}

/* The lock must be held. */
static int load(struct cuda_module *m)
{
	struct device_image image;
	struct err err = { 0 };
	int rc = device_image_init(&image, m->image, m->length, &err), code;

	if (rc == 0)
		rc = cuda_compile(&image, &m->program, &m->table, &err);
	code = rc ? code_of(rc, image.kind) : make_symbols(m);
	device_image_release(&image);
	if (rc)
		cuda_notice("CUDA module: %s", err.msg);
	if (code == cudaSuccess)
		cuda_binding_publish(m, memory_by_name, m);
	return code;
}

int cuda_module_load(struct cuda_module *m)
{
	int code = cuda_core()->status;

	if (code)
		return code;
	pthread_mutex_lock(&m->lock);
	if (!m->is_tried) {
		m->code = load(m);
		m->is_tried = true;
	}
	code = m->code;
	pthread_mutex_unlock(&m->lock);
	return code;
}

int cuda_module_variable(struct cuda_module *m, const char *name, void **memory, size_t *bytes)
{
	int rc = cuda_module_load(m);
	size_t symbol;

	if (rc)
		return rc;
	symbol = module_table_symbol(&m->table, name);
	if (symbol == m->table.symbol_count)
		return cudaErrorInvalidSymbol;
	*memory = m->symbols[symbol];
	*bytes = m->table.symbols[symbol].bytes;
	return cudaSuccess;
}

void *cuda_module_memory(const struct cuda_module *m, size_t symbol)
{
	return m->symbols[symbol];
}

void cuda_module_launched(struct cuda_module *m)
{
	struct cuda_core *c = cuda_core_unopened();

	pthread_mutex_lock(&c->lock);
	m->may_have_trapped = m->trap < m->table.symbol_count;
	pthread_mutex_unlock(&c->lock);
}

/* The word that a kernel of the module left, on a queue that nothing else is in. */
static uint32_t read_trap(const struct cuda_module *m)
{
	uint32_t word = 0;
	cl_event done = NULL;
	struct cuda_core *c = cuda_core();

	pthread_mutex_lock(&c->order);
	if (clEnqueueSVMMemcpy(c->service, CL_FALSE, &word, m->symbols[m->trap], sizeof(word), 0,
	                       NULL, &done) != CL_SUCCESS)
		done = NULL;
	pthread_mutex_unlock(&c->order);
	if (done) {
		clWaitForEvents(1, &done);
		clReleaseEvent(done);
	}
	return word;
}

/* A module whose kernels ran since it was last asked, or NULL. */
static struct cuda_module *next_to_ask(void)
{
	struct cuda_core *c = cuda_core_unopened();
	struct cuda_module *found = NULL;

	pthread_mutex_lock(&c->lock);
	for (size_t i = 0; !found && i < c->modules.count; i++) {
		struct cuda_module *m = ((struct cuda_module **)c->modules.data)[i];

		if (m->may_have_trapped)
			found = m;
	}
	if (found)
		found->may_have_trapped = false;
	pthread_mutex_unlock(&c->lock);
	return found;
}

int cuda_module_check(void)
{
	struct cuda_module *m;

	while ((m = next_to_ask())) {
		uint32_t word = read_trap(m);

		if (word)
			cuda_stream_break(word == 1 ? cudaErrorAssert : cudaErrorLaunchFailure);
	}
	return cuda_stream_broken();
}

void cuda_module_reset_all(void)
{
	struct cuda_core *c = cuda_core_unopened();

	for (size_t i = 0; i < c->modules.count; i++) {
		struct cuda_module *m = ((struct cuda_module **)c->modules.data)[i];

		if (m->is_tried && m->code == cudaSuccess)
			(void)fill_symbols(m);
	}
}
