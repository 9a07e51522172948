/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_recordings.h"

#include "err.h"
#include "recording_script.h"

enum { TIMES = 16, TABLE_LINES = 4, GROUPS = 2, SPREAD_GROUPS = 8 };

#define LINE_BYTES UINT64_C(128)

#define TABLE  UINT64_C(0x7f0000001000)
#define STREAM UINT64_C(0x7f0000100000)
#define OUT    UINT64_C(0x7f0000800000)

static char source_file[] = "sources/program-0000.cl";

static const char source[] =
	"__kernel void streaming(__global const float *table, __global const float *stream,\n"
	"                        __global float *out)\n"
	"{\n"
	"	size_t i = get_global_id(0), lane = get_local_id(0);\n"
	"	float sum = 0;\n"
	"	for (int k = 0; k < 16; k++)\n"
	"		sum += table[32 * (k % 4) + lane]\n"
	"		       * stream[16 * 32 * get_group_id(0) + 32 * k + lane];\n"
	"	out[i] = sum;\n"
	"}\n"
	"__kernel void strided(__global const float *data, __global float *out)\n"
	"{\n"
	"	float sum = 0;\n"
	"	for (int k = 0; k < 16; k++)\n"
	"		sum += data[32 * (512 * get_group_id(0) + 32 * k + get_local_id(0))];\n"
	"	out[get_global_id(0)] = sum;\n"
	"}\n"
	"__kernel void reused(__global const float *table, __global float *out)\n"
	"{\n"
	"	float sum = 0;\n"
	"	for (int k = 0; k < 16; k++)\n"
	"		sum += table[32 * (k % 4) + get_local_id(0)];\n"
	"	out[get_global_id(0)] = sum;\n"
	"}\n"
	"__kernel void varied(__global const float *data, __global const int *where,\n"
	"                     __global float *out) /* where: constant, of no interest here */\n"
	"{\n"
	"	float sum = 0;\n"
	"	for (int k = 0; k < 16; k++)\n"
	"		sum += data[where[32 * k + get_local_id(0)]];\n"
	"	out[get_global_id(0)] = sum;\n"
	"}\n"
	"__kernel void updated(__global float *out)\n"
	"{\n"
	"	for (int k = 0; k < 1; k++)\n"
	"		out[get_global_id(0)] += 1;\n"
	"}\n";

static void fill_streaming(struct script *s, uint64_t group, uint32_t items)
{
	for (; s->items < items; s->items++) {
		uint64_t lane = s->items;

		for (uint32_t k = 0; k < TIMES; k++) {
			recording_script_add(s, EVENT_SITE | 0,
			                     TABLE + LINE_BYTES * (k % TABLE_LINES) + 4 * lane, k);
			recording_script_add(s, EVENT_SITE | 1,
			                     STREAM + LINE_BYTES * (TIMES * group + k) + 4 * lane,
			                     k);
		}
		recording_script_add(s, EVENT_SITE | 2, OUT + 4 * (32 * group + lane), 0);
	}
}

static void fill_strided(struct script *s, uint64_t group, uint32_t items)
{
	for (; s->items < items; s->items++) {
		uint64_t lane = s->items;

		for (uint32_t k = 0; k < TIMES; k++)
			recording_script_add(s, EVENT_SITE | 0,
			                     STREAM + LINE_BYTES * (512 * (group % SPREAD_GROUPS) +
			                                            UINT64_C(32) * k + lane),
			                     k);
		recording_script_add(s, EVENT_SITE | 1, OUT + 4 * (32 * group + lane), 0);
	}
}

static void fill_reused(struct script *s, uint64_t group, uint32_t items)
{
	for (; s->items < items; s->items++) {
		uint64_t lane = s->items;

		for (uint32_t k = 0; k < TIMES; k++)
			recording_script_add(s, EVENT_SITE | 0,
			                     TABLE + LINE_BYTES * (k % TABLE_LINES) + 4 * lane, k);
		recording_script_add(s, EVENT_SITE | 1, OUT + 4 * (32 * group + lane), 0);
	}
}

