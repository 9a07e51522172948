/* SPDX-License-Identifier: Apache-2.0 */
#include "recordings.h"

#include "bypass_list.h"
#include "bypass_recordings.h"
#include "err.h"
#include "odd_recordings.h"
#include "recording_script.h"
#include "str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* vadd */

static const char vadd_source[] = "__kernel void vadd(__global const float *a,\n"
				  "                   __global const float *b, __global float *c)\n"
				  "{\n"
				  "	size_t i = get_global_id(0);\n"
				  "	c[i] = a[i] + b[i];\n"
				  "}\n";

static void fill_vadd(struct script *s, uint64_t group, uint32_t items)
{
	for (; s->items < items; s->items++) {
		uint64_t offset = 4 * (32 * group + s->items);

		recording_script_add(s, EVENT_SITE | 0, UINT64_C(0x7f0000001000) + offset, 0);
		recording_script_add(s, EVENT_SITE | 1, UINT64_C(0x7f0000002000) + offset, 0);
		recording_script_add(s, EVENT_SITE | 2, UINT64_C(0x7f0000003000) + offset, 0);
	}
}

/* A launch of a kernel that does what vadd does, and is a new one when `name` is given. */
static int add_named(struct recording_writer *w, char *name, uint32_t work_items, bool is_first,
                     struct err *err)
{
	char *file = TEXT("sources/program-0000.cl");
	struct site sites[] = {
		{ SITE_READ, 4, 1, -1, 0, recording_script_place(file, 5, 9), NULL, 0, NULL, NULL },
		{ SITE_READ, 4, 1, -1, 1, recording_script_place(file, 5, 16), NULL, 0, NULL,
		  NULL },
		{ SITE_WRITE, 4, 1, -1, 2, recording_script_place(file, 5, 7), NULL, 0, NULL,
		  NULL },
	};
	struct kernel_argument arguments[] = { { TEXT("a"), TEXT("float*"), 1, false },
		                               { TEXT("b"), TEXT("float*"), 1, false },
		                               { TEXT("c"), TEXT("float*"), 1, true } };
	struct kernel_table table = { .name = name ? name : TEXT("vadd"),
		                      .sites = sites,
		                      .site_count = 3,
		                      .arguments = arguments,
		                      .argument_count = 3,
		                      .is_repeatable = true,
		                      .is_local_exact = name != NULL,
		                      .local_groups = name ? 32 : 0 };
	struct recorded_argument pointers[] = { { 0, 0, UINT64_C(0x7f0000001000) },
		                                { 1, 1, UINT64_C(0x7f0000002000) },
		                                { 2, 2, UINT64_C(0x7f0000003000) } };
	struct recorded_launch launch = { .shape = { 1, { work_items, 1, 1 }, { 32, 1, 1 }, { 0 } },
		                          .arguments = pointers,
		                          .argument_count = 3 };
	struct recorded_buffer buffer = { .bytes = 256, .flags = 1, .parent = -1 };
	uint32_t id = 0;
	int ret = 0;

	for (int i = 0; is_first && !ret && i < 3; i++)
		ret = recording_writer_buffer(w, &buffer, &id, err);
	if (is_first && !ret)
		ret = recording_script_program(w, vadd_source, err);
	if ((is_first || name) && !ret)
		ret = recording_script_kernel(w, &table, &id, err);
	launch.kernel = name ? id : 0;
	return ret ? ret : recording_script_launch(w, &launch, &table, fill_vadd, err);
}

static int add_vadd(struct recording_writer *w, uint32_t work_items, bool is_first, struct err *err)
{
	return add_named(w, NULL, work_items, is_first, err);
}

static int make_vadd(const char *dir, struct err *err)
{
	struct recording_writer *w = NULL;
	int ret = recording_script_begin(&w, dir, err);

	if (!ret)
		ret = add_vadd(w, 64, true, err);
	if (!ret)
		ret = add_vadd(w, 32, false, err);
	return ret ? ret : recording_script_finish(w, err);
}

/* cuda: what nvcc makes of three kernels, two of which are overloaded */

static int make_cuda(const char *dir, struct err *err)
{
	char *const names[] = { TEXT("_Z4vaddPKfS0_Pf"), TEXT("_Z4vaddPKdS0_Pd"),
		                TEXT("_ZN2my5scaleILi2EEEvPf") };
	struct recording_writer *w = NULL;
	int ret = recording_script_begin(&w, dir, err);

	for (size_t i = 0; !ret && i < sizeof(names) / sizeof(names[0]); i++)
		ret = add_named(w, names[i], 64, i == 0, err);
	return ret ? ret : recording_script_finish(w, err);
}

/* listed */

static int keep_list(struct recording_writer *w, const char *type, const char *rules,
                     struct err *err)
{
	struct bypass_list list = { 0 };
	int ret = bypass_list_parse(&list, rules, err);

