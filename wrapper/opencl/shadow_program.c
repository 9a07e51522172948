/* SPDX-License-Identifier: Apache-2.0 */
#include "shadow_program.h"

#include "array.h"
#include "clock.h"
#include "device_info.h"
#include "err.h"
#include "file.h"
#include "instrument_job.h"
#include "kernel_table.h"
#include "own_objects.h"
#include "program_code.h"
#include "program_macros.h"
#include "session.h"
#include "str.h"
#include "text_program.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CODE_LIMIT_BYTES  (256u << 20)
#define NAMES_LIMIT_BYTES (64u << 20)
#define MOST_TRIES        16 /* each except the last ends with a question to the device */

/* What is needed to make a shadow. */
struct making {
	struct session *session;
	cl_program original;
	const struct shadow_source *source;
	char *instrumenter;
	struct program_macros macros;
	struct instrument_job job;
	char *names; /* to ask the device about, or "" */
};

static int add_part(struct making *m, size_t i, struct err *err)
{
	static const char *const suffixes[CODE_KINDS] = { ".cl", ".bc", ".spv", ".ptx" };
	const struct code_part *part = &m->source->code->parts[i];
	struct job_header *headers =
		array_alloc(part->header_count, sizeof(*headers), "headers", err);
	char file[32], name[48];
	int rc = ERR_NOMEM;

	snprintf(file, sizeof(file), "program-%zu%s", i, suffixes[part->kind]);
	snprintf(name, sizeof(name), "sources/program-%04u.cl", m->source->program_ids[i]);
	for (size_t k = 0; headers && k < part->header_count; k++) {
		const struct embedded_header *h = &part->headers[k];

		headers[k] = (struct job_header){ h->name, h->text->bytes, h->text->length };
	}
	if (headers)
		rc = instrument_job_add(&m->job,
		                        &(struct job_part){ .file = file,
		                                            .name = name,
		                                            .bytes = part->text->bytes,
		                                            .length = part->text->length,
		                                            .options = part->options,
		                                            .macros = m->macros.parts[i].answers,
		                                            .headers = headers,
		                                            .header_count = part->header_count },
		                        err);
	free(headers);
	return rc;
}

static int set_device(struct making *m, cl_device_id device, struct err *err)
{
	char *extensions = device_info_text(device, CL_DEVICE_EXTENSIONS, err);
	char *version = device_info_text(device, CL_DEVICE_VERSION, err);
	int rc = extensions && version
	                 ? instrument_job_set_device(&m->job, extensions, version, err)
	                 : ERR_NOMEM;

	free(extensions);
	free(version);
	return rc;
}

/* Set the request from the device and the settings. */
static int set_request(const struct shadow_program *shadow, struct making *m, struct err *err)
{
	const struct runtime runtime = runtime_of(shadow->device);
	const uint64_t type = device_info_number(shadow->device, CL_DEVICE_TYPE);
	struct instrument_request *r = &m->job.request;

	session_set_request(m->session, r);
	r->names = instrument_job_path(&m->job, "names", err);
	r->door = TEXT_PROGRAM_DOOR;
	r->layout = type & CL_DEVICE_TYPE_CPU ? "item" : "lane";
	r->mixes_items = runtime.mixes_items ? "1" : "0";
	r->wide_addresses = runtime.is_narrow ? "0" : "1";
	r->apply = m->session->settings.apply;
	return r->names ? set_device(m, shadow->device, err) : ERR_NOMEM;
}

/* Whether the code has any kernel; kernels that cannot be written as text are missing from it. */
static bool has_kernel(const struct shadow_program *shadow)
{
	for (size_t i = 0; i < shadow->table_count; i++)
		if (!shadow->tables[i].refusal)
			return true;
	return false;
}

/* Read the instrumented code and append what shows whether one of the names is a macro. */
static int read_code(const struct making *m, struct str *code, struct err *err)
{
	int rc = file_read(m->job.request.output, code, err);

	if (rc == 0 && *m->names)
		rc = macro_probe_append(code, m->names, err);
	return rc;
}

