/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_front.h"

#include "cuda_target.h"
#include "err.h"
#include "file.h"
#include "settings.h"
#include "str.h"
#include "word_list.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INCLUDE_VARIABLE "WARPLINE_CUDA_INCLUDE"
#define DEFAULT_MACHINE  75
#define LIMIT_PATH       4096

enum match { EXACT, PREFIX };
enum fate { KEEP, KEEP_PAIR, DROP, DROP_PAIR, ARCH, STANDARD, TOOLKIT, INCLUDE };

/*
 * What is done with an option of nvcc, or of clang for CUDA.
 *
 * match  EXACT  the whole word
 *        PREFIX the word begins with it
 * fate   KEEP       pass it to clang
 *        KEEP_PAIR  pass it and the next word
 *        DROP       leave it out
 *        DROP_PAIR  leave it and the next word out
 *        ARCH       the GPU: the rest of the word, or the next word
 *        STANDARD   the language: the rest of the word, or the next word
 *        INCLUDE    a header for -include: the rest of the word, or the next word
 *        TOOLKIT    a toolkit whose headers are used instead of ours
 *
 * The first matching row counts; a word that matches none is dropped: nvcc has many that do not
 * concern device code. In a new row, put the longer string first.
 */
static const struct row {
	const char *text;
	enum match match;
	enum fate fate;
} rows[] = {
	{ "-D", EXACT, KEEP_PAIR },              /* a macro, its name the next word */
	{ "-D", PREFIX, KEEP },                  /* a macro */
	{ "--define-macro=", PREFIX, KEEP },     /* a macro */
	{ "-U", EXACT, KEEP_PAIR },              /* a macro, its name the next word */
	{ "-U", PREFIX, KEEP },                  /* a macro */
	{ "-include", EXACT, KEEP_PAIR },        /* a header, the next word */
	{ "--pre-include=", PREFIX, INCLUDE },   /* a header */
	{ "--pre-include", EXACT, INCLUDE },     /* a header, the next word */
	{ "-isystem", EXACT, KEEP_PAIR },        /* a directory of headers, the next word */
	{ "-iquote", EXACT, KEEP_PAIR },         /* a directory of headers, the next word */
	{ "-I", EXACT, KEEP_PAIR },              /* a directory of headers, the next word */
	{ "-I", PREFIX, KEEP },                  /* a directory of headers */
	{ "--cuda-path=", PREFIX, TOOLKIT },     /* a toolkit */
	{ "--cuda-gpu-arch=", PREFIX, ARCH },    /* the GPU */
	{ "--gpu-architecture=", PREFIX, ARCH }, /* the GPU */
	{ "--gpu-architecture", EXACT, ARCH },   /* the GPU, the next word */
	{ "--gpu-code", PREFIX, DROP },          /* the form of the output */
	{ "--arch=", PREFIX, ARCH },             /* the GPU */
	{ "-arch=", PREFIX, ARCH },              /* the GPU */
	{ "-arch", EXACT, ARCH },                /* the GPU, the next word */
	{ "--arch", EXACT, ARCH },               /* the GPU, the next word */
	{ "-code", EXACT, DROP_PAIR },           /* the form of the output */
	{ "-gencode", EXACT, ARCH },             /* the GPU, the next word */
	{ "-gencode=", PREFIX, ARCH },           /* the GPU */
	{ "--generate-code=", PREFIX, ARCH },    /* the GPU */
	{ "--generate-code", EXACT, ARCH },      /* the GPU, the next word */
	{ "-std=", PREFIX, STANDARD },           /* the language */
	{ "--std=", PREFIX, STANDARD },          /* the language */
	{ "-std", EXACT, STANDARD },             /* the language, the next word */
	{ "--std", EXACT, STANDARD },            /* the language, the next word */
	{ "-o", EXACT, DROP_PAIR },              /* would write files */
	{ "-x", EXACT, DROP_PAIR },              /* the kind of input: always CUDA here */
	{ "-Xcompiler", EXACT, DROP_PAIR },      /* for the host compiler */
	{ "-Xptxas", EXACT, DROP_PAIR },         /* for the assembler */
	{ "-maxrregcount", EXACT, DROP_PAIR },   /* registers do not affect accesses */
	{ "--maxrregcount", EXACT, DROP_PAIR },  /* registers do not affect accesses */
	{ "-ffp-contract=", PREFIX, KEEP },      /* affects which operations are rounded once */
	{ "-ftz=", PREFIX, DROP },               /* arithmetic does not affect accesses */
	{ "-fopenmp", PREFIX, DROP },            /* for the host */
};

/* What the options say that is not simply passed on. */
struct choice {
	struct word_list kept;
	const char *standard, *toolkit; /* borrowed from the words, or NULL */
	unsigned machine;               /* the newest requested, or 0 */
};

bool cuda_front_is_source(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && (!strcmp(dot, ".cu") || !strcmp(dot, ".cuh"));
}

static const struct row *row_of(const char *word)
{
	static const struct row dropped = { "", EXACT, DROP };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *r = &rows[i];

		if (r->match == EXACT ? !strcmp(word, r->text)
		                      : !strncmp(word, r->text, strlen(r->text)))
			return r;
	}
	return &dropped;
}

/* "sm_80", "compute_80", "arch=compute_80,code=sm_80": take the greatest number. */
static void note_machine(struct choice *c, const char *text)
{
	for (; *text; text++) {
		bool is_start = text[0] == '_' && isdigit((unsigned char)text[1]);
		unsigned long number = is_start ? strtoul(text + 1, NULL, 10) : 0;

		if (number > c->machine && number < 1000)
			c->machine = (unsigned)number;
	}
}

