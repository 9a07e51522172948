/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_words.h"
#include "finding_spot.h"
#include "gpu.h"
#include "recording.h"
#include "shape_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A longer expression is replaced by its argument. */
enum { EXPRESSION_SHOWN = 60 };

void finding_show(struct finding *f, const char *name, const char *unit, double value)
{
	if (f->evidence_count < FINDING_EVIDENCE_MAX)
		f->evidence[f->evidence_count++] =
			(struct finding_evidence){ .name = name, .unit = unit, .value = value };
}

void finding_show_limit(struct finding *f, const char *name, double value, enum finding_limit limit,
                        bool is_below)
{
	if (f->evidence_count < FINDING_EVIDENCE_MAX)
		f->evidence[f->evidence_count++] =
			(struct finding_evidence){ .name = name,
			                           .unit = "ratio",
			                           .value = value,
			                           .threshold = finding_limit(limit),
			                           .has_threshold = true,
			                           .is_below = is_below };
}

const char *finding_verb(const struct finding_spot *p)
{
	if (p->facts->kind == SITE_ATOMIC)
		return "updates";
	return p->facts->kind == SITE_WRITE ? "writes" : "reads";
}

/* Returns the first word of a call's operand, "bins" of "atomicAdd(&bins[i], 1)", of *length bytes;
 * NULL if there is none. */
static const char *called_with(const char *call, int *length)
{
	const char *word = strchr(call, '(');

	if (!word)
		return NULL;
	word += strspn(word, "(& *");
	*length = (int)strcspn(word, "[](),;.-+*&<>= ");
	return *length && *length <= EXPRESSION_SHOWN && !isdigit((unsigned char)*word) ? word
	                                                                                : NULL;
}

const char *finding_object(char text[FINDING_WORDS_BYTES], const struct finding_scene *s,
                           const struct finding_spot *p)
{
	const struct kernel_table *t = &s->data->recording->kernels[p->kernel->kernel].table;
	const struct site *site = p->facts;
	const char *name = site->expression, *word = NULL;
	int length = 0;

	/* the expression of an atomic is the call */
	if ((!name || !*name || strlen(name) > EXPRESSION_SHOWN || site->kind == SITE_ATOMIC) &&
	    site->argument >= 0 && (size_t)site->argument < t->argument_count)
		name = t->arguments[site->argument].name;
	if (site->kind == SITE_ATOMIC && name && (!*name || name == site->expression))
		word = called_with(site->expression ? site->expression : "", &length);
	if (word)
		return snprintf(text, FINDING_WORDS_BYTES, "%.*s", length, word), text;
	if (!name || !*name || strlen(name) > EXPRESSION_SHOWN)
		name = site->space == SPACE_LOCAL ? "a value" : "memory";
	snprintf(text, FINDING_WORDS_BYTES, CUDA_WORDS_QUOTE "%.*s" CUDA_WORDS_QUOTE,
	         FINDING_WORDS_BYTES - 3, name);
	return text;
}

const char *finding_number(char text[FINDING_WORDS_BYTES], double value)
{
	double whole = (double)(uint64_t)(value + 0.5);
	double off = value > whole ? value - whole : whole - value;

	if (value >= 100 || off < 0.05)
		count_text(text, (uint64_t)(value + 0.5));
	else
		snprintf(text, FINDING_WORDS_BYTES, "%.1f", value);
	return text;
}

/* Returns the class of at least half of the misses; "" if there is none. */
static const char *class_of(const struct l1_stats_row *l)
{
	const struct {
		const char *name;
		uint64_t misses;
	} classes[] = { { ", cold", l->cold },
		        { ", coherence", l->coherence },
		        { ", capacity", l->capacity },
		        { ", conflict", l->conflict },
		        { ", sector", l->sector } };

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (2 * classes[i].misses > l->read_misses)
			return classes[i].name;
	return "";
}

const char *finding_misses(char text[FINDING_WORDS_BYTES], const struct finding_scene *s,
                           const struct l1_stats_row *row)
{
	double share = finding_ratio(row->read_misses, s->data->total.l1.read_misses);

	text[0] = '\0';
	if (row->reads &&
	    finding_ratio(row->read_misses, row->reads) < finding_limit(FINDING_LIMIT_MISS_RATE))
		snprintf(text, FINDING_WORDS_BYTES, "; %.0f%% of its reads hit",
		         100 * (1 - finding_ratio(row->read_misses, row->reads)));
	else if (share >= 0.005)
		snprintf(text, FINDING_WORDS_BYTES, "; %.0f%% of all misses%s", 100 * share,
		         class_of(row));
	return text;
}

const char *finding_sample(char text[FINDING_WORDS_BYTES], const struct finding_spot *p)
{
	const struct report_numbers *n = &p->kernel->counts;
	char counted[COUNT_TEXT_BYTES], all[COUNT_TEXT_BYTES];

	if (p->facts->space != SPACE_LOCAL || n->local_sampled >= n->local_groups)
		return "";
	snprintf(text, FINDING_WORDS_BYTES, "; seen in %s of %s groups",
	         count_text(counted, n->local_sampled), count_text(all, n->local_groups));
	return text;
}

const char *finding_others(char text[FINDING_WORDS_BYTES], uint64_t others)
{
	text[0] = '\0';
	if (others)
		snprintf(text, FINDING_WORDS_BYTES, "; the same at %" PRIu64 " other access%s",
		         others, others == 1 ? "" : "es");
	return text;
}
