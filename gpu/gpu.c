/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu.h"

#include "err.h"
#include "file.h"
#include "line_walk.h"
#include "number.h"
#include "str.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { DESCRIPTION_LIMIT_BYTES = 1 << 20 };

enum {
#define NUMBER(name, min, max, text) FIELD_##name,
#define CHOICE(name, words, text)    FIELD_##name,
#define SPEC(name, words, text)      FIELD_##name,
#include "gpu_fields.def"
	FIELD_COUNT,
	FIELD_TITLE = FIELD_COUNT,
	KEY_COUNT
};

enum field_kind { KIND_NUMBER, KIND_CHOICE, KIND_SPEC, KIND_TITLE };

/* A key of the file. The last one, the title, is text. */
static const struct field {
	const char *name;
	const char *words; /* of a choice or spec */
	size_t offset;
	uint64_t min, max;
	uint32_t fallback; /* what it is when it is not given */
	bool is_optional;
	enum field_kind kind;
} fields[KEY_COUNT] = {
#define FIELD(name, words, min, max, fallback, is_optional, kind)                                  \
	{ #name, words, offsetof(struct gpu, name), min, max, fallback, is_optional, kind },
#define NUMBER(name, min, max, text) FIELD(name, NULL, min, max, 0, false, KIND_NUMBER)
#define NUMBER_OR(name, fallback, min, max, text)                                                  \
	FIELD(name, NULL, min, max, fallback, true, KIND_NUMBER)
#define CHOICE(name, words, text)    FIELD(name, words, 0, 0, 0, false, KIND_CHOICE)
#define CHOICE_OR(name, words, text) FIELD(name, words, 0, 0, 0, true, KIND_CHOICE)
#define SPEC(name, words, text)      FIELD(name, words, 0, 0, 0, false, KIND_SPEC)
#define SPEC_OR(name, words, text)   FIELD(name, words, 0, 0, 0, true, KIND_SPEC)
#include "gpu_fields.def"
	FIELD(title, NULL, 0, 0, 0, false, KIND_TITLE)
#undef FIELD
};

/* Reading a file: `gpu` takes what stands above the sections and what the chosen one says. */
struct parser {
	struct gpu *gpu;
	const char *file, *chosen; /* chosen: the wanted section, NULL for the first */
	int line;
	char section[32];      /* we are in, "" above all */
	char sections[256];    /* names seen, each after a space */
	bool seen[KEY_COUNT];  /* in this section */
	bool given[KEY_COUNT]; /* above, or in the chosen section */
};

static void *field_value(struct gpu *gpu, const struct field *f)
{
	return (char *)gpu + f->offset;
}

static const struct field *field_find(const char *key)
{
	for (size_t i = 0; i < KEY_COUNT; i++)
		if (!strcmp(fields[i].name, key))
			return &fields[i];
	return NULL;
}

static int title_set(struct gpu *gpu, const char *text, struct err *err)
{
	if (!*text || strlen(text) >= sizeof(gpu->title))
		return err_set(err, ERR_USAGE, "title: expected 1..%zu characters",
		               sizeof(gpu->title) - 1);
	memcpy(gpu->title, text, strlen(text) + 1);
	return 0;
}

/* Set one key of *gpu from text. Returns 0 or ERR_USAGE. */
static int field_set(struct gpu *gpu, const struct field *f, const char *text, struct err *err)
{
	struct gpu_spec spec;
	uint64_t number;

	switch (f->kind) {
	case KIND_TITLE:
		return title_set(gpu, text, err);
	case KIND_NUMBER:
		if (number_parse(text, f->name, f->min, f->max, &number, err))
			return ERR_USAGE;
		*(uint32_t *)field_value(gpu, f) = (uint32_t)number;
		return 0;
	case KIND_CHOICE:
		if (gpu_spec_parse(&spec, f->words, f->name, text, err))
			return ERR_USAGE;
		*(uint32_t *)field_value(gpu, f) = spec.kind;
		return 0;
	case KIND_SPEC:
		return gpu_spec_parse(field_value(gpu, f), f->words, f->name, text, err);
	}
	return 0;
}

/* Without blanks at both ends; changes the text. */
static char *trim(char *text)
{
	size_t length;

	while (isspace((unsigned char)*text))
		text++;
	length = strlen(text);
	while (length && isspace((unsigned char)text[length - 1]))
		length--;
	text[length] = '\0';
	return text;
}

/* Split `key = value` in place. Returns 0 or ERR_USAGE. */
static int split_pair(char *text, char **key, char **value, struct err *err)
{
	char *equals = strchr(text, '=');

	if (!equals)
		return err_set(err, ERR_USAGE, "'%s': expected KEY = VALUE", text);
	*equals = '\0';
	*key = trim(text);
	*value = trim(equals + 1);
	return 0;
}

static bool in_chosen(const struct parser *p)
{
	return !*p->section || !strcmp(p->section, p->gpu->l1);
}

/* `[l1 NAME]`. Returns 0 or ERR_USAGE. */
static int parse_section(struct parser *p, char *text, struct err *err)
{
	size_t length = strlen(text), used = strlen(p->sections);
	char *name, probe[40];

	if (length < 5 || strncmp(text, "[l1 ", 4) != 0 || text[length - 1] != ']')
		return err_set(err, ERR_USAGE, "'%s': expected [l1 NAME]", text);
	text[length - 1] = '\0';
	name = trim(text + 4);
	if (!*name || strlen(name) >= sizeof(p->section) || strpbrk(name, " \t"))
		return err_set(err, ERR_USAGE,
		               "'%s' is not a name for an L1: expected 1..%zu "
		               "characters without blanks",
		               name, sizeof(p->section) - 1);
	(void)snprintf(probe, sizeof(probe), " %s ", name);
	if (strstr(p->sections, probe))
		return err_set(err, ERR_USAGE, "[l1 %s] is given twice", name);
	if (used + strlen(name) + 3 > sizeof(p->sections))
		return err_set(err, ERR_USAGE, "more L1s than fit in %zu characters",
		               sizeof(p->sections));
	/* " 16k 48k ": a blank on both sides of each */
	(void)snprintf(p->sections + used, sizeof(p->sections) - used, "%s%s ", used ? "" : " ",
	               name);
	(void)snprintf(p->section, sizeof(p->section), "%s", name);
	memset(p->seen, 0, sizeof(p->seen));
	if (p->chosen ? !strcmp(p->chosen, name) : !*p->gpu->l1)
		memcpy(p->gpu->l1, p->section, sizeof(p->gpu->l1));
	return 0;
}

static int parse_pair(struct parser *p, char *text, struct err *err)
{
	struct gpu aside; /* where the values of a section not chosen go */
	const struct field *f;
	char *key = text, *value = text;

	if (split_pair(text, &key, &value, err))
		return ERR_USAGE;
	f = field_find(key);
	if (!f)
		return err_set(err, ERR_USAGE, "unknown key '%s'", key);
	if (p->seen[f - fields])
		return err_set(err, ERR_USAGE, "%s is given twice", f->name);
	p->seen[f - fields] = true;
	if (field_set(in_chosen(p) ? p->gpu : &aside, f, value, err))
		return ERR_USAGE;
	if (in_chosen(p))
		p->given[f - fields] = true;
	return 0;
}

static int parse_line(struct parser *p, const char *text, size_t length, struct err *err)
{
	struct err why = { 0 };
	char copy[GPU_PAIR_BYTES], *line;

	if (length >= sizeof(copy))
		return err_set(err, ERR_CONFIG, "%s:%d: more than %zu characters in a line",
		               p->file, p->line, sizeof(copy) - 1);
	memcpy(copy, text, length);
	copy[length] = '\0';
	copy[strcspn(copy, "#")] = '\0';
	line = trim(copy);
	if (!*line)
		return 0;
	if (str_has_control(line))
		return err_set(err, ERR_CONFIG, "%s:%d: expected text without control characters",
		               p->file, p->line);
	if (*line == '[' ? parse_section(p, line, &why) : parse_pair(p, line, &why))
		return err_set(err, ERR_CONFIG, "%s:%d: %s", p->file, p->line, why.msg);
	return 0;
}

/* What only the whole file can tell: the section was there, nothing is missing. */
static int parse_end(struct parser *p, struct err *err)
{
	struct err why = { 0 };

	if (p->chosen && !*p->gpu->l1)
		return err_set(err, ERR_CONFIG, "%s:%d: no L1 named '%s': there %s%s", p->file,
		               p->line, p->chosen, *p->sections ? "are" : "are none",
		               *p->sections ? p->sections : " ");
	for (size_t i = 0; i < KEY_COUNT; i++)
		if (!p->given[i] && fields[i].is_optional)
			*(uint32_t *)field_value(p->gpu, &fields[i]) = fields[i].fallback;
		else if (!p->given[i])
			return err_set(err, ERR_CONFIG, "%s:%d: %s is missing", p->file, p->line,
			               fields[i].name);
	if (gpu_check(p->gpu, &why))
		return err_set(err, ERR_CONFIG, "%s:%d: %s", p->file, p->line, why.msg);
	return 0;
}

/* The file's name without directory and .conf. */
static int name_from_file(struct gpu *gpu, const char *file, struct err *err)
{
	const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
	size_t length = strlen(name);

	if (length > 5 && !strcmp(name + length - 5, ".conf"))
		length -= 5;
	if (length >= sizeof(gpu->name))
		return err_set(err, ERR_CONFIG, "%s: a GPU's name has at most %zu characters", file,
		               sizeof(gpu->name) - 1);
	memcpy(gpu->name, name, length);
	return 0;
}

int gpu_parse(struct gpu *gpu, const char *file, const char *text, const char *l1, struct err *err)
{
	struct gpu result = { 0 };
	struct parser p = { .gpu = &result, .file = file, .chosen = l1 };
	struct line_walk walk = line_walk_string(text);
	struct line line;
	int rc = name_from_file(&result, file, err);

	while (!rc && line_walk_next(&walk, &line)) {
		p.line++;
		rc = parse_line(&p, line.text, line.length, err);
	}
	if (!rc)
		rc = parse_end(&p, err);
	if (!rc)
		*gpu = result;
	return rc;
}

int gpu_put(struct gpu *gpu, const char *key_value, struct err *err)
{
	const struct field *f;
	char copy[GPU_PAIR_BYTES], *key = copy, *value = copy;

	if (strlen(key_value) >= sizeof(copy))
		return err_set(err, ERR_USAGE, "KEY=VALUE has at most %zu characters",
		               sizeof(copy) - 1);
	memcpy(copy, key_value, strlen(key_value) + 1);
	if (split_pair(copy, &key, &value, err))
		return ERR_USAGE;
	f = field_find(key);
	if (!f)
		return err_set(err, ERR_USAGE, "unknown key '%s'", key);
	return field_set(gpu, f, value, err);
}

int gpu_set(struct gpu *gpu, const char *key_value, struct err *err)
{
	struct gpu changed = *gpu;
	struct err why = { 0 };

	if (gpu_put(&changed, key_value, err))
		return ERR_USAGE;
	if (gpu_check(&changed, &why))
		return err_set(err, ERR_USAGE, "%s", why.msg);
	*gpu = changed;
	return 0;
}

int gpu_load(struct gpu *gpu, const char *file, const char *l1, struct err *err)
{
	struct str text;
	int rc;

	str_init(&text, DESCRIPTION_LIMIT_BYTES);
	rc = file_read(file, &text, err);
	if (!rc && text.text && strlen(text.text) != text.length)
		rc = err_set(err, ERR_CONFIG, "%s: holds a NUL byte: expected text", file);
	if (!rc)
		rc = gpu_parse(gpu, file, text.text ? text.text : "", l1, err);
	str_release(&text);
	return rc;
}

const char *gpu_key_text(size_t i)
{
	static const char *const texts[] = {
#define NUMBER(name, min, max, text) text,
#define CHOICE(name, words, text)    text,
#define SPEC(name, words, text)      text,
#include "gpu_fields.def"
	};

	return i < sizeof(texts) / sizeof(texts[0]) ? texts[i] : NULL;
}

static int field_print(const struct gpu *gpu, const struct field *f, struct str *out,
                       struct err *err)
{
	const void *value = (const char *)gpu + f->offset;
	struct gpu_spec word = { 0 };

	switch (f->kind) {
	case KIND_TITLE:
		return str_printf(out, err, "%s", gpu->title);
	case KIND_NUMBER:
		return str_printf(out, err, "%" PRIu32, *(const uint32_t *)value);
	case KIND_CHOICE:
		word.kind = *(const uint32_t *)value;
		return gpu_spec_print(&word, f->words, out, err);
	case KIND_SPEC:
		return gpu_spec_print(value, f->words, out, err);
	}
	return 0;
}

int gpu_print(const struct gpu *gpu, struct str *out, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < KEY_COUNT; i++) {
		const struct field *f = &fields[(i + FIELD_TITLE) % KEY_COUNT]; /* title first */

		rc = str_printf(out, err, "%-17s = ", f->name);
		if (!rc)
			rc = field_print(gpu, f, out, err);
		if (!rc)
			rc = str_printf(out, err, "\n");
	}
	if (!rc && *gpu->l1)
		rc = str_printf(out, err, "[l1 %s]\n", gpu->l1);
	return rc;
}
