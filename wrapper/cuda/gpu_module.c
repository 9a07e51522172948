/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_module.h"

#include "clock.h"
#include "err.h"
#include "file.h"
#include "gpu_session.h"
#include "instrument_job.h"
#include "launch_filter.h"
#include "recorder.h"
#include "session.h"
#include "str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT_SHADOW_BYTES (512u << 20)

/* Whether the user wants one of its kernels recorded at present. */
static bool is_wanted(const struct gpu_module *m, struct session *s)
{
	const struct ptx_kernel *k = m->outline.kernels.data;

	for (size_t i = 0; i < m->outline.kernels.count; i++)
		if (launch_filter_has_kernel(&s->filter, k[i].name))
			return true;
	return false;
}

static bool write_program(struct gpu_module *m, struct session *s)
{
	char options[] = "", origin[] = "binary";
	struct recorded_program line = { .options = options, .origin = origin };

	m->has_program = recorder_program(s->recorder, &line, m->ptx, m->ptx ? strlen(m->ptx) : 0,
	                                  &m->program_id);
	return m->has_program;
}

/* "sm_90" of the device of the current context; NULL when it is not known. */
static const char *current_arch(char arch[16])
{
	CUdevice device;

	if (cuda_real()->cuCtxGetDevice(&device) != CUDA_SUCCESS)
		return NULL;
	gpu_device_arch(device, arch);
	return *arch ? arch : NULL;
}

static int run_instrumenter(const struct gpu_module *m, const struct session *s,
                            struct instrument_job *job, struct err *err)
{
	char name[48], arch[16];
	const struct job_part part = {
		.file = "program-0.ptx", .name = name, .bytes = m->ptx, .length = strlen(m->ptx)
	};
	struct instrument_request *r = &job->request;
	int rc;

	snprintf(name, sizeof(name), "sources/program-%04u.cl", m->program_id);
	rc = instrument_job_add(job, &part, err);
	session_set_request(s, r);
	r->door = "ptx";
	r->gpu_arch = current_arch(arch);
	r->layout = "lane";
	r->mixes_items = "0";
	r->wide_addresses = "0";
	return rc ? rc : instrument_job_run(job, s->settings.cache, err);
}

/* Load with the driver's defaults, in the current context: the application's options are for its
 * own build.
 */
static int load(struct gpu_module *m, const char *file, struct err *err)
{
	const struct cuda_real *real = cuda_real();
	struct str text;
	CUresult rc = CUDA_ERROR_UNKNOWN;
	int read;

	str_init(&text, LIMIT_SHADOW_BYTES);
	read = file_read(file, &text, err);
	if (read == 0 && text.length && !m->is_library)
		rc = real->cuModuleLoadData((CUmodule *)(void *)&m->shadow, text.text);
	else if (read == 0 && text.length)
		rc = real->cuLibraryLoadData((CUlibrary *)(void *)&m->shadow, text.text, NULL, NULL,
		                             0, NULL, NULL, 0);
	str_release(&text);
	if (read < 0)
		return read;
	if (rc == CUDA_SUCCESS)
		return 0;
	m->shadow = NULL;
	return err_set(err, ERR_DEVICE, "the driver rejects the instrumented PTX: %d", rc);
}

static int make(struct gpu_module *m, struct session *s, struct err *err)
{
	struct instrument_job job;
	int rc = instrument_job_init(&job, s->settings.instrumenter, "instrumented.ptx", err);

	if (rc == 0)
		rc = run_instrumenter(m, s, &job, err);
	if (rc == 0)
		rc = kernel_tables_read(job.request.table, &m->tables, &m->table_count, err);
	if (rc == 0)
		rc = load(m, job.request.output, err);
	instrument_job_release(&job, s->settings.keep);
	return rc;
}

/* Make the shadow of a module with PTX. Returns 0 also when no kernel of it is wanted. */
static int make_wanted(struct gpu_module *m, struct session *s, struct err *err)
{
	int rc = ptx_outline_init(&m->outline, m->ptx, err);

	if (rc < 0 || !is_wanted(m, s))
		return rc;
	if (launch_quota_is_spent(&s->quota, clock_now_ns()))
		return err_set(err, ERR_LIMIT, "it was built after recording had ended");
	return make(m, s, err);
}

