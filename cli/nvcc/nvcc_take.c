/* SPDX-License-Identifier: Apache-2.0 */
#include "nvcc_take.h"

#include "err.h"
#include "nvcc_arch.h"

#include <string.h>

/* What a function below gets of an option. */
#define TAKEN                                                                                      \
	struct nvcc_line *l, const struct nvcc_option *o, const struct nvcc_given *given,          \
		struct err *err

/* Keep a value and let *at be it. */
static int keep(struct nvcc_line *l, const char **at, const char *value, struct err *err)
{
	int ret = word_list_format(&l->values, err, "%s", value);

	if (!ret)
		*at = word_list_at(&l->values, word_list_count(&l->values) - 1);
	return ret;
}

/* A clang option from its text in the table. */
static int add_text(struct word_list *to, const char *text, const char *value, struct err *err)
{
	const char *mark = strstr(text, "%s");

	if (!mark)
		return word_list_format(to, err, "%s", text);
	return word_list_format(to, err, "%.*s%s", (int)(mark - text), text, value);
}

static int take_ignored(TAKEN)
{
	(void)o;
	return word_list_format(&l->ignored, err, "%s", given->argument);
}

static int take_refused(TAKEN)
{
	(void)l;
	return err_set(err, ERR_USAGE, "%s: %s", given->argument, o->text);
}

/* What "VALUE=TEXT" has for the value that was given, or NULL. */
static const char *text_of_value(const struct nvcc_option *o, const struct nvcc_given *given)
{
	size_t length = strcspn(o->text, "=");

	if (strlen(given->value) != length || strncmp(given->value, o->text, length) != 0)
		return NULL;
	return o->text + length + 1;
}

static int take_defined(TAKEN)
{
	const char *macro = text_of_value(o, given);

	return macro ? word_list_format(&l->both, err, "-D%s", macro)
	             : word_list_format(&l->ignored, err, "%s", given->argument);
}

static int take_device_choice(TAKEN)
{
	const char *option = text_of_value(o, given);

	return option ? word_list_format(&l->device, err, "%s", option)
	              : word_list_format(&l->ignored, err, "%s", given->argument);
}

static int take_both(TAKEN)
{
	return add_text(&l->both, o->text, given->value, err);
}

static int take_host(TAKEN)
{
	return add_text(&l->host, o->text, given->value, err);
}

static int take_device(TAKEN)
{
	return add_text(&l->device, o->text, given->value, err);
}

static int take_link(TAKEN)
{
	return add_text(&l->link, o->text, given->value, err);
}

/* Libraries of CUDA that every program gets here, or has no need of, are left out. */
static int take_library(TAKEN)
{
	static const char *const ours[] = { "cudart", "cudart_static", "cudadevrt", "culibos" };

	(void)o;
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		if (!strcmp(given->value, ours[i]))
			return word_list_format(&l->ignored, err, "-l%s", given->value);
	return word_list_format(&l->inputs, err, "-l%s", given->value);
}

static int take_host_words(TAKEN)
{
	(void)o;
	return word_list_add_pieces(&l->host_words, given->value, ", \t\n", err);
}

static int take_linker_words(TAKEN)
{
	struct word_list words;
	int ret;

	(void)o;
	word_list_init(&words);
	ret = word_list_add_pieces(&words, given->value, ", ", err);
	for (size_t i = 0; !ret && i < word_list_count(&words); i++)
		ret = word_list_add_words(
			&l->link, (const char *const[]){ "-Xlinker", word_list_at(&words, i) }, 2,
			err);
	word_list_release(&words);
	return ret;
}

static int take_product(TAKEN)
{
	(void)given;
	l->product = o->meaning == NVCC_COMPILE       ? NVCC_MAKE_OBJECT
	             : o->meaning == NVCC_DEVICE_LINK ? NVCC_MAKE_DEVICE_LINK
	             : o->meaning == NVCC_ARCHIVE     ? NVCC_MAKE_ARCHIVE
	                                              : NVCC_MAKE_TEXT;
	if (!*o->text)
		return 0;
	/* Of -dc it is a macro, of -E an option. */
	return word_list_format(o->meaning == NVCC_COMPILE ? &l->both : &l->host, err, "%s",
	                        o->text);
}

/* A text that the line keeps. */
static int take_text(TAKEN)
{
	const char **at = o->meaning == NVCC_OUTPUT          ? &l->output
	                  : o->meaning == NVCC_OUTPUT_FOLDER ? &l->folder
	                  : o->meaning == NVCC_LANGUAGE      ? &l->language
	                  : o->meaning == NVCC_HOST_COMPILER ? &l->host_compiler
	                                                     : &l->toolkit;

	return keep(l, at, given->value, err);
}

static int take_machine(TAKEN)
{
	(void)l;
	(void)o;
	return strcmp(given->value, "64")
	               ? err_set(err, ERR_USAGE, "-m%s: expected -m64", given->value)
	               : 0;
}

static int take_architecture(TAKEN)
{
	unsigned arch = nvcc_arch_parse(given->value);

	(void)o;
	(void)err;
	if (arch > l->arch)
		l->arch = arch;
	return 0;
}

static int take_runtime(TAKEN)
{
	(void)o;
	(void)err;
	l->has_runtime = strcmp(given->value, "none") != 0;
	return 0;
}

static int take_flag(TAKEN)
{
	bool *flag = o->meaning == NVCC_FORWARD   ? &l->forwards
	             : o->meaning == NVCC_DRY     ? &l->is_dry
	             : o->meaning == NVCC_VERBOSE ? &l->is_verbose
	                                          : &l->wants_version;

	(void)given;
	(void)err;
	*flag = true;
	return 0;
}

/* By meaning. */
static int (*const takers[])(TAKEN) = {
	[NVCC_IGNORE] = take_ignored,
	[NVCC_REFUSE] = take_refused,
	[NVCC_DEFINE] = take_defined,
	[NVCC_BOTH] = take_both,
	[NVCC_HOST] = take_host,
	[NVCC_DEVICE] = take_device,
	[NVCC_DEVICE_CHOICE] = take_device_choice,
	[NVCC_LINK] = take_link,
	[NVCC_LIBRARY] = take_library,
	[NVCC_HOST_WORDS] = take_host_words,
	[NVCC_LINKER_WORDS] = take_linker_words,
	[NVCC_COMPILE] = take_product,
	[NVCC_PREPROCESS] = take_product,
	[NVCC_DEVICE_LINK] = take_product,
	[NVCC_ARCHIVE] = take_product,
	[NVCC_OUTPUT] = take_text,
	[NVCC_OUTPUT_FOLDER] = take_text,
	[NVCC_LANGUAGE] = take_text,
	[NVCC_HOST_COMPILER] = take_text,
	[NVCC_TOOLKIT] = take_text,
	[NVCC_MACHINE] = take_machine,
	[NVCC_ARCHITECTURE] = take_architecture,
	[NVCC_RUNTIME] = take_runtime,
	[NVCC_FORWARD] = take_flag,
	[NVCC_DRY] = take_flag,
	[NVCC_VERBOSE] = take_flag,
	[NVCC_VERSION] = take_flag,
};

int nvcc_take(struct nvcc_line *l, const struct nvcc_option *o, const struct nvcc_given *given,
              struct err *err)
{
	return takers[o->meaning](l, o, given, err);
}
