/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_word.h"

#include <string.h>

bool ptx_word_is(struct ptx_word word, const char *text)
{
	size_t i = 0;

	while (i < word.length && text[i] && word.at[i] == text[i])
		i++;
	return i == word.length && !text[i];
}

bool ptx_word_begins(struct ptx_word word, const char *text)
{
	size_t length = strlen(text);

	return word.length >= length && !memcmp(word.at, text, length);
}

bool ptx_word_equals(struct ptx_word a, struct ptx_word b)
{
	return a.length == b.length && (!a.length || !memcmp(a.at, b.at, a.length));
}

bool ptx_word_is_in(struct ptx_word word, const char *list)
{
	while (*list) {
		size_t length = strcspn(list, " ");

		if (length && length == word.length && !memcmp(list, word.at, length))
			return true;
		list += length;
		list += strspn(list, " ");
	}
	return false;
}
