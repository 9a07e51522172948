/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"
#include "elf_facts.h"
#include "err.h"
#include "file.h"
#include "program_check.h"
#include "str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_LIMIT ((size_t)1 << 28)

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static bool needs(const struct elf_facts *f, const char *prefix)
{
	char *const *needed = f->needed.data;

	for (size_t i = 0; i < f->needed.count; i++)
		if (!strncmp(needed[i], prefix, strlen(prefix)))
			return true;
	return false;
}

/* This very program: 64 bits or what it is compiled for, linked with libc and cmocka. */
static void a_program_has_its_own_facts(void **state)
{
	struct elf_facts f;

	if (sizeof(void *) != 8)
		skip();
	assert_int_equal(elf_facts_read(&f, "/proc/self/exe", NULL), 0);
	assert_true(f.is_elf && f.bits == 64 && !f.is_foreign && !f.is_static);
	assert_true(needs(&f, "libc.so") && needs(&f, "libcmocka"));
	assert_null(elf_facts_opencl(&f));
	assert_true(f.names_opencl); /* it is in this source */
	elf_facts_release(&f);
	elf_facts_release(&f);
}

static void other_files_are_no_programs(void **state)
{
	static const struct {
		const char *bytes;
		size_t length;
		bool is_elf;
		unsigned bits;
	} rows[] = {
		{ "", 0, false, 0 },
		{ "\177EL", 3, false, 0 },
		{ "#!/bin/sh\n", 10, false, 0 },
		{ "\177ELF", 4, false, 0 },
		{ "\177ELF\1", 5, true, 32 },
		{ "\177ELF\2", 5, true, 64 },
		{ "\177ELF\3\1\1\0\0\0\0\0\0", 13, true, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct elf_facts f;

		assert_int_equal(elf_facts_parse(&f, "x", rows[i].bytes, rows[i].length, NULL), 0);
		assert_int_equal(f.is_elf, rows[i].is_elf);
		assert_int_equal(f.bits, rows[i].bits);
		assert_true(!f.is_elf || f.is_foreign);
		elf_facts_release(&f);
	}
}

/* Cut anywhere near its beginning and damaged anywhere in its headers it is read without harm,
 * which the sanitizers watch. */
static void a_damaged_program_does_no_harm(void **state)
{
	uint64_t random = 4;
	struct str text;
	struct elf_facts f;

	print_message("seed %d\n", 4);
	str_init(&text, FILE_LIMIT);
	assert_int_equal(file_read("/proc/self/exe", &text, NULL), 0);
	for (size_t length = 0; length < 1200; length++) {
		char *cut = malloc(length ? length : 1); /* so that reading beyond is seen */

		assert_non_null(cut);
		memcpy(cut, text.text, length);
		assert_int_equal(elf_facts_parse(&f, "x", cut, length, NULL), 0);
		elf_facts_release(&f);
		free(cut);
	}
	for (int round = 0; round < 300; round++) {
		size_t at[4];
		char before[4];

		for (int i = 0; i < 4; i++) {
			at[i] = next(&random) % 1200;
			before[i] = text.text[at[i]];
			text.text[at[i]] = (char)next(&random);
		}
		(void)elf_facts_parse(&f, "/a/b", text.text, text.length, NULL);
		elf_facts_release(&f);
		for (int i = 3; i >= 0; i--)
			text.text[at[i]] = before[i];
	}
	str_release(&text);
}

/* The findings about a script with this text, each on a line without the file's name. */
static void findings_of(const char *script, char *out, size_t bytes)
{
	char path[] = "/tmp/test_script_XXXXXX";
	struct program_check c = { 0 };
	int fd = mkstemp(path);
	char *const *findings;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, script, strlen(script)), strlen(script));
	close(fd);
	array_init(&c.findings, sizeof(char *), 64, "findings");
	assert_int_equal(program_check_script(&c, path, NULL), 0);
	unlink(path);
	findings = c.findings.data;
	out[0] = '\0';
	for (size_t i = 0; i < c.findings.count; i++) {
		const char *text = findings[i] + strlen(path) + 1;

		snprintf(out + strlen(out), bytes - strlen(out), "%.*s|",
		         (int)(strchr(strchr(text, '\'') + 1, '\'') - text + 1), text);
	}
	program_check_release(&c);
}

