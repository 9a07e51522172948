/* SPDX-License-Identifier: Apache-2.0 */
#include "build_options.h"

#include "err.h"
#include "str.h"

#include <stdbool.h>
#include <string.h>

enum match { EXACT, PREFIX };
enum fate { KEEP, KEEP_PAIR, DROP, DROP_PAIR, MACRO, MACRO_PAIR, INCLUDE, STANDARD, REFUSE };

struct row {
	const char *text;
	enum match match;
	enum fate fate;
};

/* What to collect from the options; any may be NULL. */
struct gathering {
	struct word_list *argv, *macros, *includes;
	const char *standard; /* used instead of the options' own */
	bool has_standard;
};

/*
 * What is done with a build option of the application.
 *
 * match  EXACT  the whole word
 *        PREFIX the word begins with it
 * fate   KEEP       pass it to clang
 *        KEEP_PAIR  pass it and the next word
 *        DROP       leave it out
 *        DROP_PAIR  leave it and the next word out
 *        MACRO      kept, and the macro that it names is the program's own: the rest of the word
 *        MACRO_PAIR kept with the next word, which names the macro
 *        INCLUDE    a header, the next word: read before the source, after the device's macros
 *        STANDARD   -cl-std: kept, unless the device has reported its language
 *        REFUSE     the program is not instrumented
 *
 * The first matching row counts. A word that matches none is REFUSE: an unknown option may change
 * what the code does, and clang must not be given one that loads code or writes files. In a new
 * row, put the longer string first.
 */
static const struct row rows[] = {
	{ "-D", EXACT, MACRO_PAIR },      /* a macro, its name the next word */
	{ "-U", EXACT, MACRO_PAIR },      /* a macro, its name the next word */
	{ "-D", PREFIX, MACRO },          /* a macro */
	{ "-U", PREFIX, MACRO },          /* a macro */
	{ "-I", EXACT, KEEP_PAIR },       /* a directory of headers, the next word */
	{ "-I", PREFIX, KEEP },           /* a directory of headers */
	{ "-include", EXACT, INCLUDE },   /* a header, the next word */
	{ "-isystem", EXACT, KEEP_PAIR }, /* a directory of headers, the next word */
	{ "-iquote", EXACT, KEEP_PAIR },  /* a directory of headers, the next word */
	{ "-cl-std=", PREFIX, STANDARD }, /* the language */
	{ "-cl-single-precision-constant", EXACT, KEEP }, /* numbers without a suffix are floats */
	{ "-cl-denorms-are-zero", EXACT, KEEP },          /* arithmetic */
	{ "-cl-fp32-correctly-rounded-divide-sqrt", EXACT, KEEP }, /* arithmetic */
	{ "-cl-mad-enable", EXACT, KEEP },                         /* arithmetic */
	{ "-cl-no-signed-zeros", EXACT, KEEP },                    /* arithmetic */
	{ "-cl-unsafe-math-optimizations", EXACT, KEEP },          /* arithmetic */
	{ "-cl-finite-math-only", EXACT, KEEP },                   /* arithmetic */
	{ "-cl-fast-relaxed-math", EXACT, KEEP },                  /* arithmetic */
	{ "-ffp-contract=", PREFIX, KEEP },                        /* arithmetic */
	{ "-cl-strict-aliasing", EXACT, KEEP },         /* promises something about pointers */
	{ "-cl-uniform-work-group-size", EXACT, KEEP }, /* promises something about launches */
	{ "-cl-no-subgroup-ifp", EXACT, DROP },         /* unknown to clang: how sub-groups wait */
	{ "-cl-opt-disable", EXACT,
	  DROP }, /* clang would forbid the inlining that finding sites needs */
	{ "-cl-kernel-arg-info", EXACT, DROP },      /* always given */
	{ "-cl-nv-maxrregcount", EXACT, DROP_PAIR }, /* NVIDIA: registers do not affect accesses */
	{ "-cl-nv-opt-level", EXACT, DROP_PAIR },    /* NVIDIA: optimisation, replaced by ours */
	{ "-cl-nv-", PREFIX, DROP },                 /* NVIDIA: code generation */
	{ "-cl-intel-", PREFIX, DROP },              /* Intel: code generation */
	{ "-cl-amd-", PREFIX, DROP },                /* AMD: code generation */
	{ "-cl-ext=", PREFIX, DROP },    /* the device's extensions are passed separately */
	{ "-x", EXACT, DROP_PAIR },      /* the kind of input: always source here */
	{ "-spir-std=", PREFIX, DROP },  /* for binary input only */
	{ "-fbin-", PREFIX, DROP },      /* AMD: contents of the binary */
	{ "-fno-bin-", PREFIX, DROP },   /* AMD: contents of the binary */
	{ "-save-temps", PREFIX, DROP }, /* would write files */
	{ "-s", EXACT, DROP_PAIR },      /* Intel: the source's file name, the next word */
	{ "-g", PREFIX, DROP }, /* debug information is always made, and stripped after use */
	{ "-O", PREFIX, DROP }, /* optimisation, replaced by ours */
	{ "-create-library", EXACT, DROP },      /* for the linker */
	{ "-enable-link-options", EXACT, DROP }, /* for the linker */
	{ "-w", EXACT, DROP },                   /* warnings are not shown */
	{ "-Wp,", PREFIX, REFUSE },              /* may pass anything to the preprocessor */
	{ "-Wa,", PREFIX, REFUSE },              /* may pass anything to the assembler */
	{ "-Wl,", PREFIX, REFUSE },              /* may pass anything to the linker */
	{ "-W", PREFIX, DROP }, /* warnings are not shown; this clang may warn where the device's
	                           compiler does not */
	{ "-pedantic", PREFIX, DROP },             /* warnings are not shown */
	{ "-fno-caret-diagnostics", EXACT, DROP }, /* how errors are shown */
	{ "-fcolor-diagnostics", EXACT, DROP },    /* how errors are shown */
	{ "-fno-color-diagnostics", EXACT, DROP }, /* how errors are shown */
	{ "-MD", EXACT, DROP },                    /* would write files */
	{ "-MMD", EXACT, DROP },                   /* would write files */
	{ "-MP", EXACT, DROP },                    /* would write files */
	{ "-MF", EXACT, DROP_PAIR },               /* would write files */
	{ "-MT", EXACT, DROP_PAIR },               /* would write files */
	{ "-MQ", EXACT, DROP_PAIR },               /* would write files */
	{ "-o", EXACT, DROP_PAIR },                /* would write files */
};

