/* SPDX-License-Identifier: Apache-2.0 */
#include "shape_text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char *shape_text(char text[SHAPE_TEXT_BYTES], const uint64_t size[3])
{
	int used = snprintf(text, SHAPE_TEXT_BYTES, "%" PRIu64, size[0]);

	if (size[1] != 1 || size[2] != 1)
		used += snprintf(text + used, SHAPE_TEXT_BYTES - (size_t)used, "x%" PRIu64,
		                 size[1]);
	if (size[2] != 1)
		snprintf(text + used, SHAPE_TEXT_BYTES - (size_t)used, "x%" PRIu64, size[2]);
	return text;
}

const char *count_text(char text[COUNT_TEXT_BYTES], uint64_t count)
{
	char digits[COUNT_TEXT_BYTES];
	size_t length = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, count), used = 0;

	for (size_t i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			text[used++] = ',';
		text[used++] = digits[i];
	}
	text[used] = '\0';
	return text;
}

const char *amount_text(char text[SHAPE_TEXT_BYTES], uint64_t count, const char *one)
{
	char number[COUNT_TEXT_BYTES];
	size_t length = strlen(one);
	bool hisses = length && strchr("sxh", one[length - 1]);

	snprintf(text, SHAPE_TEXT_BYTES, "%s %.32s%s", count_text(number, count), one,
	         count == 1 ? ""
	         : hisses   ? "es"
	                    : "s");
	return text;
}

const char *share_text(char text[COUNT_TEXT_BYTES], uint64_t part, uint64_t whole)
{
	if (whole)
		snprintf(text, COUNT_TEXT_BYTES, "%.2f%%", 100.0 * (double)part / (double)whole);
	else
		snprintf(text, COUNT_TEXT_BYTES, "-");
	return text;
}