/* Apply the row to `value`: the rest of the word, or the next word. */
static int take(struct choice *c, const struct row *r, const char *word, const char *value,
                struct err *err)
{
	int ret = 0;

	switch (r->fate) {
	case ARCH:
		note_machine(c, value);
		break;
	case STANDARD:
		c->standard = value;
		break;
	case TOOLKIT:
		c->toolkit = value;
		break;
	case INCLUDE:
	case KEEP_PAIR:
		ret = word_list_add(&c->kept, r->fate == INCLUDE ? "-include" : word, err);
		return ret ? ret : word_list_add(&c->kept, value, err);
	case KEEP:
		return word_list_add(&c->kept, word, err);
	case DROP:
	case DROP_PAIR:
		break;
	}
	return 0;
}

static bool has_pair(const struct row *r)
{
	if (r->fate == KEEP || r->fate == DROP)
		return false;
	return r->match == EXACT;
}

static int read_options(struct choice *c, const struct word_list *words, struct err *err)
{
	size_t count = word_list_count(words);
	int ret = 0;

	for (size_t i = 0; !ret && i < count; i++) {
		const char *word = word_list_at(words, i);
		const struct row *r = row_of(word);
		const char *value = word + strlen(r->text);

		if (has_pair(r) && ++i == count)
			return err_set(err, ERR_USAGE, "build option '%s' lacks its value", word);
		if (has_pair(r))
			value = word_list_at(words, i);
		ret = take(c, r, word, value, err);
	}
	return ret;
}

/*
 * The folder of our headers: from the environment, else beside the program, else where installed.
 */
static char *own_headers(struct err *err)
{
	static const char *const places[] = { "cuda/include", "../share/warpline/cuda/include",
		                              "../../share/warpline/cuda/include" };
	const char *told = getenv(INCLUDE_VARIABLE);
	char here[LIMIT_PATH];
	ssize_t length;

	if (told && *told)
		return str_copy(told, err);
	length = readlink("/proc/self/exe", here, sizeof(here) - 1);
	if (length <= 0)
		return str_copy("", err);
	here[length] = '\0';
	*strrchr(here, '/') = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		char *path = file_path(here, places[i], err);

		if (!path || !access(path, R_OK))
			return path;
		free(path);
	}
	return str_copy("", err);
}

static int append_own_headers(struct word_list *argv, struct err *err)
{
	char *folder = own_headers(err);
	int ret = folder ? word_list_split(argv, "-nocudainc", err) : ERR_NOMEM;

	if (!ret && *folder)
		ret = word_list_add(argv, "-isystem", err);
	if (!ret && *folder)
		ret = word_list_add(argv, folder, err);
	if (!ret && *folder)
		ret = word_list_split(argv, "-include cuda_runtime.h", err);
	free(folder);
	return ret;
}

/* clang includes a header that newer toolkits lack; ours is empty. */
static int append_toolkit(struct word_list *argv, const char *toolkit, struct err *err)
{
	char *folder = own_headers(err);
	int ret = folder ? word_list_format(argv, err, "--cuda-path=%s", toolkit) : ERR_NOMEM;

	if (!ret)
		ret = word_list_split(argv, "-D__CLANG_CUDA_TEXTURE_INTRINSICS_H__", err);
	if (!ret && *folder)
		ret = word_list_format(argv, err, "-I%s/warpline/toolkit", folder);
	free(folder);
	return ret;
}

static int append_choice(struct word_list *argv, const struct choice *c, struct err *err)
{
	unsigned machine = c->machine ? cuda_target_known(c->machine) : DEFAULT_MACHINE;
	int ret = word_list_format(argv, err, "--cuda-gpu-arch=sm_%u", machine);

	if (!ret)
		ret = word_list_format(argv, err, "-std=%s", c->standard ? c->standard : "gnu++17");
	for (size_t i = 0; !ret && i < word_list_count(&c->kept); i++)
		ret = word_list_add(argv, word_list_at(&c->kept, i), err);
	if (!ret)
		ret = c->toolkit ? append_toolkit(argv, c->toolkit, err)
		                 : append_own_headers(argv, err);
	return ret;
}

int cuda_front_options(struct word_list *argv, const struct settings *s, struct err *err)
{
	struct choice c = { .machine = 0 };
	struct word_list words;
	int ret;

	word_list_init(&words);
	word_list_init(&c.kept);
	ret = word_list_split(
		argv,
		"-x cuda -w --cuda-device-only -nocudalib "
		"-Wno-unknown-cuda-version -Xclang -target-sdk-version=" CUDA_TARGET_SDK " -Xclang "
		"-target-feature "
		"-Xclang " CUDA_TARGET_PTX " -ffp-contract=on -I.",
		err);
	if (!ret && s->embedded)
		ret = word_list_format(argv, err, "-I%s", s->embedded);
	if (!ret)
		ret = word_list_split(&words, s->options ? s->options : "", err);
	if (!ret)
		ret = read_options(&c, &words, err);
	if (!ret)
		ret = append_choice(argv, &c, err);
	word_list_release(&c.kept);
	word_list_release(&words);
	return ret;
}

/*
 * For a device, -g alone would make line tables only. GPUs may rely neither on functions that
 * return a value nor on loops that end.
 */
int cuda_front_output(struct word_list *argv, struct err *err)
{
	return word_list_split(argv,
	                       "-O1 -Xclang -disable-llvm-passes -fno-strict-return "
	                       "-fno-finite-loops -g "
	                       "-Xclang -debug-info-kind=limited -fno-discard-value-names -c -o - "
	                       "-fdebug-compilation-dir=. -emit-llvm -fno-caret-diagnostics "
	                       "-fno-color-diagnostics",
	                       err);
}
