/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu.h"

#include "err.h"
#include "file.h"
#include "number.h"
#include "str.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { DESCRIPTION_LIMIT_BYTES = 1 << 20 };

enum {
#define NUMBER(name, min, max, text)              FIELD_##name,
#define NUMBER_OR(name, fallback, min, max, text) FIELD_##name,
#define CHOICE(name, words, text)                 FIELD_##name,
#define CHOICE_OR(name, words, text)              FIELD_##name,
#include "gpu_fields.def"
#undef NUMBER_OR
#undef NUMBER
#undef CHOICE
#undef CHOICE_OR
	FIELD_COUNT,
	FIELD_TITLE = FIELD_COUNT,
	KEY_COUNT
};

/* A key of the file. The last one, the title, is text: it has no place among the numbers. */
static const struct field {
	const char *name;
	const char *words; /* of a choice; NULL for a number */
	size_t offset;
	uint64_t min, max;
	uint32_t fallback; /* what it is when it is not given */
	bool is_optional;
} fields[KEY_COUNT] = {
#define NUMBER(name, min, max, text)                                                               \
	{ #name, NULL, offsetof(struct gpu, name), min, max, 0, false },
#define NUMBER_OR(name, fallback, min, max, text)                                                  \
	{ #name, NULL, offsetof(struct gpu, name), min, max, fallback, true },
#define CHOICE(name, words, text)    { #name, words, offsetof(struct gpu, name), 0, 0, 0, false },
#define CHOICE_OR(name, words, text) { #name, words, offsetof(struct gpu, name), 0, 0, 0, true },
#include "gpu_fields.def"
#undef NUMBER
#undef NUMBER_OR
#undef CHOICE
#undef CHOICE_OR
	{ "title", NULL, offsetof(struct gpu, title), 0, 0, 0, false },
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

static uint32_t *field_value(struct gpu *gpu, const struct field *f)
{
	return (uint32_t *)(void *)((char *)gpu + f->offset);
}

static const struct field *field_find(const char *key)
{
	for (size_t i = 0; i < KEY_COUNT; i++)
		if (!strcmp(fields[i].name, key))
			return &fields[i];
	return NULL;
}

/* The text of word `index` of "a|b|c", and its length; NULL past the last. */
static const char *choice_word(const char *words, uint32_t index, size_t *length)
{
	for (; index; index--) {
		words = strchr(words, '|');
		if (!words)
			return NULL;
		words++;
	}
	*length = strcspn(words, "|");
	return words;
}

/* Set one key of *gpu from text. Returns 0 or ERR_USAGE. */
static int field_set(struct gpu *gpu, const struct field *f, const char *text, struct err *err)
{
	uint64_t number;
	size_t length;

	if (f == &fields[FIELD_TITLE]) {
		if (!*text || strlen(text) >= sizeof(gpu->title))
			return err_set(err, ERR_USAGE, "title: expected 1..%zu characters",
			               sizeof(gpu->title) - 1);
		memcpy(gpu->title, text, strlen(text) + 1);
		return 0;
	}
	if (!f->words) {
		if (number_parse(text, f->name, f->min, f->max, &number, err))
			return ERR_USAGE;
		*field_value(gpu, f) = (uint32_t)number;
		return 0;
	}
	for (uint32_t i = 0;; i++) {
		const char *word = choice_word(f->words, i, &length);

		if (!word)
			return err_set(err, ERR_USAGE, "%s: '%s' is not one of %s", f->name, text,
			               f->words);
		if (strlen(text) == length && !memcmp(word, text, length)) {
			*field_value(gpu, f) = i;
			return 0;
		}
	}
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
		               "'%s' is no name for an L1: expected 1..%zu "
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
	char copy[512], *line;

	if (length >= sizeof(copy))
		return err_set(err, ERR_CONFIG, "%s:%d: more than %zu characters in a line",
		               p->file, p->line, sizeof(copy) - 1);
	memcpy(copy, text, length);
	copy[length] = '\0';
	copy[strcspn(copy, "#")] = '\0';
	line = trim(copy);
	if (!*line)
		return 0;
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
			*field_value(p->gpu, &fields[i]) = fields[i].fallback;
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
	int rc = name_from_file(&result, file, err);

	while (!rc && *text) {
		size_t length = strcspn(text, "\n");

		p.line++;
		rc = parse_line(&p, text, length, err);
		text += length + (text[length] == '\n');
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
	char copy[256], *key = copy, *value = copy;

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

static bool is_power_of_two(uint32_t n)
{
	return n && !(n & (n - 1));
}

int gpu_check(const struct gpu *gpu, struct err *err)
{
	if (!is_power_of_two(gpu->warp_lanes))
		return err_set(err, ERR_CONFIG, "warp_lanes: %" PRIu32 " is not a power of two",
		               gpu->warp_lanes);
	if (!is_power_of_two(gpu->l1_line_bytes))
		return err_set(err, ERR_CONFIG, "l1_line_bytes: %" PRIu32 " is not a power of two",
		               gpu->l1_line_bytes);
	if (gpu->coalescing != GPU_COALESCING_FERMI && gpu->l1_line_bytes < 32)
		return err_set(err, ERR_CONFIG,
		               "l1_line_bytes: %" PRIu32 " holds no sector of 32 "
		               "bytes",
		               gpu->l1_line_bytes);
	if (gpu->l1_index == GPU_L1_INDEX_XOR && !is_power_of_two(gpu->l1_sets))
		return err_set(err, ERR_CONFIG,
		               "l1_sets: %" PRIu32 " is not a power of two, as "
		               "l1_index = xor needs",
		               gpu->l1_sets);
	if (gpu->l1_index != GPU_L1_INDEX_FERMI)
		return 0;
	if (gpu->l1_sets != 32 && gpu->l1_sets != 64)
		return err_set(err, ERR_CONFIG,
		               "l1_sets: l1_index = fermi needs 32 or 64, not "
		               "%" PRIu32,
		               gpu->l1_sets);
	if (gpu->l1_line_bytes != 128)
		return err_set(err, ERR_CONFIG,
		               "l1_line_bytes: l1_index = fermi needs 128, not "
		               "%" PRIu32,
		               gpu->l1_line_bytes);
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
#define NUMBER(name, min, max, text)              text,
#define NUMBER_OR(name, fallback, min, max, text) text,
#define CHOICE(name, words, text)                 text,
#define CHOICE_OR(name, words, text)              text,
#include "gpu_fields.def"
#undef NUMBER_OR
#undef NUMBER
#undef CHOICE
#undef CHOICE_OR
	};

	return i < sizeof(texts) / sizeof(texts[0]) ? texts[i] : NULL;
}

int gpu_print(const struct gpu *gpu, struct str *out, struct err *err)
{
	struct gpu copy = *gpu;
	int rc = str_printf(out, err, "%-17s = %s\n", "title", gpu->title);

	for (size_t i = 0; !rc && i < FIELD_COUNT; i++) {
		uint32_t value = *field_value(&copy, &fields[i]);
		size_t length = 0;
		const char *word =
			fields[i].words ? choice_word(fields[i].words, value, &length) : NULL;

		rc = word ? str_printf(out, err, "%-17s = %.*s\n", fields[i].name, (int)length,
		                       word)
		          : str_printf(out, err, "%-17s = %" PRIu32 "\n", fields[i].name, value);
	}
	if (!rc && *gpu->l1)
		rc = str_printf(out, err, "[l1 %s]\n", gpu->l1);
	return rc;
}