/* Write the module's program line, instrument its PTX and load the result with the driver. If a
 * step fails, m->reason says why. Called by one thread. */
static void shadow_make(struct gpu_module *m, struct session *s)
{
	struct err err = { 0 };

	if (write_program(m, s) && m->ptx && make_wanted(m, s, &err) < 0)
		m->reason = str_copy(err.msg, NULL);
	/* From here on only the outline is needed. */
	free(m->ptx);
	m->ptx = NULL;
}

/* Unload the shadow if there is one. */
static void shadow_unload(struct gpu_module *m)
{
	const struct cuda_real *real = cuda_real();

	if (!m->shadow)
		return;
	if (m->is_library)
		(void)real->cuLibraryUnload(m->shadow);
	else
		(void)real->cuModuleUnload(m->shadow);
	m->shadow = NULL;
}

/* The functions of gpu_module.h: their handles, their shadows and their lines. */

/* Returns the module's function of that name, created if needed. Called with the session's lock
 * held. */
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

/* Ask the driver about a handle from a call without a hook, such as an enumeration. */
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

CUfunction gpu_function_shadow(const struct gpu_function *f)
{
	const struct cuda_real *real = cuda_real();
	CUfunction shadow = NULL;
	CUkernel kernel;

	if (!f->module->shadow)
		return NULL;
	if (!f->module->is_library)
		return real->cuModuleGetFunction(&shadow, f->module->shadow, f->name) ==
		                       CUDA_SUCCESS
		               ? shadow
		               : NULL;
	if (real->cuLibraryGetKernel(&kernel, f->module->shadow, f->name) != CUDA_SUCCESS ||
	    !real->cuKernelGetFunction ||
	    real->cuKernelGetFunction(&shadow, kernel) != CUDA_SUCCESS)
		return NULL;
	return shadow;
}

static const struct kernel_table *table_of(const struct gpu_function *f)
{
	const struct gpu_module *m = f->module;

	for (size_t i = 0; i < m->table_count; i++)
		if (!strcmp(m->tables[i].name, f->name))
			return &m->tables[i];
	return NULL;
}

/* Returns a function's line before it is written. */
static struct gpu_line judge(const struct gpu_function *f, const struct session *s)
{
	const struct kernel_table *table = table_of(f);
	struct gpu_line line = { .is_selected = launch_filter_has_kernel(&s->filter, f->name) };

