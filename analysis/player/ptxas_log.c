/* SPDX-License-Identifier: Apache-2.0 */
#include "ptxas_log.h"

#include "err.h"
#include "file.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define ENTRY_WORDS "Compiling entry function '"

enum { LOG_LIMIT_BYTES = 64 << 20, ENTRIES_LIMIT = 1 << 20, REGISTERS_LIMIT = 65536 };

struct ptxas_entry {
	const char *name, *target;
	uint32_t registers;
};

/* Returns the text up to the next quote, terminated there, or NULL if the line has none. *rest
 * becomes what follows. */
static char *take_quoted(char *at, char **rest)
{
	char *end = strchr(at, '\'');

	if (!end)
		return NULL;
	*end = '\0';
	*rest = end + 1;
	return at;
}

/* Read "NAME' for 'sm_80'"; false if the text is anything else. */
static bool read_entry(char *at, struct ptxas_entry *entry)
{
	static const char between[] = " for '";
	char *rest;

	entry->name = take_quoted(at, &rest);
	if (!entry->name || strncmp(rest, between, sizeof(between) - 1) != 0)
		return false;
	entry->target = take_quoted(rest + sizeof(between) - 1, &rest);
	return entry->target != NULL;
}

/* Returns the N of "Used N registers", or 0. */
static uint32_t read_registers(const char *line)
{
	const char *used = strstr(line, "Used ");
	char *end;
	long count;

	if (!used || !isdigit((unsigned char)used[5]))
		return 0;
	count = strtol(used + 5, &end, 10);
	if (strncmp(end, " registers", 10) != 0 || count > REGISTERS_LIMIT)
		return 0;
	return (uint32_t)count;
}

/* The registers of an entry follow it, before the next one. */
static int read_lines(struct ptxas_log *log, const char *target, struct err *err)
{
	struct ptxas_entry open = { 0 };
	char *next, *save;

	for (char *line = strtok_r(log->text.text, "\r\n", &save); line; line = next) {
		char *entry = strstr(line, ENTRY_WORDS);
		uint32_t registers = read_registers(line);

		next = strtok_r(NULL, "\r\n", &save);
		if (entry) {
			if (!read_entry(entry + strlen(ENTRY_WORDS), &open))
				open.name = NULL;
		} else if (open.name && registers) {
			struct ptxas_entry *e = NULL;

			open.registers = registers;
			if (!target || !strcmp(target, open.target)) {
				e = array_push(&log->entries, 1, err);
				if (!e)
					return err->code;
				*e = open;
			}
			open.name = NULL;
		}
	}
	return 0;
}

int ptxas_log_load(struct ptxas_log *log, const char *what, struct err *err)
{
	const char *at = strrchr(what, '@');
	const char *target = at && !strncmp(at, "@sm_", 4) ? at + 1 : NULL;
	char *file = target ? strndup(what, (size_t)(at - what)) : strdup(what);
	int ret;

	*log = (struct ptxas_log){ .what = what };
	str_init(&log->text, LOG_LIMIT_BYTES);
	array_init(&log->entries, sizeof(struct ptxas_entry), ENTRIES_LIMIT, "kernels of a log");
	if (!file)
		return err_set(err, ERR_NOMEM, "%s: no memory for its name", what);
	ret = file_read(file, &log->text, err);
	if (!ret && log->text.text)
		ret = read_lines(log, target, err);
	if (!ret && !log->entries.count)
		ret = err_set(err, ERR_FORMAT,
		              "%s: expected what 'ptxas -v' prints of its kernels%s%s", file,
		              target ? ", and of some for " : "", target ? target : "");
	free(file);
	return ret;
}

void ptxas_log_release(struct ptxas_log *log)
{
	str_release(&log->text);
	array_release(&log->entries);
}

/* Returns the last component at the start of a mangled name ("_ZN1q6matmulEPf": "matmul"), or NULL.
 */
static const char *plain_name(const char *mangled, size_t *length)
{
	const char *name = NULL, *at = mangled;

	if (strncmp(at, "_Z", 2) != 0)
		return NULL;
	at += at[2] == 'N' ? 3 : 2;
	while (isdigit((unsigned char)*at)) {
		char *begin;
		unsigned long count = strtoul(at, &begin, 10);

		if (!count || count > strlen(begin))
			return NULL;
		name = begin;
		*length = count;
		at = begin + count;
	}
	return name;
}

static bool is_called(const struct ptxas_entry *e, const char *kernel, bool exactly)
{
	size_t length = 0;
	const char *plain;

	if (exactly)
		return !strcmp(e->name, kernel);
	plain = plain_name(e->name, &length);
	return plain && length == strlen(kernel) && !memcmp(plain, kernel, length);
}

static int find(const struct ptxas_log *log, const char *kernel, bool exactly, uint32_t *registers,
                struct err *err)
{
	const struct ptxas_entry *entries = log->entries.data, *found = NULL;

	for (size_t i = 0; i < log->entries.count; i++) {
		const struct ptxas_entry *e = &entries[i];

		if (!is_called(e, kernel, exactly))
			continue;
		if (found && found->registers != e->registers)
			return err_set(err, ERR_USAGE,
			               "%s: kernel %s has %u registers as %s for %s and %u as %s "
			               "for %s: expected one number; FILE@sm_NN chooses a target",
			               log->what, kernel, found->registers, found->name,
			               found->target, e->registers, e->name, e->target);
		found = e;
	}
	*registers = found ? found->registers : 0;
	return 0;
}

int ptxas_log_find(const struct ptxas_log *log, const char *kernel, uint32_t *registers,
                   struct err *err)
{
	int ret = find(log, kernel, true, registers, err);

	if (ret || *registers)
		return ret;
	return find(log, kernel, false, registers, err);
}
