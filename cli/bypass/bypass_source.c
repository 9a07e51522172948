/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_source.h"

#include "array.h"
#include "bypass_list.h"
#include "bypass_ptx.h"
#include "bypass_sites.h"
#include "err.h"
#include "recording.h"
#include "say.h"
#include "site_text.h"
#include "source_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* How to write a load of x that bypasses L1, around &x; %B in `before` stands for its size in
 * bytes, %T for its type. */
static const struct {
	const char *label, *before, *after;
} forms[] = {
	{ "CUDA", "__ldcg(", ")" },
	{ "OpenCL C, clang", "__builtin_nontemporal_load(", ")" },
	{ "OpenCL C, NVIDIA", "as_%T(warpline_past_%B(", "))" },
};

/* The helpers for NVIDIA's OpenCL C, one for each size of a load. `address` is the number of its
 * operand. */
static const struct {
	uint32_t bytes;
	const char *type, *declarations, *ptx, *destination, *outputs, *address, *result;
} helpers[] = {
	{ 1, "uchar", "uint v", "u8", "%0", "\"=r\"(v)", "1", "(uchar)v" },
	{ 2, "ushort", "ushort v", "u16", "%0", "\"=h\"(v)", "1", "v" },
	{ 4, "uint", "uint v", "u32", "%0", "\"=r\"(v)", "1", "v" },
	{ 8, "ulong", "ulong v", "u64", "%0", "\"=l\"(v)", "1", "v" },
	{ 16, "uint4", "uint x, y, z, w", "v4.u32", "{%0, %1, %2, %3}",
	  "\"=r\"(x), \"=r\"(y), \"=r\"(z), \"=r\"(w)", "4", "(uint4)(x, y, z, w)" },
};

enum {
	FORM_COUNT = sizeof(forms) / sizeof(forms[0]),
	HELPER_COUNT = sizeof(helpers) / sizeof(helpers[0]),
	CLANG_FORM = 1,
	NVIDIA_FORM = FORM_COUNT - 1,
};

static const struct {
	const char *name;
	uint32_t bytes;
} scalars[] = {
	{ "uchar", 1 }, { "char", 1 }, { "ushort", 2 }, { "short", 2 },
	{ "half", 2 },  { "uint", 4 }, { "int", 4 },    { "float", 4 },
	{ "ulong", 8 }, { "long", 8 }, { "double", 8 },
};

/* Whether a word of a type is a qualifier. */
static int is_qualifier(const char *word, size_t length)
{
	static const char *const words[] = { "const",    "volatile", "restrict",   "__restrict",
		                             "__global", "global",   "__constant", "constant" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i]) == length && !memcmp(word, words[i], length))
			return 1;
	return 0;
}

/* The lanes after a scalar's name; 0 if no type has that name. */
static uint32_t lanes_of(const char *rest, size_t length)
{
	static const char *const lanes[] = { "", "2", "3", "4", "8", "16" };
	static const uint32_t counts[] = { 1, 2, 4, 4, 8, 16 };

	for (size_t i = 0; i < sizeof(lanes) / sizeof(lanes[0]); i++)
		if (strlen(lanes[i]) == length && !memcmp(rest, lanes[i], length))
			return counts[i];
	return 0;
}

static uint32_t size_of(const char *word, size_t length)
{
	for (size_t i = 0; i < sizeof(scalars) / sizeof(scalars[0]); i++) {
		size_t own = strlen(scalars[i].name);
		uint32_t lanes;

		if (length < own || memcmp(word, scalars[i].name, own) != 0)
			continue;
		lanes = lanes_of(word + own, length - own);
		if (lanes)
			return lanes * scalars[i].bytes;
	}
	return 0;
}

const char *bypass_source_type(const char *pointer, uint32_t bytes, char name[BYPASS_TYPE_BYTES])
{
	const char *at = pointer;

	*name = '\0';
	while (*at) {
		size_t length = 0;

		while (isalnum((unsigned char)at[length]) || at[length] == '_')
			length++;
		if (length && !is_qualifier(at, length)) {
			if (length < BYPASS_TYPE_BYTES && size_of(at, length) == bytes)
				snprintf(name, BYPASS_TYPE_BYTES, "%.*s", (int)length, at);
			return name;
		}
		at += length ? length : 1;
	}
	return name;
}

