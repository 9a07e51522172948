/* SPDX-License-Identifier: Apache-2.0 */
/* Launches that share files: all come back, and a kill or damage loses no more than it hits. */
#include "cmocka_all.h"

#include "bundle_facts.h"
#include "bundle_writer.h"
#include "err.h"
#include "launch_format.h"
#include "launch_reader.h"
#include "recording.h"
#include "recording_copy.h"
#include "recording_writer.h"
#include "trace_damage.h"
#include "trace_random.h"
#include "trace_scratch.h"
#include "trace_source.h"
#include "varint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KERNELS = 3, COUNTING = 2, BUFFERS = 3, MOST = 2600 };

/* A launch as it was made. */
struct made {
	struct recorded_launch facts;
	struct owned_group *groups; /* all of its shape; NULL: it only counts */
	uint64_t group_count;
	bool is_partial; /* some groups were not wanted: they have no events here */
};

struct scene {
	struct scratch_dir scratch;
	char dir[128];
	struct random random;
	struct kernel_table tables[KERNELS];
	struct launch_shape shapes[KERNELS];
	struct made *launches; /* by their numbers */
	size_t count;
	struct recording_writer *w;
};

static char word[] = "app", empty[] = "", selected[] = "0..3";

static void path_of(const struct scene *s, const char *name, char to[256])
{
	snprintf(to, 256, "%s/%s", s->dir, name);
}

