/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_expect.h"

#include "array.h"
#include "cuda_output.h"
#include "err.h"
#include "launch_items.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 8
#define SHARED    "shared"

/* An event in words that both sides have. */
struct told {
	enum site_kind kind;
	const char *buffer; /* "" of an event without address; "elsewhere" */
	int64_t offset, bytes;
	const char *file; /* NULL: none of the program's own */
	uint32_t line;
	uint64_t iterations[DEPTH_MAX];
	size_t depth;
};

struct cuda_expect {
	const struct cuda_output *output;
	struct array events; /* struct told */
	uint64_t iterations[DEPTH_MAX];
	size_t depth;
	struct err *err;
};

/* A launch that is being compared. */
struct compared {
	const struct recorded_launch *launch;
	const struct kernel_table *table;
	struct launch_items *items;
};

void access_is(struct cuda_expect *e, int tag, enum site_kind kind, const char *buffer,
               int64_t offset, int64_t bytes)
{
	struct told *t = array_push(&e->events, 1, e->err);

	if (!t)
		return;
	*t = (struct told){ .kind = kind,
		            .buffer = buffer,
		            .offset = offset,
		            .bytes = bytes,
		            .file = e->output->tags[tag].file,
		            .line = e->output->tags[tag].line,
		            .depth = e->depth };
	memcpy(t->iterations, e->iterations, sizeof(t->iterations));
}

void reads(struct cuda_expect *e, int tag, const char *buffer, int64_t index, int64_t bytes)
{
	access_is(e, tag, SITE_READ, buffer, index * bytes, bytes);
}

void writes(struct cuda_expect *e, int tag, const char *buffer, int64_t index, int64_t bytes)
{
	access_is(e, tag, SITE_WRITE, buffer, index * bytes, bytes);
}

void updates(struct cuda_expect *e, int tag, const char *buffer, int64_t index, int64_t bytes)
{
	access_is(e, tag, SITE_ATOMIC, buffer, index * bytes, bytes);
}

void meets(struct cuda_expect *e, int tag)
{
	access_is(e, tag, SITE_BARRIER, "", 0, 0);
}

void fences(struct cuda_expect *e, int tag)
{
	access_is(e, tag, SITE_FENCE, "", 0, 0);
}

int64_t said(const struct cuda_expect *e, const char *name)
{
	for (size_t i = 0; i < e->output->number_count; i++)
		if (strcmp(e->output->numbers[i].name, name) == 0)
			return e->output->numbers[i].value;
	return -1;
}

void loop_enter(struct cuda_expect *e)
{
	if (e->depth < DEPTH_MAX)
		e->iterations[e->depth++] = 0;
}

void loop_next(struct cuda_expect *e)
{
	e->iterations[e->depth - 1]++;
}

void loop_leave(struct cuda_expect *e)
{
	e->iterations[--e->depth] = 0;
}

/* launch_items gives an offset in the buffer of an argument, and the address of anything else. */
static uint64_t address_of(const struct recorded_launch *launch, const struct relative_access *a)
{
	for (size_t i = 0; a->argument >= 0 && i < launch->argument_count; i++)
		if (launch->arguments[i].index == a->argument)
			return launch->arguments[i].address + a->offset;
	return a->offset;
}

/* A place of another file than the program's own has none. */
static void tell_place(const struct cuda_expect *e, const struct place *p, struct told *t)
{
	const char *slash = p->file ? strrchr(p->file, '/') : NULL;
	const char *name = slash ? slash + 1 : p->file;

	if (!name || !cuda_output_is_source(e->output, name))
		return;
	t->file = name;
	t->line = p->line;
}

static void tell(const struct cuda_expect *e, const struct compared *c,
                 const struct relative_access *a, struct told *t)
{
	const struct site *site = &c->table->sites[a->site];
	uint64_t address = address_of(c->launch, a);
	const struct cuda_buffer *b = cuda_output_at(e->output, address);

	*t = (struct told){
		.kind = a->kind, .buffer = "", .bytes = (int64_t)a->bytes, .depth = a->loop_count
	};
	tell_place(e, &site->place, t);
	for (size_t i = 0; i < a->loop_count && i < DEPTH_MAX; i++)
		t->iterations[i] = a->loops[i].iteration;
	if (!site_kind_has_address(a->kind))
		return;
	if (site->space == SPACE_LOCAL) {
		t->buffer = SHARED;
		t->offset = (int64_t)a->offset;
		return;
	}
	t->buffer = b ? b->name : "elsewhere";
	t->offset = (int64_t)(b ? address - b->address : address);
}

