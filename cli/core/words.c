/* SPDX-License-Identifier: Apache-2.0 */
#include "words.h"

#include <stdio.h>
#include <string.h>

int words_find(const char *words, const char *word)
{
	size_t length = strlen(word);

	for (int i = 0;; i++) {
		size_t span = strcspn(words, "|");

		if (span == length && !memcmp(words, word, length))
			return i;
		if (!words[span])
			return -1;
		words += span + 1;
	}
}

const char *words_list(const char *words, char *text, size_t text_bytes)
{
	size_t used = 0;

	text[0] = '\0';
	for (; *words && used + 3 < text_bytes; words++) {
		if (*words == '|') {
			text[used++] = ',';
			text[used++] = ' ';
		} else {
			text[used++] = *words;
		}
		text[used] = '\0';
	}
	return text;
}