static void commands_that_drop_the_environment_are_found(void **state)
{
	static const struct {
		const char *script, *found;
	} rows[] = {
		{ "", "" },
		{ "sudo x", "1:'sudo'|" },
		{ "# sudo x\n\t# sudo y", "" },
		{ "sudoku; xsudo; a-sudo; /usr/bin/sudox; $sudo; sudo_x", "" },
		{ "# a; sudo b\n  # then sudo c", "" },
		{ "echo sudo", "" },
		{ "a; sudo b", "1:'sudo'|" },
		{ "a && sudo b\nsudo c", "1:'sudo'|" },
		{ "if a; then sudo b; fi", "1:'sudo'|" },
		{ "x=$(sudo b)", "1:'sudo'|" },
		{ "x=`ssh h`", "1:'ssh'|" },
		{ "\n\nenv   -i\ta", "3:'env -i'|" },
		{ "env -", "1:'env -'|" },
		{ "env -u X a", "" },
		{ "env X=-i a", "" },
		{ "LD_PRELOAD=x a\nOPENCL_LAYERS=y b", "1:'LD_PRELOAD='|2:'OPENCL_LAYERS='|" },
		{ "MY_LD_PRELOAD=x", "" },
		{ "unset LD_PRELOAD", "1:'unset LD_PRELOAD'|" },
		{ "unset LD_PRELOADS", "" },
		{ "export LD_PRELOAD=/x", "1:'export LD_PRELOAD='|" },
		{ "exec docker run", "1:'docker'|" },
		{ "(ssh h)", "1:'ssh'|" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char got[256];
		const char *want = rows[i].found;

		findings_of(rows[i].script, got, sizeof(got));
		for (char *c = got; *c; c++)
			if (c[0] == ':' && c[1] == ' ')
				memmove(c + 1, c + 2, strlen(c + 1));
		if (strcmp(got, want) != 0)
			fail_msg("'%s': '%s', expected '%s'", rows[i].script, got, want);
	}
}

static void an_interpreter_is_found_by_its_first_line(void **state)
{
	static const struct {
		const char *line, *interpreter; /* its end; NULL: none */
		bool clears;
	} rows[] = {
		{ "#!/bin/sh\n", "/bin/sh", false },
		{ "#! /bin/sh -e\n", "/bin/sh", false },
		{ "#!/usr/bin/env sh\n", "/sh", false },
		{ "#!/usr/bin/env -S X=1 sh -e\n", "/sh", false },
		{ "#!/usr/bin/env -S -i sh\n", "/sh", true },
		{ "#!/usr/bin/env -iS sh\n", "/sh", true },
		{ "#!/usr/bin/env no-such-program-at-all\n", NULL, false },
		{ "#!/usr/bin/env\n", NULL, false },
		{ "#!/bin/sh", "/bin/sh", false },
		{ "\n#!/bin/sh", NULL, false },
		{ "", NULL, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char path[] = "/tmp/test_script_XXXXXX", *got;
		int fd = mkstemp(path);
		bool clears = true;
		size_t length;

		assert_true(fd >= 0);
		assert_int_equal(write(fd, rows[i].line, strlen(rows[i].line)),
		                 strlen(rows[i].line));
		close(fd);
		got = program_check_interpreter(path, &clears);
		unlink(path);
		assert_int_equal(clears, rows[i].clears);
		length = rows[i].interpreter ? strlen(rows[i].interpreter) : 0;
		if (!rows[i].interpreter
		            ? got != NULL
		            : !got || strlen(got) < length ||
		                      strcmp(got + strlen(got) - length, rows[i].interpreter) != 0)
			fail_msg("'%s': %s", rows[i].line, got ? got : "none");
		free(got);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_has_its_own_facts),
		cmocka_unit_test(other_files_are_no_programs),
		cmocka_unit_test(a_damaged_program_does_no_harm),
		cmocka_unit_test(commands_that_drop_the_environment_are_found),
		cmocka_unit_test(an_interpreter_is_found_by_its_first_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
