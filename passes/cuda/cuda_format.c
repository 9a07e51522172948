/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_format.h"

#include "err.h"

#include <stdbool.h>
#include <string.h>

unsigned cuda_printed_bytes(enum cuda_printed what)
{
	return what == CUDA_PRINTED_INT ? 4 : 8;
}

/* The length of flags, width and precision; '*' takes the width from an argument. */
static size_t width_length(const char *text)
{
	return strspn(text, "-+ #0123456789.*");
}

static bool is_in(char c, const char *set)
{
	return c && strchr(set, c);
}

/* What a conversion prints, from its letter and length, and its length in OpenCL; NULL:
 * unsupported. */
static const char *length_of(char letter, const char *length, size_t length_bytes,
                             enum cuda_printed *what)
{
	bool is_long = length_bytes && is_in(length[0], "lqjzt");

	if (is_in(letter, "diouxX")) {
		*what = is_long ? CUDA_PRINTED_LONG : CUDA_PRINTED_INT;
		return is_long || !length_bytes ? (is_long ? "l" : "")
		                                : (length_bytes == 2 ? "hh" : "h");
	}
	if (is_in(letter, "eEfFgGaA"))
		*what = CUDA_PRINTED_DOUBLE;
	else if (letter == 'c')
		*what = CUDA_PRINTED_INT;
	else if (letter == 's')
		*what = CUDA_PRINTED_STRING;
	else if (letter == 'p')
		*what = CUDA_PRINTED_POINTER;
	else
		return NULL;
	return "";
}

/* Read a conversion from after its '%'. */
static int read_conversion(struct cuda_format *f, const char **at, const char **why,
                           struct err *err)
{
	size_t width = width_length(*at), length = strspn(*at + width, "hlqjztL");
	const char *begin = *at, *ours;
	char letter = begin[width + length];
	enum cuda_printed what = CUDA_PRINTED_INT;

	if (memchr(begin, '*', width)) {
		*why = "prints with a width that is not in its format";
		return 0;
	}
	ours = length_of(letter, begin + width, length, &what);
	if (!ours || memchr(begin + width, 'L', length)) {
		*why = "prints by a format that is not C's";
		return 0;
	}
	if (f->count == CUDA_FORMAT_ARGUMENTS_MAX) {
		*why = "prints more than 32 values";
		return 0;
	}
	f->arguments[f->count++] = what;
	*at += width + length + 1;
	return str_printf(&f->text, err, "%%%.*s%s%c", (int)width, begin, ours, letter);
}

int cuda_format_init(struct cuda_format *f, const char *text, const char **why, struct err *err)
{
	int ret;

	*why = NULL;
	f->count = 0;
	str_init(&f->text, CUDA_FORMAT_LIMIT_BYTES);
	ret = str_append(&f->text, "", 0, err);
	while (!ret && !*why && *text) {
		size_t plain = strcspn(text, "%");

		ret = str_append(&f->text, text, plain, err);
		text += plain;
		if (ret || !*text)
			break;
		if (text[1] == '%') {
			ret = str_append(&f->text, "%%", 2, err);
			text += 2;
		} else {
			text++;
			ret = read_conversion(f, &text, why, err);
		}
	}
	return ret;
}

void cuda_format_release(struct cuda_format *f)
{
	str_release(&f->text);
}
