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

/* The keys common to L1 and L2. */
struct level {
	const char *name; /* prefix of the keys */
	uint32_t parts;   /* slices */
	uint32_t sets, ways, line_bytes, sector_bytes;
	uint32_t bytes; /* 0: not given */
	const struct gpu_spec *index, *policy;
};

enum { LINES_LIMIT = 1 << 26, SECTORS_LIMIT = 32 };

static bool is_power_of_two(uint32_t n)
{
	return n && !(n & (n - 1));
}

static int check_lines(const struct level *l, struct err *err)
{
	uint64_t lines = (uint64_t)l->parts * l->sets * l->ways;

	if (!is_power_of_two(l->line_bytes))
		return err_set(err, ERR_CONFIG, "%s_line_bytes: %" PRIu32 " is not a power of two",
		               l->name, l->line_bytes);
	if (l->sector_bytes && !is_power_of_two(l->sector_bytes))
		return err_set(err, ERR_CONFIG,
		               "%s_sector_bytes: %" PRIu32 " is not a power of two", l->name,
		               l->sector_bytes);
	if (l->sector_bytes > l->line_bytes)
		return err_set(err, ERR_CONFIG,
		               "%s_sector_bytes: %" PRIu32 " does not divide %s_line_bytes = "
		               "%" PRIu32,
		               l->name, l->sector_bytes, l->name, l->line_bytes);
	if (l->sector_bytes && l->line_bytes / l->sector_bytes > SECTORS_LIMIT)
		return err_set(err, ERR_CONFIG,
		               "%s_sector_bytes: %" PRIu32 " cuts a line of %" PRIu32
		               " bytes into more than %d sectors",
		               l->name, l->sector_bytes, l->line_bytes, SECTORS_LIMIT);
	if (lines > LINES_LIMIT)
		return err_set(err, ERR_CONFIG, "%s_sets: %s has %" PRIu64 " lines, more than %d",
		               l->name, l->name, lines, LINES_LIMIT);
	if (l->bytes && lines * l->line_bytes != l->bytes)
		return err_set(err, ERR_CONFIG,
		               "%s_bytes: %" PRIu32 " is not what %" PRIu64 " lines of %" PRIu32
		               " bytes make, %" PRIu64,
		               l->name, l->bytes, lines, l->line_bytes, lines * l->line_bytes);
	return 0;
}

static int check_fermi(const struct level *l, struct err *err)
{
	if (l->sets != 32 && l->sets != 64)
		return err_set(err, ERR_CONFIG,
		               "%s_sets: %s_index = fermi needs 32 or 64, not %" PRIu32, l->name,
		               l->name, l->sets);
	if (l->line_bytes != 128)
		return err_set(err, ERR_CONFIG,
		               "%s_line_bytes: %s_index = fermi needs 128, not %" PRIu32, l->name,
		               l->name, l->line_bytes);
	return 0;
}

/* bits:LIST has an entry for each bit of a set's number, none of them within a line. */
static int check_bits(const struct level *l, struct err *err)
{
	uint32_t bits = (uint32_t)__builtin_ctz(l->sets);

	if (l->index->count != bits)
		return err_set(err, ERR_CONFIG,
		               "%s_index: bits has %" PRIu32 " entries, %" PRIu32
		               " sets need %" PRIu32,
		               l->name, l->index->count, l->sets, bits);
	for (uint32_t i = 0; i < bits; i++)
		if (l->index->list[i] & (l->line_bytes - 1))
			return err_set(err, ERR_CONFIG,
			               "%s_index: bit %d lies within a line of %" PRIu32 " bytes",
			               l->name, __builtin_ctzll(l->index->list[i]), l->line_bytes);
	return 0;
}

static int check_index(const struct level *l, struct err *err)
{
	bool is_bits = l->index->kind == GPU_L1_INDEX_BITS;

	if (l->index->kind == GPU_L1_INDEX_FERMI)
		return check_fermi(l, err);
	if (!is_bits && l->index->kind != GPU_L1_INDEX_XOR)
		return 0;
	if (!is_power_of_two(l->sets))
		return err_set(err, ERR_CONFIG,
		               "%s_sets: %" PRIu32 " is not a power of two, as %s_index = %s needs",
		               l->name, l->sets, l->name, is_bits ? "bits" : "xor");
	return is_bits ? check_bits(l, err) : 0;
}

