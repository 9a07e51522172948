/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_scene.h"

#include "cmocka_all.h"
#include "cuda_driver.h"
#include "err.h"
#include "gpu_session.h"
#include "kernel_table.h"
#include "launch_reader.h"
#include "mock_cuda.h"
#include "recording.h"
#include "script_file.h"
#include "trace_source.h"
#include "whole_group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char work_dir[] = "/tmp/warpline-test-XXXXXX";
static char instrumenter[64];

static const char ptx[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".visible .global .align 4 .u32 total = 1000; // not .entry x()\n"
	".visible .entry update(\n\t.param .u64 update_param_0,\n\t.param .u32 update_param_1\n)\n"
	"{\n\tret;\n}\n"
	".visible .entry gather(.param .u64 p, .param .u64 q)\n{\n\tret;\n}\n"
	".visible .entry count(.param .u32 n)\n{\n\tret;\n}\n";

void scene_begin(void)
{
	char text[512];

	assert_non_null(mkdtemp(work_dir));
	snprintf(instrumenter, sizeof(instrumenter), "%s/instrument", work_dir);
	snprintf(text, sizeof(text),
	         "while [ $# -gt 1 ]; do case $1 in --output) out=$2;; --table) table=$2;; "
	         "--source) source=$2;; --headers) : >$2;; esac\n"
	         "shift 2; done\n{ echo '%s'; cat $source; } >$out; cp %s/table.json $table",
	         MOCK_SHADOW_MARK, work_dir);
	script_file_write(instrumenter, text);
	setenv("WARPLINE_CACHE", "off", 1);
	cuda_real_set(mock_cuda());
}

const char *scene_dir(void)
{
	return work_dir;
}

void scene_end(void)
{
	char text[64];

	snprintf(text, sizeof(text), "rm -rf %s", work_dir);
	assert_int_equal(system(text), 0);
}

/* update: a loop with a read and a write. gather: b read, a read and written. count: a read. */
void scene_write_tables(const struct scene_tables *t)
{
	struct place none = { 0 };
	struct site update[2] = { { SITE_READ, 4, 1, 0, 0, none, NULL, 0, NULL, NULL },
		                  { SITE_WRITE, 4, 1, 0, 0, none, NULL, 0, NULL, NULL } };
	struct site gather[3] = { { SITE_READ, 4, 1, -1, 1, none, NULL, 0, NULL, NULL },
		                  { SITE_READ, 4, 1, -1, 0, none, NULL, 0, NULL, NULL },
		                  { SITE_WRITE, 4, 1, -1, 0, none, NULL, 0, NULL, NULL } };
	struct site count[1] = { { SITE_ATOMIC, 4, 1, -1, -1, none, NULL, 0, NULL, NULL } };
	struct loop loop = { .parent = -1, .depth = 1 };
	char names[3][8] = { "update", "gather", "count" }, empty[] = "", refusal[64];
	struct kernel_argument a[2] = { { empty, empty, SPACE_GLOBAL, true },
		                        { empty, empty, 0, false } };
	struct kernel_argument b[2] = { { empty, empty, SPACE_GLOBAL, true },
		                        { empty, empty, SPACE_GLOBAL, false } };
	struct kernel_argument c[1] = { { empty, empty, 0, false } };
	struct kernel_table tables[3] = {
		{ .name = names[0],
		  .sites = update,
		  .site_count = 2,
		  .loops = &loop,
		  .loop_count = 1,
		  .arguments = a,
		  .argument_count = 2,
		  .item_words = t->item_words,
		  .lanes = t->lanes,
		  .is_repeatable = t->is_repeatable },
		{ .name = names[1],
		  .sites = gather,
		  .site_count = 3,
		  .arguments = b,
		  .argument_count = 2,
		  .item_words = 3,
		  .lanes = t->lanes,
		  .is_repeatable = true },
		{ .name = names[2],
		  .sites = count,
		  .site_count = 1,
		  .arguments = c,
		  .argument_count = 1,
		  .item_words = 1,
		  .lanes = t->lanes,
		  .writes_unknown = true,
		  .is_repeatable = true },
	};
	struct err err = { 0 };
	char path[128];

	snprintf(refusal, sizeof(refusal), "%s", t->refusal ? t->refusal : "");
	for (int i = 0; t->refusal && i < 3; i++)
		tables[i].refusal = refusal;
	mock_cuda_set_lanes(t->lanes);
	snprintf(path, sizeof(path), "%s/table.json", work_dir);
	if (kernel_tables_write(path, tables, 3, &err) < 0)
		fail_msg("%s", err.msg);
}

/* One call of the application. */
#define APP(call)                                                                                  \
	do {                                                                                       \
		if ((call) != CUDA_SUCCESS) {                                                      \
			r->failed = #call;                                                         \
			return;                                                                    \
		}                                                                                  \
	} while (0)

/* What the application holds. */
struct scene {
	CUmodule module;
	CUlibrary library;
	CUfunction function;
	CUdeviceptr a, b;
};

static void load(const struct scene_plan *p, struct scene *s, struct scene_result *r)
{
	CUkernel kernel;

	if (!p->is_library) {
		APP(hook_cuModuleLoadData(&s->module, ptx));
		APP(hook_cuModuleGetFunction(&s->function, s->module, p->kernel));
		return;
	}
	APP(hook_cuLibraryLoadData(&s->library, ptx, NULL, NULL, 0, NULL, NULL, 0));
	APP(hook_cuLibraryGetKernel(&kernel, s->library, p->kernel));
	s->function = (CUfunction)(void *)kernel;
}

static void fill(struct scene *s)
{
	int *a = mock_cuda_at(s->a), *b = mock_cuda_at(s->b);

	for (int i = 0; i < SCENE_ITEMS; i++)
		a[i] = i;
	for (int i = 0; i < 8; i++)
		b[i] = 100 + i;
}

/* The kernel's values: places, and the same in one buffer. */
struct scene_values {
	unsigned n;
	void *places[2];
	unsigned char buffer[16];
	size_t bytes;
	void *extra[5];
};

static void fill_values(const struct scene_plan *p, struct scene *s, struct scene_values *v)
{
	bool is_count = !strcmp(p->kernel, "count"), is_gather = !strcmp(p->kernel, "gather");

	*v = (struct scene_values){ .n = SCENE_ITEMS };
	v->places[0] = is_count ? (void *)&v->n : &s->a;
	v->places[1] = is_gather ? (void *)&s->b : &v->n;
	v->bytes = is_count ? 4 : is_gather ? 16 : 12;
	if (is_count)
		memcpy(v->buffer, &v->n, sizeof(v->n));
	else
		memcpy(v->buffer, &s->a, sizeof(s->a));
	if (is_gather)
		memcpy(v->buffer + 8, &s->b, sizeof(s->b));
	else if (!is_count)
		memcpy(v->buffer + 8, &v->n, sizeof(v->n));
	v->extra[0] = CUDA_PARAM_BUFFER_POINTER;
	v->extra[1] = v->buffer;
	v->extra[2] = CUDA_PARAM_BUFFER_SIZE;
	v->extra[3] = &v->bytes;
}

static CUresult launch(const struct scene_plan *p, struct scene *s)
{
	CUstream stream = mock_cuda_stream(p->stream);
	const unsigned *g = p->groups;
	struct cuda_launch_attribute attributes[2] = { { .id = 0 }, { .id = 8 } };
	struct cuda_launch_config config = {
		{ g[0], g[1], g[2] }, { p->items, 1, 1 }, 0, stream, attributes, 2
	};
	struct scene_values v;

	fill_values(p, s, &v);
	switch (p->call) {
	case SCENE_BY_BUFFER:
		return hook_cuLaunchKernel(s->function, g[0], g[1], g[2], p->items, 1, 1, 0, stream,
		                           NULL, v.extra);
	case SCENE_BY_CONFIG:
		return hook_cuLaunchKernelEx(&config, s->function, v.places, NULL);
	case SCENE_COOPERATIVE:
		return hook_cuLaunchCooperativeKernel(s->function, g[0], g[1], g[2], p->items, 1, 1,
		                                      0, stream, v.places);
	case SCENE_BY_VALUES:
		break;
	}
	return hook_cuLaunchKernel(s->function, g[0], g[1], g[2], p->items, 1, 1, 0, stream,
	                           v.places, NULL);
}

static void read_back(const struct scene_plan *p, struct scene *s, struct scene_result *r)
{
	CUdeviceptr total;
	size_t bytes;

	APP(cuda_real()->cuStreamSynchronize(mock_cuda_stream(p->stream)));
	if (p->is_library)
		APP(hook_cuLibraryGetGlobal(&total, &bytes, s->library, "total"));
	else
		APP(hook_cuModuleGetGlobal_v2(&total, &bytes, s->module, "total"));
	memcpy(&r->total, mock_cuda_at(total), sizeof(r->total));
	memcpy(r->a, mock_cuda_at(s->a), sizeof(r->a));
}

static void act(const struct scene_plan *p, struct scene *s, struct scene_result *r)
{
	load(p, s, r);
	if (r->failed)
		return;
	APP(hook_cuMemAlloc_v2(&s->a, sizeof(r->a)));
	APP(hook_cuMemAlloc_v2(&s->b, 8 * sizeof(int)));
	fill(s);
	if (p->is_held)
		APP(hook_cuLaunchHostFunc(mock_cuda_stream(p->stream), NULL, NULL));
	for (int i = 0; i < SCENE_LAUNCHES; i++) {
		mock_cuda_hold(mock_cuda_stream(p->stream), p->is_held && i == 0);
		APP(launch(p, s));
		mock_cuda_hold(mock_cuda_stream(p->stream), false);
	}
	read_back(p, s, r);
}

void scene_run(const struct scene_plan *plan, struct scene_result *result)
{
	struct scene s = { 0 };
	CUcontext context = NULL;

	*result = (struct scene_result){ .failed = NULL };
	act(plan, &s, result);
	/* What is left in the stream is of a launch that was told to fail. */
	while (cuda_real()->cuStreamSynchronize(mock_cuda_stream(plan->stream)) != CUDA_SUCCESS)
		continue;
	if (s.a)
		(void)hook_cuMemFree_v2(s.a);
	if (s.b)
		(void)hook_cuMemFree_v2(s.b);
	if (s.module)
		(void)hook_cuModuleUnload(s.module);
	if (s.library)
		(void)hook_cuLibraryUnload(s.library);
	(void)mock_cuda()->cuCtxGetCurrent(&context);
	result->alive = mock_cuda_alive();
	(void)hook_cuCtxDestroy_v2(context);
}

const char *scene_ptx(void)
{
	return ptx;
}

void scene_around(const char *name, uint64_t buffer_bytes, void (*run)(void))
{
	struct session *s;
	CUcontext context;
	char dir[128];

	snprintf(dir, sizeof(dir), "%s/%s", work_dir, name);
	s = session_create(&gpu_part, dir, instrumenter, buffer_bytes);
	assert_non_null(s);
	mock_cuda_fail(SIZE_MAX);
	run();
	session_end();
	session_free(s);
	(void)mock_cuda()->cuCtxGetCurrent(&context);
	(void)mock_cuda()->cuCtxDestroy_v2(context);
}

size_t scene_record(const struct scene_plan *plan, const char *name, uint64_t buffer_bytes,
                    size_t fail, struct scene_result *result)
{
	struct session *s;
	char dir[128];
	size_t calls;

	snprintf(dir, sizeof(dir), "%s/%s", work_dir, name);
	s = session_create(&gpu_part, dir, instrumenter, buffer_bytes);
	assert_non_null(s);
	mock_cuda_fail(fail);
	scene_run(plan, result);
	calls = mock_cuda_calls();
	session_end();
	session_free(s);
	return calls;
}

struct recording *scene_open(const char *name)
{
	struct recording *recording = NULL;
	struct err err = { 0 };
	char dir[128];

	snprintf(dir, sizeof(dir), "%s/%s", work_dir, name);
	if (recording_open(&recording, dir, &err) < 0)
		fail_msg("%s", err.msg);
	return recording;
}

void scene_expect(const struct scene_plan *plan, struct scene_result *want)
{
	*want = (struct scene_result){ .total = 1000 };
	if (!strcmp(plan->kernel, "count"))
		want->total += SCENE_ITEMS * SCENE_LAUNCHES;
	for (int i = 0; i < SCENE_ITEMS; i++) {
		unsigned value = (unsigned)i;

		if (!strcmp(plan->kernel, "gather"))
			value += SCENE_LAUNCHES * (100 + (unsigned)i % 8);
		for (int l = 0; !strcmp(plan->kernel, "update") && l < SCENE_LAUNCHES; l++)
			for (unsigned k = 0; k < mock_cuda_count((uint64_t)i); k++)
				value = value * 3 + (unsigned)i;
		want->a[i] = (int)value;
	}
}

/* What one work-item did: its own int read and written each time round. */
static void check_update(const struct recorded_launch *l, const struct event *e, uint64_t count,
                         uint64_t i)
{
	assert_int_equal(count, 2 * mock_cuda_count(i));
	for (uint32_t k = 0; k < count; k++) {
		assert_int_equal(e[k].point, EVENT_SITE | k % 2);
		assert_int_equal(e[k].iteration, k / 2);
		assert_int_equal(e[k].value, l->arguments[0].address + i * 4);
	}
}

/* One of eight ints of the second buffer read, its own read and written. */
static void check_gather(const struct recorded_launch *l, const struct event *e, uint64_t count,
                         uint64_t i)
{
	assert_int_equal(count, 3);
	for (uint32_t k = 0; k < count; k++)
		assert_int_equal(e[k].point, EVENT_SITE | k);
	assert_int_equal(e[0].value, l->arguments[1].address + i % 8 * 4);
	assert_int_equal(e[1].value, l->arguments[0].address + i * 4);
	assert_int_equal(e[2].value, l->arguments[0].address + i * 4);
}

static void check_item(const struct recorded_launch *l, const struct scene_plan *plan,
                       const struct event *e, uint64_t count, uint64_t i)
{
	if (!strcmp(plan->kernel, "update"))
		check_update(l, e, count, i);
	else if (!strcmp(plan->kernel, "gather"))
		check_gather(l, e, count, i);
	else
		assert_int_equal(count, 1);
}

void scene_check_events(const struct recording *r, size_t number, const struct scene_plan *plan)
{
	const struct recorded_launch *launch = &r->launches[number];
	struct launch_reader *reader = NULL;
	struct trace_source *source = NULL;
	struct group_events group;
	struct err err = { 0 };

	assert_int_equal(launch->fate, LAUNCH_TRACED);
	if (recording_open_launch(r, number, &source, &reader, &err) < 0)
		fail_msg("%s", err.msg);
	assert_true(launch_reader_is_whole(reader));
	for (uint64_t g = 0; g < SCENE_ITEMS / plan->items; g++) {
		assert_int_equal(whole_group_plain(reader, &r->kernels[launch->kernel].table, g,
		                                   &group, &err),
		                 0);
		for (uint32_t item = 0; item < plan->items; item++)
			check_item(launch, plan, group.events + group.first[item],
			           group.first[item + 1] - group.first[item],
			           g * plan->items + item);
	}
	launch_reader_close(reader);
	trace_source_close(source);
}
