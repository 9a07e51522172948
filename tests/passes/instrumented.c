/* SPDX-License-Identifier: Apache-2.0 */
#include "instrumented.h"

#include "err.h"
#include "file.h"
#include "str.h"
#include "subprocess.h"
#include "word_list.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add(struct word_list *argv, const char *word)
{
	struct err err = { 0 };

	assert_int_equal(word_list_add(argv, word, &err), 0);
}

void instrumented_write(const char *const words[], const char *output, const char *table)
{
	struct word_list argv;
	struct str none, out;
	struct err err = { 0 };
	int status = -1;

	word_list_init(&argv);
	str_init(&none, 1);
	str_init(&out, 1 << 20);
	while (*words)
		add(&argv, *words++);
	add(&argv, "--output");
	add(&argv, output);
	add(&argv, "--table");
	add(&argv, table);
	if (subprocess_run(word_list_argv(&argv, &err), &none, &out, &out, &status, &err) || status)
		fail_msg("%d %s %s", status, err.msg, out.text);
	word_list_release(&argv);
	str_release(&out);
}

void instrumented_text(const char *const words[], struct str *out)
{
	char directory[] = "/tmp/instrumented-XXXXXX", text[64], table[64];
	struct err err = { 0 };

	assert_non_null(mkdtemp(directory));
	snprintf(text, sizeof(text), "%s/out.cl", directory);
	snprintf(table, sizeof(table), "%s/out.json", directory);
	instrumented_write(words, text, table);
	assert_int_equal(file_read(text, out, &err), 0);
	unlink(text);
	unlink(table);
	rmdir(directory);
}

/* The first line of a text names its options. */
static cl_program build(const struct cl_device *device, const struct str *code)
{
	static const char head[] = "// options:";
	char options[512];

	assert_int_equal(strncmp(code->text, head, strlen(head)), 0);
	snprintf(options, sizeof(options), "%.*s", (int)strcspn(code->text + strlen(head), "\n"),
	         code->text + strlen(head));
	return cl_device_build_source(device, code->text, options);
}

void instrumented_init(struct instrumented *p, const struct cl_device *device,
                       const char *const words[])
{
	char directory[] = "/tmp/instrumented-XXXXXX", code[64], table[64];
	struct str text;
	struct err err = { 0 };

	assert_non_null(mkdtemp(directory));
	snprintf(code, sizeof(code), "%s/out.cl", directory);
	snprintf(table, sizeof(table), "%s/out.json", directory);
	instrumented_write(words, code, table);
	assert_int_equal(kernel_tables_read(table, &p->tables, &p->table_count, &err), 0);
	str_init(&text, 1 << 24);
	assert_int_equal(file_read(code, &text, &err), 0);
	p->program = build(device, &text);
	str_release(&text);
	unlink(code);
	unlink(table);
	rmdir(directory);
}

void instrumented_release(struct instrumented *p)
{
	for (size_t i = 0; i < p->table_count; i++)
		kernel_table_release(&p->tables[i]);
	free(p->tables);
	clReleaseProgram(p->program);
}
