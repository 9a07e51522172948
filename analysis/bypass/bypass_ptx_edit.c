/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_ptx.h"

#include "err.h"
#include "str.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 48, SUFFIXES_MAX = 100000 };

/* The text being written; the first failure is kept. */
struct editor {
	const struct ptx_module *m;
	const char *cache_op;
	struct str *out;
	char name[NAME_BYTES]; /* prefix of the names of new registers */
	size_t done;           /* bytes of the module's text that are written or left out */
	int ret;
	struct err *err;
};

static bool has_op(const struct ptx_module *m, const struct ptx_load *l, const char *cache_op)
{
	return l->op.length && ptx_word_is(l->op, cache_op);
}

enum bypass_ptx_fate bypass_ptx_fate(const struct ptx_module *m, const struct bypass_ptx_match *x,
                                     size_t function, size_t load, const char *cache_op)
{
	uint32_t warps = x->warps[function];
	const struct ptx_load *l = ptx_module_load(m, load);

	if (l->obstacle || (!x->is_chosen[load] && warps == BYPASS_PTX_ALL_WARPS))
		return BYPASS_PTX_STAYS;
	return x->is_chosen[load] || warps == 0 || has_op(m, l, cache_op) ? BYPASS_PTX_PASSES
	                                                                  : BYPASS_PTX_PAIRED;
}

static void copy(struct editor *e, size_t from, size_t to)
{
	if (!e->ret && to > from)
		e->ret = str_append(e->out, e->m->text + from, to - from, e->err);
}

static void put(struct editor *e, const char *text)
{
	if (!e->ret)
		e->ret = str_append(e->out, text, strlen(text), e->err);
}

/* Copy everything up to `to` unchanged. */
static void catch_up(struct editor *e, size_t to)
{
	copy(e, e->done, to);
	e->done = to;
}

/* Returns the offset of a piece of the module's text. */
static size_t offset(const struct editor *e, const char *at)
{
	return (size_t)(at - e->m->text);
}

/* Write the load from its opcode on, with the operator. */
static void put_changed(struct editor *e, const struct ptx_load *l)
{
	struct ptx_word op = l->op;
	size_t from = offset(e, op.length ? op.at : l->space.at + l->space.length);
	size_t to = from + op.length;

	copy(e, l->opcode, from);
	put(e, e->cache_op);
	copy(e, to, l->end);
}

/* Write "@%warpline_k ld.global.f32 %f1, [%rd1];": the load with a new guard. */
static void put_guarded(struct editor *e, const char *sign, const char *name,
                        const struct ptx_load *l, bool is_changed)
{
	put(e, sign);
	put(e, e->name);
	put(e, name);
	put(e, " ");
	if (is_changed)
		put_changed(e, l);
	else
		copy(e, l->opcode, l->end);
}

/* Compute which of two loads runs, for a load that has a guard already. */
static void put_conditions(struct editor *e, const struct ptx_load *l)
{
	const char *n = e->name, *own = l->guard.at;
	int length = (int)l->guard.length;

	if (e->ret)
		return;
	if (l->is_negated)
		e->ret = str_printf(e->out, e->err,
		                    "not.pred \t%sb, %.*s;\n\tand.pred \t%sa, %sb, %sk;\n\t"
		                    "and.pred \t%sb, %sb, %sp;\n\t",
		                    n, length, own, n, n, n, n, n, n);
	else
		e->ret = str_printf(e->out, e->err,
		                    "and.pred \t%sa, %.*s, %sk;\n\tand.pred \t%sb, %.*s, %sp;\n\t",
		                    n, length, own, n, n, length, own, n);
}

static void put_pair(struct editor *e, const struct ptx_load *l)
{
	bool has_guard = l->guard.length;

	if (has_guard)
		put_conditions(e, l);
	put_guarded(e, "@", has_guard ? "a" : "k", l, false);
	put(e, "\n\t");
	put_guarded(e, "@", has_guard ? "b" : "p", l, true);
}