static int check_policy(const struct level *l, struct err *err)
{
	uint64_t sum = 0;

	if (l->policy->kind != GPU_POLICY_WAYS)
		return 0;
	if (l->policy->count != l->ways)
		return err_set(err, ERR_CONFIG,
		               "%s_policy: ways has %" PRIu32 " entries, %s_ways is %" PRIu32,
		               l->name, l->policy->count, l->name, l->ways);
	for (uint32_t i = 0; i < l->policy->count; i++)
		sum += l->policy->list[i];
	if (!sum)
		return err_set(err, ERR_CONFIG, "%s_policy: ways replaces none: all entries are 0",
		               l->name);
	return 0;
}

static int check_level(const struct level *l, struct err *err)
{
	int ret = check_lines(l, err);

	if (!ret)
		ret = check_index(l, err);
	return ret ? ret : check_policy(l, err);
}

static int check_l1(const struct gpu *gpu, struct err *err)
{
	const struct level l1 = {
		.name = "l1",
		.parts = 1,
		.sets = gpu->l1_sets,
		.ways = gpu->l1_ways,
		.line_bytes = gpu->l1_line_bytes,
		.sector_bytes = gpu->l1_sector_bytes,
		.bytes = gpu->l1_bytes,
		.index = &gpu->l1_index,
		.policy = &gpu->l1_policy,
	};

	if (gpu->coalescing != GPU_COALESCING_FERMI && is_power_of_two(gpu->l1_line_bytes) &&
	    gpu->l1_line_bytes < 32)
		return err_set(err, ERR_CONFIG,
		               "l1_line_bytes: %" PRIu32 " holds no sector of 32 bytes",
		               gpu->l1_line_bytes);
	if (gpu->l1_promotion_bytes && !is_power_of_two(gpu->l1_promotion_bytes))
		return err_set(err, ERR_CONFIG,
		               "l1_promotion_bytes: %" PRIu32 " is not a power of two",
		               gpu->l1_promotion_bytes);
	return check_level(&l1, err);
}

/* The keys of L2 must agree even if l2 = off. */
static int check_l2(const struct gpu *gpu, struct err *err)
{
	const struct level l2 = {
		.name = "l2",
		.parts = gpu->l2_slices,
		.sets = gpu->l2_sets,
		.ways = gpu->l2_ways,
		.line_bytes = gpu->l2_line_bytes,
		.sector_bytes = gpu->l2_sector_bytes,
		.bytes = gpu->l2_bytes,
		.index = &gpu->l2_index,
		.policy = &gpu->l2_policy,
	};

	if (!gpu->l2_slices && !gpu->l2_sets && !gpu->l2_ways)
		return 0;
	if (!gpu->l2_slices || !gpu->l2_sets || !gpu->l2_ways)
		return err_set(err, ERR_CONFIG,
		               "l2_slices, l2_sets and l2_ways: all are needed, one is not given");
	return check_level(&l2, err);
}

static int check_l2_sectors(const struct gpu *gpu, struct err *err)
{
	uint32_t least = gpu->l1_line_bytes < 32 ? gpu->l1_line_bytes : 32;

	if (gpu->l1_line_bytes > 64 * least)
		least = gpu->l1_line_bytes / 64;
	if (gpu->l2_sector_bytes && gpu->l2_sector_bytes < least)
		return err_set(err, ERR_CONFIG,
		               "l2_sector_bytes: %" PRIu32 " is less than %" PRIu32
		               ", what an L1 with lines of %" PRIu32 " bytes asks for",
		               gpu->l2_sector_bytes, least, gpu->l1_line_bytes);
	return 0;
}

