/* SPDX-License-Identifier: Apache-2.0 */
#include "str.h"

#include "err.h"
#include "text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void str_init(struct str *s, size_t limit_bytes)
{
	*s = (struct str){ .limit_bytes = limit_bytes };
}

void str_release(struct str *s)
{
	free(s->text);
	s->text = NULL;
	s->length = s->capacity = 0;
}

/* Make room for `length` more bytes and a NUL. */
static int reserve(struct str *s, size_t length, struct err *err)
{
	size_t want, capacity = s->capacity ? s->capacity : 64;
	char *text;

	if (length > s->limit_bytes || s->length > s->limit_bytes - length ||
	    s->limit_bytes == SIZE_MAX)
		return err_set(err, ERR_LIMIT, "a string grows past its limit of %zu bytes",
		               s->limit_bytes);
	want = s->length + length + 1;
	if (want <= s->capacity)
		return 0;
	while (capacity < want)
		capacity = capacity > SIZE_MAX / 2 ? want : capacity * 2;
	text = realloc(s->text, capacity);
	if (!text)
		return err_set(err, ERR_NOMEM, "out of memory for a string of %zu bytes", capacity);
	s->text = text;
	s->capacity = capacity;
	return 0;
}

int str_append(struct str *s, const void *bytes, size_t length, struct err *err)
{
	int ret = reserve(s, length, err);

	if (ret)
		return ret;
	if (length)
		memcpy(s->text + s->length, bytes, length);
	s->length += length;
	s->text[s->length] = '\0';
	return 0;
}

static int append_args(struct str *s, const char *fmt, va_list ap, va_list again, struct err *err)
	__attribute__((format(printf, 2, 0)));

/* Append formatted text; `again` is a second copy of the arguments. */
static int append_args(struct str *s, const char *fmt, va_list ap, va_list again, struct err *err)
{
	int length = vsnprintf(NULL, 0, fmt, ap), ret;

	if (length < 0)
		return err_set(err, ERR_IO, "a string cannot be formatted");
	ret = reserve(s, (size_t)length, err);
	if (ret)
		return ret;
	vsnprintf(s->text + s->length, (size_t)length + 1, fmt, again);
	s->length += (size_t)length;
	return 0;
}

int str_printf(struct str *s, struct err *err, const char *fmt, ...)
{
	va_list ap, again;
	int ret;

	va_start(ap, fmt);
	va_copy(again, ap);
	ret = append_args(s, fmt, ap, again, err);
	va_end(again);
	va_end(ap);
	return ret;
}

char *str_copy(const char *text, struct err *err)
{
	char *copy = strdup(text);

	if (!copy)
		err_set(err, ERR_NOMEM, "out of memory for a string of %zu bytes", strlen(text));
	return copy;
}

bool str_has_control(const char *text)
{
	uint32_t code;

	for (size_t bytes; *text; text += bytes ? bytes : 1) {
		bytes = text_decode_string(text, &code);
		if (bytes && *text != '\t' && text_is_control(code))
			return true;
	}
	return false;
}

/* Write "\x1b" for each of `count` bytes. Returns the end of these. */
static char *escape(char *to, const char *from, size_t count)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < count; i++) {
		*to++ = '\\';
		*to++ = 'x';
		*to++ = digits[(unsigned char)from[i] >> 4];
		*to++ = digits[from[i] & 15];
	}
	return to;
}

char *str_visible(const char *text, struct err *err)
{
	char *copy = malloc(4 * strlen(text) + 1), *to = copy;

	if (!copy) {
		err_set(err, ERR_NOMEM, "out of memory for a string of %zu bytes", strlen(text));
		return NULL;
	}
	while (*text) {
		uint32_t code = 0;
		size_t bytes = text_decode_string(text, &code);

		if (!bytes || text_is_control(code)) {
			bytes = bytes ? bytes : 1;
			to = escape(to, text, bytes);
		} else {
			memcpy(to, text, bytes);
			to += bytes;
		}
		text += bytes;
	}
	*to = '\0';
	return copy;
}

char *str_format(struct err *err, const char *fmt, ...)
{
	struct str s;
	va_list ap, again;
	int ret;

	str_init(&s, SIZE_MAX - 1);
	va_start(ap, fmt);
	va_copy(again, ap);
	ret = append_args(&s, fmt, ap, again, err);
	va_end(again);
	va_end(ap);
	if (ret)
		str_release(&s);
	return str_take(&s);
}

char *str_take(struct str *s)
{
	char *text = s->text;

	s->text = NULL;
	s->length = s->capacity = 0;
	return text;
}
