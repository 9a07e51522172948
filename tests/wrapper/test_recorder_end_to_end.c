/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A real program on a real device, without us and under us: what it prints must be the same, and
 * the recording must hold exactly the accesses that its kernels make, which are written down
 * here by hand from their source (strange_host.h).
 *
 * An argument names the implementation: "pocl" or "oclgrind". Exits 77 when it is not there.
 */
#include "cmocka_all.h"
#include "err.h"
#include "launch_reader.h"
#include "recording.h"
#include "strange_host.h"
#include "trace_source.h"
#include "whole_group.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A program that hangs is killed; what is written down here is what the source accesses. */
#define LIMITED       "exec timeout -k 5 240 env WARPLINE_OPT=0 WARPLINE_SPACES=global "
#define OUTPUT_BYTES  4096
#define MOST_ACCESSES 512
#define ORDERED       13 /* launches of the main thread */
#define OCLGRIND_ICD  "/usr/lib/oclgrind/liboclgrind-rt-icd.so"

static bool is_oclgrind;
static char work_dir[] = "/tmp/warpline-test-XXXXXX";

/* One access that a work-item must make. */
struct expected {
	uint64_t offset_bytes;
	uint32_t argument;
	enum site_kind kind;
};

/* The ordered launches: which kernel, its arguments, its shape. Local 0: the device chooses. */
static const struct {
	const char *kernel;
	size_t arguments;
	uint64_t global[3], local[3], offset;
} ordered[ORDERED] = {
	{ "scale", 2, { 256, 1, 1 }, { 64, 1, 1 }, 0 },
	{ "scale", 3, { 128, 1, 1 }, { 0, 1, 1 }, 64 },
	{ "scale", 2, { 256, 1, 1 }, { 32, 1, 1 }, 0 },
	{ "scale", 2, { 256, 1, 1 }, { 32, 1, 1 }, 0 },
	{ "scale", 2, { 256, 1, 1 }, { 32, 1, 1 }, 0 },
	{ "scale", 2, { 256, 1, 1 }, { 16, 1, 1 }, 0 },
	{ "scale", 2, { 256, 1, 1 }, { 128, 1, 1 }, 0 },
	{ "reverse", 2, { 32, 8, 1 }, { 8, 4, 1 }, 0 },
	{ "uneven", 1, { 256, 1, 1 }, { 64, 1, 1 }, 0 },
	{ "rows", 3, { 256, 1, 1 }, { 64, 1, 1 }, 0 },
	{ "cube", 1, { 8, 4, 8 }, { 0, 0, 0 }, 0 },
	{ "scale", 2, { 1, 1, 1 }, { 1, 1, 1 }, 0 },
	{ "scale", 2, { 256, 1, 1 }, { 64, 1, 1 }, 0 },
};