static void fill_varied(struct script *s, uint64_t group, uint32_t items)
{
	for (; s->items < items; s->items++) {
		uint64_t lane = s->items;

		for (uint32_t k = 0; k < TIMES; k++) {
			uint64_t once = LINE_BYTES * (1024 + 512 * group + UINT64_C(32) * k + lane);
			uint64_t often = LINE_BYTES * (k / 2 % TABLE_LINES) + 4 * lane;

			recording_script_add(s, EVENT_SITE | 0, STREAM + (k % 2 ? once : often), k);
		}
		recording_script_add(s, EVENT_SITE | 1, OUT + 4 * (32 * group + lane), 0);
	}
}

static void fill_updated(struct script *s, uint64_t group, uint32_t items)
{
	for (; s->items < items; s->items++)
		for (uint32_t site = 0; site < 2; site++)
			recording_script_add(s, EVENT_SITE | site,
			                     OUT + 4 * (32 * group + s->items), 0);
}

/* The writer only reads what a table points to: each of these is there once, for all kernels. */
struct kernel_script {
	char *name;
	struct site sites[3];
	size_t site_count;
	struct loop loop;
	struct kernel_argument arguments[3];
	struct recorded_argument pointers[3];
	size_t argument_count;
	void (*fill)(struct script *s, uint64_t group, uint32_t items);
};

#define A_SITE(kind_, loop_, argument_, line_, text)                                               \
	{ .kind = (kind_),                                                                         \
	  .bytes = 4,                                                                              \
	  .space = SPACE_GLOBAL,                                                                   \
	  .loop = (loop_),                                                                         \
	  .argument = (argument_),                                                                 \
	  .place = { source_file, line_, 10 },                                                     \
	  .expression = (text) }

static int add_kernel(struct recording_writer *w, struct kernel_script *k, uint32_t *id,
                      struct kernel_table *table, struct err *err)
{
	*table = (struct kernel_table){ .name = k->name,
		                        .sites = k->sites,
		                        .site_count = k->site_count,
		                        .loops = &k->loop,
		                        .loop_count = 1,
		                        .arguments = k->arguments,
		                        .argument_count = k->argument_count,
		                        .is_repeatable = true };
	return recording_script_kernel(w, table, id, err);
}

struct launch_script {
	int kernel;
	uint64_t groups, local_bytes;
};

static int add_launch(struct recording_writer *w, const struct kernel_script *k, uint32_t kernel,
                      const struct kernel_table *table, const struct launch_script *l,
                      struct err *err)
{
	struct recorded_argument pointers[3] = { k->pointers[0], k->pointers[1], k->pointers[2] };
	struct recorded_launch launch = {
		.kernel = kernel,
		.shape = { 1, { 32 * l->groups, 1, 1 }, { 32, 1, 1 }, { 0 } },
		.local_bytes = l->local_bytes,
		.arguments = pointers,
		.argument_count = k->argument_count
	};

	return recording_script_launch(w, &launch, table, k->fill, err);
}

#define FLOATS(name, is_written) { TEXT(name), TEXT("float*"), SPACE_GLOBAL, is_written }

enum { STREAMING, STRIDED, REUSED, VARIED, UPDATED, KERNELS };

