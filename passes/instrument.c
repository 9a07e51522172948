/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warpline-instrument: reads an OpenCL or CUDA program; writes the same program with probes, and
 * the table of its sites. It is a separate program because LLVM must not be loaded into the process
 * of an OpenCL runtime that contains another LLVM.
 */
#include "cuda_source.h"

#include "cuda_table.h"
#include "err.h"
#include "file.h"
#include "parts.h"
#include "program.h"
#include "retarget.h"
#include "source_facts.h"
#include "steps.h"
#include "str.h"

#include <llvm-c/Core.h>

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUTPUT_LIMIT_BYTES  (1u << 30)
#define HEADERS_LIMIT_BYTES (1u << 26)

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

enum option_id {
	OPTION_HELP = 256,
	OPTION_VERSION,
#define SETTING(name, option, value, sentence) OPTION_##name,
#include "settings.def"
#undef SETTING
};

static const struct option options[] = {
	{ "help", no_argument, NULL, OPTION_HELP },
	{ "version", no_argument, NULL, OPTION_VERSION },
#define SETTING(name, option, value, sentence) { option, required_argument, NULL, OPTION_##name },
#include "settings.def"
#undef SETTING
	{ NULL, 0, NULL, 0 },
};

static void print_help(void)
{
	puts("Usage: warpline-instrument --source FILE --output FILE --table FILE [OPTION...]\n"
	     "\n"
	     "Put probes into an OpenCL program, one at each access to global memory.\n"
	     "\n"
#define SETTING(name, option, value, sentence) "  --" option " " value "\n      " sentence "\n"
#include "settings.def"
#undef SETTING
	     "  --help\n      this text\n"
	     "  --version\n      the version");
}

static int usage(struct err *err, const char *why)
{
	return err_set(err, ERR_USAGE, "%s; 'warpline-instrument --help' lists the options", why);
}

/* Note an option of a part. */
static int set_part(struct parts *parts, enum option_id option, struct err *err)
{
	struct settings *s =
		option == OPTION_source ? parts_begin(parts, err) : parts_last(parts, err);

	if (!s)
		return ERR_NOMEM;
	switch ((int)option) {
#define SETTING(name, option, value, sentence)
#define PART_SETTING(name, option, value, sentence)                                                \
	case OPTION_##name:                                                                        \
		s->name = optarg;                                                                  \
		break;
#include "settings.def"
#undef PART_SETTING
#undef SETTING
	}
	return 0;
}

