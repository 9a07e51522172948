/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sources as other people write them, and as nobody does, through every command that shows one.
 * What each command says of them is looked at: it ends, with the status of a whole recording; what
 * goes to a terminal is UTF-8 without control characters; documents can be parsed. Sanitizers see
 * the rest.
 */
#include "command.h"
#include "err.h"
#include "file.h"
#include "recording_script.h"
#include "say.h"
#include "str.h"
#include "text.h"

#include "cmocka_all.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONG_BYTES = 1 << 20, ITEMS = 32, TEXT_LIMIT_BYTES = 64 << 20 };

#define BYTES(text) text, sizeof(text) - 1

static const struct {
	const char *name, *text;
	size_t length;
} sources[] = {
	{ "empty", BYTES("") },
	{ "leading_newline",
	  BYTES("\n__kernel void k(__global int*a){a[get_global_id(0)]+=1;}\n") },
	{ "leading_newlines", BYTES("\n\n\r\n\n__kernel void k(__global int*a){}\n") },
	{ "only_newlines", BYTES("\n\n\n\n\n\n\n\n") },
	{ "one_newline", BYTES("\n") },
	{ "no_end", BYTES("__kernel void k(__global int *a)\n{\n\ta[0]++; }") },
	{ "cr_lf", BYTES("__kernel void k(\r\n\t__global int *a)\r\n{\r\n\ta[0]++;\r\n}\r\n") },
	{ "cr", BYTES("__kernel void k(\r\t__global int *a)\r{\r\ta[0]++;\r}\r") },
	{ "nul", BYTES("a\n\0b\0\nc\0") },
	{ "mark", BYTES("\xef\xbb\xbf__kernel void k(__global int *a)\n{\n\ta[0]++;\n}\n") },
	{ "latin", BYTES("/* f\xfcr */\na[0]++; // \xe9\n\xff\xfe\n\xc3") },
	{ "c1", BYTES("\xc2\x9b"
	              "31m\n\x9b"
	              "31m\n\x1b[31m\n\x7f\a\b\v\f\n") },
	{ "tabs", BYTES("\t\t\n\t\ta[0]\t++\t;\t\n\t") },
	{ "line", BYTES("#line 3 \"k.cl\"\nthree\n# 1 \"sources/program-0000.cl\"\none\ntwo\n") },
	{ "lines",
	  BYTES("#line 4294967295\nx\n#line 0\ny\n#line 99999999999\n#line\n#\n# \n#line 2 \"") },
	{ "markup", BYTES("</pre></script><script>\n\"\\\",\n'\n]]>\n") },
	{ "long", NULL, LONG_BYTES },
};

enum { SOURCES = sizeof(sources) / sizeof(sources[0]) };

static char root[] = "/tmp/warpline-odd-XXXXXX";

static void fill(struct script *s, uint64_t group, uint32_t items)
{
	for (; s->items < items; s->items++)
		for (uint32_t site = 0; site < 8; site++)
			recording_script_add(s, EVENT_SITE | site,
			                     0x10000000 + 4 * (ITEMS * group + s->items), 0);
}

/* A kernel with accesses in the first lines, the last ones, and where there are none; what they
 * access is called by a piece of the source. */
static int make_recording(const char *dir, const char *text, size_t length, struct err *err)
{
	static const uint32_t lines[8] = { 1, 2, 3, 4, 5, 9, 1000000, UINT32_MAX };
	char file[] = "sources/program-0000.cl", none[] = "", expression[32];
	struct site sites[8];
	struct kernel_argument argument = { TEXT("a"), TEXT("int*"), SPACE_GLOBAL, true };
	struct kernel_table table = { .name = TEXT("k"),
		                      .sites = sites,
		                      .site_count = 8,
		                      .arguments = &argument,
		                      .argument_count = 1 };
	struct recorded_program program = { .options = TEXT(""), .origin = TEXT("source") };
	struct recorded_buffer buffer = { .bytes = 4096, .parent = -1 };
	struct recorded_argument pointer = { .address = 0x10000000 };
	struct recorded_launch launch = {
		.shape = { 1, { 2 * ITEMS, 1, 1 }, { ITEMS, 1, 1 }, { 0 } },
		.arguments = &pointer,
		.argument_count = 1
	};
	struct recording_writer *w = NULL;
	uint32_t id;
	int ret = recording_script_begin(&w, dir, err);

	snprintf(expression, sizeof(expression), "%.*s", length < 20 ? (int)length : 20, text);
	for (uint32_t i = 0; i < 8; i++)
		sites[i] = (struct site){ .kind = i % 3 == 2 ? SITE_WRITE : SITE_READ,
			                  .bytes = 4,
			                  .space = SPACE_GLOBAL,
			                  .loop = -1,
			                  .argument = 0,
			                  .place = { file, lines[i], 1 },
			                  .expression = i % 2 ? expression : none };
	if (!ret)
		ret = recording_writer_program(w, &program, text, length, &id, err);
	if (!ret)
		ret = recording_writer_buffer(w, &buffer, &id, err);
	if (!ret)
		ret = recording_script_kernel(w, &table, &launch.kernel, err);
	if (!ret)
		ret = recording_script_launch(w, &launch, &table, fill, err);
	return ret ? ret : recording_script_finish(w, err);
}

