/* SPDX-License-Identifier: Apache-2.0 */
#include "record_options.h"

#include "bypass_option.h"
#include "cuda_environment.h"
#include "err.h"
#include "gpu.h"
#include "gpu_catalogue.h"
#include "gpu_search.h"
#include "number.h"
#include "recorder_settings.h"
#include "say.h"
#include "str.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct option_row rows[] = {
	{ .name = "output",
	  .letter = 'o',
	  .argument = "DIR",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct record_options, output),
	  .text = "the recording to make (default: warpline.data); %p: process, %h: host, %n: "
	          "number" },
	{ .name = "count",
	  .kind = OPTION_FLAG,
	  .offset = offsetof(struct record_options, is_count),
	  .text = "only count accesses, and print the counts (same as --records count)" },
#define SETTING(kind, field, variable, fallback, text)
#define OPTION(form, field, variable, fallback, option, value, what)                               \
	{ .name = (option),                                                                        \
	  .argument = (value),                                                                     \
	  .kind = OPTION_TEXT,                                                                     \
	  .offset = offsetof(struct record_options, field),                                        \
	  .text = (what) },
#include "recorder_settings.def"
#undef SETTING
#undef OPTION
	{ .name = "cuda",
	  .argument = "WAY",
	  .kind = OPTION_CHOICE,
	  .offset = offsetof(struct record_options, cuda),
	  .words = CUDA_WAYS,
	  .text = "run a CUDA program on Warpline's CUDA libraries over OpenCL, or on its GPU "
	          "(default: auto, on the GPU if there is one)" },
	{ .name = "cuda-gpu",
	  .argument = "GPU",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct record_options, cuda_gpu),
	  .text = "the GPU that a CUDA program over OpenCL sees "
	          "(default: " GPU_SEARCH_DEFAULT ")" },
	{ .name = "explain-cost",
	  .kind = OPTION_FLAG,
	  .offset = offsetof(struct record_options, is_cost),
	  .text = "report at the end what recording spent its time on, and what would help" },
	{ .name = "quiet",
	  .letter = 'q',
	  .kind = OPTION_FLAG,
	  .offset = offsetof(struct record_options, is_quiet),
	  .text = "report only problems" },
	{ .name = "verbose",
	  .letter = 'v',
	  .kind = OPTION_FLAG,
	  .offset = offsetof(struct record_options, is_verbose),
	  .text = "report on each kernel too" },
};
enum { ROW_COUNT = sizeof(rows) / sizeof(rows[0]), RECORD_ONLY = 5 };

const struct option_table record_options = { rows, ROW_COUNT, sizeof(struct record_options) };
/* Without the last rows, which only concern `record`. */
const struct option_table env_options = { rows, ROW_COUNT - RECORD_ONLY,
	                                  sizeof(struct record_options) };

enum { RESOLVED_LIMIT_BYTES = 1 << 20 };

/* Append one part of --groups; `part` is overwritten. */
static int resolve_part(struct str *out, char *part, const char *what, struct err *err)
{
	struct err why = { 0 };
	struct gpu gpu;
	uint64_t sm;
	char *at;
	int ret;

	if (strncmp(part, "sm:", 3) != 0)
		return str_append(out, part, strlen(part), err);
	at = strchr(part, '@');
	if (!at || at == part + 3 || !at[1])
		return err_set(err, ERR_USAGE, "%s: '%s': expected sm:S@GPU, an SM of a GPU", what,
		               part);
	*at = '\0';
	ret = gpu_catalogue_load(&gpu, at + 1, NULL, &why);
	if (ret)
		return err_set(err, ERR_USAGE, "%s: %s", what, why.msg);
	ret = number_parse(part + 3, what, 0, UINT64_MAX, &sm, err);
	if (!ret && sm >= gpu.sm_count)
		ret = err_set(err, ERR_USAGE, "%s: %s has the SMs 0..%" PRIu32 ", not %" PRIu64,
		              what, gpu.name, gpu.sm_count - 1, sm);
	return ret ? ret : str_printf(out, err, "%" PRIu64 "../%" PRIu32, sm, gpu.sm_count);
}

char *record_options_groups(const char *spec, const char *what, struct err *err)
{
	char *copy = str_copy(spec, err), *rest = copy, *part;
	struct str out;
	int ret = copy ? 0 : ERR_NOMEM;

	str_init(&out, RESOLVED_LIMIT_BYTES);
	if (!ret)
		ret = str_append(&out, "", 0, err);
	while (!ret && (part = strsep(&rest, ","))) {
		ret = resolve_part(&out, part, what, err);
		if (!ret && rest)
			ret = str_append(&out, ",", 1, err);
	}
	free(copy);
	if (ret) {
		str_release(&out);
		return NULL;
	}
	return str_take(&out);
}

/* The name of a setting on the command line and in the environment. */
struct setting_names {
	const char *option, *variable;
};

/* Check one setting, given as an option or not, and add it to the variables. */
static int add(struct recorder_variables *v, struct setting_names names, const char *given,
               struct err *err)
{
	const char *what = given ? names.option : names.variable;
	const char *value = given ? given : getenv(names.variable);
	int ret;

	if (!value || !*value)
		return 0;
	if (!strcmp(names.variable, "WARPLINE_GROUPS"))
		value = v->groups = record_options_groups(value, what, err);
	else if (!strcmp(names.variable, "WARPLINE_BYPASS"))
		value = v->bypass = bypass_option_keep(value, what, err);
	else if (!strcmp(names.variable, "WARPLINE_APPLY"))
		value = v->apply = bypass_option_apply(value, what, err);
	if (!value)
		return err->code;
	ret = recorder_settings_check(names.variable, value, what, err);
	if (!ret)
		v->items[v->count++] = (struct app_variable){ names.variable, value };
	return ret;
}

/* Options that exclude each other. */
static int check_pairs(const struct record_options *o, struct err *err)
{
	if (o->is_count && o->records && strcmp(o->records, "count") != 0)
		return err_set(err, ERR_USAGE, "--count: contradicts --records %s", o->records);
	return 0;
}

int recorder_variables_init(struct recorder_variables *v, const struct record_options *o,
                            struct err *err)
{
	struct record_options all = *o;
	int ret = 0;

	*v = (struct recorder_variables){ .count = 0 };
	ret = check_pairs(o, err);
	if (ret)
		return ret;
	if (o->is_count)
		all.records = "count";
#define SETTING(kind, field, variable, fallback, text)
#define OPTION(kind, field, variable, fallback, option, argument, text)                            \
	ret = ret ? ret : add(v, (struct setting_names){ "--" option, variable }, all.field, err);
#include "recorder_settings.def"
#undef SETTING
#undef OPTION
	return ret;
}

void recorder_variables_release(struct recorder_variables *v)
{
	free(v->groups);
	free(v->bypass);
	free(v->apply);
	v->groups = v->bypass = v->apply = NULL;
}

static void warn(void *context, const char *variable, const char *nearest)
{
	const char *command = context;

	if (nearest)
		say_line(command, "%s is not a variable of Warpline; is %s meant?", variable,
		         nearest);
	else
		say_line(command, "%s is not a variable of Warpline", variable);
}

void record_options_warn(const char *command)
{
	char name[16];

	snprintf(name, sizeof(name), "%s", command);
	recorder_settings_unknown(warn, name);
}
