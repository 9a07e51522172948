/* SPDX-License-Identifier: Apache-2.0 */
#include "query_regex.h"

#include "err.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A group, or the whole expression. */
struct regex_group {
	uint64_t size; /* size so far */
	uint64_t last; /* size of what a following repetition repeats */
};

struct regex_scan {
	const char *at;
	struct regex_group groups[QUERY_REGEX_DEPTH + 1];
	uint32_t depth;
	bool is_repeated; /* the last item was a repetition */
};

static void add(struct regex_scan *s, uint64_t size)
{
	s->groups[s->depth].size += size;
	s->groups[s->depth].last = size;
}

/* Repeat the last item that many times. */
static void repeat(struct regex_scan *s, uint64_t times)
{
	struct regex_group *g = &s->groups[s->depth];

	g->size += g->last * (times - 1);
	g->last *= times;
}

/* Returns the most repetitions of {n}, {n,} and {n,m}; `at` is at the brace, and then at its end.
 */
static uint64_t read_times(struct regex_scan *s)
{
	uint64_t numbers[2] = { 0, 0 };
	bool is_second = false;

	for (s->at++; *s->at && *s->at != '}'; s->at++) {
		uint64_t *n = &numbers[is_second];

		if (*s->at >= '0' && *s->at <= '9')
			*n = *n > QUERY_REGEX_SIZE ? *n : *n * 10 + (uint64_t)(*s->at - '0');
		else
			is_second = true;
	}
	/* {n,} is n items and one that repeats */
	numbers[0] += is_second;
	if (numbers[1] > numbers[0])
		numbers[0] = numbers[1];
	return numbers[0] ? numbers[0] : 1;
}

/* Skip from [ to its ]; it matches one letter. After [ or [^, and in [:alpha:], ] does not end it.
 */
static void skip_bracket(struct regex_scan *s)
{
	s->at += s->at[1] == '^' ? 2 : 1;
	s->at += *s->at == ']';
	for (; *s->at && *s->at != ']'; s->at++) {
		char kind = s->at[1];

		if (*s->at != '[' || (kind != ':' && kind != '.' && kind != '='))
			continue;
		for (s->at += 2; *s->at && !(s->at[0] == kind && s->at[1] == ']');)
			s->at++;
		s->at += *s->at != '\0';
		if (!*s->at)
			return;
	}
}

static void scan_letter(struct regex_scan *s)
{
	uint64_t inner;

	switch (*s->at) {
	case '(':
		s->groups[++s->depth] = (struct regex_group){ 0, 0 };
		break;
	case ')':
		inner = s->groups[s->depth].size + 1;
		s->depth -= s->depth > 0;
		add(s, inner);
		break;
	case '+':
		repeat(s, 2);
		break;
	case '{':
		repeat(s, read_times(s));
		break;
	case '[':
		skip_bracket(s);
		add(s, 1);
		break;
	case '*':
	case '?':
		s->groups[s->depth].size++;
		s->groups[s->depth].last++;
		break;
	default:
		add(s, 1);
		break;
	}
}

static bool is_repetition(char c)
{
	return c == '*' || c == '+' || c == '?' || c == '{';
}

int query_regex_check(const char *text, struct err *err)
{
	struct regex_scan s = { .at = text };

	if (strlen(text) > QUERY_REGEX_BYTES)
		return err_set(err, ERR_USAGE, "a regular expression is longer than %d bytes",
		               QUERY_REGEX_BYTES);
	for (; *s.at; s.at += *s.at != '\0') {
		if (*s.at == '\\' && s.at[1] >= '1' && s.at[1] <= '9')
			return err_set(err, ERR_USAGE,
			               "POSIX extended regular expressions have no back "
			               "references: \\%c",
			               s.at[1]);
		if (*s.at == '(' && s.depth == QUERY_REGEX_DEPTH)
			return err_set(
				err, ERR_USAGE,
				"a regular expression has more than %d groups in one another",
				QUERY_REGEX_DEPTH);
		if (is_repetition(*s.at) && s.is_repeated)
			return err_set(
				err, ERR_USAGE,
				"a regular expression repeats a repetition, which POSIX does "
				"not define: put the inner one in parentheses");
		s.is_repeated = is_repetition(*s.at);
		if (*s.at == '\\') {
			s.at += s.at[1] != '\0';
			add(&s, 1);
		} else {
			scan_letter(&s);
		}
		if (s.groups[s.depth].size > QUERY_REGEX_SIZE)
			return err_set(err, ERR_USAGE,
			               "a regular expression stands for more than %d letters when "
			               "what + and {counts} repeat is written out",
			               QUERY_REGEX_SIZE);
	}
	return 0;
}
