/* SPDX-License-Identifier: Apache-2.0 */
#include "access.h"
#include "ancestor_trace.h"
#include "err.h"
#include "file.h"

#include "cmocka_all.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_LIMIT = 4096 };

static char path[64];

static int make_path(void **state)
{
	(void)state;
	snprintf(path, sizeof(path), "/tmp/warpline-ancestor-%ld", (long)getpid());
	return 0;
}

static int remove_path(void **state)
{
	(void)state;
	unlink(path);
	return 0;
}

/* What one event means, as a line of the file. */
static void print_back(FILE *out, const struct ancestor_kernel *k, const struct access *a,
                       const uint64_t id[3])
{
	struct ancestor_line line = { 0 };
	char text[ANCESTOR_LINE_BYTES];

	for (int d = 0; d < 3; d++)
		line.id[d] = (uint32_t)id[d];
	if (a->facts->kind == SITE_BARRIER) {
		line.kind = a->facts->space == 3 ? ANCESTOR_LOCAL_BARRIER : ANCESTOR_GLOBAL_BARRIER;
	} else {
		line.kind = a->facts->kind == SITE_READ ? ANCESTOR_READ : ANCESTOR_WRITE;
		line.address = (uint32_t)a->address;
		for (line.number = 1; k->sites[line.number] != a->site;)
			line.number++;
		line.loop_count = (uint8_t)a->loop_count;
		for (size_t i = 0; i < a->loop_count; i++) {
			line.loops[i] = (uint8_t)a->loops[i].loop;
			line.iterations[i] = (uint16_t)(a->loops[i].iteration + 1);
		}
	}
	fprintf(out, "%s\n", ancestor_print(text, &line));
}

static int print_group(FILE *out, const struct ancestor_kernel *k,
                       const struct ancestor_execution *x, uint64_t group,
                       const struct group_events *g)
{
	struct access_decoder *d = NULL;
	struct err err = { 0 };
	struct access a;
	uint64_t id[3];
	int ret = access_decoder_create(&d, &k->table, &err);

	for (uint32_t item = 0; !ret && item < g->item_count; item++) {
		access_decoder_begin(d);
		launch_shape_global_id(&x->shape, group, item, id);
		for (uint64_t i = g->first[item]; i < g->first[item + 1]; i++) {
			if (access_decoder_take(d, &g->events[i], &a, &err) == 1)
				print_back(out, k, &a, id);
		}
	}
	access_decoder_free(d);
	return ret;
}

static int print_executions(FILE *out, const struct ancestor_trace *trace,
                            const struct ancestor_kernel *k, struct err *err)
{
	const struct ancestor_execution *x = trace->executions.data;
	struct ancestor_events events;
	struct group_events g;
	int ret = 0;

	ancestor_events_init(&events, trace, k);
	for (size_t i = 0; !ret && i < trace->executions.count; i++) {
		size_t next = x[i].first;

		for (uint64_t n = 0; !ret && n < launch_shape_group_count(&x[i].shape); n++) {
			ret = ancestor_events_group(&events, &x[i], n, &next, &g, err);
			if (!ret)
				ret = print_group(out, k, &x[i], n, &g);
		}
		if (!ret)
			assert_int_equal(next, x[i].first + x[i].count);
		fprintf(out, "-\n");
	}
	ancestor_events_release(&events);
	return ret;
}

/* Read, infer and make the events of `text`; then print them as lines again, into `out`. */
static int round_trip(const char *text, FILE *out, struct err *err)
{
	struct ancestor_kernel *k = calloc(1, sizeof(*k));
	struct ancestor_trace trace = { 0 };
	int ret = file_write(path, text, strlen(text), err);

	if (!ret)
		ret = ancestor_trace_read(&trace, path, err);
	if (!ret)
		ret = ancestor_kernel_infer(k, &trace, err);
	if (!ret)
		ret = print_executions(out, &trace, k, err);
	ancestor_kernel_release(k);
	ancestor_trace_release(&trace);
	free(k);
	return ret;
}

/* A random program of at most three nested loops, run by some work-items. */
struct program {
	uint64_t seed;
	FILE *out;
	int loops, numbers;
	int first_number[ANCESTOR_LOOPS], child[ANCESTOR_LOOPS][2], tail_number[ANCESTOR_LOOPS];
};

