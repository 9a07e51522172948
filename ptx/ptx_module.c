/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_module.h"

#include "array.h"
#include "err.h"
#include "ptx_scan.h"
#include "ptx_statements.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

/*
 * Numbers for the names of a function's registers, in the order of first use. A name in an inner
 * scope is taken for the same name of the outer scope.
 */

struct ptx_numbers {
	struct array names; /* struct ptx_word */
	uint32_t *slots;    /* a power of two; number + 1, or 0 */
	size_t slot_count;
};

enum { FIRST_SLOTS = 256, NAMES_MAX = 1 << 26 };

static void ptx_numbers_init(struct ptx_numbers *r)
{
	*r = (struct ptx_numbers){ .slots = NULL };
	array_init(&r->names, sizeof(struct ptx_word), NAMES_MAX, "registers");
}

static void ptx_numbers_release(struct ptx_numbers *r)
{
	array_release(&r->names);
	free(r->slots);
	memset(r, 0, sizeof(*r));
}

/* Forget all names. */
static void ptx_numbers_clear(struct ptx_numbers *r)
{
	array_clear(&r->names);
	if (r->slots)
		memset(r->slots, 0, r->slot_count * sizeof(*r->slots));
}

/* FNV-1a. */
static size_t hash(struct ptx_word name)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < name.length; i++)
		h = (h ^ (unsigned char)name.at[i]) * UINT64_C(0x100000001b3);
	return (size_t)(h ^ h >> 32);
}

/* Returns the slot of a name, or the free slot for it. */
static uint32_t *find(const struct ptx_numbers *r, struct ptx_word name)
{
	const struct ptx_word *names = r->names.data;
	size_t i = hash(name) & (r->slot_count - 1);

	while (r->slots[i] && !ptx_word_equals(names[r->slots[i] - 1], name))
		i = (i + 1) & (r->slot_count - 1);
	return &r->slots[i];
}

/* Double the slots, so that half of them stay free. */
static bool grow(struct ptx_numbers *r, struct err *err)
{
	const struct ptx_word *names = r->names.data;
	size_t count = r->slot_count ? 2 * r->slot_count : FIRST_SLOTS;
	uint32_t *slots = array_alloc(count, sizeof(*slots), "registers", err);

	if (!slots)
		return false;
	free(r->slots);
	r->slots = slots;
	r->slot_count = count;
	for (size_t i = 0; i < r->names.count; i++)
		*find(r, names[i]) = (uint32_t)i + 1;
	return true;
}

/* Returns the number of a name, adding a new name. PTX_NONE if out of memory. */
static uint32_t ptx_numbers_of(struct ptx_numbers *r, struct ptx_word name, struct err *err)
{
	struct ptx_word *added;
	uint32_t *slot;

	if (2 * (r->names.count + 1) > r->slot_count && !grow(r, err))
		return PTX_NONE;
	slot = find(r, name);
	if (*slot)
		return *slot - 1;
	added = array_push(&r->names, 1, err);
	if (!added)
		return PTX_NONE;
	*added = name;
	*slot = (uint32_t)r->names.count;
	return *slot - 1;
}

enum { ITEMS_MAX = 1 << 27, NAME_BYTES_MAX = 1 << 16 };

/* The state while a text is read. */
struct reader {
	struct ptx_module *m;
	struct ptx_scan scan;
	struct ptx_statements code;    /* of the current function */
	struct ptx_module_function *f; /* the current function */
	struct ptx_numbers registers;  /* its registers */
	uint32_t place;                /* of the last `.loc`, or PTX_NONE */
	struct err *err;
};

/* Instructions whose result may be an address that a source holds; bit i of `sources` stands for
 * operand i + 1. The product of a mad and what is shifted are offsets. */
static const struct {
	const char *opcode;
	unsigned sources;
} flows[] = {
	{ "mov", 1 }, { "cvta", 1 },     { "cvt", 1 }, { "add", 1 | 2 }, { "sub", 1 },
	{ "mad", 4 }, { "selp", 1 | 2 }, { "and", 1 }, { "or", 1 | 2 },
};

