/* SPDX-License-Identifier: Apache-2.0 */
#include "nvcc_line.h"

#include "cuda_target.h"
#include "err.h"
#include "file.h"
#include "str.h"
#include "suggest.h"

#include <stdlib.h>
#include <string.h>

enum { OPTIONS_FILE_LIMIT = 1 << 20, DEPTH_LIMIT = 8 };

unsigned nvcc_arch_parse(const char *value)
{
	unsigned best = 0;

	for (const char *at = value; (at = strpbrk(at, "sc")); at++) {
		size_t prefix = !strncmp(at, "sm_", 3) ? 3 : !strncmp(at, "compute_", 8) ? 8 : 0;
		unsigned long number = prefix ? strtoul(at + prefix, NULL, 10) : 0;

		if (number > best && number < 1000)
			best = (unsigned)number;
	}
	return best;
}

unsigned nvcc_arch_for_clang(unsigned arch)
{
	return arch ? cuda_target_known(arch) : NVCC_ARCH_DEFAULT;
}

/* The form of an option's value. */
enum nvcc_form { NVCC_FORM_NONE, NVCC_FORM_ONE, NVCC_FORM_STUCK };

/* A row of nvcc_options.def. */
struct nvcc_option {
	const char *name, *letter; /* long and short */
	enum nvcc_form form;
	enum nvcc_meaning meaning;
	const char *text;
};

/* An option as written, and its value; borrowed. */
struct nvcc_given {
	const char *argument, *value;
};

/* The parameters of the functions below. */
#define TAKEN                                                                                      \
	struct nvcc_line *l, const struct nvcc_option *o, const struct nvcc_given *given,          \
		struct err *err

/* Keep a value, in *at. */
static int keep(struct nvcc_line *l, const char **at, const char *value, struct err *err)
{
	int ret = word_list_format(&l->values, err, "%s", value);

	if (!ret)
		*at = word_list_at(&l->values, word_list_count(&l->values) - 1);
	return ret;
}

/* Add a clang option from its text in the table. */
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

/* Returns TEXT of "VALUE=TEXT" if VALUE was given, else NULL. */
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

/* Take a library, except those of CUDA that every program is linked with or none needs. */
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
	/* A macro for -dc, an option for -E. */
	return word_list_format(o->meaning == NVCC_COMPILE ? &l->both : &l->host, err, "%s",
	                        o->text);
}

/* Take a string that the line keeps. */
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

/* Apply an option to *l; not for NVCC_OPTIONS_FILE. */
static int take(struct nvcc_line *l, const struct nvcc_option *o, const struct nvcc_given *given,
                struct err *err)
{
	return takers[o->meaning](l, o, given, err);
}