static void make_tables(struct scene *s)
{
	for (int k = 0; k < KERNELS; k++) {
		char name[16];

		random_table(&s->random, &s->tables[k]);
		snprintf(name, sizeof(name), "k%d", k);
		free(s->tables[k].name);
		s->tables[k].name = strdup(name);
		s->tables[k].unrecorded_count = 0;
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

static void begin(struct scene *s, struct recording_writer **w, const char *dir)
{
	char *command[] = { word, NULL };
	const struct recorded_device device = { word, word, word, word, word, 64 };
	const struct recorded_program program = { .options = empty, .origin = word };
	const struct recorded_buffer buffer = { 1 << 20, 0, -1, 0, 0 };
	uint32_t id;

	assert_int_equal(recording_writer_create(w, dir, "t", command, NULL), 0);
	assert_int_equal(recording_writer_device(*w, &device, &id, NULL), 0);
	assert_int_equal(recording_writer_program(*w, &program, NULL, 0, &id, NULL), 0);
	for (int i = 0; i < BUFFERS; i++)
		assert_int_equal(recording_writer_buffer(*w, &buffer, &id, NULL), 0);
	for (int k = 0; k < KERNELS; k++) {
		const struct recorded_kernel kernel = { .door = word, .table = s->tables[k] };

		assert_int_equal(recording_writer_kernel(*w, &kernel, &id, NULL), 0);
	}
}

static void scene_begin(struct scene *s, uint64_t seed, size_t sites)
{
	*s = (struct scene){ .random = { seed } };
	scratch_make(&s->scratch);
	snprintf(s->dir, sizeof(s->dir), "%s", scratch_path(&s->scratch, "rec"));
	make_tables(s);
	if (sites)
		use_sites(&s->tables[COUNTING], sites);
	s->launches = calloc(MOST, sizeof(*s->launches));
	begin(s, &s->w, s->dir);
}

static void scene_make(struct scene *s, uint64_t seed)
{
	scene_begin(s, seed, 0);
}

static void scene_free(struct scene *s)
{
	recording_writer_close(s->w);
	for (size_t i = 0; i < s->count; i++) {
		struct made *m = &s->launches[i];

		for (uint64_t g = 0; m->groups && g < m->group_count; g++)
			owned_group_free(&m->groups[g]);
		free(m->groups);
		free(m->facts.arguments);
		free(m->facts.counts);
	}
	free(s->launches);
	for (int k = 0; k < KERNELS; k++)
		kernel_table_release(&s->tables[k]);
	scratch_remove(&s->scratch);
}

static void make_arguments(struct random *r, struct recorded_launch *l)
{
	l->argument_count = random_below(r, 3);
	l->arguments = calloc(l->argument_count + 1, sizeof(*l->arguments));
	for (size_t i = 0; i < l->argument_count; i++)
		l->arguments[i] = (struct recorded_argument){
			(uint32_t)i, (int64_t)random_below(r, BUFFERS + 1) - 1,
			random_below(r, 4) ? 0x1000 * random_below(r, 3) : random_next(r)
		};
}

static void make_counts(struct scene *s, struct recorded_launch *l)
{
	l->fate = LAUNCH_COUNTED;
	l->count_count = s->tables[COUNTING].site_count;
	l->counts = calloc(l->count_count, sizeof(*l->counts));
	for (size_t i = 0; i < l->count_count; i++)
		l->counts[i] = random_next(&s->random) >> random_below(&s->random, 64);
	recorded_counts_total(&s->tables[COUNTING], l->counts, &l->totals);
	l->totals.groups = launch_shape_group_count(&l->shape);
}

/* Now and then of a shape of its own, as of groups that were not all wanted. */
static void make_launch(struct scene *s, struct made *m)
{
	struct random *r = &s->random;
	struct recorded_launch *l = &m->facts;
	uint32_t kernel = (uint32_t)random_below(r, KERNELS), size[3];

	*l = (struct recorded_launch){ .number = recording_writer_take(s->w),
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
	if (kernel == COUNTING) {
		make_counts(s, l);
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
static bool write_small(struct scene *s, struct made *m, uint64_t room)
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
	assert_int_equal(
		recording_writer_small(s->w, &(struct small_launch){ &facts, table, &events, room },
	                               &has_room, NULL),
		0);
	launch_writer_discard(events);
	free(facts.arguments);
	free(facts.counts);
	return has_room;
}

/* More launches, some of which are done before others that began earlier. */
static void add(struct scene *s, size_t count)
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
			make_launch(s, &s->launches[s->count + i]);
		}
		for (size_t i = 0; i < several; i++)
			assert_true(write_small(s, &s->launches[order[i]], UINT64_MAX));
		s->count += several;
	}
}

static void flush(const struct scene *s)
{
	assert_int_equal(recording_writer_flush(s->w, NULL), 0);
}

static void end(struct scene *s)
{
	assert_int_equal(recording_writer_end(s->w, NULL), 0);
	recording_writer_close(s->w);
	s->w = NULL;
}

static void check_facts(const struct made *m, const struct recorded_launch *l)
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

static int read_events(const struct made *m, struct launch_reader *reader, struct err *err)
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
static int read_launch(const struct scene *s, const struct recording *r, size_t i, struct err *err)
{
	const struct recorded_launch *l = &r->launches[i];
	const struct made *m = &s->launches[l->number % s->count];
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

static struct recording *open_dir(const char *dir)
{
	struct recording *r = NULL;
	struct err err = { 0 };
	int ret = recording_open(&r, dir, &err);

	if (ret)
		fail_msg("%s", err.msg);
	return r;
}

/* All launches of the recording are there, once, as they were made. */
static void check_all(struct scene *s, bool has_end)
{
	struct recording *r = open_dir(s->dir);
	struct err err = { 0 };

	assert_int_equal(r->has_end, has_end);
	assert_int_equal(r->bad_bundles, 0);
	assert_int_equal(r->launch_count, s->count);
	for (size_t i = 0; i < s->count; i++)
		assert_int_equal(r->launches[i].number, i);
	for (size_t n = 0; n < s->count; n++) {
		size_t i = n % 3 ? n : random_below(&s->random, s->count);

		assert_int_equal(read_launch(s, r, i, &err), 0);
	}
	assert_int_equal(recording_is_complete(r, NULL), has_end);
	recording_close(r);
}

static void small_launches_share_a_file(void **state)
{
	static const char *const names[] = { "launches.wlb", "manifest.jsonl" };
	char path[256];
	struct scene s;

	(void)state;
	scene_make(&s, 1);
	for (int i = 0; i < 26; i++) {
		add(&s, 100);
		if (i % 3)
			flush(&s);
	}
	end(&s);
	check_all(&s, true);
	for (size_t i = 0; i < 2; i++) {
		path_of(&s, names[i], path);
		assert_int_equal(access(path, F_OK), 0);
	}
	path_of(&s, "open.wlb", path);
	assert_int_not_equal(access(path, F_OK), 0);
	path_of(&s, "launch-000000.wll", path);
	assert_int_not_equal(access(path, F_OK), 0);
	scene_free(&s);
}

/* As after kill -9: what was flushed is there, whenever it happens. */
static void a_kill_loses_nothing_that_was_flushed(void **state)
{
	(void)state;
	for (size_t n = 1; n < 300; n += 1 + n / 2) {
		struct scene s;

		scene_make(&s, n);
		for (size_t i = 0; i < n; i += 40) {
			add(&s, n - i < 40 ? n - i : 40);
			flush(&s);
			check_all(&s, false);
		}
		scene_free(&s);
	}
}

/* Facts of many bytes: of more launches than fit into one bundle. */
static void counts_of_many_sites_come_back(void **state)
{
	struct scene s;

	(void)state;
	scene_begin(&s, 2, 4000);
	for (s.count = 0; s.count < 1100; s.count++) {
		struct made *m = &s.launches[s.count];
		struct recorded_launch *l = &m->facts;

		l->number = recording_writer_take(s.w);
		l->kernel = COUNTING;
		l->shape = s.shapes[COUNTING];
		make_counts(&s, l);
		for (size_t i = 0; i < l->count_count; i++)
			l->counts[i] = UINT64_MAX / 8;
		recorded_counts_total(&s.tables[COUNTING], l->counts, &l->totals);
		l->totals.groups = launch_shape_group_count(&l->shape);
		assert_true(write_small(&s, m, UINT64_MAX));
	}
	end(&s);
	check_all(&s, true);
	scene_free(&s);
}

static void write_bytes(const struct scene *s, const char *name, const unsigned char *bytes,
                        size_t length)
{
	char path[256];
	FILE *out;

	path_of(s, name, path);
	out = fopen(path, "wbe");
	assert_non_null(out);
	assert_int_equal(fwrite(bytes, 1, length, out), length);
	assert_int_equal(fclose(out), 0);
}

static unsigned char *read_bytes(const struct scene *s, const char *name, size_t *length)
{
	char path[256];

	path_of(s, name, path);
	return scratch_read(path, length);
}

/* How many launches of an open file are whole in its first `length` bytes. */
static size_t whole_ones(const unsigned char *bytes, size_t length)
{
	struct bundle_head h;
	size_t at = 0, count = 0;

	while (length - at >= BUNDLE_HEAD_BYTES) {
		size_t next;

		assert_int_equal(bundle_head_get(&h, bytes + at, "", at, NULL), 0);
		next = at + BUNDLE_HEAD_BYTES + h.packed_bytes + h.chunk_bytes;
		if (next > length)
			break;
		at = next;
		count++;
	}
	return count;
}

static void an_open_file_that_is_cut_keeps_what_is_whole(void **state)
{
	unsigned char *bytes;
	size_t length;
	struct scene s;

	(void)state;
	scene_make(&s, 5);
	add(&s, 12);
	flush(&s);
	bytes = read_bytes(&s, BUNDLE_OPEN_FILE, &length);
	assert_int_equal(whole_ones(bytes, length), s.count);
	for (size_t cut = 0; cut <= length; cut += 1 + cut % 7 + length / 300) {
		struct err err = { 0 };
		struct recording *r;

		write_bytes(&s, BUNDLE_OPEN_FILE, bytes, cut);
		r = open_dir(s.dir);
		assert_int_equal(r->launch_count, whole_ones(bytes, cut));
		for (size_t i = 0; i < r->launch_count; i++)
			assert_int_equal(read_launch(&s, r, i, &err), 0);
		assert_false(recording_is_complete(r, NULL));
		recording_close(r);
	}
	free(bytes);
	scene_free(&s);
}

/* Launches are first put into the file of bundles, then named, then taken from the open file. */
static void a_kill_while_bundles_are_written_loses_nothing(void **state)
{
	static const char *const names[] = { BUNDLE_FILE, "manifest.jsonl", BUNDLE_OPEN_FILE };
	unsigned char *bytes[2][3] = { { NULL } };
	size_t lengths[2][3] = { { 0 } };
	struct scene s;

	(void)state;
	scene_make(&s, 9);
	add(&s, 50);
	flush(&s);
	for (int i = 1; i < 3; i++)
		bytes[0][i] = read_bytes(&s, names[i], &lengths[0][i]);
	end(&s);
	for (int i = 0; i < 2; i++)
		bytes[1][i] = read_bytes(&s, names[i], &lengths[1][i]);
	write_bytes(&s, BUNDLE_OPEN_FILE, bytes[0][2], lengths[0][2]);
	for (size_t cut = 0; cut <= lengths[1][0]; cut += 1 + cut / 3) {
		write_bytes(&s, BUNDLE_FILE, bytes[1][0], cut);
		write_bytes(&s, "manifest.jsonl", bytes[0][1], lengths[0][1]);
		check_all(&s, false);
	}
	write_bytes(&s, BUNDLE_FILE, bytes[1][0], lengths[1][0]);
	for (size_t cut = lengths[0][1]; cut < lengths[1][1]; cut += 1 + lengths[1][1] / 50) {
		write_bytes(&s, "manifest.jsonl", bytes[1][1], cut);
		check_all(&s, false);
	}
	for (int i = 0; i < 3; i++) {
		free(bytes[0][i]);
		free(bytes[1][i]);
	}
	scene_free(&s);
}

/* A recording with a damaged file of bundles: a launch is as it was made, or it is told that it
 * cannot be read. Returns how many can. */
static size_t read_damaged(const struct scene *s, size_t bundles)
{
	struct recording *r = open_dir(s->dir);
	uint32_t refused = 0; /* the bundle of those that are refused */
	size_t readable = 0;

	assert_true(r->bad_bundles <= bundles);
	for (size_t i = 0; i < r->launch_count; i++) {
		struct err err = { 0 };
		int ret = read_launch(s, r, i, &err);

		readable += !ret;
		if (!ret)
			continue;
		assert_int_equal(ret, ERR_FORMAT);
		assert_non_null(strstr(err.msg, BUNDLE_FILE));
		assert_true(!refused || refused == r->launches[i].bundle);
		refused = r->launches[i].bundle;
	}
	if (r->bad_bundles)
		assert_false(recording_is_complete(r, NULL));
	assert_true(r->bad_bundles || refused || readable == s->count);
	recording_close(r);
	return readable;
}

static void damage_loses_the_launches_of_its_bundle(void **state)
{
	uint64_t begins[16], launches[16];
	size_t length, bundles = 0;
	unsigned char *bytes;
	struct recording *r;
	struct scene s;

	(void)state;
	scene_make(&s, 14);
	add(&s, 25);
	end(&s);
	bytes = read_bytes(&s, BUNDLE_FILE, &length);
	r = open_dir(s.dir);
	bundles = r->bundle_count;
	assert_in_range(bundles, 3, 16);
	for (size_t b = 0; b < bundles; b++) {
		begins[b] = r->bundles[b].offset;
		launches[b] = r->bundles[b].launches;
	}
	recording_close(r);
	for (size_t at = 0; at < length; at += 1 + at % 5 + length / 300) {
		size_t hit = 0;

		while (hit + 1 < bundles && begins[hit + 1] <= at)
			hit++;
		bytes[at] ^= (unsigned char)(1 << at % 8);
		write_bytes(&s, BUNDLE_FILE, bytes, length);
		/* Counted launches need facts alone. */
		assert_in_range(read_damaged(&s, 1), s.count - launches[hit], s.count - 1);
		bytes[at] ^= (unsigned char)(1 << at % 8);
	}
	for (size_t cut = 0; cut < length; cut += 1 + cut % 11 + length / 100) {
		write_bytes(&s, BUNDLE_FILE, bytes, cut);
		assert_true(read_damaged(&s, bundles) < s.count);
	}
	write_bytes(&s, BUNDLE_FILE, bytes, length);
	check_all(&s, true);
	free(bytes);
	scene_free(&s);
}

static bool is_even(const void *context, const struct recording *r, const struct recorded_launch *l)
{
	(void)context;
	(void)r;
	return l->number % 2 == 0;
}

/* As `rm` and `merge` do: the launches of one recording, then again, of which the odd ones are left
 * out. */
static void bundles_are_copied(void **state)
{
	const struct recording_copy_choice all = { 0 }, even = { .keeps = is_even };
	struct recording_copy *copy = NULL;
	struct recording *r, *both;
	char dir[128], *command[] = { word, NULL };
	uint64_t bytes;
	struct scene s;

	(void)state;
	scene_make(&s, 21);
	add(&s, 300);
	end(&s);
	r = open_dir(s.dir);
	snprintf(dir, sizeof(dir), "%s", scratch_path(&s.scratch, "both"));
	assert_int_equal(recording_writer_create(&s.w, dir, "t", command, NULL), 0);
	assert_int_equal(recording_copy_create(&copy, s.w, NULL), 0);
	assert_int_equal(recording_copy_add(copy, r, &all, NULL), 0);
	assert_int_equal(recording_copy_add(copy, r, &even, NULL), 0);
	assert_int_equal(recording_copy_end(copy, NULL), 0);
	assert_int_equal(recording_copy_left_out(copy, &bytes), s.count / 2);
	assert_true(bytes > 0);
	recording_copy_free(copy);
	both = open_dir(dir);
	assert_int_equal(both->kernel_count, KERNELS);
	assert_int_equal(both->launch_count, 2 * s.count);
	for (size_t i = 0; i < both->launch_count; i++) {
		const struct recorded_launch *l = &both->launches[i];
		struct err err = { 0 };

		assert_int_equal(l->number, i);
		if (i >= s.count && i % 2) {
			assert_int_equal(l->fate, LAUNCH_UNSELECTED);
			continue;
		}
		assert_int_equal(read_launch(&s, both, i, &err), 0);
		for (size_t a = 0; a < l->argument_count; a++)
			assert_int_equal(
				l->arguments[a].buffer,
				s.launches[i % s.count].facts.arguments[a].buffer < 0
					? -1
					: s.launches[i % s.count].facts.arguments[a].buffer +
						  (i >= s.count ? BUFFERS : 0));
	}
	assert_true(recording_is_complete(both, NULL));
	recording_close(both);
	recording_close(r);
	scene_free(&s);
}

static void a_launch_without_room_is_not_written(void **state)
{
	struct recording *r;
	struct scene s;

	(void)state;
	scene_make(&s, 3);
	add(&s, 5);
	for (uint64_t room = 0; room < 2; room++) {
		make_launch(&s, &s.launches[s.count]);
		assert_int_equal(write_small(&s, &s.launches[s.count], room ? 1 << 20 : 40),
		                 room == 1);
		s.count++;
	}
	end(&s);
	r = open_dir(s.dir);
	assert_int_equal(r->launch_count, 6);
	assert_int_equal(recording_find_launch(r, 5), 6);
	assert_int_equal(r->launches[5].number, 6);
	recording_close(r);
	scene_free(&s);
}

static void a_number_that_is_there_twice_is_refused(void **state)
{
	struct recording *r = NULL;
	struct err err = { 0 };
	struct scene s;

	(void)state;
	scene_make(&s, 4);
	add(&s, 5);
	assert_int_equal(recording_writer_launch_at(s.w, &s.launches[3].facts, 3, NULL), 0);
	end(&s);
	assert_int_equal(recording_open(&r, s.dir, &err), ERR_FORMAT);
	assert_non_null(strstr(err.msg, "launch 3 is there twice"));
	scene_free(&s);
}

/* Numbers that a writer may claim: no crash, and no launch that is not one. */
static void facts_that_make_no_sense_are_refused(void **state)
{
	struct bundle_facts facts;
	unsigned char *bytes;
	struct scene s;

	(void)state;
	scene_make(&s, 31);
	for (s.count = 0; s.count < 20; s.count++)
		make_launch(&s, &s.launches[s.count]);
	bundle_facts_init(&facts);
	for (size_t i = 0; i < s.count; i++)
		assert_int_equal(bundle_facts_add(&facts, &s.launches[i].facts,
		                                  s.launches[i].is_partial, NULL),
		                 0);
	bytes = calloc(facts.bytes.length + VARINT_BYTES_MAX, 1);
	for (int n = 0; n < 2000; n++) {
		struct bundle_terms terms = { &s.tables[n % KERNELS], BUFFERS,
			                      1 + random_below(&s.random, 40) };
		struct recorded_launch *launches = calloc(terms.launches, sizeof(*launches));
		size_t length = 1 + random_below(&s.random, facts.bytes.length);
		struct bundle_shared shared;
		struct err err = { 0 };
		int ret;

		memset(bytes, 0, facts.bytes.length + VARINT_BYTES_MAX);
		memcpy(bytes, facts.bytes.text, length);
		for (uint64_t left = random_below(&s.random, 4); left > 0; left--)
			bytes[random_below(&s.random, length)] =
				(unsigned char)random_next(&s.random);
		ret = bundle_facts_read(launches, &shared, &terms, bytes, length, &err);
		assert_true(ret == 0 || (ret == ERR_FORMAT && err.msg[0]));
		for (size_t i = 0; !ret && i < terms.launches; i++)
			assert_true(launches[i].totals.groups <=
			            launch_shape_group_count(&launches[i].shape));
		bundle_shared_release(&shared);
		free(launches);
	}
	free(bytes);
	bundle_facts_release(&facts);
	scene_free(&s);
}

/* Whatever the open file says, with checksums that are right: it ends well. */
static void hostile_bundles_are_refused(void **state)
{
	unsigned char *bytes, *copy;
	size_t length;
	struct scene s;

	(void)state;
	scene_make(&s, 41);
	add(&s, 6);
	flush(&s);
	bytes = read_bytes(&s, BUNDLE_OPEN_FILE, &length);
	copy = malloc(length);
	for (int n = 0; n < 200; n++) {
		struct bundle_head h;
		struct recording *r;
		size_t chunk;

		memcpy(copy, bytes, length);
		for (uint64_t left = random_below(&s.random, 4); left > 0; left--)
			copy[8 + random_below(&s.random, length / 2)] =
				(unsigned char)random_next(&s.random);
		for (size_t at = 0; length - at >= BUNDLE_HEAD_BYTES;) {
			if (bundle_head_get(&h, copy + at, "", at, NULL) ||
			    h.packed_bytes > length - at - BUNDLE_HEAD_BYTES)
				break;
			chunk = at + BUNDLE_HEAD_BYTES + h.packed_bytes;
			if (h.chunk_bytes > length - chunk)
				break;
			if (h.chunk_bytes) {
				sign_chunk(copy + chunk, h.chunk_bytes);
				h.chunk_checksum = launch_chunk_checksum(copy + chunk);
			}
			bundle_head_put(copy + at, &h, copy + at + BUNDLE_HEAD_BYTES);
			at = chunk + h.chunk_bytes;
		}
		write_bytes(&s, BUNDLE_OPEN_FILE, copy, length);
		if (recording_open(&r, s.dir, NULL))
			continue;
		for (size_t i = 0; i < r->launch_count; i++) {
			struct trace_source *source = NULL;
			struct launch_reader *reader = NULL;
			struct group_events g;

			if (r->launches[i].fate != LAUNCH_TRACED)
				continue;
			if (!recording_open_launch(r, i, &source, &reader, NULL))
				for (uint64_t at = launch_reader_next(reader, 0); at != UINT64_MAX;
				     at = launch_reader_next(reader, at + 1))
					if (launch_reader_part(reader, at, 0, &g, NULL))
						break;
			launch_reader_close(reader);
			trace_source_close(source);
		}
		recording_close(r);
	}
	free(copy);
	free(bytes);
	scene_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_launches_share_a_file),
		cmocka_unit_test(counts_of_many_sites_come_back),
		cmocka_unit_test(a_kill_loses_nothing_that_was_flushed),
		cmocka_unit_test(an_open_file_that_is_cut_keeps_what_is_whole),
		cmocka_unit_test(a_kill_while_bundles_are_written_loses_nothing),
		cmocka_unit_test(damage_loses_the_launches_of_its_bundle),
		cmocka_unit_test(bundles_are_copied),
		cmocka_unit_test(a_launch_without_room_is_not_written),
		cmocka_unit_test(a_number_that_is_there_twice_is_refused),
		cmocka_unit_test(facts_that_make_no_sense_are_refused),
		cmocka_unit_test(hostile_bundles_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
