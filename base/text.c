/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <string.h>

enum { LENGTH_MAX = 4, LAST_CODE = 0x10ffff };

/* The length of a character by its first byte; 0: no character begins with it. */
static size_t length_of(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

size_t text_decode(const char *text, size_t left, uint32_t *code)
{
	static const uint32_t least[LENGTH_MAX + 1] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *bytes = (const unsigned char *)text;
	size_t length = length_of(bytes[0]);

	if (!length || length > left)
		return 0;
	*code = length == 1 ? bytes[0] : bytes[0] & (0x7fu >> length);
	for (size_t i = 1; i < length; i++) {
		if (bytes[i] >> 6 != 2)
			return 0;
		*code = *code << 6 | (bytes[i] & 0x3fu);
	}
	if (*code < least[length] || *code > LAST_CODE || (*code >= 0xd800 && *code < 0xe000))
		return 0;
	return length;
}

size_t text_decode_string(const char *text, uint32_t *code)
{
	size_t left = 0;

	while (left < LENGTH_MAX && text[left])
		left++;
	return left ? text_decode(text, left, code) : 0;
}

bool text_is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

size_t text_width(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += !text_is_tail(*text);
	return width;
}

void text_write_csv(FILE *out, const char *text)
{
	if (!text[strcspn(text, "\",\r\n")]) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

/* Bytes of the characters that JSON writes unchanged. */
static size_t plain_bytes(const char *text)
{
	size_t length = 0, bytes;
	uint32_t code;

	while (text[length] && (bytes = text_decode_string(text + length, &code)) && code != '"' &&
	       code != '\\' && !text_is_control(code))
		length += bytes;
	return length;
}

void text_write_json(FILE *out, const char *text)
{
	fputc('"', out);
	for (size_t bytes;; text += bytes) {
		uint32_t code;

		text += fwrite(text, 1, plain_bytes(text), out);
		if (!*text || ferror(out))
			break;
		bytes = text_decode_string(text, &code);
		if (bytes)
			fprintf(out, text_is_control(code) ? "\\u%04x" : "\\%c", (unsigned)code);
		else
			bytes = fwrite("\\ufffd", 6, 1, out);
	}
	fputc('"', out);
}
