/* SPDX-License-Identifier: Apache-2.0 */
#include "err.h"
#include "file.h"
#include "launch_reader.h"
#include "recording_copy_private.h"
#include "trace_source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int write_all(int to, const char *bytes, size_t length)
{
	while (length) {
		ssize_t put = write(to, bytes, length);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return errno ? errno : EIO;
		bytes += put;
		length -= (size_t)put;
	}
	return 0;
}

/* Copy what is left of one file to another. Returns an errno value. */
static int copy_bytes(int from, int to)
{
	char bytes[1 << 16];

	for (;;) {
		ssize_t got = read(from, bytes, sizeof(bytes));

		if (!got)
			return 0;
		if (got < 0 && errno != EINTR)
			return errno;
		if (got > 0) {
			int failed = write_all(to, bytes, (size_t)got);

			if (failed)
				return failed;
		}
	}
}

/* Make `to` another name of an open file. Whatever has taken the place of its name by now is not
 * looked at. */
static bool link_file(int from, const char *to)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", from);
	return !linkat(AT_FDCWD, path, AT_FDCWD, to, AT_SYMLINK_FOLLOW);
}

static int copy_file(int in, const char *to)
{
	int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	int failed = out < 0 ? errno : copy_bytes(in, out);

	if (out >= 0 && close(out) && !failed)
		failed = errno;
	return failed;
}

/* Whether the file of a launch is what was written: a copy must not make damage look new. */
static int check_file(const struct recording *r, const struct recorded_launch *l, struct err *err)
{
	struct trace_source *source = NULL;
	struct launch_reader *reader = NULL;
	int ret = recording_open_launch(r, (size_t)(l - r->launches), &source, &reader, err);

	if (!ret && l->totals.file_sum && !launch_reader_totals(reader)->file_sum)
		ret = err_set(
			err, ERR_FORMAT,
			"%s: damaged: it has lost its end, which was there when it was written; "
			"'warpline rm' can leave launch %" PRIu64 " out",
			trace_source_name(source), l->number);
	if (!ret)
		ret = launch_reader_check(reader, err);
	launch_reader_close(reader);
	trace_source_close(source);
	return ret;
}

/* Take over the file of a launch, which gets the number `id`. */
static int copy_launch_file(struct recording_copy *c, const struct recording *r,
                            const struct recorded_launch *l, uint32_t id, bool may_link,
                            struct err *err)
{
	char *name = recording_launch_name(id, err);
	char *to = name ? file_path(recording_writer_dir(c->w), name, err) : NULL;
	int in = to ? file_open_below(r->dir, l->file, O_RDONLY, err) : ERR_NOMEM;
	bool is_linked = in >= 0 && may_link && link_file(in, to);
	int ret = in < 0 ? in : is_linked ? 0 : check_file(r, l, err), failed;

	if (!ret && !is_linked) {
		failed = copy_file(in, to);
		if (failed)
			ret = err_set(err, ERR_IO, "%s/%s: cannot be copied to %s: %s", r->dir,
			              l->file, to, strerror(failed));
	}
	if (in >= 0)
		close(in);
	free(name);
	free(to);
	return ret;
}

/* Arguments that name the buffers by their new numbers, on the heap. */
static int move_arguments(const struct recording_copy *c, const struct recorded_launch *l,
                          struct recorded_launch *moved, struct err *err)
{
	moved->arguments =
		array_alloc(l->argument_count, sizeof(*moved->arguments), "arguments", err);
	if (!moved->arguments)
		return ERR_NOMEM;
	for (size_t i = 0; i < l->argument_count; i++) {
		moved->arguments[i] = l->arguments[i];
		moved->arguments[i].buffer += l->arguments[i].buffer >= 0 ? (int64_t)c->buffers : 0;
	}
	return 0;
}

/* The fate of a launch that is taken over as it is. */
static int copy_fate(struct recording_copy *c, const struct recording *r,
                     const struct recorded_launch *l, uint32_t id, bool may_link, struct err *err)
{
	struct recorded_launch moved = *l;
	int ret = 0;

	if (l->fate == LAUNCH_PENDING)
		return 0;
	ret = move_arguments(c, l, &moved, err);
	if (ret)
		return ret;
	if (l->fate == LAUNCH_TRACED)
		ret = copy_launch_file(c, r, l, id, may_link, err);
	if (!ret)
		ret = recording_writer_fate(c->w, id, &moved, err);
	free(moved.arguments);
	return ret;
}

static int copy_groups(struct launch_reader *from, const struct recorded_launch *l,
                       struct launch_writer *to, struct err *err)
{
	uint64_t count = launch_shape_group_count(&l->shape);
	struct group_events g;
	int ret = 0;