/* Run a command and keep what it prints; returns its exit status. */
static int run(const char *command, char output[OUTPUT_BYTES])
{
	FILE *pipe = popen(command, "r");
	size_t length;
	int status;

	assert_non_null(pipe);
	length = fread(output, 1, OUTPUT_BYTES - 1, pipe);
	output[length] = '\0';
	status = pclose(pipe);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* A read and a write of a[index]. */
static size_t update(struct expected *to, uint64_t index)
{
	to[0] = (struct expected){ index * 4, 0, SITE_READ };
	to[1] = (struct expected){ index * 4, 0, SITE_WRITE };
	return 2;
}

/* What the work-item with this global id must do in a kernel, from the kernel's source. */
static size_t expect(const struct kernel_table *table, const struct launch_shape *shape,
                     const uint64_t id[3], struct expected *to)
{
	size_t count = 0;

	if (strcmp(table->name, "scale") == 0 && table->argument_count == 3) {
		to[0] = (struct expected){ id[0] * 4, 0, SITE_READ };
		to[1] = (struct expected){ id[0] * 4, 1, SITE_READ };
		to[2] = (struct expected){ id[0] * 4, 0, SITE_WRITE };
		return 3;
	}
	if (strcmp(table->name, "uneven") == 0) {
		for (uint64_t k = 0; k < id[0] % 32 * 8; k++)
			count += update(to + count, id[0]);
		return count;
	}
	if (strcmp(table->name, "rows") == 0) {
		for (; count < HOST_ROW; count++)
			to[count] =
				(struct expected){ (id[0] * HOST_ROW + count) * 4, 0, SITE_READ };
		to[count++] = (struct expected){ id[0] * 4, 1, SITE_READ };
		to[count++] = (struct expected){ id[0] * 4, 1, SITE_WRITE };
		return count;
	}
	if (strcmp(table->name, "reverse") == 0) {
		/* Groups of 8x4 in a grid of 4x2: the element is g * 32 + l. */
		uint64_t g = id[0] / 8 + id[1] / 4 * 4, l = id[0] % 8 + id[1] % 4 * 8;

		return update(to, g * 32 + l);
	}
	if (strcmp(table->name, "cube") == 0)
		return update(to, id[0] + shape->global[0] * (id[1] + shape->global[1] * id[2]));
	return update(to, id[0]);
}

static uint64_t base_of(const struct recorded_launch *launch, uint32_t argument)
{
	for (size_t i = 0; i < launch->argument_count; i++)
		if (launch->arguments[i].index == argument)
			return launch->arguments[i].address;
	fail_msg("argument %u is not in the recording", argument);
	return 0;
}

/* The events of one work-item against the source. */
static void check_item(const struct recorded_launch *launch, const struct kernel_table *table,
                       const uint64_t id[3], const struct event *events, size_t count)
{
	struct expected want[MOST_ACCESSES] = { { 0 } };
	size_t want_count = expect(table, &launch->shape, id, want), seen = 0, barriers = 0;

	for (size_t i = 0; i < count; i++) {
		const struct site *site = &table->sites[events[i].point & EVENT_ID_MASK];

		if ((events[i].point & EVENT_KIND_MASK) != EVENT_SITE)
			continue;
		if (!site_kind_is_access(site->kind)) {
			barriers++;
			continue;
		}
		assert_true(seen < want_count);
		assert_int_equal(site->kind, want[seen].kind);
		assert_int_equal(site->bytes, 4);
		assert_int_equal(events[i].value - base_of(launch, want[seen].argument),
		                 want[seen].offset_bytes);
		seen++;
	}
	assert_int_equal(seen, want_count);
	assert_int_equal(barriers, strcmp(table->name, "reverse") == 0);
}

/* Every work-item of every group of a launch. */
static void check_launch(const struct recording *recording, size_t number)
{
	const struct recorded_launch *launch = &recording->launches[number];
	const struct kernel_table *table = &recording->kernels[launch->kernel].table;
	struct launch_reader *reader = NULL;
	struct trace_source *source = NULL;
	struct group_events group;
	struct err err = { 0 };

	assert_int_equal(launch->fate, LAUNCH_TRACED);
	assert_int_equal(launch->dropped_events, 0);
	if (recording_open_launch(recording, number, &source, &reader, &err) < 0)
		fail_msg("%s", err.msg);
	assert_true(launch_reader_is_whole(reader));
	for (uint64_t g = 0; g < launch_shape_group_count(&launch->shape); g++) {
		if (whole_group_plain(reader, table, g, &group, &err) < 0)
			fail_msg("%s", err.msg);
		for (uint32_t item = 0; item < group.item_count; item++) {
			uint64_t id[3];

			launch_shape_global_id(&launch->shape, g, item, id);
			check_item(launch, table, id, group.events + group.first[item],
			           group.first[item + 1] - group.first[item]);
		}
	}
	launch_reader_close(reader);
	trace_source_close(source);
}

static void check_shapes(const struct recording *recording)
{
	assert_int_equal(recording->launch_count, ORDERED + HOST_THREADS * HOST_THREAD_TURNS);
	for (size_t i = 0; i < ORDERED; i++) {
		const struct recorded_launch *launch = &recording->launches[i];
		const struct kernel_table *table = &recording->kernels[launch->kernel].table;

		assert_string_equal(table->name, ordered[i].kernel);
		assert_int_equal(table->argument_count, ordered[i].arguments);
		for (int d = 0; d < 3; d++) {
			assert_int_equal(launch->shape.global[d], ordered[i].global[d]);
			if (ordered[i].local[d])
				assert_int_equal(launch->shape.local[d], ordered[i].local[d]);
		}
		assert_int_equal(launch->shape.offset[0], ordered[i].offset);
	}
	/* Local memory of `reverse`: 32 ints given by the program. */
	assert_int_equal(recording->launches[7].local_bytes, 32 * 4);
}

/* The sub-buffer of launch 6 is the second half of its parent, of twice its size. */
static void check_part(const struct recording *recording)
{
	const struct recorded_launch *launch = &recording->launches[6];
	const struct recorded_buffer *part = &recording->buffers[launch->arguments[0].buffer];

	assert_int_equal(part->bytes, HOST_ITEMS * 4);
	assert_int_equal(part->origin_bytes, HOST_ITEMS * 4);
	assert_int_equal(part->parent, launch->arguments[0].buffer - 1);
	assert_int_equal(recording->buffers[part->parent].bytes, HOST_ITEMS * 8);
}

static void check_recording(const char *dir)
{
	struct recording *recording = NULL;
	struct err err = { 0 };
	char *why = NULL;

	if (recording_open(&recording, dir, &err) < 0)
		fail_msg("%s", err.msg);
	check_shapes(recording);
	check_part(recording);
	for (size_t i = 0; i < recording->launch_count; i++)
		check_launch(recording, i);
	assert_int_equal(recording->note_count, 0);
	if (!recording_is_complete(recording, &why))
		fail_msg("not complete: %s", why);
	recording_close(recording);
}

/* How the library gets in, and how much room it has for events. */
static const struct way {
	const char *name, *variables;
} ways[] = {
	{ "layer", "OPENCL_LAYERS=" RECORDER },
	{ "preload", "LD_PRELOAD=" RECORDER },
	{ "both", "LD_PRELOAD=" RECORDER " OPENCL_LAYERS=" RECORDER },
	{ "4k", "OPENCL_LAYERS=" RECORDER " WARPLINE_BUFFER=4k" },
	{ "20k", "OPENCL_LAYERS=" RECORDER " WARPLINE_BUFFER=20k" },
};

static void results_are_the_same_and_accesses_are_those_of_the_source(void **state)
{
	char native[OUTPUT_BYTES], recorded[OUTPUT_BYTES], command[2048], vendors[128] = "";

	if (is_oclgrind)
		snprintf(vendors, sizeof(vendors), "OCL_ICD_VENDORS=%s", work_dir);
	snprintf(command, sizeof(command), LIMITED "%s %s %s", vendors, STRANGE_HOST,
	         is_oclgrind ? "serial" : "");
	assert_int_equal(run(command, native), 7);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		char dir[256];

		snprintf(dir, sizeof(dir), "%s/%s", work_dir, ways[i].name);
		snprintf(command, sizeof(command),
		         LIMITED "%s WARPLINE_DIR=%s WARPLINE_INSTRUMENT=%s %s %s %s", vendors, dir,
		         INSTRUMENTER, ways[i].variables, STRANGE_HOST,
		         is_oclgrind ? "serial" : "");
		print_message("%s\n", ways[i].name);
		assert_int_equal(run(command, recorded), 7);
		assert_string_equal(recorded, native);
		check_recording(dir);
	}
}