/* For inclusive and exclusive, L2 must know which lines enter and leave L1. */
static int check_inclusion(const struct gpu *gpu, struct err *err)
{
	bool is_exclusive = gpu->l2_inclusion == GPU_L2_INCLUSION_EXCLUSIVE;
	uint32_t l1 = gpu->l1_sector_bytes ? gpu->l1_sector_bytes : gpu->l1_line_bytes;
	uint32_t l2 = gpu->l2_sector_bytes ? gpu->l2_sector_bytes : gpu->l2_line_bytes;

	if (gpu->l2_inclusion == GPU_L2_INCLUSION_NON_INCLUSIVE)
		return 0;
	if (gpu->l1_write != GPU_L1_WRITE_THROUGH_EVICT &&
	    gpu->l1_write != GPU_L1_WRITE_THROUGH_UPDATE)
		return err_set(err, ERR_CONFIG,
		               "l2_inclusion: %s needs an l1_write that brings no line into L1, "
		               "through_evict or through_update",
		               is_exclusive ? "exclusive" : "inclusive");
	if (is_exclusive && gpu->l2_line_bytes != gpu->l1_line_bytes)
		return err_set(err, ERR_CONFIG,
		               "l2_line_bytes: %" PRIu32 " is not l1_line_bytes = %" PRIu32
		               ", as l2_inclusion = exclusive needs",
		               gpu->l2_line_bytes, gpu->l1_line_bytes);
	if (is_exclusive && l2 > l1)
		return err_set(err, ERR_CONFIG,
		               "l2_sector_bytes: what L2 fetches, %" PRIu32 " bytes, is more than "
		               "what L1 does, %" PRIu32 ", which l2_inclusion = exclusive forbids",
		               l2, l1);
	return 0;
}

static int check_l2_on(const struct gpu *gpu, struct err *err)
{
	if (!gpu->l2_slices)
		return err_set(err, ERR_CONFIG,
		               "l2: on needs l2_slices, l2_sets and l2_ways, which are not given");
	if (gpu->l2_line_bytes < gpu->l1_line_bytes)
		return err_set(err, ERR_CONFIG,
		               "l2_line_bytes: %" PRIu32 " is less than l1_line_bytes = %" PRIu32,
		               gpu->l2_line_bytes, gpu->l1_line_bytes);
	if (gpu->latency == GPU_LATENCY_ON && (!gpu->l2_hit_cycles || !gpu->dram_cycles))
		return err_set(err, ERR_CONFIG,
		               "l2: on needs l2_hit_cycles and dram_cycles, which are not given");
	return check_l2_sectors(gpu, err) || check_inclusion(gpu, err) ? ERR_CONFIG : 0;
}

static int check_dram(const struct gpu *gpu, struct err *err)
{
	if (gpu->dram_interleave_bytes && !is_power_of_two(gpu->dram_interleave_bytes))
		return err_set(err, ERR_CONFIG,
		               "dram_interleave_bytes: %" PRIu32 " is not a power of two",
		               gpu->dram_interleave_bytes);
	if (gpu->l2_slices && gpu->dram_interleave_bytes < gpu->l2_line_bytes)
		return err_set(err, ERR_CONFIG,
		               "dram_interleave_bytes: %" PRIu32
		               " is less than a line of L2, %" PRIu32 " bytes",
		               gpu->dram_interleave_bytes, gpu->l2_line_bytes);
	return 0;
}

int gpu_check(const struct gpu *gpu, struct err *err)
{
	int ret;

	if (!is_power_of_two(gpu->warp_lanes))
		return err_set(err, ERR_CONFIG, "warp_lanes: %" PRIu32 " is not a power of two",
		               gpu->warp_lanes);
	ret = check_l1(gpu, err);
	if (!ret)
		ret = check_l2(gpu, err);
	if (!ret && gpu->l2 == GPU_L2_ON)
		ret = check_l2_on(gpu, err);
	return ret ? ret : check_dram(gpu, err);
}

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
	uint32_t fallback; /* value if the key is missing */
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

/* The state while a file is read: `gpu` gets the keys above the sections and those of the chosen
 * section. */
struct parser {
	struct gpu *gpu;
	const char *file, *chosen; /* chosen: the requested section, NULL for the first */
	int line;
	char section[32];      /* the current section, "" above all */
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

/* Removes blanks at both ends; changes the text. */
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
	/* " 16k 48k ": a space on both sides of each */
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
	struct gpu aside; /* takes the values of sections that are not chosen */
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

/* Check at the end of the file that the section exists and no key is missing. */
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