static bool is_same(const struct told *a, const struct told *b)
{
	return a->kind == b->kind && strcmp(a->buffer, b->buffer) == 0 && a->offset == b->offset &&
	       a->bytes == b->bytes && a->line == b->line && !a->file == !b->file &&
	       (!a->file || strcmp(a->file, b->file) == 0) && a->depth == b->depth &&
	       memcmp(a->iterations, b->iterations, sizeof(a->iterations)) == 0;
}

static void print_told(const char *what, const struct told *t)
{
	printf("  %s: ", what);
	if (!t) {
		printf("nothing\n");
		return;
	}
	printf("%s:%u: %s %s+%" PRId64 " %" PRId64 " bytes, iterations", t->file ? t->file : "-",
	       t->line, site_kind_name(t->kind), t->buffer, t->offset, t->bytes);
	for (size_t i = 0; i < t->depth && i < DEPTH_MAX; i++)
		printf(" %" PRIu64, t->iterations[i]);
	printf("\n");
}

/* Compare one work-item; prints the first difference. */
static bool item_is_same(struct cuda_expect *e, const struct compared *c, uint64_t g, uint32_t item)
{
	const struct told *want = e->events.data;
	struct told got = { 0 };
	size_t count, i = 0;
	const struct relative_access *accesses = launch_items_of(c->items, item, &count);

	for (; i < count; i++) {
		tell(e, c, &accesses[i], &got);
		if (i == e->events.count || !is_same(&want[i], &got))
			break;
	}
	if (i == count && i == e->events.count)
		return true;
	printf("%s, group %" PRIu64 ", work-item %u, event %zu:\n", c->table->name, g, item, i);
	print_told("recorded", i < count ? &got : NULL);
	print_told("expected", i < e->events.count ? &want[i] : NULL);
	return false;
}

static void make_item(struct cuda_item *w, const struct launch_shape *shape, uint64_t g,
                      uint32_t item)
{
	uint32_t size[3];
	uint64_t id[3];

	launch_shape_group_size(shape, g, size);
	launch_shape_global_id(shape, g, item, id);
	for (int d = 0; d < 3; d++) {
		w->id[d] = (int64_t)id[d];
		w->size[d] = size[d];
		w->groups[d] = (int64_t)launch_shape_groups(shape, d);
		w->local[d] = w->id[d] % w->size[d];
		w->group[d] = w->id[d] / w->size[d];
	}
	w->warp = item / 32;
	w->lane = item % 32;
}

static int compare_items(struct cuda_expect *e, const struct compared *c, cuda_compute compute,
                         int64_t launch, bool *differs)
{
	uint64_t groups = launch_shape_group_count(&c->launch->shape);
	struct cuda_item w = { .launch = launch };
	int ret = 0;

	for (uint64_t g = 0; !ret && !*differs && g < groups; g++) {
		ret = launch_items_group(c->items, g, e->err);
		for (uint32_t i = 0; !ret && !*differs && i < launch_items_count(c->items); i++) {
			array_clear(&e->events);
			e->depth = 0;
			make_item(&w, &c->launch->shape, g, i);
			compute(e, &w);
			*differs = !item_is_same(e, c, g, i);
		}
	}
	return ret;
}

/* Kernel "k" is "k" or mangled, "_Z1k...", "_ZL1k...". */
static bool is_kernel(const char *recorded, const char *name)
{
	if (strncmp(recorded, "_Z", 2) == 0) {
		recorded += recorded[2] == 'L' ? 3 : 2;
		while (isdigit((unsigned char)*recorded))
			recorded++;
		return strncmp(recorded, name, strlen(name)) == 0;
	}
	return strcmp(recorded, name) == 0;
}

