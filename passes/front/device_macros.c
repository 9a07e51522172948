/* SPDX-License-Identifier: Apache-2.0 */
#include "device_macros.h"

#include "array.h"
#include "build_options.h"
#include "err.h"
#include "file.h"
#include "language_names.h"
#include "source_names.h"
#include "str.h"
#include "word_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT_BYTES  (16u << 20)
#define LIMIT_MACROS (1u << 20)
#define ARGUMENT     "warpline_"
#define VERSION      "__OPENCL_C_VERSION__"
#define FEATURE      "__opencl_c_"
#define HAS_GENERIC  "warpline_has_generic"
#define GENERIC      HAS_GENERIC "=_Generic((int *)0, __private int *: 0, default: 1)"
#define OWN          "warpline_"

enum kind {
	OBJECT,   /* expands to its text */
	FUNCTION, /* has parameters, each ARGUMENT and a number in its text */
	UNKNOWN,  /* either, with an unknown text */
};

struct macro {
	char *name, *text;
	enum kind kind;
	int argument_count; /* the number of arguments that it was asked with; -1: none */
};

struct device_macros {
	struct str file;      /* holds all names and texts */
	struct array list;    /* of struct macro, sorted by name */
	struct array renamed; /* of struct macro, sorted by text: functions of the language that
	                         expand to one word */
	struct word_list own; /* defined by the build options */
	bool has_generic;
};

static int compare_names(const void *a, const void *b)
{
	const struct macro *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int compare_texts(const void *a, const void *b)
{
	const struct macro *x = a, *y = b;

	return strcmp(x->text, y->text);
}

static int compare_name(const void *name, const void *macro)
{
	return strcmp(name, ((const struct macro *)macro)->name);
}

static const struct macro *find(const struct device_macros *m, const char *name)
{
	return m->list.count ? bsearch(name, m->list.data, m->list.count, sizeof(struct macro),
	                               compare_name)
	                     : NULL;
}

static bool is_of_kind(const char *name, enum language_kind kind)
{
	const struct language_name *row = language_names_find(name);

	return row && row->kind == kind;
}

static bool is_own(const struct device_macros *m, const char *name)
{
	for (size_t i = 0; i < word_list_count(&m->own); i++)
		if (!strcmp(word_list_at(&m->own, i), name))
			return true;
	return false;
}

/* The length of the identifier at `at`, or 0. */
static size_t word_length(const char *at)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$0123456789";

	return *at >= '0' && *at <= '9' ? 0 : strspn(at, letters);
}

