/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_spec.h"

#include "err.h"
#include "number.h"
#include "str.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ENTRY_BYTES = 256 }; /* most characters of a number or a sum of bits, with a NUL */

const char *gpu_spec_word(const char *words, uint32_t index, size_t *length)
{
	for (; index; index--) {
		words = strchr(words, '|');
		if (!words)
			return NULL;
		words++;
	}
	*length = strcspn(words, "|:");
	return words;
}

/* Parse a number of a list. Returns 0 or ERR_USAGE. */
static int parse_number(uint64_t *out, const char *what, char *text, struct err *err)
{
	return number_parse(text, what, 0, UINT32_MAX, out, err);
}

/* Parse `7+13` as a mask. Returns 0 or ERR_USAGE. Changes the text. */
static int parse_bits(uint64_t *out, const char *what, char *text, struct err *err)
{
	uint64_t bit;

	*out = 0;
	for (char *at = text, *next; at; at = next) {
		next = strchr(at, '+');
		if (next)
			*next++ = '\0';
		if (number_parse(at, what, 0, 63, &bit, err))
			return ERR_USAGE;
		if (*out >> bit & 1)
			return err_set(err, ERR_USAGE, "%s: bit %" PRIu64 " is twice in one entry",
			               what, bit);
		*out |= UINT64_C(1) << bit;
	}
	return 0;
}

typedef int parse_entry(uint64_t *out, const char *what, char *text, struct err *err);

static int parse_list(struct gpu_spec *spec, parse_entry *parse, const char *what, const char *text,
                      struct err *err)
{
	for (const char *at = text; at; at = strchr(at, ',')) {
		char entry[ENTRY_BYTES];

		at += at != text;
		if (spec->count == GPU_SPEC_MAX)
			return err_set(err, ERR_USAGE, "%s: more than %d entries", what,
			               GPU_SPEC_MAX);
		if (strcspn(at, ",") >= sizeof(entry))
			return err_set(err, ERR_USAGE, "%s: an entry has more than %zu characters",
			               what, sizeof(entry) - 1);
		(void)snprintf(entry, sizeof(entry), "%.*s", (int)strcspn(at, ","), at);
		if (parse(&spec->list[spec->count], what, entry, err))
			return ERR_USAGE;
		spec->count++;
	}
	return 0;
}

/* Parse the argument after the value's colon, in the form that the word gives after its own. */
static int parse_argument(struct gpu_spec *spec, const char *word, const char *what,
                          const char *text, struct err *err)
{
	int name = (int)strcspn(word, ":|"), form = (int)strcspn(word, "|");

	if (word[name] == ':' && *text != ':')
		return err_set(err, ERR_USAGE, "%s: expected %.*s, not '%.*s' alone", what, form,
		               word, name, word);
	if (word[name] != ':' && *text)
		return err_set(err, ERR_USAGE, "%s: %.*s takes nothing after it, not '%s'", what,
		               name, word, text);
	if (!*text)
		return 0;
	if (!strncmp(word + name + 1, "SEED", 4))
		return number_parse(text + 1, what, 0, UINT64_MAX, &spec->number, err);
	return parse_list(spec, strncmp(word + name + 1, "LIST", 4) ? parse_number : parse_bits,
	                  what, text + 1, err);
}

int gpu_spec_parse(struct gpu_spec *spec, const char *words, const char *what, const char *text,
                   struct err *err)
{
	struct gpu_spec result = { 0 };
	size_t name = strcspn(text, ":"), length;
	const char *word;

	while ((word = gpu_spec_word(words, result.kind, &length))) {
		if (name == length && !memcmp(word, text, length))
			break;
		result.kind++;
	}
	if (!word)
		return err_set(err, ERR_USAGE, "%s: '%s' is not one of %s", what, text, words);
	if (parse_argument(&result, word, what, text + length, err))
		return ERR_USAGE;
	*spec = result;
	return 0;
}

/* Print a mask as `7+13`. */
static int print_bits(uint64_t mask, struct str *out, struct err *err)
{
	int ret = 0;

	for (const char *before = ""; !ret && mask; mask &= mask - 1, before = "+")
		ret = str_printf(out, err, "%s%d", before, __builtin_ctzll(mask));
	return ret;
}

int gpu_spec_print(const struct gpu_spec *spec, const char *words, struct str *out, struct err *err)
{
	size_t length = 0;
	const char *word = gpu_spec_word(words, spec->kind, &length);
	const char *form = word ? word + length + 1 : "";
	int ret = str_printf(out, err, "%.*s", (int)length, word ? word : "");

	if (ret || !word || word[length] != ':')
		return ret;
	if (!strncmp(form, "SEED", 4))
		return str_printf(out, err, ":%" PRIu64, spec->number);
	for (uint32_t i = 0; !ret && i < spec->count; i++) {
		ret = str_printf(out, err, i ? "," : ":");
		if (!ret && !strncmp(form, "LIST", 4))
			ret = print_bits(spec->list[i], out, err);
		else if (!ret)
			ret = str_printf(out, err, "%" PRIu64, spec->list[i]);
	}
	return ret;
}