static int load(struct shadow_program *shadow, const struct making *m, struct err *err)
{
	const struct opencl_real *real = opencl_real();
	cl_context context = NULL;
	struct str code;
	cl_int code_of_driver;
	int rc;

	if (!has_kernel(shadow))
		return 0;
	str_init(&code, CODE_LIMIT_BYTES);
	code_of_driver = real->clGetProgramInfo(m->original, CL_PROGRAM_CONTEXT, sizeof(context),
	                                        (void *)&context, NULL);
	if (code_of_driver != CL_SUCCESS)
		rc = err_set(err, ERR_DEVICE, "the program's context is not known: %d",
		             code_of_driver);
	else
		rc = read_code(m, &code, err);
	if (rc == 0)
		rc = text_program_build(context, shadow->device, &code, &shadow->program, err);
	str_release(&code);
	return rc;
}

/* Ask the driver for the largest group of a table's kernel; 0 when it does not report that. */
static size_t ask_most_items(const struct shadow_program *shadow, const struct kernel_table *table)
{
	const struct opencl_real *real = opencl_real();
	cl_kernel kernel;
	size_t most = 0;
	cl_int rc;

	if (table->refusal)
		return 0;
	kernel = real->clCreateKernel(shadow->program, table->name, &rc);
	if (!kernel)
		return 0;
	if (real->clGetKernelWorkGroupInfo(kernel, shadow->device, CL_KERNEL_WORK_GROUP_SIZE,
	                                   sizeof(most), &most, NULL) != CL_SUCCESS)
		most = 0;
	real->clReleaseKernel(kernel);
	return most;
}

static int ask_limits(struct shadow_program *shadow, struct err *err)
{
	shadow->most_items =
		array_alloc(shadow->table_count, sizeof(*shadow->most_items), "limits", err);
	if (!shadow->most_items)
		return ERR_NOMEM;
	for (size_t i = 0; shadow->program && i < shadow->table_count; i++)
		shadow->most_items[i] = ask_most_items(shadow, &shadow->tables[i]);
	return 0;
}

static int read_names(struct making *m, struct err *err)
{
	struct str names;
	int rc = 0;

	str_init(&names, NAMES_LIMIT_BYTES);
	if (m->job.request.names && access(m->job.request.names, R_OK) == 0)
		rc = file_read(m->job.request.names, &names, err);
	free(m->names);
	m->names = str_copy(names.text ? names.text : "", err);
	str_release(&names);
	return m->names ? rc : ERR_NOMEM;
}

static int instrument(struct shadow_program *shadow, struct making *m, struct err *err)
{
	int rc = set_request(shadow, m, err), names;

	if (rc == 0)
		rc = code_place_folder(m->source->code, &m->job.request.folder, err);
	for (size_t i = 0; rc == 0 && i < m->source->code->part_count; i++)
		rc = add_part(m, i, err);
	if (rc == 0)
		rc = instrument_job_run(&m->job, m->session->settings.cache, err);
	if (rc == 0)
		rc = code_place_check(m->source->code, m->job.request.headers, err);
	/* Names are written before the code is made, which may fail for lack of a macro. */
	names = read_names(m, rc ? NULL : err);
	return rc ? rc : names;
}

/* Whether there is something to instrument. */
static int check_code(const struct program_code *code, struct err *err)
{
	if (code->refusal)
		return err_set(err, ERR_UNSUPPORTED, "%s", code->refusal);
	for (size_t i = 0; i < code->part_count; i++)
		if (!code->parts[i].options)
			return err_set(err, ERR_UNSUPPORTED,
			               "the recorder has not seen how the program was built");
	return 0;
}

/* Discard what was made on a wrong assumption. */
static void forget(struct shadow_program *shadow)
{
	const struct shadow_program fresh = { .device = shadow->device };

	if (shadow->program)
		opencl_real()->clReleaseProgram(shadow->program);
	for (size_t i = 0; i < shadow->table_count; i++)
		kernel_table_release(&shadow->tables[i]);
	free(shadow->tables);
	*shadow = fresh;
}