static uint32_t random_below(struct program *p, uint32_t limit)
{
	p->seed = p->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(p->seed >> 33) % limit;
}

/* Numbers in order of the text: an access, the loops inside, an access behind them. */
static int make_loop(struct program *p, int depth)
{
	int self = p->loops++;

	p->first_number[self] = ++p->numbers;
	for (int i = 0; i < 2; i++)
		p->child[self][i] = depth < 3 && p->loops < 14 && random_below(p, 3)
		                            ? make_loop(p, depth + 1)
		                            : -1;
	p->tail_number[self] = ++p->numbers;
	return self;
}

static void access_line(struct program *p, int number, const struct ancestor_line *where)
{
	struct ancestor_line line = *where;
	char text[ANCESTOR_LINE_BYTES];

	line.kind = number % 3 ? ANCESTOR_READ : ANCESTOR_WRITE;
	line.number = (uint16_t)number;
	line.address = random_below(p, 1 << 20);
	fprintf(p->out, "%s\n", ancestor_print(text, &line));
}

static void barrier_line(struct program *p, const struct ancestor_line *where)
{
	struct ancestor_line line = { .kind = random_below(p, 2) ? ANCESTOR_LOCAL_BARRIER
		                                                 : ANCESTOR_GLOBAL_BARRIER };
	char text[ANCESTOR_LINE_BYTES];

	memcpy(line.id, where->id, sizeof(line.id));
	fprintf(p->out, "%s\n", ancestor_print(text, &line));
}

static void run_loop(struct program *p, int loop, struct ancestor_line where)
{
	uint32_t rounds = random_below(p, 4);
	int level = where.loop_count++;

	where.loops[level] = (uint8_t)loop;
	for (uint32_t i = 1; i <= rounds; i++) {
		where.iterations[level] = (uint16_t)i;
		if (random_below(p, 4))
			access_line(p, p->first_number[loop], &where);
		while (!random_below(p, 4))
			barrier_line(p, &where);
		for (int k = 0; k < 2; k++) {
			if (p->child[loop][k] >= 0)
				run_loop(p, p->child[loop][k], where);
		}
		if (random_below(p, 2))
			access_line(p, p->tail_number[loop], &where);
	}
}

/* Groups of 2x2x1, so that the linear order is not that of the ids. */
static void run_program(struct program *p)
{
	fprintf(p->out, "local size:2 2 1\n");
	for (int execution = 0; execution < 2; execution++) {
		for (uint32_t item = 0; item < 16; item++) {
			struct ancestor_line where = { .id = { item % 4, item / 4, 0 } };

			while (!random_below(p, 4))
				barrier_line(p, &where);
			run_loop(p, 0, where);
		}
		fprintf(p->out, "-\n");
	}
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines of one work-item in order, work-items by id: the order that the format keeps. */
static void canonical(char *text, char **sorted, size_t *count)
{
	char *rest = text, *line;
	int execution = 0;
	size_t sequence = 0;

	*count = 0;
	while ((line = strsep(&rest, "\n"))) {
		char *ids = strchr(line, '|');

		execution += *line == '-';
		if (!ids || *line == '-')
			continue;
		assert_true(*count < LINE_LIMIT);
		assert_true(asprintf(&sorted[(*count)++], "%d %.*s %06zu %s", execution,
		                     (int)strcspn(ids + 1, "|"), ids + 1, sequence++, line) > 0);
	}
	qsort(sorted, *count, sizeof(*sorted), compare_lines);
}

static void assert_same_lines(char *want, char *got)
{
	static char *a[LINE_LIMIT], *b[LINE_LIMIT];
	size_t a_count, b_count;

	canonical(want, a, &a_count);
	canonical(got, b, &b_count);
	assert_int_equal(a_count, b_count);
	for (size_t i = 0; i < a_count; i++) {
		/* Behind the sequence number, which differs: the line itself. */
		assert_string_equal(strrchr(a[i], ' '), strrchr(b[i], ' '));
		free(a[i]);
		free(b[i]);
	}
}

static void random_programs_survive(void **state)
{
	size_t bytes = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct program p = { .seed = seed };
		char *text = NULL, *back = NULL;
		size_t length, back_length;
		struct err err = { 0 };
		FILE *out;

		p.out = open_memstream(&text, &length);
		make_loop(&p, 1);
		run_program(&p);
		fclose(p.out);
		out = open_memstream(&back, &back_length);
		if (round_trip(text, out, &err))
			fail_msg("seed %" PRIu64 ": %s", seed, err.msg);
		fclose(out);
		bytes += length;
		assert_same_lines(text, back);
		free(text);
		free(back);
	}
	print_message("seeds 1..200, %zu bytes\n", bytes);
}