/* After a string, a number or a single character. */
static const char *after_other(const char *at)
{
	const char quote = *at;

	if (quote >= '0' && quote <= '9')
		return at +
		       strspn(at,
		              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.0123456789");
	at++;
	if (quote != '"' && quote != '\'')
		return at;
	while (*at && *at != quote)
		at += *at == '\\' && at[1] ? 2 : 1;
	return *at ? at + 1 : at;
}

/* Whether each argument in the text of a call is a separate word, so that the text shows where it
 * goes. */
static bool has_plain_arguments(const char *text)
{
	while (*text) {
		size_t length = word_length(text);
		const char *next = length ? text + length : after_other(text), *inside;

		inside = memmem(text, (size_t)(next - text), ARGUMENT, strlen(ARGUMENT));
		if (inside && (inside != text || strspn(text + strlen(ARGUMENT), "0123456789") !=
		                                         length - strlen(ARGUMENT)))
			return false;
		text = next;
	}
	return true;
}

/* Skip blanks and then `word`; returns what follows, or NULL if it is not there. */
static const char *skip(const char *text, const char *word)
{
	if (!text)
		return NULL;
	text += strspn(text, " ");
	return strncmp(text, word, strlen(word)) ? NULL : text + strlen(word);
}

/* Whether the text of a call is the call itself: a name that stands for itself. */
static bool is_call_itself(const struct macro *m)
{
	const char *at = skip(skip(m->text, m->name), "(");

	for (int i = 0; i < m->argument_count; i++) {
		char argument[32];

		snprintf(argument, sizeof(argument), ARGUMENT "%d", i);
		at = skip(i ? skip(at, ",") : at, argument);
	}
	return skip(at, ")");
}

/* Note the expansion of a call of a name that stood for itself so far. */
static void note_call(struct macro *known, const struct macro *call)
{
	if (known->kind != UNKNOWN)
		return;
	known->argument_count = call->argument_count;
	if (is_call_itself(call))
		known->kind = OBJECT;
	else if (has_plain_arguments(call->text))
		*known = (struct macro){ known->name, call->text, FUNCTION, call->argument_count };
}

/* Read a line of the file; its newline has been removed. */
static int read_line(struct device_macros *m, char *line, struct err *err)
{
	size_t length = word_length(line);
	struct macro read = { line, NULL, OBJECT, -1 }, *all = m->list.data, *known;
	char mark = line[length];

	if (!length || !mark || !strchr(" (=", mark))
		return err_set(err, ERR_FORMAT,
		               "the list of the device's macros: invalid line '%.100s'", line);
	line[length] = '\0';
	read.text = line + length + 1;
	m->has_generic |= mark == '=' && !strcmp(read.name, HAS_GENERIC) && *read.text == '1';
	if (mark == '=' && !compiler_question_is(read.name))
		return 0;
	if (mark == '(') {
		read.argument_count = (int)strtol(read.text, &read.text, 10);
		read.text += *read.text == ' ';
		for (size_t i = m->list.count; i-- > 0;)
			if (!strcmp(all[i].name, read.name)) {
				note_call(&all[i], &read);
				break;
			}
		return 0;
	}
	read.kind = strcmp(read.name, read.text) ? OBJECT : UNKNOWN;
	known = array_push(&m->list, 1, err);
	if (!known)
		return err ? err->code : ERR_NOMEM;
	*known = read;
	return 0;
}

/* Sort by name; of several answers for a name, keep the one that says most. */
static void sort(struct device_macros *m)
{
	struct macro *all = m->list.data, *kept = all;

	if (!m->list.count)
		return;
	qsort(all, m->list.count, sizeof(*all), compare_names);
	for (size_t i = 1; i < m->list.count; i++)
		if (compare_names(kept, &all[i]) != 0)
			*++kept = all[i];
		else if (all[i].argument_count > kept->argument_count)
			*kept = all[i];
	m->list.count = (size_t)(kept - all) + 1;
}

static int read_lines(struct device_macros *m, struct err *err)
{
	char *line = m->file.text;
	int ret = 0;

	while (!ret && line && *line) {
		char *end = strchr(line, '\n');

		if (!end)
			return err_set(
				err, ERR_FORMAT,
				"the list of the device's macros: its last line is incomplete");
		*end = '\0';
		ret = read_line(m, line, err);
		line = end + 1;
	}
	if (!ret)
		sort(m);
	return ret;
}

/* Find the functions of the language that the device renames one for one. */
static int find_renamed(struct device_macros *m, struct err *err)
{
	const struct macro *all = m->list.data;
	struct macro *renamed, *kept;

	for (size_t i = 0; i < m->list.count; i++) {
		if (all[i].kind != OBJECT || !is_of_kind(all[i].name, LANGUAGE_FUNCTION) ||
		    word_length(all[i].text) != strlen(all[i].text) || !*all[i].text ||
		    language_names_find(all[i].text))
			continue;
		renamed = array_push(&m->renamed, 1, err);
		if (!renamed)
			return ERR_NOMEM;
		*renamed = all[i];
	}
	if (!m->renamed.count)
		return 0;
	qsort(m->renamed.data, m->renamed.count, sizeof(*renamed), compare_texts);
	renamed = m->renamed.data;
	kept = renamed;
	for (size_t i = 0; i < m->renamed.count; i++) {
		bool is_double = i && !compare_texts(&renamed[i - 1], &renamed[i]);

		is_double |=
			i + 1 < m->renamed.count && !compare_texts(&renamed[i], &renamed[i + 1]);
		if (!is_double)
			*kept++ = renamed[i];
	}
	m->renamed.count = (size_t)(kept - renamed);
	return 0;
}

int device_macros_read(struct device_macros **out, const char *path, const char *options,
                       struct err *err)
{
	struct device_macros *m = array_alloc(1, sizeof(*m), "the device's macros", err);
	int ret;

	*out = NULL;
	if (!m)
		return ERR_NOMEM;
	str_init(&m->file, LIMIT_BYTES);
	array_init(&m->list, sizeof(struct macro), LIMIT_MACROS, "macros of the device");
	array_init(&m->renamed, sizeof(struct macro), LIMIT_MACROS, "functions of the device");
	word_list_init(&m->own);
	ret = file_read(path, &m->file, err);
	if (!ret)
		ret = build_options_macros(&m->own, options ? options : "", err);
	if (!ret)
		ret = read_lines(m, err);
	if (!ret)
		ret = find_renamed(m, err);
	if (ret)
		device_macros_free(m);
	else
		*out = m;
	return ret;
}

void device_macros_free(struct device_macros *m)
{
	if (!m)
		return;
	word_list_release(&m->own);
	array_release(&m->renamed);
	array_release(&m->list);
	str_release(&m->file);
	free(m);
}

bool device_macros_are_known(const struct device_macros *m)
{
	return m->file.length;
}

unsigned device_macros_version(const struct device_macros *m)
{
	static const unsigned versions[] = { 300, 200, 120, 110, 100 };
	const struct macro *version = find(m, VERSION);
	unsigned long number = version ? strtoul(version->text, NULL, 0) : 0;

	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
		if (number >= versions[i])
			return versions[i];
	return 0;
}

/* Whether the device has a feature of OpenCL C 3.0, or has it built into the language without a
 * name. */
static bool has_feature(const struct device_macros *m, const char *name)
{
	if (!strcmp(name, FEATURE "generic_address_space"))
		return m->has_generic;
	/* These two come with their extensions. */
	if (!strcmp(name, FEATURE "fp64") || !strcmp(name, FEATURE "3d_image_writes"))
		return false;
	if (device_macros_version(m) == 200)
		return strcmp(name, FEATURE "device_enqueue") && strcmp(name, FEATURE "pipes");
	return find(m, name);
}

int device_macros_features(const struct device_macros *m, struct str *list, struct err *err)
{
	const char *standard = device_macros_standard(m);
	int ret = 0;

	if (!standard || strcmp(standard, "-cl-std=CL3.0") != 0)
		return 0;
	for (size_t i = 0; !ret && i < language_name_count; i++) {
		const char *name = language_names[i].name;

		if (!strncmp(name, FEATURE, strlen(FEATURE)) && has_feature(m, name))
			ret = str_printf(list, err, ",+%s", name);
	}
	return ret;
}

bool device_macros_has_generic(const struct device_macros *m)
{
	return m->has_generic;
}

const char *device_macros_standard(const struct device_macros *m)
{
	switch (device_macros_version(m)) {
	case 100:
		return "-cl-std=CL1.0";
	case 110:
		return "-cl-std=CL1.1";
	case 120:
		return "-cl-std=CL1.2";
	case 200:
		return m->has_generic ? "-cl-std=CL2.0" : "-cl-std=CL3.0";
	case 300:
		return "-cl-std=CL3.0";
	default:
		return NULL;
	}
}

/* Append a text, with renamed functions replaced by their names in the language. */
static int put_text(const struct device_macros *m, const char *text, struct str *out,
                    struct err *err)
{
	int ret = 0;

	while (!ret && *text) {
		size_t length = word_length(text);
		const char *next = length ? text + length : after_other(text);
		struct macro key = { .text = NULL };
		const struct macro *renamed = NULL;

		if (length)
			key.text = str_format(err, "%.*s", (int)length, text);
		if (length && !key.text)
			return ERR_NOMEM;
		if (length && m->renamed.count)
			renamed = bsearch(&key, m->renamed.data, m->renamed.count, sizeof(key),
			                  compare_texts);
		ret = renamed ? str_append(out, renamed->name, strlen(renamed->name), err)
		              : str_append(out, text, (size_t)(next - text), err);
		free(key.text);
		text = next;
	}
	return ret;
}

/* Whether every word in a text has a meaning without the device. */
static bool is_readable(const char *text)
{
	while (*text) {
		size_t length = word_length(text);
		const struct language_name *row = NULL;

		if (length && strncmp(text, "__builtin_", strlen("__builtin_")) != 0) {
			char *word = str_format(NULL, "%.*s", (int)length, text);

			row = word ? language_names_find(word) : NULL;
			free(word);
			if (!row)
				return false;
		}
		text = length ? text + length : after_other(text);
	}
	return true;
}

static int put_definition(const struct macro *macro, const char *text, struct str *out,
                          struct err *err)
{
	int ret = str_printf(out, err, "#undef %s\n#define %s", macro->name, macro->name);

	if (!ret && macro->kind == FUNCTION) {
		ret = str_printf(out, err, "(");
		for (int i = 0; !ret && i < macro->argument_count; i++)
			ret = str_printf(out, err, "%s" ARGUMENT "%d", i ? ", " : "", i);
		if (!ret)
			ret = str_printf(out, err, ")");
	}
	return ret ? ret : str_printf(out, err, " %s\n", text);
}

/*
 * Define what is in the language under this name: by the device's text where it is more than a
 * renaming, else by a macro that stands for itself, unless ours already is one.
 */
static int put_language(const struct device_macros *m, const struct macro *macro, bool is_marked,
                        struct str *out, struct err *err)
{
	const struct macro itself = { macro->name, macro->name, OBJECT, -1 };
	bool is_function = is_of_kind(macro->name, LANGUAGE_FUNCTION);
	struct str text;
	int ret;

	str_init(&text, LIMIT_BYTES);
	ret = macro->kind == OBJECT ? put_text(m, macro->text, &text, err) : 0;
	if (!ret && macro->kind == OBJECT && is_readable(text.text ? text.text : "") &&
	    (!text.text || strcmp(text.text, macro->name) != 0))
		ret = put_definition(macro, text.text ? text.text : "", out, err);
	else if (!ret && is_function && is_marked)
		ret = str_printf(out, err, "#undef %s\n#define %s " DEVICE_MACROS_MARK "%s_\n",
		                 macro->name, macro->name, macro->name);
	else if (!ret && is_function)
		ret = put_definition(&itself, macro->name, out, err);
	else if (!ret)
		ret = str_printf(out, err, "#ifndef %s\n#define %s %s\n#endif\n", macro->name,
		                 macro->name, macro->text);
	str_release(&text);
	return ret;
}

static int put_macro(const struct device_macros *m, const struct macro *macro, bool is_marked,
                     struct str *out, struct err *err)
{
	const struct language_name *row = language_names_find(macro->name);
	struct str text;
	int ret;

	if (special_macro_of(macro->name) != SPECIAL_NONE)
		return 0;
	if (compiler_question_is(macro->name))
		return compiler_question_answer(macro->name, macro->text, out, err);
	if (row && (row->kind == LANGUAGE_FUNCTION || row->kind == LANGUAGE_VALUE))
		return put_language(m, macro, is_marked, out, err);
	if (macro->kind == UNKNOWN && !row)
		return 0;
	str_init(&text, LIMIT_BYTES);
	ret = put_text(m, macro->text, &text, err);
	if (!ret)
		ret = put_definition(macro, text.text ? text.text : "", out, err);
	str_release(&text);
	return ret;
}

/* Undefine what ours has and the device lacks. */
static int put_missing(const struct device_macros *m, const struct language_name *row,
                       const struct source_names *tested, struct str *out, struct err *err)
{
	const struct source_name *name = tested ? source_names_find(tested, row->name) : NULL;

	if (is_own(m, row->name) || find(m, row->name) ||
	    special_macro_of(row->name) != SPECIAL_NONE)
		return 0;
	/* Names that are not asked for at first are not needed by ours either. */
	if (row->kind == LANGUAGE_EXACT || (row->kind == LANGUAGE_VALUE && !row->is_asked))
		return str_printf(out, err, "#undef %s\n", row->name);
	if (row->kind != LANGUAGE_VALUE || !name || !name->is_tested)
		return 0;
	return str_printf(out, err,
	                  "#ifdef %s\n#error the text tests %s, which is no macro of the device's "
	                  "compiler\n#endif\n",
	                  row->name, row->name);
}

int device_macros_write(const struct device_macros *m, const struct source_names *tested,
                        bool is_marked, struct str *out, struct err *err)
{
	const struct macro *all = m->list.data;
	int ret = 0;

	for (size_t i = 0; !ret && i < language_name_count; i++)
		ret = put_missing(m, &language_names[i], tested, out, err);
	for (size_t i = 0; !ret && i < m->list.count; i++)
		ret = put_macro(m, &all[i], is_marked, out, err);
	return ret;
}

/* The function that a mark stands for, the longest possible one, on the heap; NULL: none. *end is
 * after the mark. */
static char *marked_function(const char *mark, const char **end)
{
	const char *name = mark + strlen(DEVICE_MACROS_MARK);
	char *longest = NULL;

	for (const char *at = name; (at = strchr(at, '_')); at++) {
		char *function = str_format(NULL, "%.*s", (int)(at - name), name);

		if (function && is_of_kind(function, LANGUAGE_FUNCTION)) {
			char *shorter = longest;

			*end = at + 1;
			longest = function;
			function = shorter;
		}
		free(function);
	}
	return longest;
}

/* Fails unless a name contains no mark, or is exactly one. */
static int check_mark(const char *name, struct err *err)
{
	const char *mark = strstr(name, DEVICE_MACROS_MARK), *end = "x";
	char *function = mark ? marked_function(mark, &end) : NULL;
	int ret = 0;

	if (mark && (mark != name || *end))
		ret = err_set(err, ERR_UNSUPPORTED,
		              "the source makes an identifier from %s, a function that the "
		              "device's compiler has renamed",
		              function ? function : "one");
	free(function);
	return ret;
}

static int check_string(const char *found, struct err *err)
{
	const char *end;
	char *function = found ? marked_function(found, &end) : NULL;
	int ret = 0;

	if (found)
		ret = err_set(
			err, ERR_UNSUPPORTED,
			"the source makes a string from %s, a function that the device's compiler "
			"has renamed",
			function ? function : "one");
	free(function);
	return ret;
}

/* Whether ours defines this name as OpenCL C itself does. */
static bool is_language(const char *name)
{
	const struct language_name *row = language_names_find(name);

	return row && row->kind != LANGUAGE_EXACT;
}

static int check_name(const struct device_macros *m, const struct source_name *name,
                      struct err *err)
{
	const struct macro *macro = find(m, name->text);
	enum special_macro fate = special_macro_of(name->text);
	int ret = check_mark(name->text, err);

	if (ret)
		return ret;
	if (fate == SPECIAL_REFUSED || fate == SPECIAL_ASKED)
		return err_set(err, ERR_UNSUPPORTED,
		               "the source uses %s, whose answer depends on the device's compiler",
		               name->text);
	if (!macro || macro->kind != UNKNOWN || is_language(name->text))
		return 0;
	/* Ask again, with arguments, if it is called with some. */
	if (macro->argument_count < 0 && name->argument_count >= 0)
		return 0;
	return err_set(
		err, ERR_UNSUPPORTED,
		"the source uses %s, a macro of the device's compiler whose definition is unknown",
		name->text);
}

int device_macros_check(const struct device_macros *m, const struct source_names *names,
                        struct err *err)
{
	int ret = check_string(names->found, err);

	for (size_t i = 0; !ret && i < names->list.count; i++)
		ret = check_name(m, source_names_at(names, i), err);
	return ret;
}

bool device_macros_is_place(const char *name)
{
	return special_macro_of(name) == SPECIAL_PLACE;
}

/* Whether it is unknown if the device has a macro of this name, or how a call of it expands. */
static bool is_open(const struct device_macros *m, const struct source_name *name)
{
	const struct language_name *row = language_names_find(name->text);
	const struct macro *macro = find(m, name->text);

	if (compiler_question_is(name->text))
		return !macro;
	if (special_macro_of(name->text) != SPECIAL_NONE || !strncmp(name->text, OWN, strlen(OWN)))
		return false;
	if (macro)
		return macro->kind == UNKNOWN && macro->argument_count < 0 &&
		       name->argument_count >= 0 && !is_language(name->text);
	return !row || !row->is_asked;
}

static int ask_language(struct str *out, struct err *err)
{
	int ret = str_printf(out, err, GENERIC "\n");

	for (size_t i = 0; !ret && i < language_name_count; i++)
		if (language_names[i].is_asked)
			ret = str_printf(out, err, "%s\n", language_names[i].name);
	return ret;
}

int device_macros_ask(const struct device_macros *m, const struct source_names *names,
                      struct str *out, struct err *err)
{
	int ret = 0;

	if (!device_macros_are_known(m))
		return ask_language(out, err);
	for (size_t i = 0; !ret && i < names->list.count; i++) {
		const struct source_name *name = source_names_at(names, i);

		if (!is_open(m, name))
			continue;
		if (compiler_question_is(name->text))
			ret = compiler_question_ask(name->text, out, err);
		else if (name->argument_count < 0)
			ret = str_printf(out, err, "%s\n", name->text);
		else
			ret = str_printf(out, err, "%s(%d\n", name->text, name->argument_count);
	}
	return ret;
}
