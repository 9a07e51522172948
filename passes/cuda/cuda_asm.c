/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_asm.h"

#include "err.h"

#include <llvm-c/Core.h>

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int digit(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : toupper((unsigned char)c) - 'A' + 10;
}

/* The character at *at, which may be written as \ and two digits. */
static char take(const char **at)
{
	const char *p = *at;

	if (p[0] == '\\' && isxdigit((unsigned char)p[1]) && isxdigit((unsigned char)p[2])) {
		*at += 3;
		return (char)(digit(p[1]) * 16 + digit(p[2]));
	}
	(*at)++;
	return *p;
}

/* What is between two quotation marks, on the heap; *at goes behind the second. NULL: no memory. */
static char *take_quoted(const char **at, struct err *err)
{
	const char *begin = strchr(*at, '"'), *p = begin ? begin + 1 : *at + strlen(*at);
	char *text = malloc(strlen(p) + 1);
	size_t length = 0;

	if (!text) {
		err_set(err, ERR_NOMEM, "out of memory for inline assembly");
		return NULL;
	}
	while (*p && *p != '"') {
		char c = take(&p);

		if (!isspace((unsigned char)c))
			text[length++] = c;
		else if (length && text[length - 1] != ' ')
			text[length++] = ' ';
	}
	while (length && text[length - 1] == ' ')
		length--;
	text[length] = 0;
	*at = *p ? p + 1 : p;
	return text;
}

int cuda_asm_init(struct cuda_asm *a, LLVMValueRef called, struct err *err)
{
	char *printed = LLVMPrintValueToString(called);
	const char *at = strstr(printed, " asm ");
	int ret;

	at = at ? at : printed + strlen(printed);
	a->text = take_quoted(&at, err);
	a->constraints = a->text ? take_quoted(&at, err) : NULL;
	ret = a->constraints ? 0 : ERR_NOMEM;
	LLVMDisposeMessage(printed);
	return ret;
}

void cuda_asm_release(struct cuda_asm *a)
{
	free(a->text);
	free(a->constraints);
	memset(a, 0, sizeof(*a));
}