#define ITEM0 "|0x0|"

static void contradictions_are_refused(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "", ":1: expected 'local size:X Y Z' with sizes from 1" },
		{ "local size:4 1\n", ":1: expected 'local size:X Y Z' with sizes from 1" },
		{ "local size:4 0 1\n", ":1: expected 'local size:X Y Z' with sizes from 1" },
		{ "local size:4 1 1 1\n", ":1: expected 'local size:X Y Z' with sizes from 1" },
		{ "local size:4 1 1\nhello\n", ":2: expected three hexadecimal numbers with '|' "
		                               "between them, or a line of hyphens" },
		/* M1 read, then M1 written */
		{ "local size:1 1 1\n0xF0000319" ITEM0 "0x0\n0xA0000319|0x1|0x0\n",
		  ":3: M1: expected a read or a write as in line 2" },
		/* M1 outside, then M1 in loop 0 */
		{ "local size:1 1 1\n0xF0000319" ITEM0 "0x0\n0xF0000319|0x1|0x10000000000\n",
		  ":3: M1: expected the same loops as in line 2" },
		/* loop 1 alone, then M2 in loop 1 in loop 0 */
		{ "local size:1 1 1\n0xF0000319" ITEM0 "0x100010000000000\n"
		  "0xF000031A|0x1|0x11000100000\n",
		  ":3: M2: expected the same nesting of loops as in line 2" },
		/* M2 then M1 outside loops */
		{ "local size:1 1 1\n0xF000031A" ITEM0 "0x0\n0xF0000319" ITEM0 "0x0\n",
		  ":3: M1: expected a later instruction or iteration than M2 of the same work-item "
		  "in "
		  "line 2" },
		/* iteration 2, then 1 */
		{ "local size:1 1 1\n0xF0000319" ITEM0 "0x20000000000\n0xF000031A" ITEM0
		  "0x10000000000\n",
		  ":3: M2: expected a later instruction or iteration than M1 of the same work-item "
		  "in "
		  "line 2" },
		/* 2^20 ids in two dimensions */
		{ "local size:1 1 1\n0xF0000319|0xFFFFFFFFFF|0x0\n",
		  ":2: the ids make a launch of more than 67108864 work-items" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = { 0 };
		char *back = NULL, want[256];
		size_t length;
		FILE *out = open_memstream(&back, &length);

		assert_true(round_trip(cases[i].text, out, &err) < 0);
		fclose(out);
		free(back);
		snprintf(want, sizeof(want), "%s%s", path, cases[i].message);
		assert_string_equal(err.msg, want);
	}
}

static void an_execution_without_lines_is_one_group(void **state)
{
	struct ancestor_trace trace = { 0 };
	const struct ancestor_execution *x;
	struct err err = { 0 };
	const char *text = "local size:4 2 1\r\n\n---\n0xF0000319|0x300005|0x0\n";

	(void)state;
	assert_int_equal(file_write(path, text, strlen(text), &err), 0);
	assert_int_equal(ancestor_trace_read(&trace, path, &err), 0);
	assert_int_equal(trace.executions.count, 2);
	x = trace.executions.data;
	assert_int_equal(x[0].count, 0);
	assert_int_equal(x[0].shape.global[0], 4);
	assert_int_equal(x[0].shape.global[1], 2);
	/* x = 5, y = 3: groups 0..1 of 4 in x, 0..1 of 2 in y, so 8 x 4; the last line needs no
	 * hyphens behind it */
	assert_int_equal(x[1].count, 1);
	assert_int_equal(x[1].shape.global[0], 8);
	assert_int_equal(x[1].shape.global[1], 4);
	assert_int_equal(x[1].shape.dimensions, 2);
	ancestor_trace_release(&trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_programs_survive),
		cmocka_unit_test(contradictions_are_refused),
		cmocka_unit_test(an_execution_without_lines_is_one_group),
	};

	return cmocka_run_group_tests(tests, make_path, remove_path);
}
