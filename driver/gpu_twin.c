/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_twin.h"

#include "cached_instrument.h"
#include "err.h"
#include "file.h"
#include "gpu_device.h"
#include "gpu_module.h"
#include "gpu_session.h"
#include "instrument_cache.h"
#include "program_code.h"
#include "recorder.h"
#include "scratch_folder.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

#define LIMIT_TWIN_BYTES (512u << 20)

/* Whether the user wants one of its kernels, now. */
static bool is_wanted(const struct gpu_module *m, struct gpu_session *s)
{
	const struct ptx_kernel *k = m->outline.kernels.data;

	for (size_t i = 0; i < m->outline.kernels.count; i++)
		if (launch_filter_has_kernel(&s->filter, k[i].name))
			return true;
	return false;
}

static bool write_program(struct gpu_module *m, struct gpu_session *s)
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

static int run_instrumenter(const struct gpu_module *m, const struct gpu_session *s,
                            const struct scratch_folder *f, struct err *err)
{
	char *name = str_format(err, "sources/program-%04u.cl", m->program_id);
	char *instrumenter = s->settings.instrumenter ? str_copy(s->settings.instrumenter, err)
	                                              : instrument_process_default(err);
	const struct cache_part text = { m->ptx, strlen(m->ptx) };
	const struct cache_key key = instrument_cache_key(&text, 1);
	const struct instrument_part part = { .source = f->part_count ? f->parts->source : NULL,
		                              .source_name = name,
		                              .options = "",
		                              .content = { key.high, key.low } };
	char arch[16];
	const struct instrument_request request = {
		.instrumenter = instrumenter,
		.limit_ns = s->settings.instrument_limit_ns,
		.parts = &part,
		.part_count = 1,
		.output = f->output,
		.table = f->table,
		.headers = f->headers,
		.door = "ptx",
		.gpu_arch = current_arch(arch),
		.records = s->settings.records,
		.layout = "lane",
		.slots = s->settings.atomics ? "0" : "1",
		.mixes_items = "0",
		.wide_addresses = "0",
		.opt = s->settings.opt,
		.spaces = s->settings.spaces,
	};
	int rc = name && instrumenter ? cached_instrument_run(&request, s->settings.cache, err)
	                              : ERR_NOMEM;

	free(name);
	free(instrumenter);
	return rc;
}

/* With the driver's defaults, in the current context: options are for the application's own build.
 */
static int load(struct gpu_module *m, const char *file, struct err *err)
{
	const struct cuda_real *real = cuda_real();
	struct str text;
	CUresult rc = CUDA_ERROR_UNKNOWN;
	int read;

	str_init(&text, LIMIT_TWIN_BYTES);
	read = file_read(file, &text, err);
	if (read == 0 && text.length && !m->is_library)
		rc = real->cuModuleLoadData((CUmodule *)(void *)&m->twin, text.text);
	else if (read == 0 && text.length)
		rc = real->cuLibraryLoadData((CUlibrary *)(void *)&m->twin, text.text, NULL, NULL,
		                             0, NULL, NULL, 0);
	str_release(&text);
	if (read < 0)
		return read;
	if (rc == CUDA_SUCCESS)
		return 0;
	m->twin = NULL;
	return err_set(err, ERR_DEVICE, "the driver does not take the instrumented PTX: %d", rc);
}

static int make(struct gpu_module *m, struct gpu_session *s, struct scratch_folder *files,
                struct err *err)
{
	struct shared_text *text = shared_text_create(m->ptx, strlen(m->ptx));
	struct program_code *code = text ? program_code_of("binary", CODE_PTX, text) : NULL;
	int rc = code ? scratch_folder_init(files, code, "instrumented.ptx", err)
	              : err_set(err, ERR_NOMEM, "%s", err_text(ERR_NOMEM));

	if (rc == 0)
		rc = run_instrumenter(m, s, files, err);
	if (rc == 0)
		rc = kernel_tables_read(files->table, &m->tables, &m->table_count, err);
	if (rc == 0)
		rc = load(m, files->output, err);
	program_code_release(code);
	shared_text_release(text);
	return rc;
}

/* The twin of what has PTX; 0 also when nobody wants it. */
static int make_wanted(struct gpu_module *m, struct gpu_session *s, struct err *err)
{
	struct scratch_folder files = { 0 };
	int rc = ptx_outline_init(&m->outline, m->ptx, err);

	if (rc < 0 || !is_wanted(m, s))
		return rc;
	if (launch_quota_is_spent(&s->quota, gpu_session_now()))
		return err_set(err, ERR_LIMIT, "it was built when nothing more was to be recorded");
	rc = make(m, s, &files, err);
	scratch_folder_release(&files, s->settings.keep);
	return rc;
}

void gpu_twin_make(struct gpu_module *m, struct gpu_session *s)
{
	struct err err = { 0 };

	if (write_program(m, s) && m->ptx && make_wanted(m, s, &err) < 0)
		m->reason = str_copy(err.msg, NULL);
	/* Only its outline is of use from here on. */
	free(m->ptx);
	m->ptx = NULL;
}

void gpu_twin_unload(struct gpu_module *m)
{
	const struct cuda_real *real = cuda_real();

	if (!m->twin)
		return;
	if (m->is_library)
		(void)real->cuLibraryUnload(m->twin);
	else
		(void)real->cuModuleUnload(m->twin);
	m->twin = NULL;
}
