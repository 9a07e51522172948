/* SPDX-License-Identifier: Apache-2.0 */
#include "record_environment.h"

#include "cuda_environment.h"
#include "err.h"
#include "install.h"
#include "recording_dir.h"
#include "recording_name.h"
#include "str.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void put(struct record_environment *e, const char *name, const char *value)
{
	e->items[e->count++] = (struct app_variable){ name, value };
}

/* Whether a list with these `separators` contains the word. */
static bool has_word(const char *list, const char *separators, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; at && *at;) {
		size_t span = strcspn(at, separators);

		if (span == length && !memcmp(at, word, length))
			return true;
		at += span + (at[span] != '\0');
	}
	return false;
}

/* The value of a list variable with `word` added, on the heap. */
static char *with_word(const char *name, const char *separators, const char *word, struct err *err)
{
	const char *old = getenv(name);

	if (!old || !*old)
		return str_copy(word, err);
	if (has_word(old, separators, word))
		return str_copy(old, err);
	return str_format(err, "%s:%s", old, word);
}

/* The dynamic linker splits names at spaces: rely on the layer alone then. */
static int put_library(struct record_environment *e, const char *library, struct err *err)
{
	if (strchr(library, ':'))
		return err_set(err, ERR_IO, "%s: a path with ':' cannot be loaded into a program",
		               library);
	e->layers = with_word("OPENCL_LAYERS", ":", library, err);
	if (!e->layers)
		return ERR_NOMEM;
	put(e, "OPENCL_LAYERS", e->layers);
	if (strchr(library, ' '))
		return 0;
	e->preload = with_word("LD_PRELOAD", ": ", library, err);
	if (!e->preload)
		return ERR_NOMEM;
	put(e, "LD_PRELOAD", e->preload);
	return 0;
}

static int put_instrumenter(struct record_environment *e, struct err *err)
{
	const char *given = getenv("WARPLINE_INSTRUMENT");

	if (given && *given)
		return 0;
	e->instrumenter = install_part("warpline-instrument", err);
	if (!e->instrumenter)
		return err->code;
	put(e, "WARPLINE_INSTRUMENT", e->instrumenter);
	return 0;
}

int record_environment_init(struct record_environment *e, const struct record_options *o,
                            struct err *err)
{
	char *library;
	int ret;

	*e = (struct record_environment){ .count = 0 };
	ret = recorder_variables_init(&e->settings, o, err);
	if (ret)
		return ret;
	e->pattern = recording_dir_pattern(o->output, err);
	if (!e->pattern)
		return err->code;
	put(e, "WARPLINE_DIR", e->pattern);
	ret = put_instrumenter(e, err);
	for (size_t i = 0; i < e->settings.count; i++)
		put(e, e->settings.items[i].name, e->settings.items[i].value);
	if (ret)
		return ret;
	library = install_part("libwarpline.so", err);
	ret = library ? put_library(e, library, err) : err->code;
	free(library);
	return ret;
}

/* Replace the list of preloaded libraries; takes ownership of `list` (NULL: out of memory). */
static int set_preload(struct record_environment *e, char *list)
{
	if (!list)
		return ERR_NOMEM;
	free(e->preload);
	e->preload = list;
	for (size_t i = 0; i < e->count; i++)
		if (!strcmp(e->items[i].name, "LD_PRELOAD")) {
			e->items[i].value = list;
			return 0;
		}
	put(e, "LD_PRELOAD", list);
	return 0;
}

/* Use CUDA's libraries over OpenCL, which the recorder records like any OpenCL program. */
static int add_opencl(struct record_environment *e, const struct cuda_program *p, const char *gpu,
                      struct err *err)
{
	int ret = cuda_environment_make(&e->cuda, p, gpu, err);

	for (size_t i = 0; i < e->cuda.count && !ret; i++)
		put(e, e->cuda.items[i].name, e->cuda.items[i].value);
	if (ret || !e->cuda.preload)
		return ret;
	return set_preload(e, e->preload ? str_format(err, "%s:%s", e->cuda.preload, e->preload)
	                                 : str_copy(e->cuda.preload, err));
}

/* Use the recorder of programs on GPUs instead of that of OpenCL. */
static int add_gpu(struct record_environment *e, struct err *err)
{
	char *library = install_part("libwarpline-cuda.so", err);
	int ret = library ? set_preload(e, with_word("LD_PRELOAD", ": ", library, err)) : err->code;

	free(library);
	return ret;
}

int record_environment_add_cuda(struct record_environment *e, const struct record_options *o,
                                const char *path, struct err *err)
{
	struct cuda_program program;
	enum cuda_way way = (enum cuda_way)o->cuda;
	int ret = cuda_program_read(&program, path, err);
	bool is_cuda = program.needed.count || program.has_code;

	if (way == CUDA_AUTO && is_cuda)
		way = cuda_has_gpu() ? CUDA_GPU : CUDA_OPENCL;
	if (!ret && way == CUDA_OPENCL)
		(void)cuda_environment_warn("record", &program, path);
	if (!ret && way == CUDA_OPENCL)
		ret = add_opencl(e, &program, o->cuda_gpu, err);
	else if (!ret && way == CUDA_GPU)
		ret = add_gpu(e, err);
	cuda_program_release(&program);
	return ret;
}

void record_environment_set_report(struct record_environment *e, const char *path)
{
	put(e, "WARPLINE_SEEN", path);
}

void record_environment_release(struct record_environment *e)
{
	recorder_variables_release(&e->settings);
	free(e->pattern);
	free(e->instrumenter);
	free(e->layers);
	free(e->preload);
	cuda_environment_release(&e->cuda);
	memset(e, 0, sizeof(*e));
}
