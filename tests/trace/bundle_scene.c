/* SPDX-License-Identifier: Apache-2.0 */
#include "bundle_scene.h"

#include "cmocka_all.h"

#include "err.h"
#include "launch_reader.h"
#include "trace_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char word[] = "app", empty[] = "", selected[] = "0..3";

void bundle_scene_path(const struct bundle_scene *s, const char *name, char to[256])
{
	snprintf(to, 256, "%s/%s", s->dir, name);
}

static void make_tables(struct bundle_scene *s)
{
	for (int k = 0; k < BUNDLE_KERNELS; k++) {
		char name[16];

		random_table(&s->random, &s->tables[k]);
		snprintf(name, sizeof(name), "k%d", k);
		free(s->tables[k].name);
		s->tables[k].name = strdup(name);
		while (s->tables[k].unrecorded_count) {
			struct unrecorded *u =
				&s->tables[k].unrecorded[--s->tables[k].unrecorded_count];

			free(u->what);
			free(u->place.file);
		}
		random_shape(&s->random, &s->shapes[k], 4);
	}
}

/* Another kernel that only counts, with that many sites. */
static void use_sites(struct kernel_table *t, size_t sites)
{
	kernel_table_release(t);
	*t = (struct kernel_table){ .name = strdup("k2"), .site_count = sites };
	t->sites = calloc(sites, sizeof(*t->sites));
	for (size_t i = 0; i < sites; i++)
		t->sites[i] = (struct site){
			.kind = SITE_READ, .bytes = 4, .space = 1, .loop = -1, .argument = -1
		};
}

static void begin(struct bundle_scene *s, struct recording_writer **w, const char *dir)
{
	char *command[] = { word, NULL };
	const struct recorded_device device = { word, word, word, word, word, 64 };
	const struct recorded_program program = { .options = empty, .origin = word };
	const struct recorded_buffer buffer = { 1 << 20, 0, -1, 0, 0 };
	uint32_t id;

	assert_int_equal(recording_writer_create(w, dir, "t", command, NULL), 0);
	assert_int_equal(recording_writer_device(*w, &device, &id, NULL), 0);
	assert_int_equal(recording_writer_program(*w, &program, NULL, 0, &id, NULL), 0);
	for (int i = 0; i < BUNDLE_BUFFERS; i++)
		assert_int_equal(recording_writer_buffer(*w, &buffer, &id, NULL), 0);
	for (int k = 0; k < BUNDLE_KERNELS; k++) {
		const struct recorded_kernel kernel = { .door = word, .table = s->tables[k] };

		assert_int_equal(recording_writer_kernel(*w, &kernel, &id, NULL), 0);
	}
}

void bundle_scene_make_with(struct bundle_scene *s, uint64_t seed, size_t sites)
{
	*s = (struct bundle_scene){ .random = { seed } };
	scratch_make(&s->scratch);
	snprintf(s->dir, sizeof(s->dir), "%s", scratch_path(&s->scratch, "rec"));
	make_tables(s);
	if (sites)
		use_sites(&s->tables[BUNDLE_COUNTING], sites);
	s->launches = calloc(MOST, sizeof(*s->launches));
	begin(s, &s->w, s->dir);
}

void bundle_scene_make(struct bundle_scene *s, uint64_t seed)
{
	bundle_scene_make_with(s, seed, 0);
}

void bundle_scene_free(struct bundle_scene *s)
{
	recording_writer_close(s->w);
	for (size_t i = 0; i < s->count; i++) {
		struct bundle_made *m = &s->launches[i];

		for (uint64_t g = 0; m->groups && g < m->group_count; g++)
			owned_group_free(&m->groups[g]);
		free(m->groups);
		free(m->facts.arguments);
		free(m->facts.counts);
	}
	free(s->launches);
	for (int k = 0; k < BUNDLE_KERNELS; k++)
		kernel_table_release(&s->tables[k]);
	scratch_remove(&s->scratch);
}

static void make_arguments(struct random *r, struct recorded_launch *l)
{
	l->argument_count = random_below(r, 3);
	l->arguments = calloc(l->argument_count + 1, sizeof(*l->arguments));
	for (size_t i = 0; i < l->argument_count; i++)
		l->arguments[i] = (struct recorded_argument){
			(uint32_t)i, (int64_t)random_below(r, BUNDLE_BUFFERS + 1) - 1,
			random_below(r, 4) ? 0x1000 * random_below(r, 3) : random_next(r)
		};
}

