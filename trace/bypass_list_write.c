/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_list_private.h"
#include "err.h"
#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* Whether a control character begins here: in how many bytes. */
static size_t control_bytes(const char *text, uint32_t *code)
{
	size_t bytes = text_decode_string(text, code);

	return bytes && text_is_control(*code) ? bytes : 0;
}

static bool needs_quotes(const char *name)
{
	uint32_t code;

	if (!*name || !strcmp(name, "*") || *name == '#')
		return true;
	for (; *name; name++)
		if (strchr(" \"\\", *name) || control_bytes(name, &code))
			return true;
	return false;
}

static void write_name(const char *name, FILE *out)
{
	if (!needs_quotes(name)) {
		fputs(name, out);
		return;
	}
	fputc('"', out);
	for (uint32_t code; *name; name++) {
		size_t control = control_bytes(name, &code);

		if (control) {
			name += control - 1;
			fprintf(out, "\\u%04x", (unsigned)code);
		} else {
			if (*name == '"' || *name == '\\')
				fputc('\\', out);
			fputc(*name, out);
		}
	}
	fputc('"', out);
}

static void write_place(const struct bypass_place *place, FILE *out)
{
	if (!place->file)
		return;
	fputs(" at ", out);
	write_name(place->file, out);
	fprintf(out, ":%" PRIu32 ":%" PRIu32, place->line, place->column);
	if (place->ordinal)
		fprintf(out, " #%" PRIu32, place->ordinal);
}

static void write_rule(const struct bypass_rule *rule, FILE *out)
{
	fputs(bypass_kind_word(rule->kind), out);
	if (rule->kind == BYPASS_ARGUMENT) {
		fputc(' ', out);
		write_name(rule->name, out);
	} else if (rule->kind == BYPASS_ADDRESS) {
		fprintf(out, " 0x%" PRIx64, rule->number);
		if (rule->sm >= 0)
			fprintf(out, " sm %" PRId64, rule->sm);
	} else if (rule->kind != BYPASS_ALL) {
		fprintf(out, " %" PRIu64, rule->number);
	}
	write_place(&rule->place, out);
	fputc('\n', out);
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

int bypass_list_write(const struct bypass_list *list, FILE *out, struct err *err)
{
	const char *kernel = NULL;

	fputs("warpline bypass 1\n", out);
	for (size_t i = 0; i < list->count; i++) {
		const struct bypass_rule *rule = &list->rules[i];

		if (!is_same(rule->kernel, kernel)) {
			fputs("kernel ", out);
			if (rule->kernel)
				write_name(rule->kernel, out);
			else
				fputc('*', out);
			fputc('\n', out);
			kernel = rule->kernel;
		}
		write_rule(rule, out);
	}
	if (ferror(out))
		return err_set(err, ERR_IO, "a bypass list cannot be written: %s", strerror(errno));
	return 0;
}
