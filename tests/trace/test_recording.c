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

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char name[] = "gpu \"0\"", vendor[] = "v\n", version[] = "OpenCL 3.0", driver[] = "d",
	    platform[] = "p", options[] = "-DN=1 -I\"a b\"", origin[] = "source", door[] = "spir",
	    reason[] = "an image is written", bad_utf8[] = "caf\xe9 \xc3\xa9 \xf0\x9f\x98\x80";

/* What a recording of two launches, one traced and one skipped, is made of. */
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
	const struct recorded_program program = { NULL, options, origin };
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
	struct recorded_launch l = { .shape = s->shape, .local_bytes = 4096 };
	struct launch_writer *file = NULL;
	struct err err = { 0 };
	uint32_t id = 99;

	assert_int_equal(recording_writer_launch(w, &l, &id, &err), 0);
	assert_int_equal(id, 0);
	assert_int_equal(recording_writer_open_launch(w, id, &s->shape, &s->table, &file, &err), 0);
	assert_int_equal(launch_writer_add(file, 0, &s->group.view, &err), 0);
	assert_int_equal(launch_writer_close(file, true, &s->totals, &err), 0);
	l.fate = LAUNCH_TRACED;
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
		assert_int_equal(recording_writer_note(w, "clEnqueueX", "why", 2, &err), 0);
		assert_int_equal(recording_writer_note(w, "clEnqueueY", "why", 1, &err), 0);
		assert_int_equal(recording_writer_note(w, "clEnqueueX", "why", 40, &err), 0);
	}
	assert_int_equal(recording_writer_end(w, &err), 0);
	recording_writer_close(w);
	assert_int_equal(recording_append_exit(s->dir.path, 139, &err), 0);
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
	assert_string_equal(r->devices[0].vendor, vendor);
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

	assert_int_equal(r->launch_count, 2);
	assert_true(same_shape(&l[0].shape, &s->shape));
	assert_int_equal(l[0].local_bytes, 4096);
	assert_int_equal(l[0].fate, LAUNCH_TRACED);
	assert_string_equal(l[0].file, "launch-000000.wll");
	assert_memory_equal(&l[0].totals, &s->totals, sizeof(s->totals));
	assert_int_equal(l[0].argument_count, 2);
	assert_true(l[0].arguments[0].buffer == 1 &&
	            l[0].arguments[0].address == 0xffffffffffffff00);
	assert_true(l[0].arguments[1].index == 2 && l[0].arguments[1].buffer == -1);
	assert_int_equal(l[1].fate, LAUNCH_SKIPPED);
	assert_string_equal(l[1].reason, reason);
}