void bundle_scene_counts(struct bundle_scene *s, struct recorded_launch *l)
{
	l->fate = LAUNCH_COUNTED;
	l->count_count = s->tables[BUNDLE_COUNTING].site_count;
	l->counts = calloc(l->count_count, sizeof(*l->counts));
	for (size_t i = 0; i < l->count_count; i++)
		l->counts[i] = random_next(&s->random) >> random_below(&s->random, 64);
	recorded_counts_total(&s->tables[BUNDLE_COUNTING], l->counts, &l->totals);
	l->totals.groups = launch_shape_group_count(&l->shape);
}

/* Now and then of a shape of its own, as of groups that were not all wanted. */
void bundle_scene_launch(struct bundle_scene *s, struct bundle_made *m)
{
	struct random *r = &s->random;
	struct recorded_launch *l = &m->facts;
	uint32_t kernel = (uint32_t)random_below(r, BUNDLE_KERNELS), size[3];

	*l = (struct recorded_launch){ .number = recording_writer_take_number(s->w),
		                       .kernel = kernel,
		                       .shape = s->shapes[kernel],
		                       .fate = LAUNCH_TRACED,
		                       .local_bytes = random_below(r, 8) ? 0 : random_next(r),
		                       .device_ns = random_next(r) >> random_below(r, 64),
		                       .device_bytes = random_below(r, 5000) };
	if (random_below(r, 8) == 0)
		random_shape(r, &l->shape, 3);
	make_arguments(r, l);
	m->group_count = launch_shape_group_count(&l->shape);
	if (kernel == BUNDLE_COUNTING) {
		bundle_scene_counts(s, l);
		return;
	}
	m->is_partial = random_below(r, 10) == 0;
	l->groups_selected = m->is_partial ? selected : NULL;
	m->groups = calloc(m->group_count, sizeof(*m->groups));
	for (uint64_t g = 0; g < m->group_count; g++)
		if (!m->is_partial || random_below(r, 2))
			random_group(r, &s->tables[kernel],
			             launch_shape_group_size(&l->shape, g, size), &m->groups[g]);
}

static void *copied(const void *from, size_t bytes)
{
	void *to = malloc(bytes + 1);

	if (bytes)
		memcpy(to, from, bytes);
	return to;
}

/* Into the recording, as the recorder does it; false: it found no room. */
bool bundle_scene_write(struct bundle_scene *s, struct bundle_made *m, uint64_t room)
{
	const struct kernel_table *table = &s->tables[m->facts.kernel];
	struct launch_writer *events = NULL;
	struct recorded_launch facts;
	bool has_room;

	if (m->groups)
		assert_int_equal(recording_writer_open_launch(s->w, (uint32_t)m->facts.number,
		                                              &m->facts.shape, table, &events,
		                                              NULL),
		                 0);
	if (m->is_partial)
		launch_writer_select(events);
	for (uint64_t g = 0; m->groups && g < m->group_count; g++)
		if (m->groups[g].events)
			assert_int_equal(launch_writer_add(events, g, &m->groups[g].view, NULL), 0);
	if (events)
		m->facts.totals = *launch_writer_totals(events);
	assert_true(recording_writer_is_small(&m->facts, events));
	facts = m->facts;
	facts.arguments = copied(facts.arguments, facts.argument_count * sizeof(*facts.arguments));
	facts.counts = copied(facts.counts, facts.count_count * sizeof(*facts.counts));
	assert_int_equal(recording_writer_small_launch(
				 s->w, &(struct small_launch){ &facts, table, &events, room },
				 &has_room, NULL),
	                 0);
	launch_writer_discard(events);
	free(facts.arguments);
	free(facts.counts);
	return has_room;
}

/* More launches, some of which are done before others that began earlier. */
void bundle_scene_add(struct bundle_scene *s, size_t count)
{
	size_t end = s->count + count, order[8];

	assert_true(end <= MOST);
	while (s->count < end) {
		size_t several = 1 + random_below(&s->random, 8);

		several = several < end - s->count ? several : end - s->count;
		for (size_t i = 0; i < several; i++) {
			size_t at = random_below(&s->random, i + 1);

			order[i] = order[at];
			order[at] = s->count + i;
			bundle_scene_launch(s, &s->launches[s->count + i]);
		}
		for (size_t i = 0; i < several; i++)
			assert_true(bundle_scene_write(s, &s->launches[order[i]], UINT64_MAX));
		s->count += several;
	}
}

void bundle_scene_flush(const struct bundle_scene *s)
{
	assert_int_equal(recording_writer_flush(s->w, NULL), 0);
}