	if (!ret)
		ret = recording_writer_list(w, type, &list, err);
	bypass_list_release(&list);
	return ret;
}

static int make_listed(const char *dir, struct err *err)
{
	struct recording_writer *w = NULL;
	int ret = recording_script_begin(&w, dir, err);

	if (!ret)
		ret = keep_list(w, "bypass", "site:1", err);
	if (!ret)
		ret = keep_list(w, "applied", "site:0", err);
	if (!ret)
		ret = add_vadd(w, 64, true, err);
	return ret ? ret : recording_script_finish(w, err);
}

/* loops: for i < 2 { a[i]; for j < 3 { b[j]; } barrier } c[item] = */

static void fill_loops(struct script *s, uint64_t group, uint32_t items)
{
	(void)group;
	for (; s->items < items; s->items++) {
		for (uint32_t i = 0; i < 2; i++) {
			recording_script_add(s, EVENT_SITE | 0, 0x10000000 + 4 * i, i);
			recording_script_add(s, EVENT_LOOP | 1, i, 0);
			for (uint32_t j = 0; j < 3; j++)
				recording_script_add(s, EVENT_SITE | 1, 0x10000100 + 4 * j, j);
			recording_script_add(s, EVENT_SITE | 2, 0, i);
		}
		recording_script_add(s, EVENT_SITE | 3, 0x10000200 + 4 * (uint64_t)s->items, 0);
	}
}

static int make_loops(const char *dir, struct err *err)
{
	char *file = TEXT("kernel.cl");
	struct site sites[] = {
		{ SITE_READ, 4, 1, 0, -1, recording_script_place(file, 3, 5), NULL, 0, NULL, NULL },
		{ SITE_READ, 4, 1, 1, -1, recording_script_place(file, 5, 9), NULL, 0, NULL, NULL },
		{ SITE_BARRIER, 0, 3, 0, -1, recording_script_place(file, 6, 5), NULL, 0, NULL,
		  NULL },
		{ SITE_WRITE, 4, 1, -1, -1, recording_script_place(file, 8, 1), NULL, 0, NULL,
		  NULL },
	};
	struct loop loops[] = { { -1, 1, recording_script_place(file, 2, 1) },
		                { 0, 2, recording_script_place(file, 4, 5) } };
	struct kernel_table table = { .name = TEXT("loops"),
		                      .sites = sites,
		                      .site_count = 4,
		                      .loops = loops,
		                      .loop_count = 2,
		                      .is_repeatable = true };
	struct recorded_launch launch = { .shape = { 1, { 4, 1, 1 }, { 4, 1, 1 }, { 0 } },
		                          .local_bytes = 64 };
	struct recording_writer *w = NULL;
	uint32_t id;
	int ret = recording_script_begin(&w, dir, err);

	if (!ret)
		ret = recording_script_program(w, "", err);
	if (!ret)
		ret = recording_script_kernel(w, &table, &id, err);
	if (!ret)
		ret = recording_script_launch(w, &launch, &table, fill_loops, err);
	return ret ? ret : recording_script_finish(w, err);
}

/* incomplete */

static int skip_launch(struct recording_writer *w, uint32_t kernel, bool is_pending,
                       struct err *err)
{
	struct recorded_launch launch = { .kernel = kernel,
		                          .shape = { 2, { 8, 8, 1 }, { 4, 4, 1 }, { 0 } },
		                          .fate = LAUNCH_SKIPPED,
		                          .reason = TEXT("reads an image") };
	uint32_t id;
	int ret = recording_writer_launch(w, &launch, &id, err);

	return ret || is_pending ? ret : recording_writer_fate(w, id, &launch, err);
}

static int make_incomplete(const char *dir, struct err *err)
{
	struct recorded_kernel blur = { .door = TEXT(""),
		                        .reason = TEXT("reads an image"),
		                        .table = { .name = TEXT("blur") } };
	struct recording_writer *w = NULL;
	uint32_t id = 0;
	int ret = recording_script_begin(&w, dir, err);

	if (!ret)
		ret = add_vadd(w, 32, true, err);
	if (!ret)
		ret = recording_writer_kernel(w, &blur, &id, err);
	for (int i = 0; !ret && i < 2; i++)
		ret = skip_launch(w, id, false, err);
	if (!ret)
		ret = skip_launch(w, 0, true, err);
	if (!ret)
		ret = recording_writer_note(w, "clEnqueueNativeKernel", "runs on the host", 2, err);
	recording_writer_close(w);
	return ret;
}

/* manifest, truncated */

