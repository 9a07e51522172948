/* SPDX-License-Identifier: Apache-2.0 */
/*
 * instrument_cost - how long a program waits for instrumented code, cold and from the cache.
 *
 *   instrument_cost INSTRUMENTER FILE.cl...
 *
 * A line for each file, in milliseconds of the clock on the wall and of processor time, children
 * included: the medians of ROUNDS runs without the cache and of as many that find their result in
 * it. The driver's own compiler, which follows, is not in them.
 */
#include "array.h"
#include "err.h"
#include "file.h"
#include "instrument_job.h"
#include "str.h"

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 21

/* The folder of the run, and the files in it. */
struct place {
	char dir[64];
	char *output, *table, *headers, *cache;
};

/* Medians of several runs. */
struct cost {
	double wall_ms, processor_ms;
};

static double wall_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double time_ms(struct timeval t)
{
	return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3;
}

static double processor_now_ms(void)
{
	struct rusage own, children;

	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &children);
	return time_ms(own.ru_utime) + time_ms(own.ru_stime) + time_ms(children.ru_utime) +
	       time_ms(children.ru_stime);
}

static int compare(const void *a, const void *b)
{
	double x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return (x > y) - (x < y);
}

static double median(double *values)
{
	qsort(values, ROUNDS, sizeof(*values), compare);
	return values[ROUNDS / 2];
}

/* With `cache`, the first run, which fills it, does not count. */
static int measure(const struct instrument_request *r, const char *cache, struct cost *cost,
                   struct err *err)
{
	double wall[ROUNDS], processor[ROUNDS];
	int ret = strcmp(cache, "off") ? cached_instrument_run(r, cache, err) : 0;

	for (size_t i = 0; i < ROUNDS && !ret; i++) {
		double began = wall_now_ms(), used = processor_now_ms();

		ret = cached_instrument_run(r, cache, err);
		wall[i] = wall_now_ms() - began;
		processor[i] = processor_now_ms() - used;
	}
	if (!ret)
		*cost = (struct cost){ median(wall), median(processor) };
	return ret;
}

static int make_place(struct place *p, struct err *err)
{
	snprintf(p->dir, sizeof(p->dir), "/tmp/warpline-bench-XXXXXX");
	if (!mkdtemp(p->dir))
		return err_set(err, ERR_IO, "%s cannot be made", p->dir);
	p->output = file_path(p->dir, "output", err);
	p->table = file_path(p->dir, "table", err);
	p->headers = file_path(p->dir, "headers", err);
	p->cache = str_copy(p->dir, err);
	return p->output && p->table && p->headers && p->cache ? 0 : ERR_NOMEM;
}

static int remove_entry(const char *path, const struct stat *facts, int type, struct FTW *at)
{
	return remove(path);
}

static void remove_place(struct place *p)
{
	if (nftw(p->dir, remove_entry, 8, FTW_DEPTH | FTW_PHYS))
		fprintf(stderr, "instrument_cost: %s is left over\n", p->dir);
	free(p->output);
	free(p->table);
	free(p->headers);
	free(p->cache);
}

static int measure_file(const struct place *p, const char *instrumenter, const char *file,
                        struct err *err)
{
	struct instrument_part part = { .source = file, .source_name = file, .options = "" };
	const struct instrument_request r = { .instrumenter = instrumenter,
		                              .parts = &part,
		                              .part_count = 1,
		                              .output = p->output,
		                              .table = p->table,
		                              .headers = p->headers,
		                              .cl_version = "3.0",
		                              .door = "text",
		                              .records = "affine",
		                              .layout = "item" };
	struct cost cold, cached;
	int ret = measure(&r, "off", &cold, err);

	part.content[0] = (uint64_t)(uintptr_t)file; /* each file is another program */
	if (!ret)
		ret = measure(&r, p->cache, &cached, err);
	if (!ret)
		printf("%-40s cold %7.2f ms, of processors %7.2f; cached %7.3f ms, %7.3f\n", file,
		       cold.wall_ms, cold.processor_ms, cached.wall_ms, cached.processor_ms);
	return ret;
}

int main(int argc, char **argv)
{
	struct place place = { .output = NULL };
	struct err err = { 0 };
	int ret;

	if (argc < 3) {
		fprintf(stderr, "usage: instrument_cost INSTRUMENTER FILE.cl...\n");
		return 2;
	}
	ret = make_place(&place, &err);
	for (int i = 2; i < argc && !ret; i++)
		ret = measure_file(&place, argv[1], argv[i], &err);
	remove_place(&place);
	if (ret)
		fprintf(stderr, "instrument_cost: %s\n", err.msg);
	return ret != 0;
}