/* Prints what differs in the launch as such. */
static bool launch_is_same(const struct compared *c, const struct cuda_launch *want, size_t number)
{
	const struct launch_shape *shape = &c->launch->shape;
	const char *wrong = NULL;

	if (!is_kernel(kernel_table_symbol(c->table), want->kernel))
		wrong = "is of another kernel";
	else if (c->launch->fate != LAUNCH_TRACED)
		wrong = "was not recorded";
	else if (c->launch->dropped_events || !launch_items_is_whole(c->items))
		wrong = "is not whole";
	else if (c->table->unrecorded_count)
		wrong = "has what is not recorded";
	for (int d = 0; !wrong && d < 3; d++)
		if (launch_shape_groups(shape, d) != want->groups[d] ||
		    shape->global[d] != (uint64_t)want->groups[d] * want->size[d])
			wrong = "has another shape";
	if (!wrong && c->launch->local_bytes != want->local_bytes)
		wrong = "has another size of shared memory";
	if (!wrong && !want->compute &&
	    (c->launch->totals.accesses < want->least || c->launch->totals.accesses > want->most))
		wrong = "makes another number of accesses";
	if (wrong)
		printf("launch %zu, %s, expected %s: it %s\n", number, c->table->name, want->kernel,
		       wrong);
	return !wrong;
}

static int compare_launch(struct cuda_expect *e, const struct recording *r, size_t number,
                          const struct cuda_launch *want, bool *differs)
{
	struct compared c = { .launch = &r->launches[number] };
	int ret = 0;

	c.table = &r->kernels[c.launch->kernel].table;
	if (c.launch->fate == LAUNCH_TRACED)
		ret = launch_items_open(&c.items, r, number, e->err);
	if (!ret)
		*differs = !launch_is_same(&c, want, number);
	if (!ret && !*differs && want->compute)
		ret = compare_items(e, &c, want->compute, (int64_t)number, differs);
	launch_items_close(c.items);
	return ret;
}

static const struct cuda_program *find_program(const char *name)
{
	static const struct cuda_program *const tables[] = {
#define CUDA_EXPECT_TABLE(name) cuda_expect_##name,
#include "cuda_expect_tables.def"
#undef CUDA_EXPECT_TABLE
	};
	size_t length = strcspn(name, ".");

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		for (const struct cuda_program *p = tables[i]; p->name; p++)
			if (strlen(p->name) == length && strncmp(p->name, name, length) == 0)
				return p;
	return NULL;
}

/* Ends with 0, 1, or an error of *e's err. */
static int compare(struct cuda_expect *e, const struct recording *r, const struct cuda_program *p)
{
	size_t count = 0;
	bool any = false;
	int ret = 0;

	while (p->launches[count].kernel)
		count++;
	for (size_t i = 0; !ret && i < r->launch_count && i < count; i++) {
		bool differs = false;

		ret = compare_launch(e, r, i, &p->launches[i], &differs);
		any |= differs;
	}
	if (!ret && (r->launch_count != count || r->launches_seen != count)) {
		printf("%zu launches are recorded of %" PRIu64 ", %zu are expected\n",
		       r->launch_count, r->launches_seen, count);
		any = true;
	}
	return ret ? ret : any;
}

int main(int argc, char **argv)
{
	static struct cuda_output output;
	struct err err = { 0 };
	struct cuda_expect e = { .output = &output, .err = &err };
	const struct cuda_program *program;
	struct recording *r = NULL;
	int ret;

	if (argc < 4) {
		fprintf(stderr, "usage: %s RECORDING OUTPUT NAME.cu [OTHER.cu...]\n", argv[0]);
		return 2;
	}
	array_init(&e.events, sizeof(struct told), 1 << 20, "expected events");
	ret = cuda_output_read(&output, argv[2], err.msg, sizeof(err.msg));
	for (int i = 3; !ret && i < argc; i++)
		ret = cuda_output_read_source(&output, argv[i], err.msg, sizeof(err.msg));
	program = ret ? NULL : find_program(output.sources[0]);
	if (!ret && !program)
		return 3;
	if (!ret)
		ret = recording_open(&r, argv[1], &err);
	if (!ret)
		ret = compare(&e, r, program);
	if (ret >= 0 && err.code)
		ret = err.code;
	recording_close(r);
	array_release(&e.events);
	if (ret < 0)
		fprintf(stderr, "%s: %s\n", argv[0], err.msg);
	return ret < 0 ? 2 : ret;
}
