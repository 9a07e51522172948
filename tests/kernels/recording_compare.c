/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recording_compare A [B] - whether two recordings hold the same launches, sites and events, with
 * addresses relative to the arguments' buffers.
 *
 * For each launch that differs, a line: KERNEL LAUNCH and the first difference. Launches that were
 * traced in neither are the same. With A alone, a line for each launch: KERNEL DOOR FATE and the
 * bytes of local memory of a work-group, where FATE is traced, lossy or the word of another fate,
 * and then, for each construct that is not recorded in a traced kernel, KERNEL "unrecorded" WHAT.
 * The reason why a kernel runs unmodified or has another door stands behind a #. Ends with 0, 1
 * when something differs, 2 when a recording cannot be read.
 */
#include "launch_items.h"

#include "err.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct pair {
	const struct recording *a, *b;
	size_t launch, other; /* of a, of b */
	bool differs;
};

static const struct kernel_table *table_of(const struct recording *r, size_t launch)
{
	return &r->kernels[r->launches[launch].kernel].table;
}

static void differ(struct pair *p, const char *what)
{
	if (!p->differs)
		printf("%s %zu %s\n", table_of(p->a, p->launch)->name, p->launch, what);
	p->differs = true;
}

static bool site_equal(const struct site *a, const struct site *b)
{
	return a->kind == b->kind && a->bytes == b->bytes && a->space == b->space &&
	       a->loop == b->loop && a->argument == b->argument && a->place.line == b->place.line &&
	       a->place.column == b->place.column && a->inlined_count == b->inlined_count;
}

static void compare_tables(struct pair *p)
{
	const struct kernel_table *a = table_of(p->a, p->launch), *b = table_of(p->b, p->other);
	char what[128];

	if (a->site_count != b->site_count || a->loop_count != b->loop_count) {
		snprintf(what, sizeof(what), "%zu sites and %zu loops, or %zu and %zu",
		         a->site_count, a->loop_count, b->site_count, b->loop_count);
		differ(p, what);
		return;
	}
	for (size_t i = 0; i < a->site_count; i++) {
		snprintf(what, sizeof(what), "site %zu is another", i);
		if (!site_equal(&a->sites[i], &b->sites[i]))
			differ(p, what);
	}
	for (size_t i = 0; i < a->loop_count; i++) {
		snprintf(what, sizeof(what), "loop %zu is another", i);
		if (a->loops[i].parent != b->loops[i].parent ||
		    a->loops[i].place.line != b->loops[i].place.line)
			differ(p, what);
	}
}

static void compare_item(struct pair *p, struct launch_items *const items[2], uint64_t group,
                         uint32_t item)
{
	const struct relative_access *a, *b;
	char what[700], first[256], second[256];
	size_t a_count, b_count, i = 0;

	a = launch_items_of(items[0], item, &a_count);
	b = launch_items_of(items[1], item, &b_count);
	while (i < a_count && i < b_count && relative_access_equal(&a[i], &b[i]))
		i++;
	if (i == a_count && i == b_count)
		return;
	relative_access_text(i < a_count ? &a[i] : NULL, first, sizeof(first));
	relative_access_text(i < b_count ? &b[i] : NULL, second, sizeof(second));
	snprintf(what, sizeof(what),
	         "group %" PRIu64 ", work-item %u, event %zu: %s, or %s (of %zu, or %zu)", group,
	         item, i, first, second, a_count, b_count);
	differ(p, what);
}

static int compare_events(struct pair *p, struct err *err)
{
	const struct recording *recordings[2] = { p->a, p->b };
	const size_t launches[2] = { p->launch, p->other };
	struct launch_items *items[2] = { NULL, NULL };
	uint64_t groups = launch_shape_group_count(&p->a->launches[p->launch].shape);
	int ret = 0;

	for (int i = 0; !ret && i < 2; i++)
		ret = launch_items_open(&items[i], recordings[i], launches[i], err);
	for (uint64_t g = 0; !ret && !p->differs && g < groups; g++) {
		for (int i = 0; !ret && i < 2; i++)
			ret = launch_items_group(items[i], g, err);
		if (!ret && launch_items_count(items[0]) != launch_items_count(items[1]))
			differ(p, "another number of work-items");
		for (uint32_t k = 0; !ret && !p->differs && k < launch_items_count(items[0]); k++)
			compare_item(p, items, g, k);
	}
	launch_items_close(items[0]);
	launch_items_close(items[1]);
	return ret;
}