/* Without an instrumenter every kernel runs as it is, and the recording says why. */
static void a_missing_instrumenter_only_costs_the_recording(void **state)
{
	char native[OUTPUT_BYTES], recorded[OUTPUT_BYTES], command[2048], dir[256];
	const char *vendors = is_oclgrind ? work_dir : "/etc/OpenCL/vendors";
	struct recording *recording = NULL;
	struct err err = { 0 };

	snprintf(dir, sizeof(dir), "%s/missing", work_dir);
	snprintf(command, sizeof(command), LIMITED "OCL_ICD_VENDORS=%s %s serial", vendors,
	         STRANGE_HOST);
	assert_int_equal(run(command, native), 7);
	snprintf(command, sizeof(command),
	         LIMITED
	         "OCL_ICD_VENDORS=%s WARPLINE_DIR=%s WARPLINE_INSTRUMENT=/nowhere OPENCL_LAYERS=%s "
	         "%s serial",
	         vendors, dir, RECORDER, STRANGE_HOST);
	assert_int_equal(run(command, recorded), 7);
	assert_string_equal(recorded, native);
	if (recording_open(&recording, dir, &err) < 0)
		fail_msg("%s", err.msg);
	assert_int_equal(recording->launch_count, ORDERED + HOST_THREADS * HOST_THREAD_TURNS);
	for (size_t i = 0; i < recording->launch_count; i++) {
		assert_int_equal(recording->launches[i].fate, LAUNCH_SKIPPED);
		assert_non_null(strstr(recording->launches[i].reason, "/nowhere"));
	}
	recording_close(recording);
}

static void write_vendors(void)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/oclgrind.icd", work_dir);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(OCLGRIND_ICD "\n", file);
	fclose(file);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(results_are_the_same_and_accesses_are_those_of_the_source),
		cmocka_unit_test(a_missing_instrumenter_only_costs_the_recording),
	};
	char command[64];
	int failed;

	is_oclgrind = argc > 1 && strcmp(argv[1], "oclgrind") == 0;
	if (access(is_oclgrind ? OCLGRIND_ICD : "/etc/OpenCL/vendors/pocl.icd", R_OK) < 0)
		return 77;
	if (!mkdtemp(work_dir))
		return 1;
	if (is_oclgrind)
		write_vendors();
	/* The program's own leaks are not ours, and a sanitizer in a preloaded library comes late.
	 */
	setenv("ASAN_OPTIONS", "detect_leaks=0:verify_asan_link_order=0", 1);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	snprintf(command, sizeof(command), "rm -rf %s", work_dir);
	if (!failed && system(command) != 0)
		return 1;
	return failed;
}
