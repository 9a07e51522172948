/* SPDX-License-Identifier: Apache-2.0 */
/*
 * judge - whether reports on a fault and on its cure are what they should be.
 *
 *     problems_judge RULES LINE MUST NOT WHOLE FAULT.json CURE.json DIFF.json
 *     problems_judge NOT_RULES REPORT.json
 *
 * The first form prints a line for each criterion of problems.sh, "N yes", "N - " (not asked) or
 * "N no REASON". RULES are names with commas between, LINE is the line of the source that the first
 * finding must name. MUST and NOT are words that its advice must and must not have: alternatives
 * with | between, of which one must be there, groups of these with commas between; "-": no word.
 * WHOLE is what the cost of the finding is a share of: global or local (memory's turns), or none
 * where the cure changes other things.
 *
 * The second form is for a kernel with which nothing is wrong: criteria 2 and 5 alone. NOT_RULES
 * may not find anything, others nothing notable; "-": no rule is named.
 */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double factor = 1.5, rounding = 1e-6;

static json_t *load(const char *file)
{
	json_error_t error;
	json_t *root = json_load_file(file, 0, &error);

	if (!root) {
		fprintf(stderr, "problems_judge: %s:%d: %s\n", file, error.line, error.text);
		exit(2);
	}
	return root;
}

static double number(const json_t *object, const char *name)
{
	return json_number_value(json_object_get(object, name));
}

static const char *text(const json_t *object, const char *name)
{
	const char *value = json_string_value(json_object_get(object, name));

	return value ? value : "";
}

/* Whether `word`, of `size` characters, is in `in`, in any case. */
static bool has_word(const char *in, const char *word, size_t size)
{
	for (; strlen(in) >= size; in++)
		if (!strncasecmp(in, word, size))
			return true;
	return false;
}

/* Whether one of the words between | is in `in`. `size` characters of `words` count. */
static bool has_one(const char *in, const char *words, size_t size)
{
	for (size_t at = 0; at < size;) {
		size_t length = strcspn(words + at, "|,");

		if (has_word(in, words + at, length))
			return true;
		at += length + 1;
	}
	return false;
}

/* The first group of `words` of which `in` has a word, or has none where `is_missing`; or NULL. */
static const char *group_found(const char *in, const char *words, bool is_missing)
{
	if (!strcmp(words, "-"))
		return NULL;
	for (;;) {
		size_t size = strcspn(words, ",");

		if (has_one(in, words, size) != is_missing)
			return words;
		if (!words[size])
			return NULL;
		words += size + 1;
	}
}

static bool is_listed(const char *list, const char *name)
{
	size_t size = strlen(name);

	for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',')
		if (strcspn(p, ",") == size && !strncmp(p, name, size))
			return true;
	return false;
}

static void judge_finding(char **expected, const json_t *report)
{
	const char *rules = expected[0], *must = expected[2], *not_words = expected[3];
	const json_t *first = json_array_get(json_object_get(report, "findings"), 0);
	long line = strtol(expected[1], NULL, 10);
	const char *advice = text(first, "advice"), *word;

	if (!first)
		printf("1 no nothing is found\n");
	else if (!is_listed(rules, text(first, "rule")))
		printf("1 no the first finding is %s, line %.0f\n", text(first, "rule"),
		       number(first, "line"));
	else if ((long)number(first, "line") != line)
		printf("1 no %s names line %.0f instead of %ld\n", text(first, "rule"),
		       number(first, "line"), line);
	else if ((word = group_found(advice, must, true)))
		printf("1 no the advice of %s lacks '%.*s'\n", text(first, "rule"),
		       (int)strcspn(word, ","), word);
	else if ((word = group_found(advice, not_words, false)))
		printf("1 no the advice of %s has '%.*s'\n", text(first, "rule"),
		       (int)strcspn(word, ","), word);
	else
		printf("1 yes\n");
}

/* Nothing that is more than minor, and nothing at all of `rules`. */
static void judge_quiet(const char *rules, const json_t *report)
{
	const json_t *findings = json_object_get(report, "findings");

	for (size_t i = 0; i < json_array_size(findings); i++) {
		const json_t *f = json_array_get(findings, i);
		bool is_minor = !strcmp(text(f, "severity"), "minor");

		if (is_minor && !is_listed(rules, text(f, "rule")))
			continue;
		printf("2 no false alarm: %s, %s, line %.0f\n", text(f, "severity"),
		       text(f, "rule"), number(f, "line"));
		return;
	}
	printf("2 yes\n");
}

