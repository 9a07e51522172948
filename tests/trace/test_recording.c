/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "err.h"
#include "file.h"
#include "launch_reader.h"
#include "recording.h"
#include "recording_writer.h"
#include "trace_random.h"
#include "trace_scratch.h"
#include "trace_source.h"
#include "whole_group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static char name[] = "gpu \"0\"", vendor[] = "v\n", version[] = "OpenCL 3.0", driver[] = "d",
	    platform[] = "p", options[] = "-DN=1 -I\"a b\"", origin[] = "source", door[] = "spir",
	    reason[] = "an image is written", bad_utf8[] = "caf\xe9 \xc3\xa9 \xf0\x9f\x98\x80";

static char selected[] = "0..3", limit[] = "9 bytes were reached";

/* What a recording of launches, one of each fate, is made of. */
struct sample {
	struct scratch_dir dir;
	struct random random;
	struct kernel_table table;
	struct launch_shape shape;
	struct owned_group group; /* of group 0, the only one */
	struct launch_totals totals;
};

static void write_items(struct sample *s, struct recording_writer *w)
{
	const struct recorded_device device = { name, vendor, version, driver, platform, 64 };
	const struct recorded_program program = { .options = options, .origin = origin };
	const struct recorded_buffer whole = { 1ull << 40, 1ull << 63, -1, 0, 0 };
	const struct recorded_buffer part = { 64, 4, 0, 128, 0xfedcba9876543210 };
	const struct recorded_kernel kernel = { 0, 0, door, NULL, s->table };
	struct err err = { 0 };
	uint32_t id = 99;

	assert_int_equal(recording_writer_device(w, &device, &id, &err), 0);
	assert_int_equal(recording_writer_program(w, &program, "kernel\n", 7, &id, &err), 0);
	assert_int_equal(id, 0);
	assert_int_equal(recording_writer_program(w, &program, NULL, 0, &id, &err), 0);
	assert_int_equal(id, 1);
	assert_int_equal(recording_writer_buffer(w, &whole, &id, &err), 0);
	assert_int_equal(recording_writer_buffer(w, &part, &id, &err), 0);
	assert_int_equal(id, 1);
	assert_int_equal(recording_writer_kernel(w, &kernel, &id, &err), 0);
}

static void write_traced(struct sample *s, struct recording_writer *w)
{
	struct recorded_argument arguments[2] = { { 0, 1, 0xffffffffffffff00 }, { 2, -1, 0 } };
	struct recorded_launch l = { .shape = s->shape,
		                     .local_bytes = 4096,
		                     .groups_selected = selected,
		                     .is_sequence = true };
	struct launch_writer *file = NULL;
	struct err err = { 0 };
	uint32_t id = 99;

	assert_int_equal(recording_writer_launch(w, &l, &id, &err), 0);
	assert_int_equal(id, 0);
	assert_int_equal(recording_writer_open_launch(w, id, &s->shape, &s->table, &file, &err), 0);
	assert_int_equal(launch_writer_add(file, 0, &s->group.view, &err), 0);
	assert_int_equal(launch_writer_close(file, true, &s->totals, &err), 0);
	l.fate = LAUNCH_TRACED;
	l.device_ns = UINT64_C(1) << 60;
	l.device_bytes = 77;
	l.arguments = arguments;
	l.argument_count = 2;
	l.totals = s->totals;
	assert_int_equal(recording_writer_fate(w, id, &l, &err), 0);
}

static void write_skipped(struct sample *s, struct recording_writer *w)
{
	struct recorded_launch l = { .shape = s->shape };
	struct err err = { 0 };
	uint32_t id = 99;

	assert_int_equal(recording_writer_launch(w, &l, &id, &err), 0);
	assert_int_equal(id, 1);
	l.fate = LAUNCH_SKIPPED;
	l.reason = reason;
	assert_int_equal(recording_writer_fate(w, id, &l, &err), 0);
}