struct listing {
	const struct bypass_source_job *job;
	bool *is_hit; /* per rule: it names a read */
	bool is_needed[HELPER_COUNT];
	/* Of the current kernel: */
	size_t kernel;
	const struct kernel_table *t;
	struct source_text source;
	const struct place *last; /* the place whose line was printed last */
};

static size_t helper_of(uint32_t bytes)
{
	size_t i = 0;

	while (i < HELPER_COUNT && helpers[i].bytes != bytes)
		i++;
	return i;
}

/* Whether a rule names a buffer that is the site's argument in every launch. */
static bool is_buffer(const struct listing *l, const struct bypass_rule *rule, size_t site)
{
	int32_t argument = l->t->sites[site].argument;
	size_t launches, with;

	if (rule->kind != BYPASS_BUFFER || argument < 0 || l->t->sites[site].kind != SITE_READ ||
	    !bypass_rule_is_of(rule, l->t))
		return false;
	with = bypass_buffer_launches(l->job->recording, l->kernel, (size_t)argument, rule->number,
	                              &launches);
	return with && with == launches;
}

/* Whether any rule names the site; marks those that do. */
static bool is_chosen(struct listing *l, size_t site)
{
	const struct bypass_list *list = l->job->list;
	bool is_any = false;

	for (size_t i = 0; i < list->count; i++) {
		const struct bypass_rule *r = &list->rules[i];

		if (!bypass_rule_names(r, l->t, site) && !is_buffer(l, r, site))
			continue;
		l->is_hit[i] = true;
		is_any = true;
	}
	return is_any;
}

/* "as_%T(warpline_past_%B(" with the site's type and size. */
static void print_before(FILE *out, const char *before, const char *type, uint32_t bytes)
{
	for (const char *at = before; *at; at++) {
		if (*at != '%')
			fputc(*at, out);
		else if (*++at == 'B')
			fprintf(out, "%" PRIu32, bytes);
		else
			fputs(*type ? type : "T", out);
	}
}

static void print_form(const struct listing *l, size_t form, const struct site *s)
{
	char name[BYPASS_TYPE_BYTES];
	const char *type = s->argument < 0 ? ""
	                                   : bypass_source_type(l->t->arguments[s->argument].type,
	                                                        s->bytes, name);
	const char *x = *s->expression ? s->expression : "x";
	bool has_helper = helper_of(s->bytes) < HELPER_COUNT;
	FILE *out = l->job->out;

	fprintf(out, "      %-18s", forms[form].label);
	if (form != CLANG_FORM && !has_helper) {
		fprintf(out, "(%" PRIu32 " bytes at once: none)\n", s->bytes);
		return;
	}
	print_before(out, forms[form].before, type, s->bytes);
	if (*x == '*')
		fprintf(out, "%s", x + 1 + strspn(x + 1, " "));
	else
		fprintf(out, "&%s", x);
	fprintf(out, "%s%s\n", forms[form].after,
	        *type                 ? ""
	        : form == NVIDIA_FORM ? "  T: the type of what is read"
	        : !has_helper         ? "  if it is a vector; of a struct: its members"
	                              : "");
}

/* Print the line of the source, once for all of its sites. */
static void print_line(struct listing *l, const struct place *place)
{
	if (l->last && l->last->line == place->line && l->last->file && place->file &&
	    !strcmp(l->last->file, place->file))
		return;
	l->last = place;
	fprintf(l->job->out, "\n  %s:%" PRIu32, place->file ? place->file : "?", place->line);
	site_text_print_line(&l->source, place, "  | ", l->job->out);
	fputc('\n', l->job->out);
}

