/* SPDX-License-Identifier: Apache-2.0 */
#include "dump.h"

#include "array.h"
#include "err.h"
#include "launch_reader.h"
#include "say.h"
#include "str.h"
#include "trace_source.h"

#include <inttypes.h>
#include <stdlib.h>

/* The last SVM allocation that holds an address: kernels reach all of them through pointers. */
static int64_t find_svm(const struct recording *r, uint64_t address, uint64_t *offset)
{
	for (size_t i = r->buffer_count; i-- > 0;) {
		const struct recorded_buffer *b = &r->buffers[i];

		if (!b->svm_address || address < b->svm_address ||
		    address - b->svm_address >= b->bytes)
			continue;
		*offset = address - b->svm_address;
		return (int64_t)i;
	}
	return -1;
}

int64_t dump_buffer(const struct dump *d, const struct access *access, uint64_t *offset)
{
	uint64_t address = access->address;

	if (access->facts->space == SPACE_LOCAL)
		return -1;
	for (size_t i = 0; i < d->facts->argument_count; i++) {
		const struct recorded_argument *a = &d->facts->arguments[i];

		if (a->buffer < 0 || (uint64_t)a->buffer >= d->recording->buffer_count)
			continue;
		if (address < a->address ||
		    address - a->address >= d->recording->buffers[a->buffer].bytes)
			continue;
		*offset = address - a->address;
		return a->buffer;
	}
	return find_svm(d->recording, address, offset);
}

/* Print what is in a piece. */
static int dump_piece(struct dump *d, const struct dump_format *format,
                      struct access_decoder *decoder, const struct walked_piece *piece,
                      struct err *err)
{
	struct access access;
	uint64_t accesses = 0;
	int ret = 0;

	if (piece->is_first) {
		access_decoder_begin(decoder);
		launch_shape_global_id(&d->facts->shape, d->group, piece->item, d->id);
	}
	for (uint64_t i = 0; ret >= 0 && i < piece->count; i++) {
		ret = access_decoder_take(decoder, &piece->events[i], &access, err);
		if (ret <= 0)
			continue;
		accesses += site_kind_is_access(access.facts->kind);
		ret = format->access(d, &access, err);
	}
	if (d->played)
		*d->played += accesses;
	return ret < 0 ? ret : 0;
}

static int dump_group(struct dump *d, const struct dump_format *format, struct group_walk *walk,
                      struct access_decoder *decoder, struct err *err)
{
	struct walked_piece piece;
	int ret = group_walk_start(walk, d->group, err);

	while (!ret && (ret = group_walk_next(walk, &piece, err)) > 0)
		ret = dump_piece(d, format, decoder, &piece, err);
	return ret;
}

/* Groups first .. end - 1. Those that are not in the file may be more than anybody could count. */
static int dump_groups(struct dump *d, const struct dump_format *format,
                       struct launch_reader *reader, uint64_t first, uint64_t end, struct err *err)
{
	struct access_decoder *decoder = NULL;
	struct group_walk *walk = NULL;
	int ret = access_decoder_create(&decoder, d->table, err);

	if (!ret)
		ret = group_walk_create(&walk, reader, d->table, err);
	if (!ret && format->begin)
		ret = format->begin(d, err);
	for (d->group = launch_reader_next(reader, first); !ret && d->group < end;
	     d->group = launch_reader_next(reader, d->group + 1))
		ret = dump_group(d, format, walk, decoder, err);
	if (!ret && format->end)
		ret = format->end(d, err);
	group_walk_free(walk);
	access_decoder_free(decoder);
	return ret;
}

/* All groups, or the one that was chosen. */
static int dump_chosen(struct dump *d, const struct dump_format *format,
                       struct launch_reader *reader, const uint64_t *group, struct err *err)
{
	uint64_t count = launch_shape_group_count(&d->facts->shape);

	if (!group)
		return dump_groups(d, format, reader, 0, count, err);
	if (*group >= count)
		return err_set(err, ERR_USAGE,
		               "--group: launch %" PRIu64 " has groups 0..%" PRIu64
		               ", not %" PRIu64,
		               d->facts->number, count - 1, *group);
	return dump_groups(d, format, reader, *group, *group + 1, err);
}

/* The numbers of the sites among those that access memory. */
static int number_sites(struct dump *d, struct err *err)
{
	uint32_t number = 0;

	d->numbers = array_alloc(d->table->site_count, sizeof(uint32_t), "sites", err);
	for (size_t i = 0; d->numbers && i < d->table->site_count; i++) {
		number += site_kind_is_access(d->table->sites[i].kind);
		d->numbers[i] = number;
	}
	return d->numbers ? 0 : ERR_NOMEM;
}

int dump_launch(struct dump *d, const struct dump_format *format, const uint64_t *group,
                bool *is_whole, struct err *err)
{
	struct trace_source *source = NULL;
	struct launch_reader *reader = NULL;
	int ret = recording_open_launch(d->recording, d->launch, &source, &reader, err);

	if (ret)
		return ret;
	d->facts = &d->recording->launches[d->launch];
	d->table = &d->recording->kernels[d->facts->kernel].table;
	ret = number_sites(d, err);
	if (!ret)
		ret = dump_chosen(d, format, reader, group, err);
	if (!launch_reader_is_whole(reader))
		*is_whole = false;
	free(d->numbers);
	d->numbers = NULL;
	launch_reader_close(reader);
	trace_source_close(source);
	return ret;
}

void dump_say_losses(const struct dump *d, const char *command)
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
