/* SPDX-License-Identifier: Apache-2.0 */
/*
 * judge - whether reports on a fault and on its cure are what they should be.
 *
 *     problems_judge RULES LINE MUST NOT SAVING FAULT.json CURE.json DIFF.json
 *     problems_judge NOT_RULES REPORT.json
 *
 * The first form prints a line for each criterion of problems.sh, "N yes", "N - " (not asked) or
 * "N no REASON". RULES are names with commas between, LINE is the line of the source that the first
 * finding must name (0: none). MUST and NOT are words that its advice must and must not have:
 * alternatives with | between, of which one must be there, groups of these with commas between;
 * "-": no word. SAVING is yes, or no where the cure saves no turns and criterion 4 is not asked.
 *
 * The second form is for a kernel with which nothing is wrong: criteria 2 and 5 alone. NOT_RULES
 * may not find anything, others nothing notable; "-": no rule is named.
 */
#include <jansson.h>
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

/* All turns of what a cost is a share of (docs/findings.md): of global memory, or of local memory
 * too. */
static double turns_of(const json_t *report, const char *whole)
{
	return number(report, "turns") +
	       (strcmp(whole, "global_memory") != 0 ? number(report, "local_turns") : 0);
}

static void judge_saving(bool is_asked, const json_t *fault, const json_t *cure)
{
	const json_t *first = json_array_get(json_object_get(fault, "findings"), 0);
	const char *whole = first ? text(first, "cost_of") : "";
	double promised = first ? number(first, "cost_share") : 0;
	double before = turns_of(fault, whole), after = turns_of(cure, whole);
	double saved = before > 0 ? 1 - after / before : 0;

	if (!is_asked)
		printf("4 -\n");
	else if (saved > 0 && promised <= saved * factor && saved <= promised * factor)
		printf("4 yes\n");
	else
		printf("4 no %.0f%% promised, %.0f%% saved\n", 100 * promised, 100 * saved);
}

/* Why costs exceed what they are of, or that nothing of the kind is so: "". */
static void costs_reason(const json_t *report, const char *which, char *reason, size_t size)
{
	static const char *const wholes[] = { "", "global_memory", "memory", "sms" };
	double sum[sizeof(wholes) / sizeof(wholes[0])] = { 0 };
	const json_t *findings = json_object_get(report, "findings");

	for (size_t i = 0; i < json_array_size(findings); i++) {
		const json_t *f = json_array_get(findings, i);
		double share = number(f, "cost_share");

		if (share < 0)
			snprintf(reason, size, "%s: %s costs less than nothing", which,
			         text(f, "rule"));
		for (size_t w = 0; w < sizeof(wholes) / sizeof(wholes[0]); w++) {
			if (strcmp(text(f, "cost_of"), wholes[w]) != 0)
				continue;
			sum[w] += share;
			if (sum[w] > 1 + rounding)
				snprintf(reason, size, "%s: costs add up to %.0f%%", which,
				         100 * sum[w]);
		}
	}
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
		fprintf(stderr, "usage: problems_judge RULES LINE MUST NOT SAVING FAULT CURE DIFF\n"
		                "       problems_judge NOT_RULES REPORT\n");
		return 2;
	}
	json_t *fault = load(argv[6]), *cure = load(argv[7]), *diff = load(argv[8]);

	judge_finding(argv + 1, fault);
	judge_quiet("-", cure);
	judge_headline(diff);
	judge_saving(!strcmp(argv[5], "yes"), fault, cure);
	judge_costs(fault, cure);
	json_decref(fault);
	json_decref(cure);
	json_decref(diff);
	return 0;
}