static int make_damaged(const char *dir, bool is_manifest, struct err *err)
{
	char *path =
		str_format(err, "%s/%s", dir, is_manifest ? "manifest.jsonl" : "launch-000000.wll");
	struct stat facts;
	FILE *file = NULL;
	int ret = path ? make_vadd(dir, err) : ERR_NOMEM;

	if (!ret && stat(path, &facts))
		ret = err_set(err, ERR_IO, "%s: not there", path);
	if (!ret && !is_manifest && truncate(path, facts.st_size / 2))
		ret = err_set(err, ERR_IO, "%s: cannot be cut", path);
	if (!ret && is_manifest) {
		file = fopen(path, "r+e");
		ret = file && fputs("no JSON", file) >= 0 ? 0 : err_set(err, ERR_IO, "%s", path);
	}
	if (file && fclose(file) && !ret)
		ret = err_set(err, ERR_IO, "%s: cannot be written", path);
	free(path);
	return ret;
}

static int make_broken(const char *dir, struct err *err)
{
	return make_damaged(dir, true, err);
}

static int make_short(const char *dir, struct err *err)
{
	return make_damaged(dir, false, err);
}

/* counted */

static int count_launch(struct recording_writer *w, const struct kernel_table *table,
                        uint64_t counts[3], struct err *err)
{
	struct recorded_launch launch = { .shape = { 1, { 64, 1, 1 }, { 32, 1, 1 }, { 0 } },
		                          .fate = counts ? LAUNCH_COUNTED : LAUNCH_UNSELECTED,
		                          .counts = counts,
		                          .count_count = counts ? 3 : 0 };
	uint32_t id;
	int ret = recording_writer_launch(w, &launch, &id, err);

	if (counts)
		recorded_counts_total(table, counts, &launch.totals);
	return ret ? ret : recording_writer_fate(w, id, &launch, err);
}

static int make_counted(const char *dir, struct err *err)
{
	char *file = TEXT("sources/program-0000.cl");
	struct site sites[] = {
		{ SITE_READ, 4, 1, -1, -1, recording_script_place(file, 5, 9), NULL, 0,
		  TEXT("a[i]"), TEXT("vadd") },
		{ SITE_BARRIER, 0, 3, -1, -1, recording_script_place(file, 6, 2), NULL, 0, NULL,
		  NULL },
		{ SITE_WRITE, 4, 1, -1, -1, { 0 }, NULL, 0, NULL, NULL },
	};
	struct kernel_table table = { .name = TEXT("vadd"),
		                      .records = TEXT("count"),
		                      .sites = sites,
		                      .site_count = 3,
		                      .is_repeatable = true };
	struct recorded_launch launch = { .shape = { 1, { 64, 1, 1 }, { 32, 1, 1 }, { 0 } },
		                          .groups_selected = TEXT("/1") };
	uint64_t counts[2][3] = { { 1200, 64, 64 }, { 34, 0, 1 } };
	struct recording_writer *w = NULL;
	uint32_t id;
	int ret = recording_script_begin(&w, dir, err);

	if (!ret)
		ret = recording_script_program(w, vadd_source, err);
	if (!ret)
		ret = recording_script_kernel(w, &table, &id, err);
	if (!ret)
		ret = count_launch(w, &table, counts[0], err);
	if (!ret)
		ret = count_launch(w, &table, NULL, err);
	if (!ret)
		ret = count_launch(w, &table, counts[1], err);
	if (!ret)
		ret = recording_script_launch(w, &launch, &table, fill_vadd, err);
	return ret ? ret : recording_script_finish(w, err);
}

static const struct {
	const char *kind;
	int (*make)(const char *dir, struct err *err);
} makers[] = {
	{ "vadd", make_vadd },
	{ "cuda", make_cuda },
	{ "loops", make_loops },
	{ "incomplete", make_incomplete },
	{ "manifest", make_broken },
	{ "truncated", make_short },
	{ "listed", make_listed },
	{ "atomics", odd_recording_make_atomics },
	{ "kernels", odd_recording_make_kernels },
	{ "deep", odd_recording_make_deep },
	{ "far", odd_recording_make_far },
	{ "wide", odd_recording_make_wide },
	{ "huge", odd_recording_make_huge },
	{ "broad", odd_recording_make_broad },
	{ "sparse", odd_recording_make_sparse },
	{ "counted", make_counted },
	{ "limited", odd_recording_make_limited },
	{ "lost", odd_recording_make_lost },
	{ "full", odd_recording_make_full },
	{ "unselected", odd_recording_make_unselected },
	{ "tallied", odd_recording_make_tallied },
	{ "sides", odd_recording_make_sides },
	{ "streaming", bypass_recording_make_streaming },
	{ "strided", bypass_recording_make_strided },
	{ "spread", bypass_recording_make_spread },
	{ "reused", bypass_recording_make_reused },
	{ "varied", bypass_recording_make_varied },
	{ "updated", bypass_recording_make_updated },
	{ "mixed", bypass_recording_make_mixed },
};

int recording_make(const char *kind, const char *dir, struct err *err)
{
	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++) {
		if (!strcmp(makers[i].kind, kind))
			return makers[i].make(dir, err);
	}
	return err_set(err, ERR_USAGE, "%s: no such recording", kind);
}