/* The count of site i is i * 2^40 + 3. */
static void write_counted_and_unselected(struct sample *s, struct recording_writer *w)
{
	struct recorded_launch l = { .shape = s->shape };
	struct err err = { 0 };
	static uint64_t counts[256];
	uint32_t id = 99;

	assert_true(s->table.site_count <= 256);
	l.counts = counts;
	l.count_count = s->table.site_count;
	for (size_t i = 0; i < l.count_count; i++)
		l.counts[i] = i << 40 | 3;
	recorded_counts_total(&s->table, l.counts, &l.totals);
	l.fate = LAUNCH_COUNTED;
	l.device_ns = 5;
	assert_true(recording_writer_launch(w, &l, &id, &err) == 0 &&
	            recording_writer_fate(w, id, &l, &err) == 0);
	l = (struct recorded_launch){ .shape = s->shape, .fate = LAUNCH_UNSELECTED };
	assert_int_equal(recording_writer_launch(w, &l, &id, &err), 0);
	assert_int_equal(id, 3);
	assert_int_equal(recording_writer_fate(w, id, &l, &err), 0);
	l = (struct recorded_launch){ .shape = s->shape, .fate = LAUNCH_LIMITED, .reason = limit };
	assert_int_equal(recording_writer_launch(w, &l, &id, &err), 0);
	assert_int_equal(id, 4);
	assert_int_equal(recording_writer_fate(w, id, &l, &err), 0);
}

static void make_sample(struct sample *s)
{
	uint32_t size[3];

	scratch_make(&s->dir);
	s->random.state = 11;
	random_table(&s->random, &s->table);
	s->shape = (struct launch_shape){ 2, { 3, 2, 1 }, { 4, 4, 1 }, { 1ull << 60, 0, 0 } };
	random_group(&s->random, &s->table, launch_shape_group_size(&s->shape, 0, size), &s->group);
}

static void write_sample(struct sample *s, bool is_clean)
{
	const struct recorded_work work = { UINT64_C(1) << 55, 17, 4, 5, 6, 7 };
	char *command[] = { name, bad_utf8, NULL };
	struct recording_writer *w = NULL;
	struct err err = { 0 };

	make_sample(s);
	assert_int_equal(recording_writer_create(&w, s->dir.path, "1.2.3", command, &err), 0);
	assert_string_equal(recording_writer_dir(w), s->dir.path);
	write_items(s, w);
	write_traced(s, w);
	if (!is_clean) {
		write_skipped(s, w);
		write_counted_and_unselected(s, w);
		assert_int_equal(recording_writer_note(w, "clEnqueueX", "why", 2, &err), 0);
		assert_int_equal(recording_writer_note(w, "clEnqueueY", "why", 1, &err), 0);
		assert_int_equal(recording_writer_note(w, "clEnqueueX", "why", 40, &err), 0);
		assert_int_equal(recording_writer_time(w, &work, &err), 0);
	}
	assert_int_equal(recording_writer_end(w, &err), 0);
	recording_writer_close(w);
	assert_int_equal(recording_append_exit(s->dir.path, 139, 5000000000, &err), 0);
}

static void free_sample(struct sample *s)
{
	scratch_remove(&s->dir);
	kernel_table_release(&s->table);
	owned_group_free(&s->group);
}

