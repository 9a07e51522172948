/* SPDX-License-Identifier: Apache-2.0 */
#include "verify.h"

#include "bypass_list.h"
#include "err.h"
#include "file.h"
#include "recording.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char manifest[] = "manifest.jsonl";

static int count_file(struct verify *v, uint64_t bytes)
{
	v->files++;
	v->bytes += bytes;
	return 0;
}

/* A text that the manifest names is there as it was written, and counted. Returns 1 when it is not,
 * 0 or ERR_NOMEM. */
static int check_text(struct verify *v, const char *file, const struct recorded_sum *sum,
                      struct err *err)
{
	struct err why = { 0 };
	uint64_t bytes = 0;
	int ret = recording_check_text(v->recording, file, sum, &bytes, &why);

	if (!ret)
		return count_file(v, bytes);
	if (ret == ERR_NOMEM)
		return err_set(err, ERR_NOMEM, "%s", why.msg);
	ret = verify_add(v, VERIFY_DAMAGE, err, file, "%s", why.msg);
	return ret ? ret : 1;
}

static int check_list(struct verify *v, const struct recorded_list *kept, struct err *err)
{
	struct bypass_list list = { 0 };
	struct err why = { 0 };
	int ret;

	if (!kept->file)
		return 0;
	ret = check_text(v, kept->file, &kept->sum, err);
	if (ret)
		return ret < 0 ? ret : 0;
	if (recording_read_list(v->recording, kept, &list, &why))
		ret = verify_add(v, VERIFY_DAMAGE, err, kept->file, "%s", why.msg);
	else if (list.count != kept->rules)
		ret = verify_add(v, VERIFY_DAMAGE, err, kept->file,
		                 "has %zu rules: expected %" PRIu64 ", as %s says", list.count,
		                 kept->rules, manifest);
	bypass_list_release(&list);
	return ret;
}

/* All texts that the manifest names. */
static int check_texts(struct verify *v, struct err *err)
{
	const struct recording *r = v->recording;
	uint64_t unsigned_texts = recording_unsigned_texts(r);
	int ret = 0;

	for (size_t i = 0; ret >= 0 && i < r->program_count; i++) {
		const struct recorded_program *p = &r->programs[i];

		if (p->source_file)
			ret = check_text(v, p->source_file, &p->source_sum, err);
	}
	if (ret >= 0)
		ret = check_list(v, &r->bypass, err);
	if (!ret)
		ret = check_list(v, &r->applied, err);
	if (!ret && unsigned_texts)
		ret = verify_add(v, VERIFY_REMARK, err, manifest,
		                 "is of version %" PRIu32 ", which has no checksums of sources and "
		                 "bypass lists: damage in %" PRIu64 " of them would not be found",
		                 r->version, unsigned_texts);
	return ret;
}

static int check_buffers(struct verify *v, struct err *err)
{
	const struct recording *r = v->recording;
	int ret = 0;

	for (size_t i = 0; !ret && i < r->buffer_count; i++) {
		const struct recorded_buffer *b = &r->buffers[i];
		uint64_t whole = b->parent >= 0 ? r->buffers[b->parent].bytes : 0;

		if (b->parent >= 0 &&
		    (b->origin_bytes > whole || b->bytes > whole - b->origin_bytes))
			ret = verify_add(v, VERIFY_DAMAGE, err, manifest,
			                 "buffer %zu does not lie in buffer %" PRId64
			                 ", of which it is a part",
			                 i, b->parent);
	}
	return ret;
}

/* A kernel's table, whatever launches of it there are. */
static int check_kernels(struct verify *v, struct err *err)
{
	const struct recording *r = v->recording;
	int ret = 0;

	for (size_t i = 0; !ret && i < r->kernel_count; i++) {
		const struct kernel_table *t = &r->kernels[i].table;
		struct err why = { 0 };

		if (kernel_table_check(t, &why))
			ret = verify_add(v, VERIFY_DAMAGE, err, manifest, "%s", why.msg);
		if (!ret && t->unrecorded_count && *r->kernels[i].door)
			ret = verify_add(v, VERIFY_MISSING, err, manifest,
			                 "kernel %s: %zu constructs are not recorded, the first of "
			                 "them: %s",
			                 t->name, t->unrecorded_count, t->unrecorded[0].what);
	}
	return ret;
}

/* The totals of a counted launch follow from its counts. */
static int check_counts(struct verify *v, const struct recorded_launch *l, const char *where,
                        struct err *err)
{
	const struct kernel_table *t = &v->recording->kernels[l->kernel].table;
	struct launch_totals totals;

	if (l->count_count != t->site_count)
		return verify_add(v, VERIFY_DAMAGE, err, where,
		                  "has %zu counts: expected one for each of %zu sites",
		                  l->count_count, t->site_count);
	recorded_counts_total(t, l->counts, &totals);
	if (totals.reads == l->totals.reads && totals.writes == l->totals.writes &&
	    totals.atomics == l->totals.atomics && totals.barriers == l->totals.barriers &&
	    totals.accesses == l->totals.accesses)
		return 0;
	return verify_add(v, VERIFY_DAMAGE, err, where,
	                  "its totals are not those of its counts: %" PRIu64
	                  " accesses, expected %" PRIu64,
	                  l->totals.accesses, totals.accesses);
}

