/* SPDX-License-Identifier: Apache-2.0 */
#include "app.h"
#include "command.h"
#include "cuda_environment.h"
#include "err.h"
#include "gpu_search.h"
#include "install.h"
#include "options.h"
#include "say.h"
#include "str.h"

#include <stdlib.h>

struct cuda_run_options {
	const char *gpu; /* NULL: the default */
};

static const struct option_row rows[] = {
	{ .name = "gpu",
	  .letter = 'g',
	  .argument = "GPU",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct cuda_run_options, gpu),
	  .text = "the GPU that the program sees: a description that 'warpline gpus' "
	          "lists (default: " GPU_SEARCH_DEFAULT ")" },
};

const struct option_table cuda_run_options = { rows, sizeof(rows) / sizeof(rows[0]),
	                                       sizeof(struct cuda_run_options) };

/* The variables for the program; `preload` is the value of one. */
struct variables {
	struct app_variable items[CUDA_ENVIRONMENT_ITEMS + 2];
	size_t count;
	char *preload, *instrumenter;
};

static void put(struct variables *v, const char *name, const char *value)
{
	v->items[v->count++] = (struct app_variable){ name, value };
}

static int gather(struct variables *v, const struct cuda_environment *e, struct err *err)
{
	const char *old = getenv("LD_PRELOAD"), *given = getenv("WARPLINE_INSTRUMENT");

	for (size_t i = 0; i < e->count; i++)
		put(v, e->items[i].name, e->items[i].value);
	if (e->preload) {
		v->preload = old && *old ? str_format(err, "%s:%s", e->preload, old)
		                         : str_copy(e->preload, err);
		if (!v->preload)
			return ERR_NOMEM;
		put(v, "LD_PRELOAD", v->preload);
	}
	if (given && *given)
		return 0;
	v->instrumenter = install_part("warpline-instrument", err);
	if (!v->instrumenter)
		return err->code;
	put(v, "WARPLINE_INSTRUMENT", v->instrumenter);
	return 0;
}

static int run(char **argv, const struct cuda_environment *e, struct err *err)
{
	struct variables v = { .count = 0 };
	struct app_terms terms = { 0 };
	struct app_end end = { 0 };
	int ret = gather(&v, e, err);

	terms.variables = v.items;
	terms.variable_count = v.count;
	if (!ret)
		ret = app_run(argv, &terms, &end, err);
	free(v.preload);
	free(v.instrumenter);
	return ret ? ret : end.status;
}

int cmd_cuda_run(const void *settings, const struct operands *operands, struct err *err)
{
	const struct cuda_run_options *options = settings;
	struct cuda_environment environment = { .count = 0 };
	struct cuda_program program = { .has_code = false };
	char *path = NULL;
	int ret = app_check(operands->items[0], &path, err);

	if (ret > 0)
		say_line("cuda-run", "%s", err->msg);
	if (!ret)
		ret = cuda_program_read(&program, path, err);
	if (!ret)
		(void)cuda_environment_warn("cuda-run", &program, operands->items[0]);
	if (!ret)
		ret = cuda_environment_make(&environment, &program, options->gpu, err);
	if (!ret)
		ret = run(operands->items, &environment, err);
	cuda_environment_release(&environment);
	cuda_program_release(&program);
	free(path);
	return ret;
}