/* Written as the source has them. */
static struct kernel_script scripts[KERNELS] = {
	[STREAMING] = { TEXT("streaming"),
	                { A_SITE(SITE_READ, 0, 0, 7, TEXT("table[32 * (k % 4) + lane]")),
	                  A_SITE(SITE_READ, 0, 1, 8,
	                         TEXT("stream[16 * 32 * get_group_id(0) + 32 * k + "
	                              "lane]")),
	                  A_SITE(SITE_WRITE, -1, 2, 9, TEXT("out[i]")) },
	                3,
	                { -1, 1, { source_file, 6, 2 } },
	                { FLOATS("table", false), FLOATS("stream", false), FLOATS("out", true) },
	                { { 0, 0, TABLE }, { 1, 1, STREAM }, { 2, 2, OUT } },
	                3,
	                fill_streaming },
	[STRIDED] = { TEXT("strided"),
	              { A_SITE(SITE_READ, 0, 0, 15, NULL), A_SITE(SITE_WRITE, -1, 1, 16, NULL) },
	              2,
	              { -1, 1, { source_file, 14, 2 } },
	              { FLOATS("data", false), FLOATS("out", true) },
	              { { 0, 1, STREAM }, { 1, 2, OUT } },
	              2,
	              fill_strided },
	[REUSED] = { TEXT("reused"),
	             { A_SITE(SITE_READ, 0, 0, 22,
	                      TEXT("table[32 * (k % 4) + "
	                           "get_local_id(0)]")),
	               A_SITE(SITE_WRITE, -1, 1, 23, TEXT("out[get_global_id(0)]")) },
	             2,
	             { -1, 1, { source_file, 21, 2 } },
	             { FLOATS("table", false), FLOATS("out", true) },
	             { { 0, 0, TABLE }, { 1, 2, OUT } },
	             2,
	             fill_reused },
	[VARIED] = { TEXT("varied"),
	             { A_SITE(SITE_READ, 0, 0, 30,
	                      TEXT("data[where[32 * k + "
	                           "get_local_id(0)]]")),
	               A_SITE(SITE_WRITE, -1, 1, 31, TEXT("out[get_global_id(0)]")) },
	             2,
	             { -1, 1, { source_file, 29, 2 } },
	             { FLOATS("data", false), FLOATS("out", true) },
	             { { 0, 1, STREAM }, { 1, 2, OUT } },
	             2,
	             fill_varied },
	[UPDATED] = { TEXT("updated"),
	              { A_SITE(SITE_READ, 0, 0, 36, TEXT("out[get_global_id(0)]")),
	                A_SITE(SITE_WRITE, 0, 0, 36, TEXT("out[get_global_id(0)]")) },
	              2,
	              { -1, 1, { source_file, 35, 2 } },
	              { FLOATS("out", true) },
	              { { 0, 2, OUT } },
	              1,
	              fill_updated },
};

static int add_launches(struct recording_writer *w, const struct launch_script *launches,
                        size_t count, struct err *err)
{
	struct kernel_table tables[KERNELS];
	uint32_t ids[KERNELS];
	bool is_there[KERNELS] = { false };
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		int k = launches[i].kernel;

		if (!is_there[k])
			ret = add_kernel(w, &scripts[k], &ids[k], &tables[k], err);
		is_there[k] = true;
		if (!ret)
			ret = add_launch(w, &scripts[k], ids[k], &tables[k], &launches[i], err);
	}
	return ret;
}

static int make(const char *dir, const struct launch_script *launches, size_t count,
                struct err *err)
{
	const uint64_t sizes[] = { 4096, 1 << 20, 4096 };
	struct recording_writer *w = NULL;
	uint32_t id;
	int ret = recording_script_begin(&w, dir, err);

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]) && !ret; i++)
		ret = recording_writer_buffer(
			w, &(struct recorded_buffer){ .bytes = sizes[i], .flags = 1, .parent = -1 },
			&id, err);
	if (!ret)
		ret = recording_script_program(w, source, err);
	if (!ret)
		ret = add_launches(w, launches, count, err);
	return ret ? ret : recording_script_finish(w, err);
}

int bypass_recording_make_streaming(const char *dir, struct err *err)
{
	return make(dir, &(struct launch_script){ STREAMING, GROUPS, 0 }, 1, err);
}

int bypass_recording_make_strided(const char *dir, struct err *err)
{
	return make(dir, &(struct launch_script){ STRIDED, GROUPS, 0 }, 1, err);
}

int bypass_recording_make_spread(const char *dir, struct err *err)
{
	return make(dir, &(struct launch_script){ STRIDED, 2 * SPREAD_GROUPS, 0 }, 1, err);
}

int bypass_recording_make_reused(const char *dir, struct err *err)
{
	return make(dir, &(struct launch_script){ REUSED, GROUPS, 0 }, 1, err);
}

int bypass_recording_make_varied(const char *dir, struct err *err)
{
	return make(dir, &(struct launch_script){ VARIED, GROUPS, 0 }, 1, err);
}

int bypass_recording_make_updated(const char *dir, struct err *err)
{
	return make(dir, &(struct launch_script){ UPDATED, GROUPS, 0 }, 1, err);
}

int bypass_recording_make_mixed(const char *dir, struct err *err)
{
	static const struct launch_script launches[] = { { STREAMING, GROUPS, 0 },
		                                         { REUSED, GROUPS, 0 },
		                                         { STREAMING, 1, 0 },
		                                         { STREAMING, GROUPS, 1 << 30 } };

	return make(dir, launches, sizeof(launches) / sizeof(launches[0]), err);
}