static int check_arguments(struct verify *v, const struct recorded_launch *l, const char *where,
                           struct err *err)
{
	const struct kernel_table *t = &v->recording->kernels[l->kernel].table;

	for (size_t i = 0; i < l->argument_count; i++) {
		if (t->argument_count && l->arguments[i].index >= t->argument_count)
			return verify_add(v, VERIFY_DAMAGE, err, where,
			                  "names argument %u: expected one of the kernel's %zu",
			                  l->arguments[i].index, t->argument_count);
	}
	return 0;
}

static int check_launch(struct verify *v, const struct recorded_launch *l, struct err *err)
{
	const struct recorded_kernel *k = &v->recording->kernels[l->kernel];
	char where[64];

	(void)snprintf(where, sizeof(where), "launch %" PRIu64, l->number);
	if ((l->fate == LAUNCH_TRACED || l->fate == LAUNCH_COUNTED) && !*k->door)
		return verify_add(v, VERIFY_DAMAGE, err, where,
		                  "was recorded, of kernel %s, which runs unmodified",
		                  k->table.name);
	if (l->fate == LAUNCH_PENDING)
		return verify_add(v, VERIFY_MISSING, err, where,
		                  "of kernel %s: the program ended before it was drained",
		                  k->table.name);
	if (l->fate == LAUNCH_SKIPPED)
		return verify_add(v, VERIFY_MISSING, err, where, "of kernel %s was skipped: %s",
		                  k->table.name, l->reason ? l->reason : "no reason recorded");
	if (l->fate == LAUNCH_COUNTED)
		return check_counts(v, l, where, err);
	return l->fate == LAUNCH_TRACED ? check_arguments(v, l, where, err) : 0;
}

/* What is known to be missing besides launches. */
static int check_losses(struct verify *v, struct err *err)
{
	const struct recording *r = v->recording;
	int ret = 0;

	if (!r->has_end)
		ret = verify_add(v, VERIFY_MISSING, err, manifest,
		                 "has no end: the recorder was killed, or lost its last lines");
	if (!ret && r->launches_unknown)
		ret = verify_add(v, VERIFY_MISSING, err, manifest,
		                 "launches of which nothing is known: %" PRIu64,
		                 r->launches_unknown);
	for (size_t i = 0; !ret && i < r->tally_count; i++) {
		const struct recorded_tally *t = &r->tallies[i];

		if (t->fate == LAUNCH_SKIPPED)
			ret = verify_add(v, VERIFY_MISSING, err, manifest,
			                 "launches of kernel %s that were skipped: %" PRIu64 ": %s",
			                 r->kernels[t->kernel].table.name, t->count,
			                 t->reason ? t->reason : "no reason recorded");
	}
	for (size_t i = 0; !ret && i < r->note_count; i++)
		ret = verify_add(v, VERIFY_MISSING, err, manifest,
		                 "not recorded, times %" PRIu64 ": %s: %s", r->notes[i].count,
		                 r->notes[i].what, r->notes[i].reason);
	if (!ret && recording_limited_launches(r))
		ret = verify_add(v, VERIFY_REMARK, err, manifest,
		                 "launches behind a limit that was set for the recording: %" PRIu64,
		                 recording_limited_launches(r));
	if (!ret && r->has_end && r->exit_status < 0)
		ret = verify_add(v, VERIFY_REMARK, err, manifest,
		                 "does not tell the program's exit status");
	return ret;
}

/* Files of launches that share them. */
static int check_bundles(struct verify *v, struct err *err)
{
	const struct recording *r = v->recording;
	int ret = 0;

	for (size_t i = 0; !ret && i < r->bundle_count; i++) {
		const struct recorded_bundle *b = &r->bundles[i];

		v->files += !i || strcmp(b->file, b[-1].file) != 0;
		if (b->fault)
			ret = verify_add(v, VERIFY_DAMAGE, err, b->file, "%s", b->fault);
	}
	return ret;
}

int verify_manifest(struct verify *v, struct err *err)
{
	const struct recording *r = v->recording;
	int fd = file_open_below(r->dir, manifest, O_RDONLY, NULL), ret;
	struct stat facts = { 0 };

	if (fd >= 0) {
		(void)fstat(fd, &facts);
		close(fd);
	}
	count_file(v, (uint64_t)facts.st_size);
	ret = check_texts(v, err);
	if (!ret)
		ret = check_buffers(v, err);
	if (!ret)
		ret = check_kernels(v, err);
	if (!ret)
		ret = check_bundles(v, err);
	for (size_t i = 0; !ret && i < r->launch_count; i++)
		ret = check_launch(v, &r->launches[i], err);
	return ret ? ret : check_losses(v, err);
}