static const struct nvcc_option options[] = {
#define NVCC_OPTION(name, letter, form, meaning, text)                                             \
	{ name, letter, NVCC_FORM_##form, NVCC_##meaning, text },
#include "nvcc_options.def"
#undef NVCC_OPTION
};

enum { OPTION_COUNT = sizeof(options) / sizeof(options[0]) };

/* Words being read; those of an options file one level deeper. */
struct scan {
	struct nvcc_line *line;
	const char *const *next, *const *end;
	unsigned depth;
};

static int read_words(struct scan *s, struct err *err);

void nvcc_line_release(struct nvcc_line *l)
{
	word_list_release(&l->sources);
	word_list_release(&l->inputs);
	word_list_release(&l->both);
	word_list_release(&l->host);
	word_list_release(&l->device);
	word_list_release(&l->link);
	word_list_release(&l->host_words);
	word_list_release(&l->ignored);
	word_list_release(&l->values);
	memset(l, 0, sizeof(*l));
}

const char *nvcc_line_language(const struct nvcc_line *l, const char *file)
{
	static const struct {
		const char *ending, *language;
	} endings[] = { { ".cu", "cuda" }, { ".c", "c" },   { ".cc", "c++" },  { ".cpp", "c++" },
		        { ".cxx", "c++" }, { ".C", "c++" }, { ".c++", "c++" }, { ".CPP", "c++" } };
	const char *dot = strrchr(file, '.');

	if (l->language)
		return !strcmp(l->language, "cu") ? "cuda" : l->language;
	for (size_t i = 0; dot && i < sizeof(endings) / sizeof(endings[0]); i++)
		if (!strcmp(dot, endings[i].ending))
			return endings[i].language;
	return NULL;
}

static bool ends_in(const char *text, const char *ending)
{
	size_t length = strlen(text), part = strlen(ending);

	return length > part && !strcmp(text + length - part, ending);
}

static int read_file_name(struct nvcc_line *l, const char *file, struct err *err)
{
	static const char *const device_files[] = { ".ptx", ".cubin", ".fatbin", ".ltoir" };
	static const char *const linked[] = { ".o", ".obj", ".a", ".lib", ".so" };
	bool is_linked = strstr(file, ".so.") != NULL;
	int ret;

	for (size_t i = 0; i < sizeof(device_files) / sizeof(device_files[0]); i++)
		if (ends_in(file, device_files[i]))
			return err_set(err, ERR_USAGE,
			               "%s: expected sources, objects or libraries; device code "
			               "alone is not compiled into a program",
			               file);
	for (size_t i = 0; i < sizeof(linked) / sizeof(linked[0]); i++)
		is_linked = is_linked || ends_in(file, linked[i]);
	if (is_linked || !nvcc_line_language(l, file))
		return word_list_format(&l->inputs, err, "%s", file);
	ret = word_list_format(&l->sources, err, "%s", file);
	return ret ? ret : word_list_format(&l->inputs, err, "%s", "");
}

/* Whether the argument's name is that one, up to '='. */
static bool is_named(const char *argument, const char *name)
{
	size_t length = strlen(name);

	return length && !strncmp(argument, name, length) &&
	       (!argument[length] || argument[length] == '=');
}

/* Find the option that an argument names, and its value if that is part of the argument. */
static const struct nvcc_option *find(const char *argument, const char **value)
{
	bool is_long = !strncmp(argument, "--", 2);
	const char *name = argument + 1 + is_long, *equals = strchr(name, '=');

	*value = equals ? equals + 1 : NULL;
	for (size_t i = 0; i < OPTION_COUNT; i++)
		if (is_named(name, options[i].name) ||
		    (!is_long && is_named(name, options[i].letter)))
			return &options[i];
	for (size_t i = 0; !is_long && i < OPTION_COUNT; i++)
		if (options[i].form == NVCC_FORM_STUCK && options[i].letter[0] == name[0]) {
			*value = name + 1;
			return &options[i];
		}
	return NULL;
}

static int unknown(const char *argument, struct err *err)
{
	struct suggestion s;

	suggestion_init(&s, argument + strspn(argument, "-"));
	for (size_t i = 0; i < OPTION_COUNT; i++)
		suggestion_offer(&s, options[i].name);
	if (s.best)
		return err_set(err, ERR_USAGE, "unknown option '%s'; is --%s meant?", argument,
		               s.best);
	return err_set(err, ERR_USAGE,
	               "unknown option '%s'; options of the host compiler go after -Xcompiler",
	               argument);
}

/* Split the contents of an options file, and remove the quotes around words. */
static int split_file(struct word_list *words, char *text, struct err *err)
{
	int ret = 0;

	while (!ret && *(text += strspn(text, " \t\r\n"))) {
		char *start = text, *out = text, quote = '\0';

		for (; *text && (quote || !strchr(" \t\r\n", *text)); text++) {
			if (quote && *text == quote)
				quote = '\0';
			else if (!quote && (*text == '"' || *text == '\''))
				quote = *text;
			else
				*out++ = *text;
		}
		ret = word_list_format(words, err, "%.*s", (int)(out - start), start);
	}
	return ret;
}

static int read_options_file(struct scan *outer, const char *path, struct err *err)
{
	struct scan s = { outer->line, NULL, NULL, outer->depth + 1 };
	struct word_list words;
	struct str text;
	int ret;

	if (s.depth > DEPTH_LIMIT)
		return err_set(err, ERR_LIMIT, "%s: options files are nested more than %d deep",
		               path, DEPTH_LIMIT);
	word_list_init(&words);
	str_init(&text, OPTIONS_FILE_LIMIT);
	ret = file_read(path, &text, err);
	if (!ret && text.text)
		ret = split_file(&words, text.text, err);
	if (!ret) {
		s.next = words.words.data;
		s.end = s.next + word_list_count(&words);
		ret = s.next ? read_words(&s, err) : 0;
	}
	str_release(&text);
	word_list_release(&words);
	return ret;
}

static int read_option(struct scan *s, const char *argument, struct err *err)
{
	const char *value;
	const struct nvcc_option *o = find(argument, &value);

	if (!o && s->line->forwards)
		return word_list_format(&s->line->host_words, err, "%s", argument);
	if (!o)
		return unknown(argument, err);
	if (o->form == NVCC_FORM_NONE && value)
		return err_set(err, ERR_USAGE, "%.*s: takes no value", (int)strcspn(argument, "="),
		               argument);
	if (o->form != NVCC_FORM_NONE && !value) {
		if (s->next == s->end)
			return err_set(err, ERR_USAGE, "%s: expected a value", argument);
		value = *s->next++;
	}
	if (o->meaning == NVCC_OPTIONS_FILE)
		return read_options_file(s, value, err);
	return take(s->line, o, &(struct nvcc_given){ argument, value }, err);
}

static int read_words(struct scan *s, struct err *err)
{
	int ret = 0;

	while (!ret && s->next < s->end) {
		const char *argument = *s->next++;

		if (argument[0] == '@' && argument[1])
			ret = read_options_file(s, argument + 1, err);
		else if (argument[0] == '-' && argument[1])
			ret = read_option(s, argument, err);
		else
			ret = read_file_name(s->line, argument, err);
	}
	return ret;
}

int nvcc_line_read(struct nvcc_line *l, const char *const *argv, size_t count, struct err *err)
{
	struct scan s = { l, argv, argv + count, 0 };

	*l = (struct nvcc_line){ .has_runtime = true };
	word_list_init(&l->sources);
	word_list_init(&l->inputs);
	word_list_init(&l->both);
	word_list_init(&l->host);
	word_list_init(&l->device);
	word_list_init(&l->link);
	word_list_init(&l->host_words);
	word_list_init(&l->ignored);
	word_list_init(&l->values);
	return read_words(&s, err);
}
