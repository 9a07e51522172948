/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_outline.h"

#include "err.h"
#include "str.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT_NAMES      (1u << 20)
#define LIMIT_ALIGNMENT  4096u
#define LIMIT_PARAMETERS (1u << 20) /* bytes, far beyond what a kernel may have */

/* A token: `length` characters at `at`; 0 at the end of the text. */
struct ptx_token {
	const char *at;
	size_t length;
};

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '$' || c == '%' || c == '.';
}

/* Behind a comment that begins at `at`, or `at`. */
static const char *skip_comment(const char *at)
{
	const char *end;

	if (at[0] == '/' && at[1] == '/')
		return at + strcspn(at, "\n");
	if (at[0] != '/' || at[1] != '*')
		return at;
	end = strstr(at + 2, "*/");
	return end ? end + 2 : at + strlen(at);
}

static const char *skip_space(const char *at)
{
	const char *before;

	do {
		before = at;
		at += strspn(at, " \t\r\n\f\v");
		at = skip_comment(at);
	} while (at != before);
	return at;
}

/* The token at *text, which is moved behind it. */
static struct ptx_token next_token(const char **text)
{
	struct ptx_token t = { skip_space(*text), 0 };

	if (*t.at == '"')
		t.length = 1 + strcspn(t.at + 1, "\"") + 1;
	else if (is_word(*t.at))
		while (is_word(t.at[t.length]))
			t.length++;
	else
		t.length = *t.at != '\0';
	/* A string without an end. */
	if (t.length > 1 && memchr(t.at, '\0', t.length))
		t.length = strlen(t.at);
	*text = t.at + t.length;
	return t;
}

static bool is_text(struct ptx_token t, const char *text)
{
	return t.length == strlen(text) && !memcmp(t.at, text, t.length);
}

static bool is_name(struct ptx_token t)
{
	return t.length && is_word(*t.at) && *t.at != '.' && (*t.at < '0' || *t.at > '9');
}

static char *copy_token(struct ptx_token t, struct err *err)
{
	return str_format(err, "%.*s", (int)t.length, t.at);
}

/* Bytes of ".u64" and its like; 0 of what is no type. */
static uint64_t type_bytes(struct ptx_token t)
{
	unsigned long bits;

	if (t.length < 3 || t.length > 5 || !strchr("ubsf", t.at[1]))
		return 0;
	bits = strtoul(t.at + 2, NULL, 10);
	return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128 ? bits / 8 : 0;
}

static uint64_t number_of(struct ptx_token t)
{
	unsigned long long n =
		t.length && *t.at >= '0' && *t.at <= '9' ? strtoull(t.at, NULL, 0) : 0;

	return n < LIMIT_PARAMETERS ? n : LIMIT_PARAMETERS;
}

/* A parameter as it is read. */
struct ptx_parameter {
	uint64_t bytes, alignment, count;
	bool is_pointer; /* what follows is of what it points to */
};

static void add_parameter(struct ptx_kernel *k, const struct ptx_parameter *p)
{
	uint64_t alignment = p->alignment ? p->alignment : p->bytes;

	if (!p->bytes || !alignment || alignment > LIMIT_ALIGNMENT)
		return;
	k->parameter_bytes = (k->parameter_bytes + alignment - 1) / alignment * alignment;
	if (k->parameter_bytes < LIMIT_PARAMETERS)
		k->parameter_bytes += p->bytes * p->count;
}

/* A token of a parameter. */
static void read_part(struct ptx_parameter *p, struct ptx_token t, const char **text)
{
	if (is_text(t, ".align") && !p->is_pointer)
		p->alignment = number_of(next_token(text));
	else if (is_text(t, ".ptr"))
		p->is_pointer = true;
	else if (is_text(t, "["))
		p->count = number_of(next_token(text));
	else if (!p->bytes && *t.at == '.')
		p->bytes = type_bytes(t);
}