/* Suffixes of a load that leave no place for a cache operator, or whose meaning it would change. A
 * suffix that ends in '*' stands for all that begin so. */
static const struct {
	const char *suffix, *why;
} obstacles[] = {
	{ ".nc", "it takes the path of read-only data (ld.global.nc)" },
	{ ".volatile", "it is volatile" },
	{ ".relaxed", "it is ordered (.relaxed)" },
	{ ".acquire", "it is ordered (.acquire)" },
	{ ".mmio", "it is of a device's registers (.mmio)" },
	{ ".cv", "it fetches anew each time already (.cv)" },
	{ ".L1::*", "it says itself what L1 does with its line (.L1::)" },
	{ ".L2::evict*",
	  "it has an eviction priority (.L2::evict), which allows no cache operator" },
};

/* Cache operators of loads that may be replaced. */
static const char cache_ops[] = ".ca .cg .cs .lu";

/* Returns a suffix of an instruction, or an empty word. A '*' at the end of `wanted` matches
 * anything. */
static struct ptx_word find_suffix(const struct reader *r, const struct ptx_statement *t,
                                   const char *suffix)
{
	size_t length = strlen(suffix);
	bool is_prefix = suffix[length - 1] == '*';

	for (uint32_t i = 0; i < t->suffix_count; i++) {
		struct ptx_word have = ptx_suffix_at(&r->code, t, i);

		if (is_prefix ? have.length >= length - 1 && !memcmp(have.at, suffix, length - 1)
		              : ptx_word_is(have, suffix))
			return have;
	}
	return (struct ptx_word){ NULL, 0 };
}

static bool has_suffix(const struct reader *r, const struct ptx_statement *t, const char *suffix)
{
	return find_suffix(r, t, suffix).length != 0;
}

/* Returns operand number `index` of an instruction, or NULL. */
static const struct ptx_operand *operand_of(const struct reader *r, const struct ptx_statement *t,
                                            unsigned index)
{
	const struct ptx_operand *o = ptx_operand_at(&r->code, t->first_operand);

	while (o && index--)
		o = ptx_operand_at(&r->code, o->next);
	return o;
}

/* Returns the name of a register without its component. */
static struct ptx_word plain(struct ptx_word name)
{
	const char *dot = name.length ? memchr(name.at, '.', name.length) : NULL;

	if (dot)
		name.length = (size_t)(dot - name.at);
	return name;
}

static int add_flow(struct reader *r, struct ptx_word name, uint32_t from)
{
	uint32_t to = ptx_numbers_of(&r->registers, plain(name), r->err);
	struct ptx_flow *flow = to == PTX_NONE ? NULL : array_push(&r->m->flows, 1, r->err);

	if (!flow)
		return r->err->code;
	*flow = (struct ptx_flow){ to, from };
	return 0;
}

/* Add flows from `from` to each register of an operand. */
static int flow_to(struct reader *r, const struct ptx_operand *o, uint32_t from)
{
	int ret = 0;

	if (o && o->name.length)
		ret = add_flow(r, o->name, from);
	if (!ret && o && o->second.length)
		ret = add_flow(r, o->second, from);
	for (const struct ptx_operand *i = o ? ptx_operand_at(&r->code, o->first) : NULL; !ret && i;
	     i = ptx_operand_at(&r->code, i->next))
		ret = flow_to(r, i, from);
	return ret;
}

/* Add flows from each register of an operand to the results. */
static int flow_from(struct reader *r, const struct ptx_operand *results,
                     const struct ptx_operand *o)
{
	const struct ptx_word names[] = { o->name, o->second };
	int ret = 0;

	for (size_t i = 0; !ret && i < 2; i++) {
		uint32_t from;

		if (!names[i].length)
			continue;
		from = ptx_numbers_of(&r->registers, plain(names[i]), r->err);
		ret = from == PTX_NONE ? r->err->code : flow_to(r, results, from);
	}
	for (o = ptx_operand_at(&r->code, o->first); !ret && o;
	     o = ptx_operand_at(&r->code, o->next))
		ret = flow_from(r, results, o);
	return ret;
}

