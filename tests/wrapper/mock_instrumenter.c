/* SPDX-License-Identifier: Apache-2.0 */
#include "mock_instrumenter.h"

#include "cmocka_all.h"
#include "err.h"
#include "kernel_table.h"
#include "mock_driver.h"
#include "script_file.h"

#include <stdio.h>

/* A loop with a read and a write, in chunks. */
static void write_table(const char *path, const char *kernel,
                        const struct kernel_argument *argument)
{
	struct place no_place = { 0 };
	struct site sites[2] = {
		{ SITE_READ, 4, 1, 0, 0, no_place, NULL, 0, NULL, NULL },
		{ SITE_WRITE, 4, 1, 0, 0, no_place, NULL, 0, NULL, NULL },
	};
	struct loop loop = { .parent = -1, .depth = 1 };
	struct kernel_argument arguments[] = { *argument };
	char name[32];
	struct kernel_table table = { .name = name,
		                      .sites = sites,
		                      .site_count = 2,
		                      .loops = &loop,
		                      .loop_count = 1,
		                      .arguments = arguments,
		                      .argument_count = 1,
		                      .lanes = 1,
		                      .is_repeatable = true };
	struct err err = { 0 };

	snprintf(name, sizeof(name), "%s", kernel);
	mock_driver_set_lanes(1);
	if (kernel_tables_write(path, &table, 1, &err) < 0)
		fail_msg("%s", err.msg);
}

void mock_instrumenter_write(const char *dir, char path[128])
{
	char pointer[] = "a", type[] = "int*";

	mock_instrumenter_write_for(dir, path, "update",
	                            &(struct kernel_argument){ pointer, type, 1, true });
}

void mock_instrumenter_write_script(const char *dir, char path[128])
{
	char text[512];

	snprintf(path, 128, "%s/instrument", dir);
	/* Without cp or cat: a process more takes as long as all the rest. */
	snprintf(text, sizeof(text),
	         "while [ $# -gt 1 ]; do case $1 in --output) out=$2;; --table) table=$2;; "
	         "--headers) headers=$2;; esac\nshift 2; done\n"
	         "echo '// options:' >$out; : >$headers\n"
	         "while IFS= read -r line || [ \"$line\" ]; do printf '%%s\\n' \"$line\"; done "
	         "<%s/table.json >$table",
	         dir);
	script_file_write(path, text);
}

void mock_instrumenter_write_for(const char *dir, char path[128], const char *name,
                                 const struct kernel_argument *argument)
{
	char table[128];

	snprintf(table, sizeof(table), "%s/table.json", dir);
	write_table(table, name, argument);
	mock_instrumenter_write_script(dir, path);
}
