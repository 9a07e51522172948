/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_twin.h"

#include "clock.h"
#include "err.h"
#include "file.h"
#include "gpu_device.h"
#include "gpu_module.h"
#include "instrument_job.h"
#include "recorder.h"
#include "session.h"
#include "str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT_TWIN_BYTES (512u << 20)

/* Whether the user wants one of its kernels, now. */
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
	r->limit_ns = s->settings.instrument_limit_ns;
	r->door = "ptx";
	r->gpu_arch = current_arch(arch);
	r->records = s->settings.records;
	r->layout = "lane";
	r->slots = s->settings.atomics ? "0" : "1";
	r->mixes_items = "0";
	r->wide_addresses = "0";
	r->opt = s->settings.opt;
	r->spaces = s->settings.spaces;
	return rc ? rc : instrument_job_run(job, s->settings.cache, err);
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

/* The twin of what has PTX; 0 also when nobody wants it. */
static int make_wanted(struct gpu_module *m, struct session *s, struct err *err)
{
	int rc = ptx_outline_init(&m->outline, m->ptx, err);

	if (rc < 0 || !is_wanted(m, s))
		return rc;
	if (launch_quota_is_spent(&s->quota, clock_now_ns()))
		return err_set(err, ERR_LIMIT, "it was built when nothing more was to be recorded");
	return make(m, s, err);
}

void gpu_twin_make(struct gpu_module *m, struct session *s)
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