static int compare_launch(struct pair *p, struct err *err)
{
	const struct recorded_launch *a = &p->a->launches[p->launch];
	const struct recorded_launch *b = &p->b->launches[p->other];

	if (memcmp(a->shape.global, b->shape.global, sizeof(a->shape.global)) != 0 ||
	    memcmp(a->shape.local, b->shape.local, sizeof(a->shape.local)) != 0 ||
	    memcmp(a->shape.offset, b->shape.offset, sizeof(a->shape.offset)) != 0)
		differ(p, "another shape");
	if (a->fate != b->fate)
		differ(p, "another fate");
	if (a->fate != LAUNCH_TRACED || p->differs)
		return 0;
	compare_tables(p);
	return p->differs ? 0 : compare_events(p, err);
}

/* The launch of `in` that is the same as `launch` of `of`: as many of its kernel before it. */
static bool partner(const struct recording *of, size_t launch, const struct recording *in,
                    size_t *found)
{
	const char *name = table_of(of, launch)->name;
	size_t nth = 0;

	for (size_t i = 0; i < launch; i++)
		nth += strcmp(table_of(of, i)->name, name) == 0;
	for (*found = 0; *found < in->launch_count; ++*found)
		if (strcmp(table_of(in, *found)->name, name) == 0 && nth-- == 0)
			return true;
	return false;
}

static int compare(struct pair *p, bool *differs, struct err *err)
{
	int ret = 0;

	for (p->launch = 0; !ret && p->launch < p->a->launch_count; p->launch++) {
		p->differs = false;
		if (partner(p->a, p->launch, p->b, &p->other))
			ret = compare_launch(p, err);
		else
			differ(p, "is in the first alone");
		*differs |= p->differs;
	}
	for (size_t i = 0; !ret && i < p->b->launch_count; i++) {
		if (partner(p->b, i, p->a, &p->other))
			continue;
		printf("%s %zu is in the second alone\n", table_of(p->b, i)->name, i);
		*differs = true;
	}
	return ret;
}

static const char *fate_word(enum launch_fate fate)
{
	static const char *const words[] = { [LAUNCH_PENDING] = "pending",
		                             [LAUNCH_TRACED] = "traced",
		                             [LAUNCH_SKIPPED] = "skipped",
		                             [LAUNCH_COUNTED] = "counted",
		                             [LAUNCH_UNSELECTED] = "unselected" };

	return words[fate];
}

static int list(const struct recording *r, struct err *err)
{
	for (size_t i = 0; i < r->launch_count; i++) {
		const struct recorded_kernel *k = &r->kernels[r->launches[i].kernel];
		const char *fate = fate_word(r->launches[i].fate);
		const char *reason = r->launches[i].reason ? r->launches[i].reason : k->reason;
		struct launch_items *items;

		if (r->launches[i].fate == LAUNCH_TRACED) {
			int ret = launch_items_open(&items, r, i, err);

			if (ret)
				return ret;
			if (!launch_items_is_whole(items))
				fate = "lossy";
			launch_items_close(items);
		}
		if (!reason && k->table.refusal)
			reason = k->table.refusal;
		printf("%s %s %s %" PRIu64 " # %s\n", kernel_table_symbol(&k->table),
		       *k->door ? k->door : "-", fate, r->launches[i].local_bytes,
		       reason ? reason : "");
		for (size_t u = 0; u < k->table.unrecorded_count; u++)
			printf("%s unrecorded %s\n", kernel_table_symbol(&k->table),
			       k->table.unrecorded[u].what);
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct recording *a = NULL, *b = NULL;
	struct err err = { 0 };
	bool differs = false;
	int ret;

	if (argc != 2 && argc != 3) {
		fprintf(stderr, "usage: recording_compare A [B]\n");
		return 2;
	}
	ret = recording_open(&a, argv[1], &err);
	if (!ret && argc == 3)
		ret = recording_open(&b, argv[2], &err);
	if (!ret && b)
		ret = compare(&(struct pair){ .a = a, .b = b }, &differs, &err);
	else if (!ret)
		ret = list(a, &err);
	recording_close(a);
	recording_close(b);
	if (ret) {
		fflush(stdout);
		fprintf(stderr, "recording_compare: %s\n", err.msg);
		return 2;
	}
	return differs;
}
