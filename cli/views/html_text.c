/* SPDX-License-Identifier: Apache-2.0 */
#include "html_text.h"

#include "text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

enum { REPLACEMENT = 0xfffd };

/* Returns the character at `bytes`, with its size in *used, of the `left` (>= 1) bytes. */
static uint32_t decode(const char *bytes, size_t left, size_t *used)
{
	uint32_t code;
	size_t length = text_decode(bytes, left, &code);

	*used = length ? length : 1;
	return length ? code : REPLACEMENT;
}

/* Whether a character is invisible, or changes how others appear. */
static bool is_unseen(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{ 0x00, 0x08 },     { 0x0b, 0x1f },     { 0x7f, 0x9f },     { 0xad, 0xad },
		{ 0x61c, 0x61c },   { 0x200b, 0x200f }, { 0x2028, 0x202e }, { 0x2060, 0x206f },
		{ 0xfeff, 0xfeff }, { 0xfff9, 0xfffb }, { 0xfffe, 0xffff }, { 0xe0000, 0xe007f },
	};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	return false;
}

/* The entity for a character in content and attributes; NULL: it is written unchanged. */
static const char *entity_of(uint32_t code)
{
	switch (code) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void html_text(FILE *out, const char *text, size_t length)
{
	size_t used;

	for (size_t i = 0; i < length; i += used) {
		uint32_t code = decode(text + i, length - i, &used);
		const char *entity = entity_of(code);

		if (entity)
			fputs(entity, out);
		else if (code == REPLACEMENT)
			fputs("\xef\xbf\xbd", out);
		else if (is_unseen(code))
			fprintf(out, "&lt;U+%04" PRIX32 "&gt;", code);
		else
			fwrite(text + i, 1, used, out);
	}
}

void html_string(FILE *out, const char *text)
{
	if (text)
		html_text(out, text, strlen(text));
}

void html_json_string(FILE *out, const char *text)
{
	size_t length = strlen(text), used;

	fputc('"', out);
	for (size_t i = 0; i < length; i += used) {
		uint32_t code = decode(text + i, length - i, &used);

		if (is_unseen(code) && code != '\n')
			fprintf(out, "\\u003cU+%04" PRIX32 "\\u003e", code);
		else if (code < ' ' || entity_of(code) || code == '\\')
			fprintf(out, "\\u%04" PRIx32, code);
		else if (code == REPLACEMENT)
			fputs("\xef\xbf\xbd", out);
		else
			fwrite(text + i, 1, used, out);
	}
	fputc('"', out);
}

void html_count(FILE *out, uint64_t count)
{
	char digits[24];
	int length = snprintf(digits, sizeof(digits), "%" PRIu64, count);

	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			fputc(',', out);
		fputc(digits[i], out);
	}
}

void html_short_count(FILE *out, uint64_t count)
{
	static const char units[] = " kMGTPE";
	uint64_t rest = 0;
	size_t unit = 0;

	for (; count >= 1000; unit++) {
		rest = count % 1000;
		count /= 1000;
	}
	fprintf(out, "%" PRIu64, count);
	if (unit && count < 10)
		fprintf(out, ".%" PRIu64, rest / 100);
	if (unit)
		fputc(units[unit], out);
}

void html_share(FILE *out, uint64_t part, uint64_t whole)
{
	if (whole)
		fprintf(out, "%.1f%%", 100.0 * (double)part / (double)whole);
	else
		fputs("\xe2\x80\x93", out);
}

void html_ratio(FILE *out, uint64_t part, uint64_t whole)
{
	if (whole)
		fprintf(out, "%.2f", (double)part / (double)whole);
	else
		fputs("\xe2\x80\x93", out);
}