	if (!line.is_selected)
		line.reason = "kernels of this name were not selected";
	else if (f->module->reason)
		line.reason = f->module->reason;
	else if (!table)
		line.reason = "the instrumenter wrote no table for this kernel";
	else if (table->refusal)
		line.reason = table->refusal;
	else if (!f->module->shadow)
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

static struct handle_map *map_of(struct session *s, bool is_library)
{
	return is_library ? &gpu_session(s)->libraries : &gpu_session(s)->modules;
}

static void free_function(struct gpu_function *f)
{
	free(f->name);
	pthread_mutex_destroy(&f->lock);
	free(f);
}

static void free_module(struct gpu_module *m)
{
	struct gpu_function *next;

	for (struct gpu_function *f = m->functions; f; f = next) {
		next = f->next;
		free_function(f);
	}
	for (size_t i = 0; i < m->table_count; i++)
		kernel_table_release(&m->tables[i]);
	free(m->tables);
	ptx_outline_release(&m->outline);
	free(m->ptx);
	free(m->reason);
	pthread_cond_destroy(&m->made);
	pthread_mutex_destroy(&m->lock);
	free(m);
}

void gpu_module_release(struct gpu_module *m)
{
	if (m && atomic_fetch_sub(&m->refs, 1) == 1)
		free_module(m);
}

static struct gpu_module *create(void *original, bool is_library, char *ptx, const char *reason)
{
	struct gpu_module *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	atomic_init(&m->refs, 1);
	pthread_mutex_init(&m->lock, NULL);
	pthread_cond_init(&m->made, NULL);
	m->is_library = is_library;
	m->original = original;
	m->ptx = ptx;
	m->reason = reason ? str_copy(reason, NULL) : NULL;
	return m;
}

/* Remove all handles of a module's functions from a map. Called with the lock held. */
static void forget_functions(struct handle_map *map, const struct gpu_module *m)
{
	for (size_t i = 0; i < map->capacity;) {
		const struct gpu_function *f = map->slots[i].key ? map->slots[i].value : NULL;

		/* Removal may shift another entry back to this slot. */
		if (f && f->module == m)
			handle_map_remove(map, map->slots[i].key);
		else
			i++;
	}
}

void gpu_module_add(struct session *s, void *original, bool is_library, char *ptx,
                    const char *reason)
{
	struct gpu_module *m = create(original, is_library, ptx, reason);
	void *old = NULL;

	if (!m) {
		free(ptx);
		return;
	}
	session_lock(s);
	if (handle_map_put(map_of(s, is_library), original, m, &old, NULL) < 0)
		old = m;
	/* A handle of a destroyed context is reused for another module. */
	if (old && old != m) {
		forget_functions(&gpu_session(s)->functions, old);
		forget_functions(&gpu_session(s)->kernels, old);
	}
	session_unlock(s);
	gpu_module_release(old);
}

/* Remove the CUmodules of a library. Called with the lock held. Returns their number. */
static unsigned forget_aliases(struct session *s, const struct gpu_module *m)
{
	struct handle_map *map = &gpu_session(s)->modules;
	unsigned count = 0;

	for (size_t i = 0; i < map->capacity;) {
		if (map->slots[i].key && map->slots[i].value == m) {
			handle_map_remove(map, map->slots[i].key);
			count++;
		} else {
			i++;
		}
	}
	return count;
}

void gpu_module_end(struct session *s, void *original, bool is_library)
{
	struct gpu_module *m;
	unsigned aliases = 0;

	session_lock(s);
	m = handle_map_remove(map_of(s, is_library), original);
	if (m) {
		forget_functions(&gpu_session(s)->functions, m);
		forget_functions(&gpu_session(s)->kernels, m);
		aliases = forget_aliases(s, m);
	}
	session_unlock(s);
	if (!m)
		return;
	shadow_unload(m);
	while (aliases--)
		gpu_module_release(m);
	gpu_module_release(m);
}

void gpu_module_alias(struct session *s, CUmodule module, CUlibrary library)
{
	struct gpu_module *m = gpu_module_get(s, library, true);
	void *old = NULL;

	if (!m)
		return;
	session_lock(s);
	if (handle_map_put(&gpu_session(s)->modules, module, m, &old, NULL) < 0)
		old = m;
	session_unlock(s);
	gpu_module_release(old);
}

struct gpu_module *gpu_module_get(struct session *s, const void *original, bool is_library)
{
	struct gpu_module *m;

	session_lock(s);
	m = handle_map_get(map_of(s, is_library), original);
	if (m)
		atomic_fetch_add(&m->refs, 1);
	session_unlock(s);
	return m;
}

void gpu_module_make(struct gpu_module *m, struct session *s)
{
	uint64_t since;
	bool is_ours;

	pthread_mutex_lock(&m->lock);
	while (m->stage == MODULE_BEING_MADE)
		pthread_cond_wait(&m->made, &m->lock);
	is_ours = m->stage == MODULE_NEW;
	if (is_ours)
		m->stage = MODULE_BEING_MADE;
	pthread_mutex_unlock(&m->lock);
	if (!is_ours)
		return;

	since = clock_now_ns();
	shadow_make(m, s);
	work_clock_end(s, since);

	pthread_mutex_lock(&m->lock);
	m->stage = MODULE_MADE;
	pthread_cond_broadcast(&m->made);
	pthread_mutex_unlock(&m->lock);
}