static void check_items(const struct sample *s, const struct recording *r)
{
	assert_string_equal(r->tool_version, "1.2.3");
	assert_int_equal(r->command_count, 2);
	assert_string_equal(r->command[0], name);
	assert_string_equal(r->command[1], "caf\xef\xbf\xbd \xc3\xa9 \xf0\x9f\x98\x80");
	assert_int_equal(r->device_count, 1);
	assert_string_equal(r->devices[0].name, name);
	assert_string_equal(r->devices[0].vendor, "v\\x0a"); /* a control character is shown */
	assert_string_equal(r->devices[0].platform, platform);
	assert_int_equal(r->devices[0].address_bits, 64);
	assert_int_equal(r->program_count, 2);
	assert_string_equal(r->programs[0].source_file, "sources/program-0000.cl");
	assert_string_equal(r->programs[0].options, options);
	assert_null(r->programs[1].source_file);
	assert_int_equal(r->buffer_count, 2);
	assert_true(r->buffers[0].bytes == 1ull << 40 && r->buffers[0].flags == 1ull << 63);
	assert_true(r->buffers[1].parent == 0 && r->buffers[1].origin_bytes == 128);
	assert_true(r->buffers[1].svm_address == 0xfedcba9876543210);
	assert_int_equal(r->kernel_count, 1);
	assert_string_equal(r->kernels[0].door, door);
	assert_null(r->kernels[0].reason);
	assert_int_equal(r->kernels[0].table.site_count, s->table.site_count);
}

static void check_launches(const struct sample *s, const struct recording *r)
{
	const struct recorded_launch *l = r->launches;

	assert_int_equal(r->launch_count, 5);
	assert_string_equal(l[0].groups_selected, selected);
	assert_null(l[1].groups_selected);
	assert_true(l[0].is_sequence);
	assert_false(l[1].is_sequence);
	assert_true(same_shape(&l[0].shape, &s->shape));
	assert_int_equal(l[0].local_bytes, 4096);
	assert_int_equal(l[0].fate, LAUNCH_TRACED);
	assert_string_equal(l[0].file, "launch-000000.wll");
	assert_memory_equal(&l[0].totals, &s->totals, sizeof(s->totals));
	assert_true(l[0].device_ns == UINT64_C(1) << 60 && l[0].device_bytes == 77);
	assert_true(l[2].device_ns == 5 && l[2].device_bytes == 0);
	assert_int_equal(l[0].argument_count, 2);
	assert_true(l[0].arguments[0].buffer == 1 &&
	            l[0].arguments[0].address == 0xffffffffffffff00);
	assert_true(l[0].arguments[1].index == 2 && l[0].arguments[1].buffer == -1);
	assert_int_equal(l[1].fate, LAUNCH_SKIPPED);
	assert_string_equal(l[1].reason, reason);
	assert_int_equal(l[2].fate, LAUNCH_COUNTED);
	assert_int_equal(l[2].count_count, s->table.site_count);
	for (size_t i = 0; i < l[2].count_count; i++)
		assert_true(l[2].counts[i] == (i << 40 | 3));
	assert_true(l[2].totals.accesses ==
	            l[2].totals.reads + l[2].totals.writes + l[2].totals.atomics);
	assert_int_equal(l[3].fate, LAUNCH_UNSELECTED);
	assert_int_equal(l[4].fate, LAUNCH_LIMITED);
	assert_string_equal(l[4].reason, limit);
	assert_int_equal(recording_limited_launches(r), 1);
}

static void check_launch_file(const struct sample *s, struct recording *r)
{
	struct launch_reader *reader = NULL;
	struct trace_source *source = NULL;
	struct group_events got;
	struct err err = { 0 };

	assert_int_equal(recording_open_launch(r, 0, &source, &reader, &err), 0);
	assert_int_equal(whole_group_stored(reader, 0, &got, &err), 0);
	assert_true(same_group(&got, &s->group.view));
	launch_reader_close(reader);
	trace_source_close(source);
	assert_int_equal(recording_open_launch(r, 1, &source, &reader, &err), ERR_USAGE);
	assert_non_null(strstr(err.msg, "launch 1 was not traced: an image is written"));
	err.code = 0;
	assert_int_equal(recording_open_launch(r, 2, &source, &reader, &err), ERR_USAGE);
	assert_non_null(strstr(err.msg, "launch 2 was not traced: its accesses were only counted"));
	err.code = 0;
	assert_int_equal(recording_open_launch(r, 3, &source, &reader, &err), ERR_USAGE);
	assert_non_null(strstr(err.msg, "launch 3 was not traced: it was not selected"));
	err.code = 0;
	assert_int_equal(recording_open_launch(r, 4, &source, &reader, &err), ERR_USAGE);
	assert_non_null(strstr(err.msg, "launch 4 was not traced: 9 bytes were reached"));
	err.code = 0;
	assert_int_equal(recording_open_launch(r, 5, &source, &reader, &err), ERR_USAGE);
	assert_non_null(strstr(err.msg, "launch 5 does not exist: there are 5"));
	err.code = 0;
	r->launches[0].shape.offset[0] ^= 1;
	assert_int_equal(recording_open_launch(r, 0, &source, &reader, &err), ERR_FORMAT);
	assert_non_null(strstr(err.msg, "another shape than the manifest has"));
	assert_null(reader);
	r->launches[0].shape.offset[0] ^= 1;
}

