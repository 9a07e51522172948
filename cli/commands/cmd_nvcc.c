/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "err.h"
#include "nvcc_line.h"
#include "nvcc_places.h"
#include "nvcc_plan.h"
#include "str.h"

#include <stdio.h>

enum { PRINTED_LIMIT = 1 << 24 };

/* nvcc's options have a separate table. */
const struct option_table nvcc_options = { option_rows_of_its_own, 0, 0 };

/* Print the version as nvcc does, so that makefiles find the release. */
static void print_version(void)
{
	puts("nvcc: Warpline's compiler driver for CUDA C++, by " NVCC_CLANG);
	puts("Cuda compilation tools, release 12.0, V12.0.0");
	puts("warpline " WARPLINE_VERSION);
}

/* Print one command on stderr, as nvcc does. */
static int print_step(const struct word_list *step, struct err *err)
{
	struct str text;
	int ret;

	str_init(&text, PRINTED_LIMIT);
	ret = word_list_print(step, &text, err);
	if (!ret)
		fprintf(stderr, "#$ %s\n", text.text);
	str_release(&text);
	return ret;
}

static int run_plan(struct nvcc_plan *plan, const struct nvcc_line *l, struct err *err)
{
	struct word_list *steps = plan->steps.data;
	int ret = 0;

	for (size_t i = 0; i < plan->steps.count && !ret; i++) {
		if (l->is_dry || l->is_verbose)
			ret = print_step(&steps[i], err);
		if (!ret && !l->is_dry)
			ret = nvcc_plan_run(&steps[i], err);
	}
	return ret;
}

static int compile(const struct nvcc_line *l, struct err *err)
{
	struct nvcc_places places;
	struct nvcc_plan plan = { .steps = { .count = 0 } };
	int ret = nvcc_places_find(&places, l->toolkit, err);

	places.temporary = "TEMPORARY";
	if (!ret && !l->is_dry)
		ret = nvcc_places_make_temporary(&places, err);
	if (!ret)
		ret = nvcc_plan_make(&plan, l, &places, err);
	if (!ret)
		ret = run_plan(&plan, l, err);
	nvcc_plan_release(&plan);
	nvcc_places_release(&places);
	return ret;
}

int cmd_nvcc(const void *settings, const struct operands *operands, struct err *err)
{
	struct nvcc_line line;
	int ret = nvcc_line_read(&line, (const char *const *)operands->items, operands->count, err);

	if (!ret && line.wants_version)
		print_version();
	else if (!ret)
		ret = compile(&line, err);
	nvcc_line_release(&line);
	return ret;
}
