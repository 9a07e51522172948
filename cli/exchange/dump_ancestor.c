/* SPDX-License-Identifier: Apache-2.0 */
#include "ancestor.h"
#include "array.h"
#include "dump.h"
#include "err.h"
#include "say.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The dump, and the current launch. */
struct ancestor_dump {
	struct dump *dump;
	const struct recorded_launch *first; /* first launch of the file */
	uint32_t *numbers; /* per site: its number among those that access memory, from 1 */
};

/* Check that the launches have one local size and one kernel, which the file has in its first line
 * and its names. */
static int check_file(const struct ancestor_dump *x, const struct access_walk *w, struct err *err)
{
	const struct recorded_kernel *kernels = w->launches.recording->kernels;
	const struct recorded_launch *first = x->first, *now = w->launch;

	if (first->kernel != now->kernel)
		return err_set(err, ERR_UNSUPPORTED,
		               "the ancestor format holds one kernel; launches %" PRIu64
		               " and %" PRIu64 " run %s and %s: choose one with --launch",
		               first->number, now->number, kernels[first->kernel].table.name,
		               w->table->name);
	if (memcmp(first->shape.local, now->shape.local, sizeof(now->shape.local)) != 0)
		return err_set(err, ERR_UNSUPPORTED,
		               "the ancestor format holds one local size; launches %" PRIu64
		               " and %" PRIu64 " differ: choose one with --launch",
		               first->number, now->number);
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

static int check_ids(const struct recorded_launch *l, struct err *err)
{
	const struct launch_shape *s = &l->shape;

	for (int i = 0; i < 3; i++) {
		uint64_t last = s->offset[i] + s->global[i] - 1;

		if (last > ANCESTOR_LAST_ID || last < s->offset[i])
			return err_set(err, ERR_UNSUPPORTED,
			               "the ancestor format holds global ids to %d; launch %" PRIu64
			               " has %" PRIu64 " in dimension %d",
			               ANCESTOR_LAST_ID, l->number, last, i);
	}
	return 0;
}

static int number_sites(struct ancestor_dump *x, const struct kernel_table *t, struct err *err)
{
	uint32_t number = 0;

	free(x->numbers);
	x->numbers = array_alloc(t->site_count, sizeof(*x->numbers), "sites", err);
	if (!x->numbers)
		return ERR_NOMEM;
	for (size_t i = 0; i < t->site_count; i++) {
		number += site_kind_is_access(t->sites[i].kind);
		x->numbers[i] = number;
	}
	return 0;
}

static int begin(void *context, const struct access_walk *w, struct err *err)
{
	struct ancestor_dump *x = context;
	const uint64_t *local = w->launch->shape.local;
	int ret = x->first ? check_file(x, w, err) : 0;

	if (!ret)
		ret = check_table(w->table, err);
	if (!ret)
		ret = check_ids(w->launch, err);
	if (!ret)
		ret = number_sites(x, w->table, err);
	if (!ret && !x->first)
		fprintf(x->dump->out, "local size:%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", local[0],
		        local[1], local[2]);
	if (!x->first)
		x->first = w->launch;
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

static int access_line(void *context, const struct access_walk *w, const struct access *a,
                       struct err *err)
{
	const struct ancestor_dump *x = context;
	struct ancestor_line line = { .kind = ANCESTOR_READ };
	char text[ANCESTOR_LINE_BYTES];
	int ret = 0;

	if (a->facts->kind == SITE_FENCE) {
		x->dump->lost_fences++;
		return 0;
	}
	for (int i = 0; i < 3; i++)
		line.id[i] = (uint32_t)w->id[i];
	if (a->facts->kind == SITE_BARRIER) {
		line.kind = a->facts->space == SPACE_LOCAL ? ANCESTOR_LOCAL_BARRIER
		                                           : ANCESTOR_GLOBAL_BARRIER;
	} else {
		line.kind = a->facts->kind == SITE_READ ? ANCESTOR_READ : ANCESTOR_WRITE;
		line.number = (uint16_t)x->numbers[a->site];
		line.address = (uint32_t)a->address;
		x->dump->lost_address_bits += a->address > UINT32_MAX;
		x->dump->lost_sizes += a->bytes != 4;
		ret = fill_loops(a, &line, err);
	}
	if (!ret)
		fprintf(x->dump->out, "%s\n", ancestor_print(text, &line));
	return ret;
}

static int end(void *context, const struct access_walk *w, struct err *err)
{
	const struct ancestor_dump *x = context;
	struct ancestor_line line = { .kind = ANCESTOR_END };
	char text[ANCESTOR_LINE_BYTES];

	(void)w;
	(void)err;
	fprintf(x->dump->out, "%s\n", ancestor_print(text, &line));
	return 0;
}

int dump_ancestor_write(struct dump *d, struct err *err)
{
	struct ancestor_dump x = { .dump = d };
	const struct access_visitor visitor = {
		.context = &x, .begin = begin, .access = access_line, .end = end
	};
	int ret = access_walk_run(&d->walk, &visitor, err);

	free(x.numbers);
	return ret;
}

void dump_ancestor_say_losses(const struct dump *d, const char *command)
{
	if (d->lost_address_bits)
		say_line(command,
		         "the ancestor format holds 32 address bits: %" PRIu64
		         " addresses lost their high bits",
		         d->lost_address_bits);
	if (d->lost_sizes)
		say_line(command,
		         "the ancestor format holds no sizes: %" PRIu64
		         " accesses are not of 4 bytes",
		         d->lost_sizes);
	if (d->lost_fences)
		say_line(command, "the ancestor format holds no fences: %" PRIu64 " were left out",
		         d->lost_fences);
}