static void a_recording_comes_back(void **state)
{
	struct recording *r = NULL;
	struct err err = { 0 };
	struct sample s;
	unsigned char *text;
	size_t length;

	(void)state;
	write_sample(&s, false);
	assert_int_equal(recording_open(&r, s.dir.path, &err), 0);
	check_items(&s, r);
	check_launches(&s, r);
	check_launch_file(&s, r);
	assert_int_equal(r->note_count, 2);
	assert_true(r->notes[0].count == 42 && r->notes[1].count == 1);
	assert_true(r->has_end);
	assert_int_equal(r->exit_status, 139);
	assert_true(r->program_ns == 5000000000);
	assert_true(r->work.all_ns == UINT64_C(1) << 55);
	assert_true(r->work.instrument_ns == 17 && r->work.driver_ns == 4);
	assert_true(r->work.kernel_ns == 5 && r->work.drain_ns == 6 && r->work.write_ns == 7);
	recording_close(r);
	recording_close(NULL);
	text = scratch_read(scratch_path(&s.dir, "sources/program-0000.cl"), &length);
	assert_string_equal((char *)text, "kernel\n");
	free(text);
	free_sample(&s);
}

static void counts_of_sites_add_up_by_kind(void **state)
{
	static struct site sites[] = { { .kind = SITE_READ },    { .kind = SITE_WRITE },
		                       { .kind = SITE_READ },    { .kind = SITE_BARRIER },
		                       { .kind = SITE_ATOMIC },  { .kind = SITE_FENCE },
		                       { .kind = SITE_PREFETCH } };
	static const struct kernel_table table = { .sites = sites, .site_count = 7 };
	static const uint64_t counts[] = { 1, 10, 100, 1000, 10000, 100000, 1000000 };
	static const uint64_t many[] = { UINT64_MAX, 0, 1, 0, 0, 0, 0 };
	struct launch_totals t;

	(void)state;
	recorded_counts_total(&table, counts, &t);
	assert_int_equal(t.reads, 101);
	assert_int_equal(t.writes, 10);
	assert_int_equal(t.atomics, 10000);
	assert_int_equal(t.accesses, 10111);
	assert_int_equal(t.barriers, 1000);
	assert_int_equal(t.events, 1111111);
	recorded_counts_total(&table, many, &t);
	assert_true(t.reads == UINT64_MAX && t.events == UINT64_MAX);
}

static void a_directory_that_is_in_use_is_refused(void **state)
{
	char *command[] = { NULL };
	struct recording_writer *w = NULL;
	struct err err = { 0 };
	struct sample s;

	(void)state;
	write_sample(&s, true);
	assert_int_equal(recording_writer_create(&w, s.dir.path, "1", command, &err), ERR_IO);
	assert_non_null(strstr(err.msg, "exists and is not empty"));
	err.code = 0;
	assert_int_equal(recording_writer_create(&w, "/nonexistent/a", "1", command, &err), ERR_IO);
	free_sample(&s);
}