/* Whether the read is half of "a[i] += x" or "a[i]++". */
static bool is_update(const struct kernel_table *table, const struct site *read)
{
	const struct place *p = &read->place;

	for (size_t i = 0; i < table->site_count; i++) {
		const struct place *q = &table->sites[i].place;

		if (table->sites[i].kind == SITE_WRITE && p->line && q->line == p->line &&
		    q->column == p->column && p->file && q->file && !strcmp(q->file, p->file) &&
		    *read->expression && !strcmp(table->sites[i].expression, read->expression))
			return true;
	}
	return false;
}

/* Whether the expression is the call of a macro with other accesses, and so not an lvalue. */
static bool is_of_macro(const struct listing *l, size_t number)
{
	static const char name[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	const struct site *s = &l->t->sites[number];
	size_t length = strspn(s->expression, name);

	if (!length || s->expression[length + strspn(s->expression + length, " ")] != '(')
		return false;
	for (size_t i = 0; i < l->t->site_count; i++) {
		const struct site *other = &l->t->sites[i];

		if (i != number && other->place.line == s->place.line &&
		    other->place.column == s->place.column &&
		    !strcmp(other->expression, s->expression))
			return true;
	}
	return false;
}

static void print_site(struct listing *l, size_t number)
{
	const struct site *s = &l->t->sites[number];
	size_t helper = helper_of(s->bytes);

	print_line(l, &s->place);
	fprintf(l->job->out, "    site %zu, column %" PRIu32 ": %s\n", number, s->place.column,
	        *s->expression ? s->expression : "a read; x stands for what is read");
	if (!strncmp(s->expression, "vload", 5)) {
		fprintf(l->job->out, "      has no such form: read through a pointer to the "
		                     "vector, or its elements\n");
		return;
	}
	if (is_of_macro(l, number)) {
		fprintf(l->job->out, "      is one of several accesses of a macro: change the read "
		                     "in its definition\n");
		return;
	}
	for (size_t i = 0; i < FORM_COUNT; i++)
		print_form(l, i, s);
	if (is_update(l->t, s))
		fputs("      It is written in the same place: write \"a[i] += x\" as "
		      "\"a[i] = a[i] + x\" first, and change the right side.\n",
		      l->job->out);
	if (helper < HELPER_COUNT)
		l->is_needed[helper] = true;
}

/* Print what a threshold of warps means for the kernel's other reads. */
static void print_warps(struct listing *l)
{
	const struct bypass_list *list = l->job->list;
	bool has_reads = false;

	for (size_t i = 0; i < l->t->site_count; i++)
		has_reads = has_reads || l->t->sites[i].kind == SITE_READ;
	for (size_t i = 0; i < list->count; i++) {
		const struct bypass_rule *r = &list->rules[i];

		if (r->kind != BYPASS_WARPS || !has_reads || !bypass_rule_is_of(r, l->t))
			continue;
		l->is_hit[i] = true;
		fprintf(l->job->out,
		        "\n  warps from %" PRIu64 " on: each other read x becomes\n"
		        "      warp >= %" PRIu64 " ? PAST(&x) : x\n"
		        "    where PAST is one of the forms above, and warp the linear number of "
		        "the work-item in its group divided by 32\n",
		        r->number, r->number);
	}
}

static void print_kernel(struct listing *l)
{
	const struct recorded_kernel *k = &l->job->recording->kernels[l->kernel];
	bool has_title = false;

	l->t = &k->table;
	l->last = NULL;
	source_text_load(&l->source, l->job->recording, k->program);
	for (size_t i = 0; i < l->t->site_count; i++) {
		if (!is_chosen(l, i))
			continue;
		if (!has_title)
			fprintf(l->job->out, "kernel %s\n", l->t->name);
		has_title = true;
		print_site(l, i);
	}
	if (!has_title)
		fprintf(l->job->out, "kernel %s: nothing to change by sites\n", l->t->name);
	print_warps(l);
	fputc('\n', l->job->out);
	source_text_release(&l->source);
}

static void print_helpers(const struct listing *l)
{
	FILE *out = l->job->out;
	bool is_first = true;

	for (size_t i = 0; i < HELPER_COUNT; i++) {
		if (!l->is_needed[i])
			continue;
		if (is_first)
			fprintf(out, "for NVIDIA's OpenCL C, before the kernels:\n\n");
		is_first = false;
		fprintf(out,
		        "%s warpline_past_%" PRIu32 "(const __global void *p)\n{\n\t%s;\n"
		        "\t__asm__ volatile(\"ld.global.cg.%s %s, [%%%s];\"\n"
		        "\t                 : %s : \"l\"(p) : \"memory\");\n\treturn %s;\n}\n\n",
		        helpers[i].type, helpers[i].bytes, helpers[i].declarations, helpers[i].ptx,
		        helpers[i].destination, helpers[i].address, helpers[i].outputs,
		        helpers[i].result);
	}
}

/* Check that each place in the list is that of the recording's site. */
static int check_places(const struct bypass_source_job *job, struct err *err)
{
	const struct recording *r = job->recording;

	for (size_t i = 0; i < job->list->count; i++) {
		const struct bypass_rule *rule = &job->list->rules[i];

		for (size_t k = 0; k < r->kernel_count; k++) {
			const struct kernel_table *t = &r->kernels[k].table;

			if (rule->kind == BYPASS_SITE && rule->kernel &&
			    bypass_rule_is_of(rule, t) && rule->number < t->site_count &&
			    t->sites[rule->number].kind == SITE_READ &&
			    !bypass_rule_names(rule, t, (size_t)rule->number))
				return err_set(err, ERR_USAGE,
				               "kernel %s: site %" PRIu64 " is not at %s:%" PRIu32
				               ":%" PRIu32
				               " in the recording: the list is of another one",
				               t->name, rule->number, rule->place.file,
				               rule->place.line, rule->place.column);
		}
	}
	return 0;
}

static void name_rule(const struct bypass_rule *r)
{
	const char *kernel = r->kernel ? r->kernel : "", *colon = r->kernel ? ": " : "";

	if (r->name)
		say_line("bypass", "%s%sargument %s names no read", kernel, colon, r->name);
	else if (r->kind == BYPASS_ALL)
		say_line("bypass", "%s%sall names no read", kernel, colon);
	else
		say_line("bypass", "%s%s%s %" PRIu64 " names no read", kernel, colon,
		         bypass_kind_word(r->kind), r->number);
}

/* Name the rules that name no read. Returns their number. */
static size_t name_left(const struct listing *l)
{
	enum { SHOWN = 20 };
	const struct bypass_list *list = l->job->list;
	size_t named = 0, addresses = 0;

	for (size_t i = 0; i < list->count; i++) {
		bool is_address = list->rules[i].kind == BYPASS_ADDRESS;

		addresses += !l->is_hit[i] && is_address;
		if (l->is_hit[i] || is_address)
			continue;
		if (named++ < SHOWN)
			name_rule(&list->rules[i]);
	}
	if (named > SHOWN)
		say_line("bypass", "and %zu more rules", named - SHOWN);
	if (addresses)
		say_line("bypass", "%zu rule%s of addresses: a source cannot be changed by %s",
		         addresses, addresses == 1 ? "" : "s", addresses == 1 ? "it" : "them");
	return named + addresses;
}

int bypass_source_write(const struct bypass_source_job *job, struct err *err)
{
	struct listing l = { .job = job };
	int ret = check_places(job, err), lost;

	if (ret)
		return ret;
	l.is_hit = array_alloc(job->list->count, sizeof(*l.is_hit), "rules", err);
	if (!l.is_hit)
		return ERR_NOMEM;
	for (l.kernel = 0; l.kernel < job->recording->kernel_count; l.kernel++)
		if (job->recording->kernels[l.kernel].table.site_count)
			print_kernel(&l);
	print_helpers(&l);
	lost = say_flush(job->out, "standard output", err);
	ret = name_left(&l) ? EXIT_UNMATCHED : 0;
	free(l.is_hit);
	return lost ? lost : ret;
}
