/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_module.h"

#include "array.h"
#include "cuda_compile.h"
#include "cuda_core.h"
#include "cuda_error.h"
#include "cuda_stream.h"
#include "device_memory.h"
#include "err.h"
#include "file.h"
#include "str.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct cuda_module {
	const void *image;
	size_t length;        /* 0: the image itself gives it */
	void *copy;           /* our copy of the image, or NULL */
	pthread_mutex_t lock; /* guards the following, until it is loaded */
	bool is_tried;
	int code; /* result of loading */
	struct module_table table;
	cl_program program;     /* NULL: it has no kernels */
	void **symbols;         /* memory of each variable */
	size_t trap;            /* variable in which kernels report assertions, or symbol_count */
	struct array functions; /* struct cuda_function *; under the core's lock */
	bool may_have_trapped;  /* under the core's lock */
};

#define FILE_LIMIT_BYTES (1u << 30)

/* Create and load a module of code of a known length. */
static int load_text(const void *code, size_t length, struct cuda_module **out)
{
	struct cuda_module *m = cuda_module_create(code, length);
	int rc = m ? cuda_module_load(m) : (int)cudaErrorMemoryAllocation;

	if (rc)
		cuda_module_free(m);
	*out = rc ? NULL : m;
	return rc;
}

/* Only the code itself gives its length: find it in the image and copy it. */
int cuda_module_from_memory(const void *image, struct cuda_module **out)
{
	struct device_image code;
	struct err err = { 0 };
	int rc = device_image_init(&code, image, 0, &err);

	*out = NULL;
	if (rc == 0 && code.kind == DEVICE_IMAGE_CUDA) {
		rc = load_text(image, strlen(image) + 1, out);
	} else if (rc == 0) {
		rc = load_text(code.text.text, code.text.length, out);
	} else {
		cuda_notice("CUDA module: %s", err.msg);
		rc = rc == ERR_UNSUPPORTED ? (int)cudaErrorNoKernelImageForDevice
		                           : (int)cudaErrorInvalidKernelImage;
	}
	device_image_release(&code);
	return rc;
}

int cuda_module_from_file(const char *path, struct cuda_module **out)
{
	struct str text;
	struct err err = { 0 };
	int rc;

	*out = NULL;
	str_init(&text, FILE_LIMIT_BYTES);
	if (file_read(path, &text, &err) < 0 || !text.length) {
		cuda_notice("CUDA module: %s", err.code ? err.msg : "an empty file");
		rc = cudaErrorFileNotFound;
	} else {
		rc = load_text(text.text, text.length, out);
	}
	str_release(&text);
	return rc;
}

int cuda_module_find_function(struct cuda_module *m, const char *name, struct cuda_function **out)
{
	int rc = cuda_module_load(m);

	if (rc)
		return rc;
	if (!module_table_kernel(&m->table, name))
		return cudaErrorSymbolNotFound;
	*out = cuda_module_function(m, name);
	return *out ? cudaSuccess : (int)cudaErrorMemoryAllocation;
}

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

/* Report once why a kernel cannot run. */
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
	return f->entry ? f->entry->refusal : NULL;
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
	complain(f, entry ? entry->refusal : "its module has no kernel of this name");
	return cudaErrorInvalidDeviceFunction;
}

cl_kernel cuda_function_kernel(struct cuda_function *f)
{
	cl_int code = CL_SUCCESS;

	if (!f->kernel && f->module->program)
		f->kernel = clCreateKernel(f->module->program, f->name, &code);
	if (!f->kernel)
		cuda_notice("kernel %s: the OpenCL driver cannot create it: %d", f->name, code);
	return f->kernel;
}

enum { REGISTERS_SAID = 32, ATTRIBUTE_DYNAMIC = 8, ATTRIBUTE_CARVEOUT = 9, ATTRIBUTE_LAST = 15 };

void cuda_function_facts_get(const struct cuda_function *f, struct cuda_function_facts *facts)
{
	const struct cuda_gpu *gpu = &cuda_core()->gpu;
	const struct kernel_entry *k = f->entry;
	size_t limit = f->dynamic_limit_bytes;

	if (!limit && k->static_shared_bytes < CUDA_GROUP_SHARED_BYTES)
		limit = CUDA_GROUP_SHARED_BYTES - k->static_shared_bytes;
	*facts = (struct cuda_function_facts){
		.static_shared_bytes = k->static_shared_bytes,
		.constant_bytes = k->constant_bytes,
		.local_bytes = k->local_bytes,
		.max_items = k->max_threads ? (int)k->max_threads : CUDA_GROUP_ITEMS,
		.registers = REGISTERS_SAID,
		.architecture = gpu->major * 10 + gpu->minor,
		.max_dynamic_bytes = (int)limit,
	};
}

