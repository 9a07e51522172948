/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Imports a list of addresses (address_file.h) as one launch that is a sequence (recorded.h): one
 * warp of one work-item makes the accesses, in the order of the file. Its kernel is a loop with a
 * site for each kind of access; an instruction fetch is a read by a separate site. The file does
 * not contain the width of the accesses: each is of one byte, so that it is one request of any
 * line. Memory does not grow with the file.
 */
#include "import.h"

#include "array.h"
#include "err.h"
#include "import_recording.h"

#include <stdlib.h>

static char kernel_name[] = "addresses", no_text[] = "", fetch_text[] = "instruction fetch";

/* Write the next accesses of the file, at most `room`, as group `group`. */
static int write_group(struct launch_writer *w, struct address_file *file, uint64_t group,
                       uint64_t room, struct event *events, struct err *err)
{
	uint64_t first[2] = { 0, 0 };
	const struct group_events g = { 1, first, events };
	int got = 1;

	while (first[1] < room) {
		struct address a;

		got = address_file_next(file, &a, err);
		if (got <= 0)
			break;
		events[first[1]] = (struct event){ a.address, EVENT_SITE | (uint32_t)a.kind,
			                           (uint32_t)first[1] };
		first[1]++;
	}
	return got < 0 ? got : launch_writer_add(w, group, &g, err);
}

static uint64_t least(uint64_t rest)
{
	return rest < IMPORT_GROUP_ACCESSES ? rest : IMPORT_GROUP_ACCESSES;
}

/* A list being imported; reading advances the file. */
struct addresses {
	struct address_file *file;
	const struct kernel_table *table;
	uint64_t count, groups;
};

/* Writes the groups for import_recording_launch(). */
static int write_groups(struct launch_writer *w, void *input, struct err *err)
{
	const struct addresses *in = input;
	struct event *events = array_alloc(IMPORT_GROUP_ACCESSES, sizeof(*events), "accesses", err);
	int ret = events ? 0 : ERR_NOMEM;

	for (uint64_t g = 0; !ret && g < in->groups; g++)
		ret = write_group(w, in->file, g, least(in->count - in->file->count), events, err);
	if (!ret && in->file->count != in->count)
		ret = err_set(err, ERR_FORMAT, "%s: changed while it was read", in->file->path);
	free(events);
	return ret;
}

/* The number of addresses, of the first `most` of them, all of which are valid. The file is then
 * at its beginning. */
static int count_addresses(struct address_file *file, uint64_t most, uint64_t *count,
                           struct err *err)
{
	struct address a;
	int got = 1;

	while (got == 1 && file->count < most)
		got = address_file_next(file, &a, err);
	if (got < 0)
		return got;
	if (!file->count)
		return err_set(err, ERR_FORMAT, "%s: holds no address", file->path);
	*count = file->count;
	return address_file_rewind(file, err);
}

/* Make the table of a kernel with these accesses. */
static void make_table(struct kernel_table *t, struct site sites[ADDRESS_KIND_COUNT],
                       struct loop *loop, enum address_format format)
{
	static const enum site_kind kinds[] = { SITE_READ, SITE_WRITE, SITE_READ };

	for (size_t i = 0; i < ADDRESS_KIND_COUNT; i++)
		sites[i] = (struct site){ .kind = kinds[i],
			                  .bytes = 1,
			                  .space = SPACE_GLOBAL,
			                  .argument = -1,
			                  .expression = i == ADDRESS_FETCH ? fetch_text : no_text };
	*loop = (struct loop){ .parent = -1, .depth = 1 };
	*t = (struct kernel_table){ .name = kernel_name,
		                    .sites = sites,
		                    .site_count = format == ADDRESS_DIN ? ADDRESS_KIND_COUNT : 1,
		                    .loops = loop,
		                    .loop_count = 1 };
}

static int write_launches(struct recording_writer *w, const void *input, struct err *err)
{
	struct addresses in = *(const struct addresses *)input;
	struct recorded_launch launch = { .is_sequence = true, .fate = LAUNCH_TRACED };

	in.groups = (in.count - 1) / IMPORT_GROUP_ACCESSES + 1;
	launch.shape = (struct launch_shape){ 1, { in.groups, 1, 1 }, { 1, 1, 1 }, { 0, 0, 0 } };
	return import_recording_launch(w, &launch, in.table, write_groups, &in, err);
}

int import_addresses(const char *file, enum address_format format, uint64_t most, const char *dir,
                     struct err *err)
{
	struct site sites[ADDRESS_KIND_COUNT];
	struct loop loop;
	struct kernel_table table;
	struct address_file in;
	const struct import_head head = { &table, 1, NULL, no_text, 32 };
	struct addresses addresses = { .file = &in, .table = &table };
	int ret = address_file_open(&in, file, format, err);

	make_table(&table, sites, &loop, format);
	if (!ret)
		ret = count_addresses(&in, most, &addresses.count, err);
	if (!ret)
		ret = import_recording_make(dir, &head, write_launches, &addresses, err);
	address_file_close(&in);
	return ret;
}