static void check_launch_file(const struct sample *s, const struct recording *r)
{
	struct launch_reader *reader = NULL;
	struct trace_source *source = NULL;
	struct group_events got;
	struct err err = { 0 };

	assert_int_equal(recording_open_launch(r, 0, &source, &reader, &err), 0);
	assert_int_equal(launch_reader_group(reader, 0, &got, &err), 0);
	assert_true(same_group(&got, &s->group.view));
	launch_reader_close(reader);
	trace_source_close(source);
	assert_int_equal(recording_open_launch(r, 1, &source, &reader, &err), ERR_USAGE);
	assert_non_null(strstr(err.msg, "launch 1 was not traced: an image is written"));
	err.code = 0;
	assert_int_equal(recording_open_launch(r, 2, &source, &reader, &err), ERR_USAGE);
	assert_non_null(strstr(err.msg, "launch 2 does not exist: there are 2"));
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
	recording_close(r);
	recording_close(NULL);
	text = scratch_read(scratch_path(&s.dir, "sources/program-0000.cl"), &length);
	assert_string_equal((char *)text, "kernel\n");
	free(text);
	free_sample(&s);
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

/* /dev/full takes the place of the manifest: the first line fails, and so do all others. */
static void after_a_failed_write_every_call_fails(void **state)
{
	const struct recorded_buffer buffer = { 1, 0, -1, 0, 0 };
	char *command[] = { NULL };
	struct recording_writer *w = NULL;
	struct scratch_dir dir;
	struct err err = { 0 };
	uint32_t id = 7;
	int full, manifest;

	(void)state;
	scratch_make(&dir);
	assert_int_equal(recording_writer_create(&w, dir.path, "1", command, &err), 0);
	full = open("/dev/full", O_WRONLY);
	for (manifest = 3; manifest < full; manifest++) /* the descriptor opened just before */
		if (fcntl(manifest, F_GETFL) >= 0 && (fcntl(manifest, F_GETFL) & O_APPEND))
			break;
	assert_true(manifest < full);
	assert_int_equal(dup2(full, manifest), manifest);
	close(full);
	for (int i = 0; i < 3; i++) {
		struct err again = { 0 };

		assert_int_equal(recording_writer_buffer(w, &buffer, &id, &again), ERR_IO);
		assert_non_null(strstr(again.msg, "manifest.jsonl: No space left"));
	}
	assert_int_equal(id, 7);
	recording_writer_close(w);
	scratch_remove(&dir);
}

/* The lines of a manifest that is complete, less some, plus some. */
#define BEGIN                                                                                      \
	"{\"type\":\"recording\",\"magic\":\"warpline recording\",\"version\":1,"                  \
	"\"endian\":\"little\",\"tool_version\":\"1\",\"command\":[]}\n"
#define DEVICE                                                                                     \
	"{\"type\":\"device\",\"id\":0,\"name\":\"\",\"vendor\":\"\",\"version\":\"\","            \
	"\"driver\":\"\",\"platform\":\"\",\"address_bits\":64}\n"
#define PROGRAM                                                                                    \
	"{\"type\":\"program\",\"id\":0,\"source_file\":null,\"options\":\"\","                    \
	"\"origin\":\"source\"}\n"
#define BUFFER(id, parent)                                                                         \
	"{\"type\":\"buffer\",\"id\":" id ",\"bytes\":1,\"flags\":\"0x1\",\"parent\":" parent      \
	",\"origin_bytes\":0,\"svm_address\":\"0x0\"}\n"
#define TABLE(unrecorded)                                                                          \
	"{\"name\":\"k\",\"max_events\":0,\"writes_unknown\":false,\"is_repeatable\":true,"        \
	"\"is_irreducible\":false,\"sites\":[],\"loops\":[],\"arguments\":[],"                     \
	"\"unrecorded\":[" unrecorded "]}"
#define KERNEL_OF(program, unrecorded)                                                             \
	"{\"type\":\"kernel\",\"id\":0,\"program\":" program                                       \
	",\"device\":0,\"door\":\"text\",\"reason\":null,\"table\":" TABLE(unrecorded) "}\n"
#define KERNEL KERNEL_OF("0", "")
#define LAUNCH_OF(kernel, global)                                                                  \
	"{\"type\":\"launch\",\"id\":0,\"kernel\":" kernel ",\"dimensions\":1,"                    \
	"\"global\":[" global "],\"local\":[1,1,1],\"offset\":[0,0,0],\"local_bytes\":0}\n"
#define LAUNCH LAUNCH_OF("0", "1,1,1")
#define TRACED(file, dropped, arguments)                                                           \
	"{\"type\":\"fate\",\"launch\":0,\"fate\":\"traced\",\"file\":\"" file                     \
	"\",\"arguments\":[" arguments "],\"dropped_events\":" dropped                             \
	",\"totals\":{\"events\":0,\"accesses\":0,\"reads\":0,\"writes\":0,\"atomics\":0,"         \
	"\"barriers\":0,\"groups\":0,\"file_bytes\":0}}\n"
#define FATE         TRACED("launch-000000.wll", "0", "")
#define SKIPPED      "{\"type\":\"fate\",\"launch\":0,\"fate\":\"skipped\",\"reason\":\"r\"}\n"
#define NOTE         "{\"type\":\"note\",\"what\":\"w\",\"reason\":\"r\",\"count\":1}\n"
#define END          "{\"type\":\"end\"}\n"
#define EXIT         "{\"type\":\"exit\",\"status\":0}\n"
#define UNRECORDED   "{\"what\":\"w\",\"place\":[null,0,0]}"
#define UP_TO_KERNEL BEGIN DEVICE PROGRAM KERNEL
#define UP_TO_LAUNCH UP_TO_KERNEL LAUNCH

static const struct {
	const char *text;
	int ret;
	const char *says;
} manifests[] = {
	{ BEGIN, 0, "" },
	{ UP_TO_LAUNCH FATE END EXIT, 0, "" },
	{ UP_TO_LAUNCH SKIPPED EXIT, 0, "" },
	{ BEGIN BUFFER("0", "-1") BUFFER("1", "0"), 0, "" },
	{ BEGIN "{\"type\":\"buf", 0, "" },
	{ "", ERR_FORMAT, "d/manifest.jsonl:1: expected a line of type recording" },
	{ "{\"type\"", ERR_FORMAT, "d/manifest.jsonl:1: expected a line" },
	{ END, ERR_FORMAT, "d/manifest.jsonl:1: expected a line of type recording first" },
	{ "{\"type\":\"recording\",\"magic\":\"x\"}\n", ERR_FORMAT, ":1: expected the mag" },
	{ "{\"type\":\"recording\",\"magic\":\"warpline recording\",\"version\":2}\n", ERR_VERSION,
	  ":1: a version of recordings that is not known" },
	{ BEGIN BEGIN, ERR_FORMAT, ":2: unknown type 'recording'" },
	{ BEGIN "\n" END, ERR_FORMAT, ":2: expected a JSON object" },
	{ BEGIN "{\"type\":\"end\"} x\n", ERR_FORMAT, ":2: expected a JSON object" },
	{ BEGIN "[]\n", ERR_FORMAT, ":2: line: expected an object" },
	{ BEGIN "{}\n", ERR_FORMAT, ":2: line: \"type\": expected a text" },
	{ BEGIN "{\"type\":\"x\"}\n", ERR_FORMAT, ":2: unknown type 'x'" },
	{ BEGIN "{\"type\":\"end\",\"type\":\"end\"}\n", ERR_FORMAT, "duplicate" },
	{ BEGIN "{\"type\":\"device\"}\n", ERR_FORMAT, ":2: device: \"id\": expected" },
	{ BEGIN DEVICE DEVICE, ERR_FORMAT, ":3: \"id\": 0, expected 1" },
	{ BEGIN BUFFER("0", "0"), ERR_FORMAT, ":2: \"parent\": 0, expected an earlier" },
	{ BEGIN BUFFER("0", "-2"), ERR_FORMAT, ":2: buffer: \"parent\": expected" },
	{ BEGIN BUFFER("\"0xg\"", "-1"), ERR_FORMAT, ":2: buffer: \"id\": expected" },
	{ BEGIN DEVICE KERNEL, ERR_FORMAT, ":3: refers to number 0 of 0 programs" },
	{ BEGIN PROGRAM KERNEL, ERR_FORMAT, ":3: refers to number 0 of 0 devices" },
	{ BEGIN DEVICE PROGRAM KERNEL_OF("-1", ""), ERR_FORMAT, "\"program\": expected" },
	{ UP_TO_KERNEL LAUNCH_OF("1", "1,1,1"), ERR_FORMAT, "number 1 of 1 kernels" },
	{ UP_TO_KERNEL LAUNCH_OF("0", "1,1"), ERR_FORMAT, "expected three sizes" },
	{ UP_TO_KERNEL LAUNCH_OF("0", "1,1,1,1"), ERR_FORMAT, "list of at most 3" },
	{ UP_TO_KERNEL LAUNCH_OF("0", "0,1,1"), ERR_FORMAT, "a size is 0" },
	{ UP_TO_KERNEL FATE, ERR_FORMAT, ":5: refers to number 0 of 0 launches" },
	{ UP_TO_LAUNCH FATE SKIPPED, ERR_FORMAT, ":7: launch 0 has a fate already" },
	{ UP_TO_LAUNCH TRACED("a", "0", "{\"index\":0,\"buffer\":0,\"address\":0}"), ERR_FORMAT,
	  ":6: refers to number 0 of 0 buffers" },
	{ UP_TO_LAUNCH TRACED("a", "0", "7"), ERR_FORMAT, "argument: expected an obj" },
	{ UP_TO_LAUNCH TRACED("../a", "0", ""), ERR_FORMAT, ":6: a file outside" },
	{ UP_TO_LAUNCH TRACED("a/../../b", "0", ""), ERR_FORMAT, "a file outside" },
	{ UP_TO_LAUNCH TRACED("/a", "0", ""), ERR_FORMAT, "a file outside" },
	{ UP_TO_LAUNCH TRACED("", "0", ""), ERR_FORMAT, "a file outside" },
	{ UP_TO_LAUNCH TRACED("a/", "0", ""), ERR_FORMAT, "a file outside" },
	{ UP_TO_LAUNCH TRACED("a/./b", "0", ""), ERR_FORMAT, "a file outside" },
	{ UP_TO_LAUNCH TRACED("a/..b/...", "0", ""), 0, "" },
	{ UP_TO_LAUNCH TRACED("a\\u0000b", "0", ""), ERR_FORMAT, ":6: expected a JSON" },
	{ BEGIN END NOTE, ERR_FORMAT, ":3: a line of type note after the recording's end" },
	{ BEGIN EXIT EXIT, ERR_FORMAT, ":3: a line of type exit after the recording's" },
	{ BEGIN "{\"type\":\"exit\",\"status\":256}\n", ERR_FORMAT, "-1..255" },
};

static void a_malformed_manifest_is_refused_with_its_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(manifests) / sizeof(manifests[0]); i++) {
		struct recording *r = NULL;
		struct err err = { 0 };
		int ret = recording_parse(&r, "d", manifests[i].text, strlen(manifests[i].text),
		                          &err);

		if (ret != manifests[i].ret || !strstr(err.msg, manifests[i].says))
			fail_msg("row %zu: %d says '%s'", i, ret, err.msg);
		recording_close(r);
	}
}