static int note_flows(struct reader *r, const struct ptx_statement *t)
{
	const struct ptx_operand *results = operand_of(r, t, 0), *o = results;
	unsigned sources = 0;
	int ret = 0;

	for (size_t i = 0; !sources && i < sizeof(flows) / sizeof(flows[0]); i++)
		if (ptx_word_is(t->name, flows[i].opcode))
			sources = flows[i].sources;
	for (; !ret && sources && o; sources >>= 1) {
		o = ptx_operand_at(&r->code, o->next);
		if (o && sources & 1)
			ret = flow_from(r, results, o);
	}
	return ret;
}

/* ld.param.u64 %rd1, [mm_param_0]; */
static int note_parameter(struct reader *r, const struct ptx_statement *t)
{
	const struct ptx_variable *all = r->m->items.parameters.data;
	const struct ptx_operand *address = operand_of(r, t, 1);

	for (uint32_t n = 0; address && n < r->f->parameter_count; n++)
		if (ptx_word_equals(all[r->f->first_parameter + n].name, address->name))
			return flow_to(r, operand_of(r, t, 0), PTX_FROM_PARAMETER | n);
	return 0;
}

/* Find the obstacle to changing a load, and its operator. */
static void judge(const struct reader *r, const struct ptx_statement *t, struct ptx_load *load)
{
	struct ptx_word space = find_suffix(r, t, ".global");

	if (ptx_word_is(t->name, "ldu"))
		load->obstacle = "it is a uniform load (ldu)";
	else if (!space.length)
		load->obstacle = "its address is generic: it may be of any memory";
	else
		load->space = space;
	for (size_t i = 0; !load->obstacle && i < sizeof(obstacles) / sizeof(obstacles[0]); i++)
		if (has_suffix(r, t, obstacles[i].suffix))
			load->obstacle = obstacles[i].why;
	for (uint32_t i = 0; i < t->suffix_count; i++)
		if (ptx_word_is_in(ptx_suffix_at(&r->code, t, i), cache_ops))
			load->op = ptx_suffix_at(&r->code, t, i);
}

static int note_load(struct reader *r, const struct ptx_statement *t)
{
	const struct ptx_operand *address = operand_of(r, t, 1);
	struct ptx_load *load;

	if (has_suffix(r, t, ".param*"))
		return note_parameter(r, t);
	if (has_suffix(r, t, ".shared*") || has_suffix(r, t, ".local") ||
	    has_suffix(r, t, ".const*"))
		return 0;
	load = array_push(&r->m->loads, 1, r->err);
	if (!load)
		return r->err->code;
	*load = (struct ptx_load){
		.begin = t->begin,
		.end = t->end,
		.opcode = (size_t)(t->name.at - r->m->text),
		.guard = t->guard,
		.is_negated = t->is_guard_negated,
		.place = r->place,
		.address = PTX_NONE,
	};
	judge(r, t, load);
	if (!address || !address->name.length)
		return 0;
	load->address = ptx_numbers_of(&r->registers, plain(address->name), r->err);
	return load->address == PTX_NONE ? r->err->code : 0;
}

static bool is_at(const struct ptx_place *a, const struct ptx_place *b)
{
	return a->file == b->file && a->line == b->line && a->column == b->column;
}

static int add_place(struct reader *r, const struct ptx_place *place, uint32_t *index)
{
	struct ptx_place *added = array_push(&r->m->places, 1, r->err);

	if (!added)
		return r->err->code;
	*added = *place;
	*index = (uint32_t)r->m->places.count - 1;
	return 0;
}