	for (uint64_t i = launch_reader_next(from, 0); !ret && i < count;
	     i = launch_reader_next(from, i + 1)) {
		ret = launch_reader_part(from, i, 0, &g, err);
		if (!ret)
			ret = launch_writer_add(to, i, &g, err);
	}
	return ret;
}

/* The events of a small launch, which stay in memory. */
static int read_small(struct recording_copy *c, const struct recording *r, size_t launch,
                      uint32_t number, struct launch_writer **events, struct err *err)
{
	const struct recorded_launch *l = &r->launches[launch];
	struct launch_reader *from = NULL;
	struct trace_source *source = NULL;
	int ret = recording_open_launch(r, launch, &source, &from, err);

	if (!ret)
		ret = recording_writer_open_launch(c->w, number, &l->shape,
		                                   &r->kernels[l->kernel].table, events, err);
	if (!ret && l->totals.groups < launch_shape_group_count(&l->shape))
		launch_writer_select(*events);
	if (!ret)
		ret = copy_groups(from, l, *events, err);
	launch_reader_close(from);
	trace_source_close(source);
	return ret;
}

/* Counts of its own. */
static int copy_counts(struct recorded_launch *moved, struct err *err)
{
	uint64_t *counts = NULL;

	if (moved->counts) {
		counts = array_alloc(moved->count_count, sizeof(*counts), "counts", err);
		if (!counts)
			return ERR_NOMEM;
		memcpy(counts, moved->counts, moved->count_count * sizeof(*counts));
	}
	moved->counts = counts;
	return 0;
}

/* A launch that shares a file with others, and is kept: it will do so again. */
static int copy_small(struct recording_copy *c, const struct recording *r, size_t launch,
                      const struct copied_numbers *n, struct err *err)
{
	struct recorded_launch moved = r->launches[launch];
	struct launch_writer *events = NULL;
	bool has_room;
	int ret = move_arguments(c, &r->launches[launch], &moved, err);

	if (!ret)
		ret = copy_counts(&moved, err);
	if (ret) {
		free(moved.arguments);
		return ret;
	}
	moved.number += n->launches;
	moved.kernel = n->kernels[moved.kernel];
	if (moved.number > UINT32_MAX)
		ret = err_set(err, ERR_LIMIT, "launch %" PRIu64 ": expected numbers below 2^32",
		              moved.number);
	if (!ret && moved.fate == LAUNCH_TRACED)
		ret = read_small(c, r, launch, (uint32_t)moved.number, &events, err);
	if (!ret)
		ret = recording_writer_small(
			c->w,
			&(struct small_launch){ &moved,
		                                &r->kernels[r->launches[launch].kernel].table,
		                                &events, UINT64_MAX },
			&has_room, err);
	launch_writer_discard(events);
	free(moved.arguments);
	free(moved.counts);
	return ret;
}

static int copy_launch(struct recording_copy *c, const struct recording *r, size_t launch,
                       const struct copied_numbers *n, const struct recording_copy_choice *choice,
                       struct err *err)
{
	const struct recorded_launch left_out = { .fate = LAUNCH_UNSELECTED };
	const struct recorded_launch *l = &r->launches[launch];
	struct recorded_launch moved = *l;
	bool is_recorded = l->fate == LAUNCH_TRACED || l->fate == LAUNCH_COUNTED;
	bool is_kept = !is_recorded || !choice->keeps || choice->keeps(choice->context, r, l);
	uint64_t number = n->launches + l->number;
	int ret;

	if (is_kept && l->bundle)
		return copy_small(c, r, launch, n, err);
	moved.kernel = n->kernels[l->kernel];
	ret = recording_writer_launch_at(c->w, &moved, number, err);
	if (ret)
		return ret;
	if (is_kept)
		return copy_fate(c, r, l, (uint32_t)number, choice->may_link, err);
	c->left_out++;
	c->left_out_bytes += l->totals.file_bytes;
	return recording_writer_fate(c->w, (uint32_t)number, &left_out, err);
}

static int copy_tally(struct recording_copy *c, const struct recorded_tally *t,
                      const struct copied_numbers *n, struct err *err)
{
	struct recorded_tally moved = *t;
	uint32_t id = RECORDING_TALLY_NEW;

	moved.kernel = n->kernels[t->kernel];
	moved.first += n->launches;
	moved.last += n->launches;
	return recording_writer_tally(c->w, &moved, &id, err);
}

int recording_copy_launches(struct recording_copy *c, const struct recording *r,
                            const struct copied_numbers *n,
                            const struct recording_copy_choice *choice, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < r->launch_count; i++)
		ret = copy_launch(c, r, i, n, choice, err);
	for (size_t i = 0; !ret && i < r->tally_count; i++)
		ret = copy_tally(c, &r->tallies[i], n, err);
	return ret;
}