/* The list in parentheses behind a kernel's name, if there is one. */
static void read_parameters(struct ptx_kernel *k, const char **text)
{
	struct ptx_parameter p = { .count = 1 };
	const char *at = *text;
	struct ptx_token t = next_token(&at);

	if (!is_text(t, "("))
		return;
	for (t = next_token(&at); t.length && !is_text(t, ")"); t = next_token(&at)) {
		if (is_text(t, ",")) {
			add_parameter(k, &p);
			p = (struct ptx_parameter){ .count = 1 };
			continue;
		}
		read_part(&p, t, &at);
	}
	add_parameter(k, &p);
	*text = at;
}

static int add_kernel(struct ptx_outline *o, const char **text, struct err *err)
{
	struct ptx_token name = next_token(text);
	struct ptx_kernel *k;

	if (!is_name(name))
		return 0;
	k = array_push(&o->kernels, 1, err);
	if (!k)
		return err ? err->code : ERR_NOMEM;
	k->name = copy_token(name, err);
	if (!k->name) {
		o->kernels.count--;
		return ERR_NOMEM;
	}
	read_parameters(k, text);
	return 0;
}

static int add_variable(struct ptx_outline *o, struct ptx_token name, struct err *err)
{
	char *copy, **added;

	if (!is_name(name))
		return 0;
	copy = copy_token(name, err);
	added = copy ? array_push(&o->variables, 1, err) : NULL;
	if (!added) {
		free(copy);
		return ERR_NOMEM;
	}
	*added = copy;
	return 0;
}

/* What is declared behind .global or .const: names, each the last word before [, =, the comma. */
static int add_variables(struct ptx_outline *o, const char **text, struct err *err)
{
	struct ptx_token name = { "", 0 }, t;
	bool is_named = false;
	int rc = 0;

	for (t = next_token(text); rc == 0 && t.length && !is_text(t, ";"); t = next_token(text)) {
		if (is_text(t, "{"))
			*text += strcspn(*text, "}");
		if (is_text(t, ",") || is_text(t, "[") || is_text(t, "=")) {
			rc = is_named ? 0 : add_variable(o, name, err);
			is_named = !is_text(t, ",");
		} else if (is_name(t) && !is_named) {
			name = t;
		}
	}
	return rc == 0 && !is_named ? add_variable(o, name, err) : rc;
}

static bool is_memory(struct ptx_token t)
{
	return is_text(t, ".global") || is_text(t, ".const");
}

int ptx_outline_init(struct ptx_outline *o, const char *text, struct err *err)
{
	struct ptx_token t;
	int depth = 0, rc = 0;

	array_init(&o->kernels, sizeof(struct ptx_kernel), LIMIT_NAMES, "kernels");
	array_init(&o->variables, sizeof(char *), LIMIT_NAMES, "variables");
	for (t = next_token(&text); rc == 0 && t.length; t = next_token(&text)) {
		if (is_text(t, "{") || is_text(t, "("))
			depth++;
		else if (is_text(t, "}") || is_text(t, ")"))
			depth--;
		else if (depth == 0 && is_text(t, ".entry"))
			rc = add_kernel(o, &text, err);
		else if (depth == 0 && is_memory(t))
			rc = add_variables(o, &text, err);
	}
	return rc;
}

void ptx_outline_release(struct ptx_outline *o)
{
	struct ptx_kernel *k = o->kernels.data;
	char **variables = o->variables.data;

	for (size_t i = 0; i < o->kernels.count; i++)
		free(k[i].name);
	for (size_t i = 0; i < o->variables.count; i++)
		free(variables[i]);
	array_release(&o->kernels);
	array_release(&o->variables);
}

const struct ptx_kernel *ptx_outline_kernel(const struct ptx_outline *o, const char *name)
{
	const struct ptx_kernel *k = o->kernels.data;

	for (size_t i = 0; i < o->kernels.count; i++)
		if (!strcmp(k[i].name, name))
			return &k[i];
	return NULL;
}
