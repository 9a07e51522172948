/* SPDX-License-Identifier: Apache-2.0 */
#include "carried_code.h"

#include "err.h"
#include "str.h"

#include <stdint.h>
#include <string.h>

#define HEAD "/* warpline: made of this code\n"
#define TAIL "*/\n"

enum { LINE_BYTES = 57, LINE_DIGITS = LINE_BYTES / 3 * 4 };

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Up to 3 bytes as 4 digits. */
static void encode(const unsigned char *from, size_t count, char *to)
{
	uint32_t bits = 0;

	for (size_t i = 0; i < 3; i++)
		bits = bits << 8 | (i < count ? from[i] : 0);
	for (unsigned i = 0; i < 4; i++)
		to[i] = i <= count ? digits[bits >> (18 - 6 * i) & 63] : '=';
}

static int append_line(struct str *text, const unsigned char *from, size_t count, struct err *err)
{
	char line[LINE_DIGITS + 1];
	size_t at = 0;

	for (size_t i = 0; i < count; i += 3, at += 4)
		encode(from + i, count - i < 3 ? count - i : 3, line + at);
	line[at++] = '\n';
	return str_append(text, line, at, err);
}

int carried_code_append(struct str *text, const void *code, size_t length, struct err *err)
{
	const unsigned char *from = code;
	int ret = str_append(text, HEAD, strlen(HEAD), err);

	for (size_t at = 0; !ret && at < length; at += LINE_BYTES)
		ret = append_line(text, from + at,
		                  length - at < LINE_BYTES ? length - at : LINE_BYTES, err);
	return ret ? ret : str_append(text, TAIL, strlen(TAIL), err);
}

/* Four digits as up to 3 bytes; 0: they are not such. */
static size_t decode(const char *from, unsigned char *to)
{
	uint32_t bits = 0;
	size_t count = 3;

	while (count && from[count] == '=')
		count--;
	for (size_t i = 0; i < 4; i++) {
		const char *digit = from[i] ? strchr(digits, from[i]) : NULL;

		if (i <= count && !digit)
			return 0;
		bits = bits << 6 | (i <= count ? (uint32_t)(digit - digits) : 0);
	}
	for (size_t i = 0; i < 3; i++)
		to[i] = (unsigned char)(bits >> (16 - 8 * i));
	return count;
}

/* The next line; 0: it is not one of digits. */
static size_t read_line(const char *line, size_t digits_there, unsigned char *bytes)
{
	size_t count = 0, more = 3;

	if (digits_there > LINE_DIGITS || digits_there % 4)
		return 0;
	for (size_t i = 0; i < digits_there; i += 4) {
		/* Only the last digits may stand for fewer bytes. */
		if (more != 3)
			return 0;
		more = decode(line + i, bytes + count);
		if (!more)
			return 0;
		count += more;
	}
	return count;
}

int carried_code_find(const char *text, size_t length, struct str *code, struct err *err)
{
	const char *end = text + length, *line = memchr(text, '\n', length);
	unsigned char bytes[LINE_BYTES];
	int ret = 0;

	if (!line || (size_t)(end - ++line) < strlen(HEAD) || memcmp(line, HEAD, strlen(HEAD)) != 0)
		return 0;
	for (line += strlen(HEAD); !ret && line < end && *line != *TAIL;) {
		const char *next = memchr(line, '\n', (size_t)(end - line));
		size_t count = next ? read_line(line, (size_t)(next - line), bytes) : 0;

		if (!count)
			return err_set(err, ERR_FORMAT, "the code in the text is damaged");
		ret = str_append(code, bytes, count, err);
		line = next + 1;
	}
	if (!ret && line >= end)
		return err_set(err, ERR_FORMAT, "the code in the text is cut off");
	return ret ? ret : 1;
}