/* Files may not grow: the first line fails, and so do all others, though there is room again. */
static void after_a_failed_write_every_call_fails(void **state)
{
	const struct recorded_buffer buffer = { 1, 0, -1, 0, 0 };
	struct rlimit before, none;
	char *command[] = { NULL };
	struct recording_writer *w = NULL;
	struct scratch_dir dir;
	struct err err = { 0 };
	uint32_t id = 7;

	(void)state;
	scratch_make(&dir);
	assert_int_equal(recording_writer_create(&w, dir.path, "1", command, &err), 0);
	getrlimit(RLIMIT_FSIZE, &before);
	none = (struct rlimit){ 1, before.rlim_max };
	setrlimit(RLIMIT_FSIZE, &none);
	for (int i = 0; i < 3; i++) {
		struct err again = { 0 };

		assert_int_equal(recording_writer_buffer(w, &buffer, &id, &again), ERR_IO);
		assert_non_null(strstr(again.msg, "manifest.jsonl: File too large"));
		setrlimit(RLIMIT_FSIZE, &before);
	}
	assert_int_equal(id, 7);
	recording_writer_close(w);
	scratch_remove(&dir);
}

/* Else each try of a full disk would leave a folder behind, which looks like another's. */
static void what_cannot_begin_leaves_nothing(void **state)
{
	char *command[] = { NULL };
	struct recording_writer *w = NULL;
	struct scratch_dir dir;
	struct rlimit before, none;
	struct err err = { 0 };
	char path[128];

	(void)state;
	scratch_make(&dir);
	snprintf(path, sizeof(path), "%s", scratch_path(&dir, "new"));
	getrlimit(RLIMIT_FSIZE, &before);
	none = (struct rlimit){ 1, before.rlim_max };
	setrlimit(RLIMIT_FSIZE, &none);
	assert_int_equal(recording_writer_create(&w, path, "1", command, &err), ERR_IO);
	assert_int_equal(access(path, F_OK), -1);
	/* The folder that was there stays, empty as it was. */
	assert_int_equal(recording_writer_create(&w, dir.path, "1", command, &err), ERR_IO);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_int_equal(recording_writer_create(&w, dir.path, "1", command, &err), 0);
	recording_writer_close(w);
	scratch_remove(&dir);
}

#define BEGIN                                                                                      \
	"{\"type\":\"recording\",\"magic\":\"warpline recording\",\"version\":2,"                  \
	"\"endian\":\"little\",\"tool_version\":\"1\",\"command\":[]}\n"

/* The program was killed within a write: what it left of a line is not in the way of the exit. */
static void an_exit_status_follows_a_line_cut_short(void **state)
{
	struct recording *r = NULL;
	struct scratch_dir dir;
	struct err err = { 0 };
	const char *path;
	char text[6000];
	unsigned char *after;
	size_t length;

	(void)state;
	scratch_make(&dir);
	path = scratch_path(&dir, "manifest.jsonl");
	memset(text, 'x', sizeof(text));
	memcpy(text, BEGIN, sizeof(BEGIN) - 1);
	assert_int_equal(file_write(path, text, sizeof(text), &err), 0);
	assert_int_equal(recording_append_exit(dir.path, 137, 0, &err), 0);
	after = scratch_read(path, &length);
	assert_string_equal((char *)after, BEGIN
	                    "{\"type\":\"exit\",\"status\":137,\"sum\":\"0x2cd10feedc16ab7c\"}\n");
	free(after);
	assert_int_equal(recording_open(&r, dir.path, &err), 0);
	assert_int_equal(r->exit_status, 137);
	assert_false(r->has_end);
	recording_close(r);
	scratch_remove(&dir);
	assert_int_equal(recording_append_exit(dir.path, 0, 0, &err), ERR_IO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recording_comes_back),
		cmocka_unit_test(counts_of_sites_add_up_by_kind),
		cmocka_unit_test(a_directory_that_is_in_use_is_refused),
		cmocka_unit_test(after_a_failed_write_every_call_fails),
		cmocka_unit_test(what_cannot_begin_leaves_nothing),
		cmocka_unit_test(an_exit_status_follows_a_line_cut_short),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
