/* SPDX-License-Identifier: Apache-2.0 */
#include "build_options.h"

#include "err.h"

#include <stdbool.h>
#include <string.h>

enum match { EXACT, PREFIX };
enum fate { KEEP, KEEP_PAIR, DROP, DROP_PAIR, MACRO, MACRO_PAIR, INCLUDE, STANDARD, REFUSE };

struct row {
	const char *text;
	enum match match;
	enum fate fate;
};

/* What is to be gathered from the options; any may be NULL. */
struct gathering {
	struct word_list *argv, *macros, *includes;
	const char *standard; /* in the place of the options' own */
	bool has_standard;
};

static const struct row rows[] = {
#define BUILD_OPTION(text, match, fate, reason) { text, match, fate },
#include "build_options.def"
#undef BUILD_OPTION
};

static const struct row *row_of(const char *word)
{
	static const struct row unknown = { "", EXACT, REFUSE };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *r = &rows[i];

		if (r->match == EXACT ? !strcmp(word, r->text)
		                      : !strncmp(word, r->text, strlen(r->text)))
			return r;
	}
	return &unknown;
}

static bool has_pair(enum fate fate)
{
	return fate == KEEP_PAIR || fate == DROP_PAIR || fate == MACRO_PAIR || fate == INCLUDE;
}

/* A program that names no language is in OpenCL C 1.2, or older where the device is. */
static const char *default_standard(const char *cl_version)
{
	if (cl_version && !strcmp(cl_version, "1.0"))
		return "-cl-std=CL1.0";
	if (cl_version && !strcmp(cl_version, "1.1"))
		return "-cl-std=CL1.1";
	return "-cl-std=CL1.2";
}

/* The name in what -D or -U is given: "NAME", "NAME=text", "NAME(x)=text". */
static int add_macro(struct word_list *names, const char *definition, struct err *err)
{
	return names ? word_list_format(names, err, "%.*s", (int)strcspn(definition, "=("),
	                                definition)
	             : 0;
}

/* Append the word, and the next one if it is not NULL. */
static int keep(struct word_list *argv, const char *word, const char *next, struct err *err)
{
	int ret = argv ? word_list_add(argv, word, err) : 0;

	return ret || !argv || !next ? ret : word_list_add(argv, next, err);
}

static int gather_word(struct gathering *g, const struct row *row, const char *word,
                       const char *next, struct err *err)
{
	int ret = 0;

	switch (row->fate) {
	case MACRO:
	case MACRO_PAIR:
		ret = add_macro(g->macros, next ? next : word + strlen(row->text), err);
		return ret ? ret : keep(g->argv, word, next, err);
	case KEEP:
	case KEEP_PAIR:
		return keep(g->argv, word, next, err);
	case INCLUDE:
		return g->includes ? word_list_add(g->includes, next, err) : 0;
	case STANDARD:
		g->has_standard = true;
		return g->standard ? 0 : keep(g->argv, word, NULL, err);
	case REFUSE:
		return err_set(err, ERR_UNSUPPORTED,
		               "the build option '%.100s' is not known to the instrumenter", word);
	case DROP:
	case DROP_PAIR:
		break;
	}
	return 0;
}

static int gather(struct gathering *g, const char *options, struct err *err)
{
	struct word_list words;
	int ret;

	word_list_init(&words);
	ret = word_list_split(&words, options, err);
	for (size_t i = 0; !ret && i < word_list_count(&words); i++) {
		const char *word = word_list_at(&words, i), *next = NULL;
		const struct row *row = row_of(word);

		if (has_pair(row->fate) && i + 1 == word_list_count(&words))
			ret = err_set(err, ERR_USAGE,
			              "build option '%s' lacks the word that belongs to it", word);
		else if (has_pair(row->fate))
			next = word_list_at(&words, ++i);
		if (!ret)
			ret = gather_word(g, row, word, next, err);
	}
	word_list_release(&words);
	return ret;
}

int build_options_append(struct word_list *argv, const char *options, const char *cl_version,
                         const char *standard, struct err *err)
{
	struct gathering g = { .argv = argv, .standard = standard };
	int ret = gather(&g, options, err);

	if (ret || (g.has_standard && !standard))
		return ret;
	return word_list_add(argv, standard ? standard : default_standard(cl_version), err);
}

int build_options_macros(struct word_list *names, const char *options, struct err *err)
{
	struct gathering g = { .macros = names };

	return gather(&g, options, err);
}

int build_options_includes(struct word_list *headers, const char *options, struct err *err)
{
	struct gathering g = { .includes = headers };

	return gather(&g, options, err);
}
