/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of gpu_module.h: their handles, their twins and their lines. */
#include "gpu_device.h"
#include "gpu_module.h"
#include "gpu_session.h"
#include "launch_filter.h"
#include "recorder.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

/* The module's function of that name, made if need be. The session's lock is held. */
static struct gpu_function *find(struct gpu_module *m, const char *name)
{
	struct gpu_function *f = m->functions;

	while (f && strcmp(f->name, name) != 0)
		f = f->next;
	if (f)
		return f;
	f = calloc(1, sizeof(*f));
	if (!f)
		return NULL;
	f->name = str_copy(name, NULL);
	if (!f->name) {
		free(f);
		return NULL;
	}
	pthread_mutex_init(&f->lock, NULL);
	f->module = m;
	f->next = m->functions;
	m->functions = f;
	return f;
}

void gpu_function_add(struct session *s, const void *handle, bool is_kernel, const void *original,
                      bool is_library, const char *name)
{
	struct gpu_module *m;
	struct gpu_function *f;

	session_lock(s);
	m = handle_map_get(is_library ? &gpu_session(s)->libraries : &gpu_session(s)->modules,
	                   original);
	f = m ? find(m, name) : NULL;
	if (f)
		(void)handle_map_put(is_kernel ? &gpu_session(s)->kernels
		                               : &gpu_session(s)->functions,
		                     handle, f, NULL, NULL);
	session_unlock(s);
}

void gpu_function_alias(struct session *s, CUfunction function, CUkernel kernel)
{
	struct gpu_function *f;

	session_lock(s);
	f = handle_map_get(&gpu_session(s)->kernels, kernel);
	if (f)
		(void)handle_map_put(&gpu_session(s)->functions, function, f, NULL, NULL);
	session_unlock(s);
}

static struct gpu_function *look_up(struct session *s, CUfunction handle, bool *is_kernel)
{
	struct gpu_function *f;

	session_lock(s);
	f = handle_map_get(&gpu_session(s)->functions, handle);
	*is_kernel = !f;
	if (!f)
		f = handle_map_get(&gpu_session(s)->kernels, handle);
	if (f)
		atomic_fetch_add(&f->module->refs, 1);
	session_unlock(s);
	return f;
}

/* Ask the driver about a handle that came by a way we do not see, as by enumeration. */
static void ask(struct session *s, CUfunction handle)
{
	const struct cuda_real *real = cuda_real();
	CUkernel kernel = (CUkernel)(void *)handle;
	CUlibrary library;
	CUmodule module;
	const char *name;

	if (real->cuFuncGetModule && real->cuFuncGetName &&
	    real->cuFuncGetModule(&module, handle) == CUDA_SUCCESS &&
	    real->cuFuncGetName(&name, handle) == CUDA_SUCCESS)
		gpu_function_add(s, handle, false, module, false, name);
	else if (real->cuKernelGetLibrary && real->cuKernelGetName &&
	         real->cuKernelGetLibrary(&library, kernel) == CUDA_SUCCESS &&
	         real->cuKernelGetName(&name, kernel) == CUDA_SUCCESS)
		gpu_function_add(s, handle, true, library, true, name);
}

struct gpu_function *gpu_function_get(struct session *s, CUfunction handle, bool *is_kernel)
{
	struct gpu_function *f = look_up(s, handle, is_kernel);

	if (f)
		return f;
	ask(s, handle);
	return look_up(s, handle, is_kernel);
}

CUfunction gpu_function_twin(const struct gpu_function *f)
{
	const struct cuda_real *real = cuda_real();
	CUfunction twin = NULL;
	CUkernel kernel;

	if (!f->module->twin)
		return NULL;
	if (!f->module->is_library)
		return real->cuModuleGetFunction(&twin, f->module->twin, f->name) == CUDA_SUCCESS
		               ? twin
		               : NULL;
	if (real->cuLibraryGetKernel(&kernel, f->module->twin, f->name) != CUDA_SUCCESS ||
	    !real->cuKernelGetFunction || real->cuKernelGetFunction(&twin, kernel) != CUDA_SUCCESS)
		return NULL;
	return twin;
}

static const struct kernel_table *table_of(const struct gpu_function *f)
{
	const struct gpu_module *m = f->module;

	for (size_t i = 0; i < m->table_count; i++)
		if (!strcmp(m->tables[i].name, f->name))
			return &m->tables[i];
	return NULL;
}

/* What there is to say of a function before its line is written. */
static struct gpu_line judge(const struct gpu_function *f, const struct session *s)
{
	const struct kernel_table *table = table_of(f);
	struct gpu_line line = { .is_selected = launch_filter_has_kernel(&s->filter, f->name) };

	if (!line.is_selected)
		line.reason = "kernels of this name were not selected";
	else if (f->module->reason)
		line.reason = f->module->reason;
	else if (!table)
		line.reason = "the instrumenter made no table of this kernel";
	else if (table->refusal)
		line.reason = table->refusal;
	else if (!f->module->twin)
		line.reason = "its instrumented module is not loaded";
	else
		line.table = table;
	return line;
}

static bool write_line(const struct gpu_function *f, struct session *s, struct gpu_line *line)
{
	struct recorded_kernel recorded = { .device = line->device_id,
		                            .program = f->module->program_id };
	char door[] = "ptx", unmodified[] = "";
	char *reason = line->reason ? str_copy(line->reason, NULL) : NULL;
	bool is_written = f->module->has_program && (reason || !line->reason);

	recorded.door = line->table ? door : unmodified;
	recorded.reason = reason;
	if (line->table)
		recorded.table = *line->table;
	recorded.table.name = f->name;
	is_written = is_written && recorder_kernel(s->recorder, &recorded, &line->kernel_id);
	free(reason);
	if (is_written)
		line->tally = launch_tallies_add(&s->tallies, line->kernel_id, line->is_selected,
		                                 line->table ? NULL : line->reason);
	return is_written;
}

bool gpu_function_line(struct gpu_function *f, struct session *s, CUdevice device,
                       struct gpu_line *out)
{
	bool is_found = false;
	uint32_t id;

	if (!gpu_device_line(s, device, &id))
		return false;
	pthread_mutex_lock(&f->lock);
	for (size_t i = 0; i < f->line_count && !is_found; i++) {
		*out = f->lines[i];
		is_found = out->device_id == id;
	}
	if (!is_found && f->line_count < GPU_FUNCTION_LINES) {
		*out = judge(f, s);
		out->device_id = id;
		is_found = write_line(f, s, out);
		if (is_found)
			f->lines[f->line_count++] = *out;
	}
	pthread_mutex_unlock(&f->lock);
	return is_found;
}