/* Find the place of a call: mostly the last one added. */
static int find_caller(struct reader *r, const struct ptx_place *caller, uint32_t *index)
{
	const struct ptx_place *last = ptx_module_place(r->m, r->place);

	*index = r->place;
	if (last && is_at(last, caller))
		return 0;
	if (last && last->caller != PTX_NONE && is_at(ptx_module_place(r->m, last->caller), caller))
		*index = last->caller;
	else
		return add_place(r, caller, index);
	return 0;
}

static int note_place(struct reader *r, const struct ptx_loc *loc)
{
	struct ptx_place place = { (uint32_t)loc->file, (uint32_t)loc->line, (uint32_t)loc->column,
		                   PTX_NONE };
	const struct ptx_place caller = { (uint32_t)loc->at_file, (uint32_t)loc->at_line,
		                          (uint32_t)loc->at_column, PTX_NONE };
	int ret = loc->is_inlined ? find_caller(r, &caller, &place.caller) : 0;

	if (!ret)
		ret = add_place(r, &place, &r->place);
	if (!ret && r->f->place == PTX_NONE)
		r->f->place = r->place;
	return ret;
}

/* Returns the beginning of the line if there are only blanks before `at`, else `at`. */
static size_t line_start(const struct ptx_module *m, size_t at)
{
	size_t i = at;

	while (i > 0 && (m->text[i - 1] == ' ' || m->text[i - 1] == '\t'))
		i--;
	return i > 0 && m->text[i - 1] == '\n' ? i : at;
}

static int note_statement(struct reader *r, const struct ptx_statement *t)
{
	const struct ptx_loc *locs = r->code.locs.data;
	bool is_run = t->kind == PTX_INSTRUCTION || t->kind == PTX_LABEL ||
	              t->kind == PTX_TARGETS || t->kind == PTX_OPEN;

	if (is_run && !r->f->start)
		r->f->start = line_start(r->m, t->begin);
	if (t->kind == PTX_LOC)
		return note_place(r, &locs[t->item]);
	if (t->kind != PTX_INSTRUCTION)
		return 0;
	return ptx_word_is_in(t->name, "ld ldu") ? note_load(r, t) : note_flows(r, t);
}

static int read_body(struct reader *r)
{
	const struct ptx_statement *list;
	int ret;

	ptx_statements_clear(&r->code);
	ptx_numbers_clear(&r->registers);
	r->place = PTX_NONE;
	ret = ptx_statements_read(&r->code, &r->scan);
	list = r->code.list.data;
	for (size_t i = 0; !ret && i < r->code.list.count; i++)
		ret = note_statement(r, &list[i]);
	return ret;
}

/* Read a function: its loads and flows are those added from here on. */
static int read_function(struct reader *r, const struct ptx_head *head)
{
	size_t length = head->name.length < NAME_BYTES_MAX ? head->name.length : 0;
	struct ptx_module *m = r->m;
	struct ptx_module_function *f = array_push(&m->functions, 1, r->err);
	int ret;

	if (!f)
		return r->err->code;
	*f = (struct ptx_module_function){
		.name = str_format(r->err, "%.*s", (int)length, head->name.at),
		.is_entry = head->is_entry,
		.place = PTX_NONE,
		.first_parameter = head->first_parameter + head->result_count,
		.parameter_count = head->parameter_count - head->result_count,
		.first_flow = m->flows.count,
		.first_load = m->loads.count,
	};
	r->f = f;
	ret = f->name ? read_body(r) : ERR_NOMEM;
	f->flow_count = m->flows.count - f->first_flow;
	f->load_count = m->loads.count - f->first_load;
	f->register_count = (uint32_t)r->registers.names.count;
	return ret;
}

static int read_files(struct reader *r)
{
	struct ptx_module *m = r->m;
	const struct ptx_file *files;
	int ret = ptx_files_find(&r->scan, &m->files);

	files = m->files.data;
	for (size_t i = 0; !ret && i < m->files.count; i++) {
		char **path = array_push(&m->paths, 1, r->err);

		if (path)
			*path = ptx_file_path(&files[i], r->err);
		ret = path && *path ? 0 : r->err->code;
	}
	return ret;
}