/*
 * The headline names what changed: "makes 84.0% fewer requests", "takes 2.1 times as many cycles",
 * "has no bank conflicts where A has 96", or a verdict.
 */
static void judge_headline(const json_t *diff)
{
	const char *sentence = text(diff, "sentence");
	bool is_better = strstr(sentence, "better") || strstr(sentence, "fewer") ||
	                 strstr(sentence, " no bank conflicts where");
	bool is_worse = strstr(sentence, "worse") || strstr(sentence, "% more") ||
	                strstr(sentence, "times as many") || strstr(sentence, "where A has none");

	if (is_better && !is_worse)
		printf("3 yes\n");
	else if (!is_better && !is_worse)
		printf("3 no diff's headline sees nothing better\n");
	else
		printf("3 no diff's headline %s\n",
		       is_better ? "contradicts itself" : "says worse");
}

/* Turns of global or of local memory, as docs/findings.md counts them. */
static double turns_of(const json_t *report, const char *whole)
{
	const json_t *turns = json_object_get(report, "turns");
	const json_t *local = json_object_get(json_object_get(report, "total"), "local_memory");
	double of_local = number(local, "instructions") + number(local, "conflicts");

	if (json_is_object(turns))
		return number(turns, whole);
	return !strcmp(whole, "local") ? of_local : json_number_value(turns) - of_local;
}

static void judge_saving(const char *whole, const json_t *fault, const json_t *cure)
{
	const json_t *first = json_array_get(json_object_get(fault, "findings"), 0);
	double promised = number(first, "cost_share");
	double before, after, saved;

	if (!strcmp(whole, "none")) {
		printf("4 -\n");
		return;
	}
	before = turns_of(fault, whole);
	after = turns_of(cure, whole);
	saved = before > 0 ? 1 - after / before : 0;
	if (first && saved > 0 && promised <= saved * factor && saved <= promised * factor)
		printf("4 yes\n");
	else
		printf("4 no %.0f%% promised, %.0f%% saved\n", 100 * promised, 100 * saved);
}

/* The reason that costs exceed what they are of; "" when they do not. */
static void costs_reason(const json_t *report, const char *which, char *reason, size_t size)
{
	const json_t *findings = json_object_get(report, "findings");
	double global = 0, local = 0;

	for (size_t i = 0; i < json_array_size(findings); i++) {
		const json_t *f = json_array_get(findings, i);
		double share = number(f, "cost_share");
		const char *of = text(f, "cost_of");
		bool is_local = !strcmp(of, "local") || !strcmp(text(f, "rule"), "bank-conflict");

		if (share < 0 || share > 1 + rounding) {
			snprintf(reason, size, "%s: %s costs %.0f%%", which, text(f, "rule"),
			         100 * share);
			return;
		}
		*(is_local ? &local : &global) += share;
	}
	if (global > 1 + rounding || local > 1 + rounding)
		snprintf(reason, size, "%s: costs add up to %.0f%%", which,
		         100 * fmax(global, local));
}

static void judge_costs(const json_t *fault, const json_t *cure)
{
	char reason[256] = "";

	costs_reason(fault, "fault", reason, sizeof(reason));
	if (!*reason && cure)
		costs_reason(cure, "cure", reason, sizeof(reason));
	if (*reason)
		printf("5 no %s\n", reason);
	else
		printf("5 yes\n");
}

int main(int argc, char **argv)
{
	if (argc == 3) {
		json_t *report = load(argv[2]);

		printf("1 -\n");
		judge_quiet(argv[1], report);
		printf("3 -\n4 -\n");
		judge_costs(report, NULL);
		json_decref(report);
		return 0;
	}
	if (argc != 9) {
		fprintf(stderr, "usage: problems_judge RULES LINE MUST NOT WHOLE FAULT CURE DIFF\n"
		                "       problems_judge NOT_RULES REPORT\n");
		return 2;
	}
	json_t *fault = load(argv[6]), *cure = load(argv[7]), *diff = load(argv[8]);

	judge_finding(argv + 1, fault);
	judge_quiet("-", cure);
	judge_headline(diff);
	judge_saving(argv[5], fault, cure);
	judge_costs(fault, cure);
	json_decref(fault);
	json_decref(cure);
	json_decref(diff);
	return 0;
}