static void what_is_missing_is_counted(void **state)
{
	static const struct {
		const char *text, *why; /* NULL: nothing is missing */
	} rows[] = {
		{ BEGIN END, NULL },
		{ UP_TO_LAUNCH FATE END EXIT, NULL },
		{ BEGIN DEVICE PROGRAM KERNEL_OF("0", UNRECORDED) END, NULL }, /* never launched */
		{ BEGIN, "incomplete: missing: 1 end of the recording" },
		{ BEGIN END "{\"type\":\"exi", "incomplete: missing: 1 end of the recording" },
		{ UP_TO_LAUNCH END, "incomplete: missing: 1 launch that was not drained" },
		{ UP_TO_LAUNCH SKIPPED END, "incomplete: missing: 1 launch that was skipped" },
		{ UP_TO_LAUNCH TRACED("a", "17", "") END,
		  "incomplete: missing: 17 events lost for want of room" },
		{ BEGIN DEVICE PROGRAM KERNEL_OF("0", UNRECORDED "," UNRECORDED) LAUNCH FATE END,
		  "incomplete: missing: 2 unrecorded constructs in traced kernels" },
		{ UP_TO_LAUNCH SKIPPED NOTE, "incomplete: missing: 1 end of the recording, "
		                             "1 launch that was skipped, "
		                             "1 note of something not handled" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct recording *r = NULL;
		char *why = NULL;

		assert_int_equal(recording_parse(&r, "d", rows[i].text, strlen(rows[i].text), NULL),
		                 0);
		assert_int_equal(recording_is_complete(r, &why), rows[i].why == NULL);
		assert_int_equal(recording_is_complete(r, NULL), rows[i].why == NULL);
		if (rows[i].why)
			assert_string_equal(why, rows[i].why);
		free(why);
		recording_close(r);
	}
}

/* Every prefix of a manifest is a recording of its whole lines, or is refused as having none. */
static void a_manifest_cut_anywhere_is_a_prefix(void **state)
{
	static const char text[] = UP_TO_LAUNCH SKIPPED NOTE END EXIT;

	(void)state;
	for (size_t length = 0; length < sizeof(text); length++) {
		size_t lines = 0;
		struct recording *r = NULL;
		int ret = recording_parse(&r, "d", text, length, NULL);

		for (size_t i = 0; i < length; i++)
			lines += text[i] == '\n';
		assert_int_equal(ret, lines ? 0 : ERR_FORMAT);
		if (ret)
			continue;
		assert_int_equal(r->launch_count, lines >= 5);
		assert_int_equal(r->note_count, lines >= 7);
		assert_int_equal(r->has_end, lines == 9 || length == sizeof(text) - sizeof(EXIT));
		assert_int_equal(r->exit_status, lines == 9 ? 0 : -1);
		recording_close(r);
	}
}

/* A manifest has no checksum: a changed letter in a name stays unseen. What must not happen is a
 * crash, or an error of another kind. */
static void a_flipped_manifest_is_read_or_refused(void **state)
{
	static const char text[] = UP_TO_LAUNCH FATE NOTE END EXIT;
	char *copy = malloc(sizeof(text));

	(void)state;
	for (size_t at = 0; at + 1 < sizeof(text); at++) {
		for (int bit = 0; bit < 8; bit++) {
			struct recording *r = NULL;
			int ret;

			memcpy(copy, text, sizeof(text));
			copy[at] = (char)(copy[at] ^ 1 << bit);
			ret = recording_parse(&r, "d", copy, sizeof(text) - 1, NULL);
			if (ret != 0 && ret != ERR_FORMAT && ret != ERR_VERSION)
				fail_msg("bit %d of byte %zu gives %d", bit, at, ret);
			recording_close(r);
		}
	}
	free(copy);
}

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
	assert_int_equal(recording_append_exit(dir.path, 137, &err), 0);
	after = scratch_read(path, &length);
	assert_string_equal((char *)after, BEGIN "{\"type\":\"exit\",\"status\":137}\n");
	free(after);
	assert_int_equal(recording_open(&r, dir.path, &err), 0);
	assert_int_equal(r->exit_status, 137);
	assert_false(r->has_end);
	recording_close(r);
	scratch_remove(&dir);
	assert_int_equal(recording_append_exit(dir.path, 0, &err), ERR_IO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recording_comes_back),
		cmocka_unit_test(a_directory_that_is_in_use_is_refused),
		cmocka_unit_test(after_a_failed_write_every_call_fails),
		cmocka_unit_test(a_malformed_manifest_is_refused_with_its_line),
		cmocka_unit_test(what_is_missing_is_counted),
		cmocka_unit_test(a_manifest_cut_anywhere_is_a_prefix),
		cmocka_unit_test(a_flipped_manifest_is_read_or_refused),
		cmocka_unit_test(an_exit_status_follows_a_line_cut_short),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
