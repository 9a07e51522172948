/* SPDX-License-Identifier: Apache-2.0 */
#include "scene.h"

#include "cmocka_all.h"

#include "recording_writer.h"
#include "str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where the host's allocator put a buffer: not aligned to a line, as it happens. */
static uint64_t host_address(size_t buffer)
{
	return 0x7f0000001040 + buffer * 0x100000;
}

static void fill_table(const struct scene *scene, struct kernel_table *table, struct site *sites,
                       struct kernel_argument *arguments, char name[32])
{
	static char file[] = "scene.cl", empty[] = "";

	snprintf(name, 32, "%s", scene->name);
	for (size_t i = 0; i < strlen(scene->kinds); i++)
		sites[i] = (struct site){ .kind = scene->kinds[i] == 'r' ? SITE_READ : SITE_WRITE,
			                  .bytes = 4,
			                  .space = 1,
			                  .loop = -1,
			                  .argument = scene->arguments[i],
			                  .place = { file, (uint32_t)i + 1, 1 } };
	for (size_t i = 0; i < scene->buffer_count; i++)
		arguments[i] = (struct kernel_argument){
			.name = empty, .type = empty, .space = 1, .is_written = true
		};
	*table = (struct kernel_table){ .name = name,
		                        .sites = sites,
		                        .site_count = strlen(scene->kinds),
		                        .arguments = arguments,
		                        .argument_count = scene->buffer_count,
		                        .is_repeatable = true };
}

static void write_group(const struct scene *scene, struct launch_writer *w, uint64_t g)
{
	static struct event events[SCENE_MAX_ITEMS * SCENE_MAX_SITES];
	static uint64_t first[SCENE_MAX_ITEMS + 1];
	uint32_t size[3], items = launch_shape_group_size(&scene->shape, g, size);
	size_t site_count = strlen(scene->kinds);
	struct group_events group = { items, first, events };

	for (uint32_t i = 0; i < items; i++) {
		uint64_t id[3];

		launch_shape_global_id(&scene->shape, g, i, id);
		for (size_t s = 0; s < site_count; s++)
			events[i * site_count + s] =
				(struct event){ .value = host_address((size_t)scene->arguments[s]) +
				                         scene->index(s, id) * 4,
				                .point = EVENT_SITE | (uint32_t)s };
		first[i + 1] = (i + 1) * site_count;
	}
	assert_int_equal(launch_writer_add(w, g, &group, NULL), 0);
}

static void write_launch(const struct scene *scene, const struct scene_mishap *mishap,
                         struct recording_writer *w, const struct kernel_table *table)
{
	struct recorded_argument arguments[SCENE_MAX_BUFFERS];
	char reason[] = "no room on the device";
	struct recorded_launch launch = { .shape = scene->shape,
		                          .local_bytes = scene->local_bytes,
		                          .fate = LAUNCH_TRACED };
	uint64_t groups = launch_shape_group_count(&scene->shape) - mishap->missing_groups;
	struct launch_writer *lw = NULL;
	uint32_t id;

	assert_int_equal(recording_writer_launch(w, &launch, &id, NULL), 0);
	if (mishap->is_skipped) {
		launch.fate = LAUNCH_SKIPPED;
		launch.reason = reason;
		assert_int_equal(recording_writer_fate(w, id, &launch, NULL), 0);
		return;
	}
	assert_int_equal(recording_writer_open_launch(w, id, &scene->shape, table, &lw, NULL), 0);
	for (uint64_t g = 0; g < groups; g++)
		write_group(scene, lw, g);
	assert_int_equal(launch_writer_close(lw, !mishap->is_cut, &launch.totals, NULL), 0);
	for (size_t i = 0; i < scene->buffer_count; i++)
		arguments[i] =
			(struct recorded_argument){ (uint32_t)i, (int64_t)i, host_address(i) };
	launch.arguments = arguments;
	launch.argument_count = scene->buffer_count;
	launch.dropped_events = mishap->dropped_events;
	assert_int_equal(recording_writer_fate(w, id, &launch, NULL), 0);
}

static void write_recording(const char *dir, const struct scene *scene,
                            const struct scene_mishap *mishap)
{
	static char word[] = "scene", origin[] = "source", door[] = "spir";
	char *const command[] = { word, NULL };
	const struct recorded_device device = { word, word, word, word, word, 64 };
	const struct recorded_program program = { .options = word, .origin = origin };
	struct recorded_kernel kernel = { .door = door };
	struct kernel_argument arguments[SCENE_MAX_BUFFERS];
	struct site sites[SCENE_MAX_SITES];
	struct recording_writer *w = NULL;
	char name[32];
	uint32_t id;

	fill_table(scene, &kernel.table, sites, arguments, name);
	assert_int_equal(recording_writer_create(&w, dir, "0", command, NULL), 0);
	assert_int_equal(recording_writer_device(w, &device, &id, NULL), 0);
	assert_int_equal(recording_writer_program(w, &program, "", 0, &id, NULL), 0);
	for (size_t i = 0; i < scene->buffer_count; i++) {
		const struct recorded_buffer buffer = { .bytes = scene->buffer_bytes,
			                                .parent = -1 };

		assert_int_equal(recording_writer_buffer(w, &buffer, &id, NULL), 0);
	}
	assert_int_equal(recording_writer_kernel(w, &kernel, &id, NULL), 0);
	write_launch(scene, mishap, w, &kernel.table);
	assert_int_equal(recording_writer_end(w, NULL), 0);
	recording_writer_close(w);
}

struct recording *scene_record(const struct scene *scene, const struct scene_mishap *mishap,
                               char *dir)
{
	struct recording *r = NULL;

	snprintf(dir, 32, "/tmp/test_replay.XXXXXX");
	assert_non_null(mkdtemp(dir));
	write_recording(dir, scene, mishap);
	assert_int_equal(recording_open(&r, dir, NULL), 0);
	return r;
}

void scene_forget(struct recording *r, const char *dir)
{
	char *command = str_format(NULL, "rm -r '%s'", dir);

	recording_close(r);
	assert_int_equal(system(command), 0); /* NOLINT: our own temporary directory */
	free(command);
}