/* What a command prints, TEXT or, PRINTED, JSON; or what is in the file that it is told. */
enum form { TEXT_FORM, PRINTED_FORM, JSON_FORM, LINES_FORM, PAGE_FORM, ANY_FORM };

/* "@" is the recording, "&" a plain one to compare it with, "%" the file. */
static const struct {
	enum form form;
	const char *words[12];
} commands[] = {
	{ TEXT_FORM, { "report", "@" } },
	{ TEXT_FORM, { "report", "--annotate", "--colour=never", "--top", "0", "@" } },
	{ JSON_FORM, { "report", "--json", "%", "@" } },
	{ PAGE_FORM, { "report", "--html", "%", "@" } },
	{ TEXT_FORM, { "replay", "@" } },
	{ TEXT_FORM, { "replay", "--stats", "all", "@" } },
	{ JSON_FORM, { "replay", "--stats", "all", "--json", "%", "@" } },
	{ TEXT_FORM, { "diff", "@", "&" } },
	{ TEXT_FORM, { "diff", "&", "@" } },
	{ JSON_FORM, { "diff", "--json", "%", "@", "&" } },
	{ ANY_FORM, { "diff", "--csv", "%", "@", "&" } },
	{ TEXT_FORM, { "query", "--of", "lines", "--columns", "all", "@" } },
	{ TEXT_FORM, { "query", "--of", "sites", "--columns", "all", "@" } },
	{ TEXT_FORM, { "query", "--of", "kernels", "--columns", "all", "@" } },
	{ TEXT_FORM, { "query", "--of", "launches", "--columns", "all", "@" } },
	{ TEXT_FORM, { "query", "--of", "buffers", "--columns", "all", "@" } },
	{ TEXT_FORM, { "query", "--of", "requests", "--columns", "all", "--top", "9", "@" } },
	{ TEXT_FORM, { "query", "--of", "accesses", "--columns", "all", "--top", "9", "@" } },
	{ LINES_FORM,
	  { "query", "--of", "lines", "--columns", "all", "--format", "json", "-o", "%", "@" } },
	{ ANY_FORM,
	  { "query", "--of", "lines", "--columns", "all", "--format", "csv", "-o", "%", "@" } },
	{ JSON_FORM, { "query", "--perfetto", "%", "@" } },
	{ TEXT_FORM, { "bypass", "--by", "site", "@" } },
	{ TEXT_FORM, { "bypass", "--source", "--list", "all", "@" } },
	{ JSON_FORM, { "bypass", "--by", "site", "--json", "%", "@" } },
	{ TEXT_FORM, { "curve", "@" } },
	{ JSON_FORM, { "curve", "--json", "%", "@" } },
	{ ANY_FORM, { "plot", "-o", "%.gp", "@" } },
	{ ANY_FORM, { "plot", "--what", "reuse", "-o", "%.gp", "@" } },
	{ TEXT_FORM, { "info", "@" } },
	{ PRINTED_FORM, { "info", "--json", "-", "@" } },
	{ TEXT_FORM, { "dump", "@" } },
	{ TEXT_FORM, { "verify", "@" } },
};

static const char *name_of(size_t command)
{
	static char name[256];

	name[0] = '\0';
	for (size_t i = 0; commands[command].words[i]; i++)
		snprintf(name + strlen(name), sizeof(name) - strlen(name), "%s ",
		         commands[command].words[i]);
	return name;
}