/* Fills *parts; sets *is_done when --help or --version was answered. */
static int parse_options(int argc, char **argv, struct parts *parts, int *is_done, struct err *err)
{
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":", options, NULL)) != -1) {
		switch (c) {
		case OPTION_HELP:
			print_help();
			*is_done = 1;
			return 0;
		case OPTION_VERSION:
			puts("warpline-instrument " WARPLINE_VERSION);
			*is_done = 1;
			return 0;
#define SETTING(name, option, value, sentence)                                                     \
	case OPTION_##name:                                                                        \
		parts->whole.name = optarg;                                                        \
		break;
#define PART_SETTING(name, option, value, sentence)                                                \
	case OPTION_##name:                                                                        \
		if (set_part(parts, OPTION_##name, err))                                           \
			return ERR_NOMEM;                                                          \
		break;
#include "settings.def"
#undef PART_SETTING
#undef SETTING
		case ':':
			return err_set(err, ERR_USAGE, "option '%s' lacks its value",
			               argv[optind - 1]);
		default:
			return err_set(err, ERR_USAGE, "unknown option '%s'", argv[optind - 1]);
		}
	}
	return optind < argc ? usage(err, "unexpected argument") : 0;
}

static int is_version(const char *text)
{
	return strlen(text) == 3 && text[0] >= '1' && text[0] <= '3' && text[1] == '.' &&
	       text[2] >= '0' && text[2] <= '2';
}

/* Whether `word` is one of the choices "a|b|c". */
static int is_choice(const char *choices, const char *word)
{
	size_t length = strlen(word);

	for (const char *c = choices; c; c = strchr(c, '|') ? strchr(c, '|') + 1 : NULL)
		if (length && strcspn(c, "|") == length && !strncmp(c, word, length))
			return 1;
	return 0;
}

static int check_choice(const char *option, const char *choices, const char *word, struct err *err)
{
	if (!word || !strchr(choices, '|') || is_choice(choices, word))
		return 0;
	return err_set(err, ERR_USAGE, "--%s: expected one of %s, not '%s'", option, choices, word);
}

static int check_choices(const struct settings *s, struct err *err)
{
	const struct {
		const char *option, *choices, *word;
	} rows[] = {
#define SETTING(name, option, value, sentence) { option, value, s->name },
#include "settings.def"
#undef SETTING
	};
	int ret = 0;

	for (size_t i = 0; !ret && i < sizeof(rows) / sizeof(rows[0]); i++)
		ret = check_choice(rows[i].option, rows[i].choices, rows[i].word, err);
	return ret;
}

static int check_settings(const struct settings *s, struct err *err)
{
	int ret;

	if (!s->source || !s->output || !s->table)
		return usage(err, "--source, --output and --table are needed");
	ret = check_choices(s, err);
	if (ret)
		return ret;
	if (s->cl_version && !is_version(s->cl_version))
		return err_set(err, ERR_USAGE, "--cl-version: '%s' is not a version such as 1.2",
		               s->cl_version);
	return 0;
}

/* Write the module as LLVM assembly if a file is given. */
static int save_text(const struct program *p, const char *path, struct err *err)
{
	char *message = NULL;
	int ret = 0;

	if (path && LLVMPrintModuleToFile(p->module, path, &message))
		ret = err_set(err, ERR_IO, "%s: %s", path, message);
	LLVMDisposeMessage(message);
	return ret;
}

/* Write the string that a writer produces to a file. */
static int write_text(struct program *p, const char *path,
                      int (*door)(struct program *, struct str *, struct err *), struct err *err)
{
	struct str text;
	int ret;

	str_init(&text, OUTPUT_LIMIT_BYTES);
	ret = door(p, &text, err);
	if (!ret)
		ret = file_write(path, text.text, text.length, err);
	str_release(&text);
	return ret;
}

/* Note in the CUDA table which kernels the code lacks. */
static int refuse_kernels(struct program *p, struct err *err)
{
	for (size_t i = 0; i < p->kernel_count; i++) {
		struct cuda_kernel *row = cuda_table_kernel(p->cuda, p->tables[i].name);

		if (!row || row->refusal || !p->tables[i].refusal)
			continue;
		row->refusal = str_copy(p->tables[i].refusal, err);
		if (!row->refusal)
			return ERR_NOMEM;
	}
	return 0;
}

static int write_output(struct program *p, const struct settings *s, struct err *err)
{
	bool is_ptx = setting_is(s->door, "ptx");
	int ret = write_text(p, s->output, is_ptx ? ptx_door_write : text_door_write, err);

	if (!ret && p->cuda)
		ret = refuse_kernels(p, err);
	if (!ret && p->cuda && s->cuda_table)
		ret = cuda_table_write(p->cuda, s->cuda_table, err);
	return ret ? ret : kernel_tables_write(s->table, p->tables, p->kernel_count, err);
}

static int (*const before_probes[])(struct program *, struct err *) = {
	ptx_find_kernels, retarget,        device_module_keep,  program_find_kernels, inline_calls,
	ptx_infer_spaces, optimise,        make_events_private, mark_accesses,        clean_code,
	number_sites,     choose_bypasses, insert_probes,
};

/*
 * Add what the source of a part says about each kernel beyond the IR; its headers go to `headers`.
 */
static int add_facts(const struct program *p, const struct settings *part, struct str *headers,
                     bool *has_headers, struct err *err)
{
	struct source_facts *facts;
	int ret = source_facts_read(&facts, part, err);

	for (size_t i = 0; !ret && i < p->kernel_count; i++)
		ret = source_facts_apply(facts, &p->tables[i], err);
	if (!ret)
		ret = source_facts_headers(facts, headers, has_headers, err);
	source_facts_free(facts);
	return ret;
}

/* Add the facts of a source that was not among the inputs; nothing but facts may depend on it. */
static int add_cuda_facts(const struct program *p, const struct cuda_source *source,
                          struct err *err)
{
	bool has_headers = true;
	struct str headers;
	int ret;

	str_init(&headers, HEADERS_LIMIT_BYTES);
	ret = add_facts(p, &source->settings, &headers, &has_headers, err);
	str_release(&headers);
	return ret;
}

/* Add the facts of all parts. The list of headers is written only when it is known for each. */
static int add_all_facts(const struct program *p, const struct parts *parts, struct err *err)
{
	bool has_headers = true;
	struct str headers;
	int ret = 0;

	str_init(&headers, HEADERS_LIMIT_BYTES);
	for (size_t i = 0; !ret && i < parts->list.count; i++)
		ret = add_facts(p, parts_at(parts, i), &headers, &has_headers, err);
	if (!ret && has_headers && p->settings->headers)
		ret = file_write(p->settings->headers, headers.text ? headers.text : "",
		                 headers.length, err);
	str_release(&headers);
	return ret;
}

/* Before the device has been asked: write empty files. */
static int write_nothing(const struct settings *s, struct err *err)
{
	int ret = file_write(s->output, "", 0, err);

	if (!ret)
		ret = kernel_tables_write(s->table, NULL, 0, err);
	return ret || !s->headers ? ret : file_write(s->headers, "", 0, err);
}

static int instrument(const struct parts *parts, struct err *err)
{
	const struct settings *s = &parts->whole;
	struct cuda_source source = { .path = NULL };
	struct program p;
	int ret = program_init(&p, s, err);

	if (!ret)
		ret = parts_link(parts, &p, err);
	if (!ret)
		ret = save_text(&p, s->save_input, err);
	for (size_t i = 0; !ret && i < sizeof(before_probes) / sizeof(before_probes[0]); i++)
		ret = before_probes[i](&p, err);
	if (!ret)
		ret = cuda_source_find(&source, &p, s, err);
	if (!ret)
		ret = lower_syncs(&p, err);
	if (!ret)
		ret = copy_samples(&p, err);
	if (!ret)
		ret = save_text(&p, s->emit_llvm, err);
	if (!ret)
		ret = finish_code(&p, err);
	if (!ret)
		ret = add_all_facts(&p, parts, err);
	if (!ret && cuda_source_is_there(&source))
		ret = add_cuda_facts(&p, &source, err);
	if (!ret)
		ret = write_output(&p, s, err);
	cuda_source_release(&source);
	program_release(&p);
	return ret;
}

/* What the device's compiler makes of the sources comes first: it decides what code there is. */
static int run(struct parts *parts, struct err *err)
{
	bool is_known;
	int ret = parts_read_macros(parts, &is_known, err);

	if (ret)
		return ret;
	return is_known ? instrument(parts, err) : write_nothing(&parts->whole, err);
}

int main(int argc, char **argv)
{
	struct parts parts;
	struct err err = { 0 };
	int is_done = 0, ret;

	parts_init(&parts);
	ret = parse_options(argc, argv, &parts, &is_done, &err);
	if (!ret && !is_done)
		ret = parts_settle(&parts, &err);
	if (!ret && !is_done)
		ret = check_settings(&parts.whole, &err);
	if (!ret && !is_done)
		ret = run(&parts, &err);
	parts_release(&parts);
	if (!ret)
		return EXIT_DONE;
	fprintf(stderr, "warpline-instrument: %s\n", err.msg);
	return ret == ERR_USAGE ? EXIT_USAGE : EXIT_FAILED;
}