static int ask(struct making *m, bool *is_more, struct err *err)
{
	uint64_t since = clock_now_ns();
	struct err why = { 0 };
	int rc = program_macros_ask(&m->macros, m->source->code, m->names, is_more, &why);

	work_clock_part(m->session, RECORDER_DRIVER, since, 0);
	return rc ? err_set(err, (enum err_code)rc,
	                    "the macros of the device's compiler are not known: %s", why.msg)
	          : 0;
}

/* Whether a name turns out to be a macro; the device that will run the code shows it. */
static int check_names(const struct shadow_program *shadow, struct making *m, bool *is_more,
                       struct err *err)
{
	*is_more = false;
	if (!*m->names)
		return 0;
	if (!shadow->program || !macro_probe_has_found(shadow->program))
		return 0;
	return ask(m, is_more, err);
}

/* Whether nothing has been made yet because the device must first be asked about the language. */
static bool is_first(const struct making *m)
{
	return *m->names && !program_macros_are_known(&m->macros);
}

static int make_code(struct shadow_program *shadow, struct making *m, struct err *err)
{
	uint64_t since = clock_now_ns();
	int rc = instrument(shadow, m, err);

	work_clock_part(m->session, RECORDER_INSTRUMENTS, since, 0);
	if (rc < 0 || is_first(m))
		return rc;
	rc = kernel_tables_read(m->job.request.table, &shadow->tables, &shadow->table_count, err);
	since = clock_now_ns();
	if (rc == 0)
		rc = load(shadow, m, err);
	work_clock_part(m->session, RECORDER_DRIVER, since, 0);
	return rc;
}

/* After a failure: whether a name is a macro, without which the text may not compile. */
static bool may_do_better(struct making *m, int rc)
{
	bool is_more = false;

	return (rc == ERR_SUBPROCESS || rc == ERR_DEVICE) && m->names && *m->names &&
	       ask(m, &is_more, NULL) == 0 && is_more;
}

/* Make it with what is known of the device's macros. Sets *is_done if that was enough. */
static int try(struct shadow_program *shadow, struct making *m, bool *is_done, struct err *err)
{
	struct err why = { 0 };
	bool is_more = true;
	int rc = instrument_job_init(&m->job, m->instrumenter, "instrumented.cl", err);

	if (rc < 0)
		return rc;
	rc = make_code(shadow, m, &why);
	if (rc < 0 && !may_do_better(m, rc))
		return err_set(err, (enum err_code)rc, "%s", why.msg);
	if (rc == 0 && is_first(m))
		return ask(m, &is_more, err);
	rc = rc == 0 ? check_names(shadow, m, &is_more, err) : 0;
	*is_done = rc == 0 && !is_more;
	if (rc == 0 && is_more)
		forget(shadow);
	return rc;
}

static int make(struct shadow_program *shadow, struct making *m, struct err *err)
{
	const struct recorder_settings *settings = &m->session->settings;
	bool is_done = false;
	int rc = check_code(m->source->code, err);

	if (rc == 0)
		rc = text_program_check(shadow->device, err);
	if (rc < 0)
		return rc;
	m->instrumenter = settings->instrumenter ? str_copy(settings->instrumenter, err)
	                                         : instrument_process_default(err);
	rc = m->instrumenter ? program_macros_init(&m->macros, m->session, shadow->device,
	                                           m->source->code, m->instrumenter, err)
	                     : ERR_NOMEM;
	for (int i = 0; rc == 0 && !is_done && i < MOST_TRIES; i++) {
		rc = try(shadow, m, &is_done, err);
		instrument_job_release(&m->job, settings->keep);
	}
	if (rc == 0 && !is_done)
		rc = err_set(err, ERR_LIMIT, "the device's macros name ever more macros");
	return rc ? rc : ask_limits(shadow, err);
}

void shadow_program_init(struct shadow_program *shadow, struct session *s, cl_program original,
                         const struct shadow_source *source)
{
	struct making m = { .session = s, .original = original, .source = source };
	struct err err = { 0 };

	if (make(shadow, &m, &err) < 0)
		shadow->reason = str_copy(err.msg, NULL);
	program_macros_release(&m.macros);
	free(m.instrumenter);
	free(m.names);
	if (shadow->program)
		own_objects_change_program(shadow->program, 1);
}