static int read_text(struct reader *r)
{
	struct ptx_item item;
	int ret = read_files(r);

	if (ret)
		return ret;
	do {
		ret = ptx_items_next(&r->m->items, &r->scan, &item);
		if (!ret && item.kind == PTX_ITEM_FUNCTION && item.head.has_body)
			ret = read_function(r, &item.head);
	} while (!ret && item.kind != PTX_ITEM_END);
	return ret;
}

int ptx_module_read(struct ptx_module *m, const char *path, const char *text, size_t length,
                    struct err *err)
{
	struct reader r = { .m = m, .err = err };
	int ret;

	*m = (struct ptx_module){ .path = path, .text = text, .length = length };
	array_init(&m->files, sizeof(struct ptx_file), ITEMS_MAX, "files");
	array_init(&m->paths, sizeof(char *), ITEMS_MAX, "files");
	array_init(&m->places, sizeof(struct ptx_place), ITEMS_MAX, "places");
	array_init(&m->flows, sizeof(struct ptx_flow), ITEMS_MAX, "flows of addresses");
	array_init(&m->loads, sizeof(struct ptx_load), ITEMS_MAX, "loads");
	array_init(&m->functions, sizeof(struct ptx_module_function), ITEMS_MAX, "functions");
	ptx_items_init(&m->items);
	m->items.leaves_initials = true;
	ptx_scan_init(&r.scan, path, text, length, err);
	ptx_statements_init(&r.code);
	ptx_numbers_init(&r.registers);
	ret = read_text(&r);
	ptx_numbers_release(&r.registers);
	ptx_statements_release(&r.code);
	return ret;
}

void ptx_module_release(struct ptx_module *m)
{
	for (size_t i = 0; i < m->paths.count; i++)
		free(((char **)m->paths.data)[i]);
	for (size_t i = 0; i < m->functions.count; i++)
		free(((struct ptx_module_function *)m->functions.data)[i].name);
	array_release(&m->files);
	array_release(&m->paths);
	array_release(&m->places);
	array_release(&m->flows);
	array_release(&m->loads);
	array_release(&m->functions);
	ptx_items_release(&m->items);
}

const struct ptx_module_function *ptx_module_function(const struct ptx_module *m, size_t index)
{
	return (const struct ptx_module_function *)m->functions.data + index;
}

const struct ptx_load *ptx_module_load(const struct ptx_module *m, size_t index)
{
	return (const struct ptx_load *)m->loads.data + index;
}

const struct ptx_place *ptx_module_place(const struct ptx_module *m, uint32_t index)
{
	return index == PTX_NONE ? NULL : (const struct ptx_place *)m->places.data + index;
}

static const struct ptx_variable *
parameter_of(const struct ptx_module *m, const struct ptx_module_function *f, size_t parameter)
{
	return (const struct ptx_variable *)m->items.parameters.data + f->first_parameter +
	       parameter;
}

bool ptx_module_is_pointer(const struct ptx_module *m, const struct ptx_module_function *f,
                           size_t parameter)
{
	return parameter_of(m, f, parameter)->is_pointer;
}

bool ptx_module_is_wide(const struct ptx_module *m, const struct ptx_module_function *f,
                        size_t parameter)
{
	enum ptx_type type = parameter_of(m, f, parameter)->type;

	return ptx_type_bits(type) == m->items.address_bits && !ptx_type_is_float(type) &&
	       !ptx_type_is_half(type) && type != PTX_tf32;
}

const char *ptx_module_file(const struct ptx_module *m, uint32_t number)
{
	const struct ptx_file *files = m->files.data;

	for (size_t i = 0; i < m->files.count; i++)
		if (files[i].number == number)
			return ((char *const *)m->paths.data)[i];
	return "";
}