static bool fits(const struct row *r, const char *word)
{
	return r->match == EXACT ? !strcmp(word, r->text)
	                         : !strncmp(word, r->text, strlen(r->text));
}

static const struct row *row_of(const char *word)
{
	static const struct row unknown = { "", EXACT, REFUSE };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (fits(&rows[i], word))
			return &rows[i];
	return &unknown;
}

static bool has_pair(enum fate fate)
{
	return fate == KEEP_PAIR || fate == DROP_PAIR || fate == MACRO_PAIR || fate == INCLUDE;
}

/* A program that names no language is OpenCL C 1.2, or older if the device is. */
static const char *default_standard(const char *cl_version)
{
	if (cl_version && !strcmp(cl_version, "1.0"))
		return "-cl-std=CL1.0";
	if (cl_version && !strcmp(cl_version, "1.1"))
		return "-cl-std=CL1.1";
	return "-cl-std=CL1.2";
}

/* The name defined by -D or -U: "NAME", "NAME=text", "NAME(x)=text". */
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
		return err_set(err, ERR_UNSUPPORTED, "unknown build option '%.100s'", word);
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
			ret = err_set(err, ERR_USAGE, "build option '%s' lacks its value", word);
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

/*
 * Which of the application's build options are used to build OpenCL C output (text_door.c).
 *
 * match  EXACT  the whole word
 *        PREFIX the word begins with it
 * fate   KEEP, KEEP_PAIR with the next word, DROP, DROP_PAIR,
 *        STANDARD kept: the device's macros depend on the language, and were asked for with it
 *
 * Only options that change the code generated from a given source are kept; a word that matches no
 * row is dropped: macros and headers have done their work, and so have options that change the
 * source's meaning. The first matching row counts.
 */
static const struct row text_rows[] = {
	{ "-cl-single-precision-constant", EXACT, DROP },
	{ "-cl-kernel-arg-info", EXACT, DROP },
	{ "-cl-std=", PREFIX, STANDARD },
	{ "-cl-ext=", PREFIX, DROP },
	{ "-cl-nv-maxrregcount", EXACT, KEEP_PAIR },
	{ "-cl-nv-opt-level", EXACT, KEEP_PAIR },
	{ "-cl-strict-aliasing", EXACT, DROP },
	{ "-cl-", PREFIX, KEEP },
	{ "-fno-bin-", PREFIX, KEEP },
	{ "-fbin-", PREFIX, KEEP },
	{ "-ffp-contract=", PREFIX, KEEP },
	{ "-D", EXACT, DROP_PAIR },
	{ "-U", EXACT, DROP_PAIR },
	{ "-I", EXACT, DROP_PAIR },
	{ "-include", EXACT, DROP_PAIR },
	{ "-isystem", EXACT, DROP_PAIR },
	{ "-x", EXACT, DROP_PAIR },
	{ "-s", EXACT, DROP_PAIR },
	{ "-o", EXACT, DROP_PAIR },
};

static enum fate text_fate_of(const char *word)
{
	for (size_t i = 0; i < sizeof(text_rows) / sizeof(text_rows[0]); i++)
		if (fits(&text_rows[i], word))
			return text_rows[i].fate;
	return DROP;
}

/* "-cl-std=CL2.0"; 120 for older or unknown versions. */
static unsigned version_of(const char *word)
{
	const char *number = strpbrk(word, "0123456789");

	if (!number || number[0] < '2' || number[0] > '3')
		return 120;
	return number[0] == '2' ? 200 : 300;
}

int build_options_for_text(struct str *out, const char *options, unsigned *version, struct err *err)
{
	struct word_list words;
	int ret;

	*version = 120;
	word_list_init(&words);
	ret = word_list_split(&words, options, err);
	for (size_t i = 0; !ret && i < word_list_count(&words); i++) {
		const char *word = word_list_at(&words, i);
		enum fate fate = text_fate_of(word);
		bool has_pair =
			(fate == KEEP_PAIR || fate == DROP_PAIR) && i + 1 < word_list_count(&words);

		if (fate == STANDARD)
			*version = version_of(word);
		if (fate == KEEP || fate == KEEP_PAIR || fate == STANDARD)
			ret = str_printf(out, err, " %s", word);
		if (!ret && fate == KEEP_PAIR && has_pair)
			ret = str_printf(out, err, " %s", word_list_at(&words, i + 1));
		i += has_pair;
	}
	word_list_release(&words);
	return ret;
}