/* Compute the predicates k: this warp uses L1, and p: it bypasses L1. */
static void put_threshold(struct editor *e, uint32_t warps)
{
	const char *n = e->name;

	if (e->ret)
		return;
	e->ret = str_printf(e->out, e->err,
	                    "\t// warps from %" PRIu32 " on bypass L1\n"
	                    "\t.reg .pred \t%sk, %sp, %sa, %sb;\n"
	                    "\t.reg .b32 \t%sid, %ssize, %sx;\n"
	                    "\tmov.u32 \t%sid, %%tid.z;\n"
	                    "\tmov.u32 \t%ssize, %%ntid.y;\n"
	                    "\tmov.u32 \t%sx, %%tid.y;\n"
	                    "\tmad.lo.u32 \t%sid, %sid, %ssize, %sx;\n"
	                    "\tmov.u32 \t%ssize, %%ntid.x;\n"
	                    "\tmov.u32 \t%sx, %%tid.x;\n"
	                    "\tmad.lo.u32 \t%sid, %sid, %ssize, %sx;\n"
	                    "\tshr.u32 \t%sid, %sid, 5;\n"
	                    "\tsetp.lt.u32 \t%sk, %sid, %" PRIu32 ";\n"
	                    "\tnot.pred \t%sp, %sk;\n",
	                    warps, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n, n,
	                    n, n, warps, n, n);
}

/* Returns the fate of the i-th load of a function; a load that already has the operator is
 * unchanged. */
static enum bypass_ptx_fate fate_of(const struct editor *e, const struct bypass_ptx_match *x,
                                    size_t number, size_t i)
{
	size_t index = ptx_module_function(e->m, number)->first_load + i;

	if (has_op(e->m, ptx_module_load(e->m, index), e->cache_op))
		return BYPASS_PTX_STAYS;
	return bypass_ptx_fate(e->m, x, number, index, e->cache_op);
}

static void edit_function(struct editor *e, const struct bypass_ptx_match *x, size_t number)
{
	const struct ptx_module_function *f = ptx_module_function(e->m, number);
	size_t paired = 0;

	for (size_t i = 0; i < f->load_count; i++)
		paired += fate_of(e, x, number, i) == BYPASS_PTX_PAIRED;
	if (paired) {
		catch_up(e, f->start);
		put_threshold(e, x->warps[number]);
	}
	for (size_t i = 0; i < f->load_count && !e->ret; i++) {
		const struct ptx_load *l = ptx_module_load(e->m, f->first_load + i);
		enum bypass_ptx_fate fate = fate_of(e, x, number, i);

		if (fate == BYPASS_PTX_STAYS)
			continue;
		catch_up(e, fate == BYPASS_PTX_PAIRED ? l->begin : l->opcode);
		if (fate == BYPASS_PTX_PAIRED)
			put_pair(e, l);
		else
			put_changed(e, l);
		e->done = l->end;
	}
}

/* Find a prefix with which no name of the text begins. */
static int find_name(struct editor *e)
{
	const struct ptx_module *m = e->m;

	for (unsigned i = 0; i < SUFFIXES_MAX; i++) {
		snprintf(e->name, sizeof(e->name), i ? "%%warpline%u_" : "%%warpline_", i);
		if (!memmem(m->text, m->length, e->name, strlen(e->name)))
			return 0;
	}
	return err_set(e->err, ERR_LIMIT, "%s: every name %%warpline1_ to %%warpline%d_ is taken",
	               m->path, SUFFIXES_MAX - 1);
}

int bypass_ptx_edit(const struct ptx_module *m, const struct bypass_ptx_match *x,
                    const char *cache_op, struct str *out, struct err *err)
{
	struct editor e = { .m = m, .cache_op = cache_op, .out = out, .err = err };

	e.ret = find_name(&e);
	for (size_t i = 0; !e.ret && i < m->functions.count; i++)
		edit_function(&e, x, i);
	catch_up(&e, m->length);
	return e.ret;
}
