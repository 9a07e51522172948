/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "err.h"
#include "record_environment.h"
#include "say.h"

#include <string.h>

/* Print `text` as one word of a shell. */
static void print_quoted(FILE *out, const char *text)
{
	fputc('\'', out);
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", out);
		else
			fputc(*text, out);
	}
	fputc('\'', out);
}

int cmd_env(const void *settings, const struct operands *operands, struct err *err)
{
	struct record_environment e;
	int ret = record_environment_init(&e, settings, err);

	(void)operands;
	if (!ret)
		record_options_warn("env");
	for (size_t i = 0; !ret && i < e.count; i++) {
		fprintf(stdout, "export %s=", e.items[i].name);
		print_quoted(stdout, e.items[i].value);
		fputc('\n', stdout);
	}
	record_environment_release(&e);
	return ret ? ret : say_flush(stdout, "standard output", err);
}
