/* SPDX-License-Identifier: Apache-2.0 */
#include "expect.h"

#include "array.h"
#include "err.h"
#include "kernel_data.h"
#include "launch_items.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 8

struct expected {
	struct relative_access access;
	struct access_loop loops[DEPTH_MAX];
};

struct expect {
	const struct kernel_run *run;
	void *data[KERNEL_ARGUMENTS_MAX]; /* first contents of buffers */
	struct array accesses;            /* struct expected */
	struct access_loop loops[DEPTH_MAX];
	size_t depth;
	struct err *err;
};

void emit(struct expect *e, enum site_kind kind, int argument, int64_t offset, int64_t bytes)
{
	struct expected *x = array_push(&e->accesses, 1, e->err);

	if (!x)
		return;
	x->access = (struct relative_access){ .kind = kind,
		                              .argument = argument,
		                              .offset = (uint64_t)offset,
		                              .bytes = (uint64_t)bytes,
		                              .loop_count = e->depth };
	memcpy(x->loops, e->loops, sizeof(x->loops));
}

void reads(struct expect *e, int argument, int64_t index, int64_t bytes)
{
	emit(e, SITE_READ, argument, index * bytes, bytes);
}

void writes(struct expect *e, int argument, int64_t index, int64_t bytes)
{
	emit(e, SITE_WRITE, argument, index * bytes, bytes);
}

void updates(struct expect *e, int argument, int64_t index, int64_t bytes)
{
	emit(e, SITE_ATOMIC, argument, index * bytes, bytes);
}

void changes(struct expect *e, int argument, int64_t index, int64_t bytes)
{
	reads(e, argument, index, bytes);
	writes(e, argument, index, bytes);
}

void meets(struct expect *e)
{
	emit(e, SITE_BARRIER, -1, 0, 0);
}

int64_t value(const struct expect *e, int argument, int64_t index)
{
	return kernel_data_integer(e->data[argument], e->run->arguments[argument].type,
	                           (size_t)index);
}

int64_t number(const struct expect *e, int argument)
{
	return (int64_t)e->run->arguments[argument].number;
}

void loop_enter(struct expect *e)
{
	if (e->depth < DEPTH_MAX)
		e->loops[e->depth++] = (struct access_loop){ 0, 0 };
}

void loop_next(struct expect *e)
{
	e->loops[e->depth - 1].iteration++;
}

void loop_leave(struct expect *e)
{
	e->depth--;
}

/* The recorded access as it is expected: numbers of sites and loops are not. */
static bool fits(const struct expected *x, const struct relative_access *got)
{
	const struct relative_access *want = &x->access;

	if (want->kind != got->kind || want->argument != got->argument ||
	    want->offset != got->offset || want->bytes != got->bytes ||
	    want->loop_count != got->loop_count)
		return false;
	for (size_t i = 0; i < want->loop_count; i++)
		if (x->loops[i].iteration != got->loops[i].iteration)
			return false;
	return true;
}

static void make_work_item(struct work_item *w, const struct recorded_launch *launch, uint64_t g,
                           uint32_t item)
{
	uint32_t size[3];
	uint64_t id[3], nx = launch_shape_groups(&launch->shape, 0),
			ny = launch_shape_groups(&launch->shape, 1);

	launch_shape_group_size(&launch->shape, g, size);
	launch_shape_global_id(&launch->shape, g, item, id);
	*w = (struct work_item){
		.local = { item % size[0], item / size[0] % size[1], item / size[0] / size[1] },
		.group = { (int64_t)(g % nx), (int64_t)(g / nx % ny), (int64_t)(g / nx / ny) }
	};
	for (int d = 0; d < 3; d++) {
		w->id[d] = (int64_t)id[d];
		w->size[d] = (int64_t)launch->shape.global[d];
	}
}