const struct kernel_table *shadow_program_table(const struct shadow_program *shadow,
                                                const char *name)
{
	for (size_t i = 0; i < shadow->table_count; i++)
		if (strcmp(shadow->tables[i].name, name) == 0)
			return &shadow->tables[i];
	return NULL;
}

size_t shadow_program_most_items(const struct shadow_program *shadow,
                                 const struct kernel_table *table)
{
	return shadow->most_items ? shadow->most_items[table - shadow->tables] : 0;
}

void shadow_program_release(struct shadow_program *shadow)
{
	if (shadow->program) {
		own_objects_change_program(shadow->program, -1);
		opencl_real()->clReleaseProgram(shadow->program);
	}
	for (size_t i = 0; i < shadow->table_count; i++)
		kernel_table_release(&shadow->tables[i]);
	free(shadow->tables);
	free(shadow->most_items);
	free(shadow->reason);
	*shadow = (struct shadow_program){ 0 };
}

void launch_kits_init(struct launch_kits *kits)
{
	pthread_mutex_init(&kits->lock, NULL);
	kits->idle = NULL;
}

/* Count a long-lived kernel object of ours as created (1) or released (-1). */
static void count_kernel(cl_kernel kernel, int more)
{
	cl_context context = NULL;

	if (opencl_real()->clGetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof(context),
	                                   (void *)&context, NULL) == CL_SUCCESS)
		own_objects_change(context, OWN_KERNEL, more);
}

static void free_kit(struct launch_kit *kit)
{
	if (kit->kernel) {
		count_kernel(kit->kernel, -1);
		opencl_real()->clReleaseKernel(kit->kernel);
	}
	if (kit->has_decoder)
		group_decoder_release(&kit->decoder);
	free(kit);
}

void launch_kits_release(struct launch_kits *kits)
{
	while (kits->idle) {
		struct launch_kit *kit = kits->idle;

		kits->idle = kit->next;
		free_kit(kit);
	}
	pthread_mutex_destroy(&kits->lock);
}

static struct launch_kit *make_kit(cl_program program, const struct kernel_table *table,
                                   struct err *err)
{
	struct launch_kit *kit = array_alloc(1, sizeof(*kit), "kernel", err);
	cl_int rc = CL_SUCCESS;

	if (!kit)
		return NULL;
	kit->table = table;
	kit->kernel = opencl_real()->clCreateKernel(program, table->name, &rc);
	if (kit->kernel) {
		count_kernel(kit->kernel, 1);
		return kit;
	}
	err_set(err, ERR_DEVICE, "the driver cannot create the instrumented kernel: %d", rc);
	free(kit);
	return NULL;
}

struct launch_kit *launch_kits_take(struct launch_kits *kits, cl_program program,
                                    const struct kernel_table *table, struct err *err)
{
	struct launch_kit **at, *kit;

	pthread_mutex_lock(&kits->lock);
	for (at = &kits->idle; *at && (*at)->table != table;)
		at = &(*at)->next;
	kit = *at;
	if (kit)
		*at = kit->next;
	pthread_mutex_unlock(&kits->lock);
	return kit ? kit : make_kit(program, table, err);
}

void launch_kits_give(struct launch_kits *kits, struct launch_kit *kit)
{
	if (!kit)
		return;
	pthread_mutex_lock(&kits->lock);
	kit->next = kits->idle;
	kits->idle = kit;
	pthread_mutex_unlock(&kits->lock);
}

struct group_decoder *launch_kit_decoder(struct launch_kit *kit, struct err *err)
{
	if (!kit->has_decoder && group_decoder_init(&kit->decoder, kit->table, err) < 0) {
		group_decoder_release(&kit->decoder);
		return NULL;
	}
	kit->has_decoder = true;
	group_decoder_begin(&kit->decoder);
	return &kit->decoder;
}