void bundle_scene_end(struct bundle_scene *s)
{
	assert_int_equal(recording_writer_end(s->w, NULL), 0);
	recording_writer_close(s->w);
	s->w = NULL;
}

static void check_facts(const struct bundle_made *m, const struct recorded_launch *l)
{
	const struct recorded_launch *want = &m->facts;

	assert_int_equal(l->fate, want->fate);
	assert_true(same_shape(&l->shape, &want->shape));
	assert_int_equal(l->local_bytes, want->local_bytes);
	assert_int_equal(l->device_ns, want->device_ns);
	assert_int_equal(l->device_bytes, want->device_bytes);
	assert_int_equal(l->argument_count, want->argument_count);
	for (size_t i = 0; i < l->argument_count; i++) {
		assert_int_equal(l->arguments[i].index, want->arguments[i].index);
		assert_int_equal(l->arguments[i].address, want->arguments[i].address);
	}
	assert_int_equal(l->count_count, want->count_count);
	for (size_t i = 0; i < l->count_count; i++)
		assert_int_equal(l->counts[i], want->counts[i]);
	assert_int_equal(l->totals.events, want->totals.events);
	assert_int_equal(l->totals.reads, want->totals.reads);
	assert_int_equal(l->totals.writes, want->totals.writes);
	assert_int_equal(l->totals.atomics, want->totals.atomics);
	assert_int_equal(l->totals.accesses, want->totals.accesses);
	assert_int_equal(l->totals.barriers, want->totals.barriers);
	assert_int_equal(l->totals.groups, want->totals.groups);
	assert_int_equal(!l->groups_selected, !want->groups_selected);
}

static int read_events(const struct bundle_made *m, struct launch_reader *reader, struct err *err)
{
	struct group_events got;

	assert_true(same_shape(launch_reader_shape(reader), &m->facts.shape));
	assert_true(launch_reader_is_whole(reader));
	for (uint64_t g = 0; g < m->group_count; g++) {
		int ret;

		assert_int_equal(launch_reader_has(reader, g), m->groups[g].events != NULL);
		if (!m->groups[g].events)
			continue;
		ret = launch_reader_part(reader, g, 0, &got, err);
		if (ret)
			return ret;
		assert_true(same_group(&got, &m->groups[g].view));
	}
	return 0;
}

/* Fails the test when a launch is another than it was made; returns what opening it gives. */
int bundle_scene_read(const struct bundle_scene *s, const struct recording *r, size_t i,
                      struct err *err)
{
	const struct recorded_launch *l = &r->launches[i];
	const struct bundle_made *m = &s->launches[l->number % s->count];
	struct trace_source *source = NULL;
	struct launch_reader *reader = NULL;
	int ret = 0;

	check_facts(m, l);
	if (l->fate == LAUNCH_COUNTED)
		return 0;
	ret = recording_open_launch(r, i, &source, &reader, err);
	if (!ret)
		ret = read_events(m, reader, err);
	launch_reader_close(reader);
	trace_source_close(source);
	return ret;
}

struct recording *bundle_scene_open(const char *dir)
{
	struct recording *r = NULL;
	struct err err = { 0 };
	int ret = recording_open(&r, dir, &err);

	if (ret)
		fail_msg("%s", err.msg);
	return r;
}

/* All launches of the recording are there, once, as they were made. */
void bundle_scene_check(struct bundle_scene *s, bool has_end)
{
	struct recording *r = bundle_scene_open(s->dir);
	struct err err = { 0 };

	assert_int_equal(r->has_end, has_end);
	assert_int_equal(r->bad_bundles, 0);
	assert_int_equal(r->launch_count, s->count);
	for (size_t i = 0; i < s->count; i++)
		assert_int_equal(r->launches[i].number, i);
	for (size_t n = 0; n < s->count; n++) {
		size_t i = n % 3 ? n : random_below(&s->random, s->count);

		assert_int_equal(bundle_scene_read(s, r, i, &err), 0);
	}
	assert_int_equal(recording_is_complete(r, NULL), has_end);
	recording_close(r);
}

void bundle_scene_put(const struct bundle_scene *s, const char *name, const unsigned char *bytes,
                      size_t length)
{
	char path[256];
	FILE *out;

	bundle_scene_path(s, name, path);
	out = fopen(path, "wbe");
	assert_non_null(out);
	assert_int_equal(fwrite(bytes, 1, length, out), length);
	assert_int_equal(fclose(out), 0);
}

unsigned char *bundle_scene_get(const struct bundle_scene *s, const char *name, size_t *length)
{
	char path[256];

	bundle_scene_path(s, name, path);
	return scratch_read(path, length);
}