int cuda_function_facts_set(struct cuda_function *f, int attribute, int value)
{
	struct cuda_core *c = cuda_core();
	int rc = cudaSuccess;

	pthread_mutex_lock(&c->lock);
	if (attribute == ATTRIBUTE_DYNAMIC) {
		if (value < 0 ||
		    (size_t)value + f->entry->static_shared_bytes > c->gpu.group_shared_bytes)
			rc = cudaErrorInvalidValue;
		else
			f->dynamic_limit_bytes = (size_t)value;
	} else if (attribute == ATTRIBUTE_CARVEOUT) {
		f->carveout = value;
	} else if (attribute < 0 || attribute > ATTRIBUTE_LAST) {
		rc = cudaErrorInvalidValue;
	}
	pthread_mutex_unlock(&c->lock);
	return rc;
}

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
	place = cuda_core_place(&c->modules, m);
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
	exists = cuda_core_place(&c->modules, m) < c->modules.count;
	pthread_mutex_unlock(&c->lock);
	return exists;
}

/* Write a variable's initial value, including addresses of other variables. */
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

/* Returns the memory of a managed variable. */
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

/* Read the word that a kernel of the module left, on the service queue. */
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

/* Returns a module whose kernels have run since the last check, or NULL. */
static struct cuda_module *next_trap_candidate(void)
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

	while ((m = next_trap_candidate())) {
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

/* Returns the index of an address, or the one where it would be inserted. Called with the lock
 * held. */
static size_t binding_place(const struct array *list, uintptr_t host)
{
	const struct cuda_binding *items = list->data;
	size_t low = 0, high = list->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (items[middle].host < host)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool has_binding(const struct array *list, size_t place, uintptr_t host)
{
	const struct cuda_binding *items = list->data;

	return place < list->count && items[place].host == host;
}

static bool add_binding(struct array *list, const struct cuda_binding *binding)
{
	struct cuda_core *c = cuda_core_unopened();
	struct cuda_binding *items;
	size_t place;
	bool is_added;

	pthread_mutex_lock(&c->lock);
	place = binding_place(list, binding->host);
	is_added = has_binding(list, place, binding->host);
	if (!is_added && array_push(list, 1, NULL)) {
		items = list->data;
		memmove(&items[place + 1], &items[place],
		        (list->count - 1 - place) * sizeof(*items));
		is_added = true;
	}
	if (is_added)
		((struct cuda_binding *)list->data)[place] = *binding;
	pthread_mutex_unlock(&c->lock);
	return is_added;
}

static bool find_binding(const struct array *list, const void *host, struct cuda_binding *out)
{
	struct cuda_core *c = cuda_core_unopened();
	size_t place;
	bool is_found;

	pthread_mutex_lock(&c->lock);
	place = binding_place(list, (uintptr_t)host);
	is_found = has_binding(list, place, (uintptr_t)host);
	if (is_found)
		*out = ((const struct cuda_binding *)list->data)[place];
	pthread_mutex_unlock(&c->lock);
	return is_found;
}

bool cuda_binding_add_function(const struct cuda_binding *binding)
{
	return add_binding(&cuda_core_unopened()->functions, binding);
}

bool cuda_binding_add_variable(const struct cuda_binding *binding)
{
	return add_binding(&cuda_core_unopened()->variables, binding);
}

bool cuda_binding_find_function(const void *host, struct cuda_binding *out)
{
	return find_binding(&cuda_core_unopened()->functions, host, out);
}

bool cuda_binding_find_variable(const void *host, struct cuda_binding *out)
{
	return find_binding(&cuda_core_unopened()->variables, host, out);
}

void cuda_binding_publish(const struct cuda_module *module,
                          void *(*find_name)(void *context, const char *name), void *context)
{
	struct cuda_core *c = cuda_core_unopened();
	const struct cuda_binding *items;

	pthread_mutex_lock(&c->lock);
	items = c->variables.data;
	for (size_t i = 0; i < c->variables.count; i++)
		if (items[i].module == module && items[i].managed)
			*items[i].managed = find_name(context, items[i].name);
	pthread_mutex_unlock(&c->lock);
}

/* Remove the module's bindings. */
static void remove_from(struct array *list, const struct cuda_module *module)
{
	struct cuda_binding *items = list->data;
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++)
		if (items[i].module != module)
			items[kept++] = items[i];
	list->count = kept;
}

void cuda_binding_remove(const struct cuda_module *module)
{
	struct cuda_core *c = cuda_core_unopened();

	pthread_mutex_lock(&c->lock);
	remove_from(&c->functions, module);
	remove_from(&c->variables, module);
	pthread_mutex_unlock(&c->lock);
}