/* Compare one work-item; prints the first difference. */
static bool item_fits(struct expect *e, const struct launch_items *items, uint32_t item)
{
	const struct expected *want = e->accesses.data;
	struct relative_access shown;
	char first[256], second[256];
	size_t count, i = 0;
	const struct relative_access *got = launch_items_of(items, item, &count);

	while (i < count && i < e->accesses.count && fits(&want[i], &got[i]))
		i++;
	if (i == count && i == e->accesses.count)
		return true;
	relative_access_text(i < count ? &got[i] : NULL, first, sizeof(first));
	if (i < e->accesses.count) {
		shown = want[i].access;
		shown.loops = want[i].loops;
	}
	relative_access_text(i < e->accesses.count ? &shown : NULL, second, sizeof(second));
	printf("%s work-item %u, event %zu: %s; expected (numbers of site and loops apart): %s\n",
	       e->run->kernel, item, i, first, second);
	return false;
}

static int check_groups(struct expect *e, const struct expectation *x, struct launch_items *items,
                        const struct recorded_launch *launch, bool *differs)
{
	uint64_t groups = launch_shape_group_count(&launch->shape);
	struct work_item w;
	int ret = 0;

	for (uint64_t g = 0; !ret && !*differs && g < groups; g++) {
		ret = launch_items_group(items, g, e->err);
		for (uint32_t i = 0; !ret && !*differs && i < launch_items_count(items); i++) {
			array_clear(&e->accesses);
			e->depth = 0;
			make_work_item(&w, launch, g, i);
			x->compute(e, &w);
			*differs = !item_fits(e, items, i);
		}
	}
	return ret;
}

static int check_launch(const struct recording *r, size_t launch, const struct kernel_run *run,
                        bool *differs, struct err *err)
{
	const struct expectation *x = expectations;
	struct expect e = { .run = run, .err = err };
	struct launch_items *items = NULL;
	size_t bytes;
	int ret;

	while (x->kernel && strcmp(x->kernel, run->kernel) != 0)
		x++;
	if (!x->kernel)
		return 0;
	array_init(&e.accesses, sizeof(struct expected), 1 << 20, "expected accesses");
	for (unsigned i = 0; i < run->argument_count; i++)
		if (run->arguments[i].form == ARGUMENT_BUFFER)
			e.data[i] = kernel_data_make(run, i, &bytes);
	ret = launch_items_open(&items, r, launch, err);
	if (!ret)
		ret = check_groups(&e, x, items, &r->launches[launch], differs);
	launch_items_close(items);
	array_release(&e.accesses);
	for (unsigned i = 0; i < run->argument_count; i++)
		free(e.data[i]);
	return ret;
}

/* Launches are the runs in their order, but for those that were left out. */
static int check(const struct recording *r, const struct kernel_lines *lines, bool *differs,
                 struct err *err)
{
	size_t at = 0;
	int ret = 0;

	for (size_t i = 0; !ret && i < lines->run_count; i++) {
		const char *name = lines->runs[i].kernel;
		bool launch_differs = false;

		if (at == r->launch_count ||
		    strcmp(r->kernels[r->launches[at].kernel].table.name, name) != 0)
			continue;
		if (r->launches[at].fate == LAUNCH_TRACED)
			ret = check_launch(r, at, &lines->runs[i], &launch_differs, err);
		*differs |= launch_differs;
		at++;
	}
	if (!ret && at < r->launch_count) {
		printf("- launch %zu is none of the file's runs\n", at);
		*differs = true;
	}
	return ret;
}

int main(int argc, char **argv)
{
	struct kernel_lines lines = { 0 };
	struct recording *r = NULL;
	struct err err = { 0 };
	bool differs = false;
	int ret;

	if (argc != 3) {
		fprintf(stderr, "usage: %s RECORDING SOURCE.cl\n", argv[0]);
		return 2;
	}
	ret = recording_open(&r, argv[1], &err);
	if (!ret && kernel_lines_read(&lines, argv[2], err.msg, sizeof(err.msg)) != 0)
		ret = ERR_IO;
	if (!ret)
		ret = check(r, &lines, &differs, &err);
	if (!ret && err.code)
		ret = err.code;
	recording_close(r);
	kernel_lines_release(&lines);
	if (ret)
		fprintf(stderr, "%s: %s\n", argv[0], err.msg);
	return ret ? 2 : differs;
}
