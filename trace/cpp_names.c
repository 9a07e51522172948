/* SPDX-License-Identifier: Apache-2.0 */
#include "cpp_names.h"

#include "err.h"
#include "recorded.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Part of the C++ ABI; status 0 means success. Weak: the recorder works without it. */
extern char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status)
	__attribute__((weak));

/* A reference to an earlier part can double the text, so this bounds it to some megabytes. */
enum { REFERENCES_MAX = 12, SYMBOL_MAX = 1024 };

/* Sites times arguments of a kernel whose arguments are worth a guess. */
enum { LOOKS_MAX = 1 << 22 };

static bool is_bounded(const char *symbol)
{
	size_t references = 0;

	if (strlen(symbol) > SYMBOL_MAX)
		return false;
	for (const char *c = symbol; *c; c++)
		references +=
			(*c == 'S' || *c == 'T') && c[1] && strchr("0123456789_ABCDEFGHIJ", c[1]);
	return references <= REFERENCES_MAX;
}

/* Returns the '(' of the parameters at the end of the name; its end if it has none. */
static char *find_parameters(char *name)
{
	char *c = name + strlen(name);
	size_t depth = 0;

	if (c == name || c[-1] != ')')
		return c;
	while (c > name) {
		c--;
		depth += *c == ')';
		if (*c == '(' && !--depth)
			return c;
	}
	return name + strlen(name);
}

char *cpp_name(const char *symbol, int is_full)
{
	static const char returned[] = "void ";
	int status = -1;
	char *name;

	if (strncmp(symbol, "_Z", 2) != 0 || !__cxa_demangle || !is_bounded(symbol))
		return NULL;
	name = __cxa_demangle(symbol, NULL, NULL, &status);
	if (!name || status || !*name) {
		free(name);
		return NULL;
	}
	if (!is_full)
		*find_parameters(name) = '\0';
	if (!strncmp(name, returned, sizeof(returned) - 1))
		memmove(name, name + sizeof(returned) - 1, strlen(name) - sizeof(returned) + 2);
	return name;
}

static int by_name(const void *a, const void *b)
{
	const struct kernel_table *x = *(struct kernel_table *const *)a;
	const struct kernel_table *y = *(struct kernel_table *const *)b;

	return strcmp(x->name, y->name);
}

/* Append the parameters to names in the sorted list that are equal without them but differ. */
static void tell_apart(struct kernel_table *const *list, size_t count)
{
	bool differ = false;

	for (size_t i = 1; i < count; i++)
		differ = differ ||
		         strcmp(kernel_table_symbol(list[i]), kernel_table_symbol(list[0]));
	for (size_t i = 0; differ && i < count; i++) {
		char *full = list[i]->symbol ? cpp_name(list[i]->symbol, true) : NULL;

		if (!full)
			continue;
		free(list[i]->name);
		list[i]->name = full;
	}
}

/* Whether a name has no meaning: "", or "_Z4copyPf_param_0". */
static bool is_nameless(const char *name)
{
	static const char mark[] = "_param_";
	const char *at = strstr(name, mark), *number = at ? at + sizeof(mark) - 1 : "";

	return !*name || (*number && !number[strspn(number, "0123456789")]);
}

/* Returns the length of the word with which an expression begins; 0: none, as in "(a + b)[i]". */
static size_t word_length(const char *expression)
{
	size_t length = 0;

	while (isalnum((unsigned char)expression[length]) || expression[length] == '_')
		length++;
	if (isdigit((unsigned char)*expression) || !expression[length] ||
	    !strchr("[.-,", expression[length]))
		return 0;
	return length;
}

/* Returns what an expression accesses: "*p" p, "atomicAdd(&sums[i], 1)" sums[i]. */
static const char *accessed(const char *expression)
{
	static const char atomic[] = "atomic";
	const char *open = strchr(expression, '(');

	if (open && !strncmp(expression, atomic, strlen(atomic)) &&
	    strspn(expression, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") ==
	            (size_t)(open - expression))
		expression = open + 1;
	return expression + (*expression == '*' || *expression == '&');
}

/* Returns the word, of *length bytes, with which all accesses through the argument begin; NULL:
 * none. */
static const char *shared_word(const struct kernel_table *t, size_t argument, size_t *length)
{
	const char *word = NULL;

	for (size_t i = 0; i < t->site_count; i++) {
		const struct site *s = &t->sites[i];
		const char *expression = s->expression ? s->expression : "";

		if (s->argument < 0 || (size_t)s->argument != argument)
			continue;
		expression = accessed(expression);
		if (!word)
			*length = word_length(expression);
		if (!*length || strncmp(expression, word ? word : expression, *length) != 0 ||
		    word_length(expression) != *length)
			return NULL;
		word = expression;
	}
	return word;
}

static bool is_taken(const struct kernel_table *t, const char *word, size_t length)
{
	for (size_t a = 0; a < t->argument_count; a++)
		if (strlen(t->arguments[a].name) == length &&
		    !strncmp(t->arguments[a].name, word, length))
			return true;
	return false;
}

int cpp_names_guess_arguments(struct kernel_table *t)
{
	if (t->argument_count && t->site_count > LOOKS_MAX / t->argument_count)
		return 0;
	for (size_t a = 0; a < t->argument_count; a++) {
		size_t length = 0;
		const char *word;
		char *name;

		if (!t->arguments[a].space || !is_nameless(t->arguments[a].name))
			continue;
		word = shared_word(t, a, &length);
		if (!word || is_taken(t, word, length))
			continue;
		name = strndup(word, length);
		if (!name)
			return ERR_NOMEM;
		free(t->arguments[a].name);
		t->arguments[a].name = name;
	}
	return 0;
}

void cpp_names_apply(struct recorded_kernel *kernels, size_t count)
{
	struct kernel_table **named = calloc(count + 1, sizeof(struct kernel_table *));
	size_t all = 0, next;

	for (size_t i = 0; named && i < count; i++) {
		struct kernel_table *t = &kernels[i].table;
		char *name = t->name ? cpp_name(t->name, false) : NULL;

		(void)cpp_names_guess_arguments(t); /* if out of memory they stay unchanged */
		if (name) {
			t->symbol = t->name;
			t->name = name;
		}
		if (t->name)
			named[all++] = t;
	}
	if (all)
		qsort(named, all, sizeof(*named), by_name);
	for (size_t from = 0; from < all; from = next) {
		for (next = from + 1; next < all && !strcmp(named[next]->name, named[from]->name);)
			next++;
		tell_apart(named + from, next - from);
	}
	free(named);
}