/* Run a command in this process, with what it prints in files; its status. */
static int run(size_t command, const char *recording, const char *file, const char *printed)
{
	char words[12][128], *argv[12] = { NULL };
	const struct command *c = command_find(commands[command].words[0], NULL);
	int kept[2] = { dup(1), dup(2) }, out, argc = 0, ret;
	struct err err = { 0 };

	for (; commands[command].words[argc + 1]; argc++) {
		const char *word = commands[command].words[argc + 1];

		snprintf(words[argc], sizeof(words[argc]), "%s%s",
		         *word == '@'   ? recording
		         : *word == '&' ? "plain"
		         : *word == '%' ? file
		                        : word,
		         *word == '%' ? word + 1 : "");
		argv[argc] = words[argc];
	}
	fflush(stdout);
	fflush(stderr);
	out = open(printed, O_CREAT | O_TRUNC | O_WRONLY, 0600);
	dup2(out, 1);
	dup2(out, 2);
	close(out);
	ret = command_run(c, argc, argv, &err);
	if (ret < 0)
		say_line(c->name, "%s", err.msg);
	fflush(stdout);
	fflush(stderr);
	for (int fd = 0; fd < 2; fd++) {
		dup2(kept[fd], fd + 1);
		close(kept[fd]);
	}
	return ret;
}

static void check_text(const char *what, const char *name, const struct str *text)
{
	for (size_t i = 0, bytes; i < text->length; i += bytes) {
		uint32_t code = 0;

		bytes = text_decode(text->text + i, text->length - i, &code);
		if (!bytes || (text_is_control(code) && code != '\n' && code != '\t'))
			fail_msg("%s, %s: byte 0x%02x", what, name, (unsigned char)text->text[i]);
	}
}

static void check_json(const char *what, const char *name, const char *text, size_t length)
{
	json_error_t error;
	json_t *value = json_loadb(text, length, 0, &error);

	if (!value)
		fail_msg("%s, %s: %s", what, name, error.text);
	json_decref(value);
}

static void check_lines(const char *what, const char *name, const struct str *text)
{
	for (size_t i = 0; i < text->length;) {
		size_t length = strcspn(text->text + i, "\n");

		check_json(what, name, text->text + i, length);
		i += length + 1;
	}
}

static void check(const char *what, size_t command, const char *file, const char *printed)
{
	enum form form = commands[command].form;
	const char *name = name_of(command);
	struct str text;

	str_init(&text, TEXT_LIMIT_BYTES);
	assert_int_equal(file_read(printed, &text, NULL), 0);
	check_text(what, name, &text);
	if (form == PRINTED_FORM)
		check_json(what, name, text.text, text.length);
	str_release(&text);
	if (form == TEXT_FORM || form == PRINTED_FORM || form == ANY_FORM)
		return;
	assert_int_equal(file_read(file, &text, NULL), 0);
	check_text(what, name, &text);
	if (form == JSON_FORM)
		check_json(what, name, text.text, text.length);
	else if (form == LINES_FORM)
		check_lines(what, name, &text);
	str_release(&text);
}

static void fail_because(const char *what, size_t command, int status)
{
	struct str text;

	str_init(&text, TEXT_LIMIT_BYTES);
	(void)file_read("printed", &text, NULL);
	fail_msg("%s, %s: status %d: %s", what, name_of(command), status, text.text);
}

static void every_command_shows_every_source(void **state)
{
	char *longest = malloc(LONG_BYTES + 1);
	struct err err = { 0 };

	(void)state;
	assert_non_null(longest);
	memset(longest, 'x', LONG_BYTES);
	longest[LONG_BYTES] = '\0';
	assert_int_equal(make_recording("plain", BYTES("a[0]++;\n"), &err), 0);
	for (size_t i = 0; i < SOURCES; i++) {
		const char *text = sources[i].text ? sources[i].text : longest;

		if (make_recording(sources[i].name, text, sources[i].length, &err))
			fail_msg("%s: %s", sources[i].name, err.msg);
		for (size_t c = 0; c < sizeof(commands) / sizeof(commands[0]); c++) {
			int status = run(c, sources[i].name, "file", "printed");

			if (status)
				fail_because(sources[i].name, c, status);
			check(sources[i].name, c, "file", "printed");
		}
	}
	free(longest);
}

static int make_folder(void **state)
{
	(void)state;
	setenv("WARPLINE_GPUS", SOURCE_DIR "/gpus", 1);
	setenv("WARPLINE_GPU", "gtx480", 1);
	return !mkdtemp(root) || chdir(root);
}

static int remove_folder(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", root);
	return system(command); /* NOLINT(cert-env33-c) */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_command_shows_every_source),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
