/* SPDX-License-Identifier: Apache-2.0 */
#include "ancestor.h"
#include "dump.h"
#include "err.h"

#include <inttypes.h>
#include <string.h>

/* The ancestor's file has one local size and one kernel, in its first line and its names. */
static int check_file(const struct dump *d, struct err *err)
{
	const struct recording *r = d->recording;

	for (size_t i = 0; i < d->launch; i++) {
		const struct recorded_launch *l = &r->launches[i];

		if (l->fate == LAUNCH_TRACED && l->kernel != d->facts->kernel)
			return err_set(err, ERR_UNSUPPORTED,
			               "the ancestor format holds one kernel; launches %" PRIu64
			               " and %" PRIu64 " run "
			               "%s and %s: choose one with --launch",
			               l->number, d->facts->number,
			               r->kernels[l->kernel].table.name, d->table->name);
		if (l->fate == LAUNCH_TRACED &&
		    memcmp(l->shape.local, d->facts->shape.local, sizeof(l->shape.local)) != 0)
			return err_set(err, ERR_UNSUPPORTED,
			               "the ancestor format holds one local size; launches %" PRIu64
			               " and %" PRIu64 " "
			               "differ: choose one with --launch",
			               l->number, d->facts->number);
	}
	return 0;
}

static int check_table(const struct kernel_table *t, struct err *err)
{
	size_t accesses = 0;

	if (t->loop_count > ANCESTOR_LOOPS)
		return err_set(err, ERR_UNSUPPORTED,
		               "the ancestor format holds %d loops; kernel %s has %zu",
		               ANCESTOR_LOOPS, t->name, t->loop_count);
	for (size_t i = 0; i < t->site_count; i++) {
		const struct site *s = &t->sites[i];

		if (s->kind == SITE_ATOMIC)
			return err_set(
				err, ERR_UNSUPPORTED,
				"the ancestor format holds reads and writes; site %zu of kernel "
				"%s is atomic",
				i, t->name);
		if (!site_kind_is_access(s->kind))
			continue;
		accesses++;
		if (s->loop >= 0 && t->loops[s->loop].depth > ANCESTOR_LOOP_DEPTH)
			return err_set(
				err, ERR_UNSUPPORTED,
				"the ancestor format holds %d nested loops; site %zu of kernel "
				"%s lies in %u",
				ANCESTOR_LOOP_DEPTH, i, t->name, t->loops[s->loop].depth);
	}
	if (accesses > ANCESTOR_LAST_NUMBER)
		return err_set(err, ERR_UNSUPPORTED,
		               "the ancestor format holds %d instructions; kernel %s has %zu",
		               ANCESTOR_LAST_NUMBER, t->name, accesses);
	return 0;
}

static int check_ids(const struct dump *d, struct err *err)
{
	const struct launch_shape *s = &d->facts->shape;

	for (int i = 0; i < 3; i++) {
		uint64_t last = s->offset[i] + s->global[i] - 1;

		if (last > ANCESTOR_LAST_ID || last < s->offset[i])
			return err_set(err, ERR_UNSUPPORTED,
			               "the ancestor format holds global ids to %d; launch %" PRIu64
			               " has %" PRIu64 " in dimension %d",
			               ANCESTOR_LAST_ID, d->facts->number, last, i);
	}
	return 0;
}

static int begin(struct dump *d, struct err *err)
{
	int ret = d->is_first ? 0 : check_file(d, err);

	if (!ret)
		ret = check_table(d->table, err);
	if (!ret)
		ret = check_ids(d, err);
	if (!ret && d->is_first)
		fprintf(d->out, "local size:%" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
		        d->facts->shape.local[0], d->facts->shape.local[1],
		        d->facts->shape.local[2]);
	return ret;
}

static int fill_loops(const struct access *a, struct ancestor_line *line, struct err *err)
{
	for (size_t i = 0; i < a->loop_count; i++) {
		if (a->loops[i].iteration >= ANCESTOR_LAST_ITERATION)
			return err_set(err, ERR_UNSUPPORTED,
			               "the ancestor format holds %d iterations; loop %u made more",
			               ANCESTOR_LAST_ITERATION, a->loops[i].loop);
		line->loops[i] = (uint8_t)a->loops[i].loop;
		line->iterations[i] = (uint16_t)(a->loops[i].iteration + 1);
	}
	line->loop_count = (uint8_t)a->loop_count;
	return 0;
}

static int access_line(struct dump *d, const struct access *a, struct err *err)
{
	struct ancestor_line line = { .kind = ANCESTOR_READ };
	char text[ANCESTOR_LINE_BYTES];
	int ret = 0;

	if (a->facts->kind == SITE_FENCE) {
		d->lost_fences++;
		return 0;
	}
	for (int i = 0; i < 3; i++)
		line.id[i] = (uint32_t)d->id[i];
	if (a->facts->kind == SITE_BARRIER) {
		line.kind = a->facts->space == SPACE_LOCAL ? ANCESTOR_LOCAL_BARRIER
		                                           : ANCESTOR_GLOBAL_BARRIER;
	} else {
		line.kind = a->facts->kind == SITE_READ ? ANCESTOR_READ : ANCESTOR_WRITE;
		line.number = (uint16_t)d->numbers[a->site];
		line.address = (uint32_t)a->address;
		d->lost_address_bits += a->address > UINT32_MAX;
		d->lost_sizes += a->bytes != 4;
		ret = fill_loops(a, &line, err);
	}
	if (!ret)
		fprintf(d->out, "%s\n", ancestor_print(text, &line));
	return ret;
}

static int end(struct dump *d, struct err *err)
{
	struct ancestor_line line = { .kind = ANCESTOR_END };
	char text[ANCESTOR_LINE_BYTES];

	(void)err;
	fprintf(d->out, "%s\n", ancestor_print(text, &line));
	return 0;
}

const struct dump_format dump_ancestor = { "ancestor", begin, access_line, end, NULL };
