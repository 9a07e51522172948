/* SPDX-License-Identifier: Apache-2.0 */
#include "insert_runs.h"

#include "affine_expression.h"
#include "affine_sites.h"
#include "array.h"
#include "err.h"
#include "insertion.h"

#include <llvm-c/Types.h>

#include <stdlib.h>

/* An edge out of a loop, split so that code can be inserted. */

struct exit_edge {
	LLVMBasicBlockRef from, to;
	LLVMBasicBlockRef first; /* of the new nodes on it */
};

/* Redirect the edge to a new node; the builder is left at its end. */
static void exit_edge_open(struct exit_edge *e, struct insertion *in,
                           const struct affine_exit *exit)
{
	LLVMBasicBlockRef *node = in->kernel->flow.node;
	LLVMValueRef end = LLVMGetBasicBlockTerminator(node[exit->from]);

	e->from = node[exit->from];
	e->to = node[exit->to];
	e->first =
		LLVMInsertBasicBlockInContext(LLVMGetTypeContext(in->u64), e->to, "warpline.leave");
	for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
		if (LLVMGetSuccessor(end, i) == e->to)
			LLVMSetSuccessor(end, i, e->first);
	LLVMPositionBuilderAtEnd(in->b, e->first);
}

static void replace_in(struct affine_expression *e, LLVMValueRef phi, LLVMValueRef by)
{
	for (size_t i = 0; i < e->term_count; i++)
		if (e->terms[i].value == phi)
			e->terms[i].value = by;
}

/* What was found before code was inserted refers to values of the kernel: update it. */
static void replace(struct insertion *in, struct affine_sites *a, LLVMValueRef phi, LLVMValueRef by)
{
	for (size_t i = 0; i < a->site_count; i++) {
		struct affine_site *s = &a->sites[i];

		replace_in(&s->address, phi, by);
		for (uint32_t c = 0; c < s->condition_count; c++)
			replace_in(&s->conditions[c].value, phi, by);
	}
	for (uint32_t l = 0; l < in->kernel->flow.forest.loop_count; l++)
		if (in->loops[l].counter == phi)
			in->loops[l].counter = by;
	LLVMReplaceAllUsesWith(phi, by);
	LLVMInstructionEraseFromParent(phi);
}

/* The C API cannot change the incoming node of a phi. Edges that became one are one entry. */
static LLVMValueRef renewed(const struct exit_edge *e, struct insertion *in, LLVMValueRef phi,
                            LLVMBasicBlockRef last)
{
	LLVMValueRef by;
	bool is_done = false;

	LLVMPositionBuilderBefore(in->b, phi);
	by = LLVMBuildPhi(in->b, LLVMTypeOf(phi), "");
	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
		LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
		LLVMValueRef value = LLVMGetIncomingValue(phi, i);

		if (from == e->from && is_done)
			continue;
		is_done |= from == e->from;
		if (from == e->from)
			from = last;
		LLVMAddIncoming(by, &value, &from, 1);
	}
	return by;
}

/*
 * Continue from the builder's position to the edge's target. Phis there are created anew, and
 * replaced in *a and *in.
 */
static void exit_edge_close(const struct exit_edge *e, struct insertion *in, struct affine_sites *a)
{
	LLVMBasicBlockRef last = LLVMGetInsertBlock(in->b);
	LLVMValueRef phi = LLVMGetFirstInstruction(e->to), next;

	LLVMBuildBr(in->b, e->to);
	for (; phi && LLVMIsAPHINode(phi); phi = next) {
		next = LLVMGetNextInstruction(phi);
		replace(in, a, phi, renewed(e, in, phi, last));
	}
}

#define ROW_WORDS        6 /* struct probe_rows of probe.cl */
#define PROBE_ITEM_FIELD 3 /* struct probe_item: the linear local id */
#define GRID_COUNT_MOST  UINT32_MAX

/* The code inserted on one edge. */
struct exit_code {
	struct insertion *in;
	const struct affine_sites *all;
	size_t exit;
	LLVMValueRef *rows;   /* per site: a grid's rows so far */
	LLVMValueRef entered; /* variable: whether the entry of the loop being left was recorded */
	struct err *err;
	int code;
};

/* A site with records on that edge. */
struct leaving_site {
	const struct affine_site *site;
	uint32_t number;
	LLVMValueRef count; /* the number of its accesses */
	struct affine_values address;
};

static LLVMBasicBlockRef new_node(struct exit_code *x)
{
	LLVMBasicBlockRef here = LLVMGetInsertBlock(x->in->b);
	LLVMBasicBlockRef node = LLVMInsertBasicBlockInContext(LLVMGetTypeContext(x->in->u64), here,
	                                                       "warpline.leave");

	LLVMMoveBasicBlockAfter(node, here);
	return node;
}

/* Continue in a new node if the condition holds; returns the other node, *otherwise. */
static LLVMBasicBlockRef put_branch(struct exit_code *x, LLVMValueRef condition)
{
	LLVMBasicBlockRef otherwise = new_node(x), then = new_node(x);

	LLVMBuildCondBr(x->in->b, condition, then, otherwise);
	LLVMPositionBuilderAtEnd(x->in->b, then);
	return otherwise;
}

static void go_to(struct exit_code *x, LLVMBasicBlockRef node)
{
	LLVMBuildBr(x->in->b, node);
	LLVMPositionBuilderAtEnd(x->in->b, node);
}

/* The next condition of a set after `*after`, outer ones first; NULL: no more. */
static const struct affine_condition *next_condition(const struct affine_site *s, uint32_t set,
                                                     int64_t *after)
{
	const struct affine_condition *next = NULL;

	for (uint32_t i = 0; i < s->condition_count; i++) {
		const struct affine_condition *c = &s->conditions[i];

		if ((set >> i & 1) && (int64_t)c->place > *after &&
		    (!next || c->place < next->place))
			next = c;
	}
	if (next)
		*after = next->place;
	return next;
}

/*
 * Whether all conditions of a set hold, NULL if there are none. Uses selects rather than `and`: an
 * inner condition may be undefined where an outer one does not hold.
 */
static LLVMValueRef put_conditions(struct exit_code *x, const struct affine_site *s, uint32_t set)
{
	LLVMBuilderRef b = x->in->b;
	const struct affine_condition *c;
	LLVMValueRef all = NULL;
	int64_t place = -1;

	while ((c = next_condition(s, set, &place))) {
		struct affine_values v;
		LLVMValueRef holds;

		x->code = affine_values_init(&v, b, &c->value, x->err);
		if (x->code) {
			affine_values_release(&v);
			return all;
		}
		holds = affine_values_base(&v);
		if (!c->is_true)
			holds = LLVMBuildNot(b, holds, "");
		if (all)
			holds = LLVMBuildSelect(b, all, holds, LLVMConstNull(LLVMTypeOf(holds)),
			                        "");
		all = holds;
		affine_values_release(&v);
	}
	return all;
}

/*
 * How often a site was executed in the activation that ends here, in iteration k (from 0) of its
 * loop: k times, and once more if it is on the path to this edge.
 */
static LLVMValueRef put_count(struct exit_code *x, const struct affine_site *s)
{
	struct insertion *in = x->in;
	LLVMValueRef count = in->loops[s->loop].counter, holds;
	uint32_t ended = s->ended[x->exit];

	if (ended != AFFINE_CONDITIONS_NEVER) {
		holds = put_conditions(x, s, ended);
		holds = holds ? LLVMBuildZExt(in->b, holds, in->u64, "") : insertion_u64(in, 1);
		count = LLVMBuildAdd(in->b, count, holds, "");
	}
	holds = put_conditions(x, s, s->whole);
	if (!holds)
		return count;
	return LLVMBuildSelect(in->b, holds, count, insertion_u64(in, 0), "");
}

static void put_run(struct exit_code *x, const struct leaving_site *l)
{
	LLVMValueRef arguments[] = { insertion_u32(x->in, l->number), insertion_u64(x->in, 0),
		                     l->count, affine_values_base(&l->address),
		                     affine_values_step(&l->address) };

	insertion_call(x->in, x->in->runtime->run, arguments, 5);
}

static void put_row(struct exit_code *x, const struct leaving_site *l)
{
	LLVMValueRef arguments[] = { x->rows[l->number],
		                     insertion_u32(x->in, l->number),
		                     x->in->loops[l->site->parent].counter,
		                     l->count,
		                     affine_values_base(&l->address),
		                     affine_values_step(&l->address) };

	insertion_call(x->in, x->in->runtime->row, arguments, 6);
}

/*
 * The same count, but such that compilers cannot assume that work-items share it: a linear local id
 * has no bit 31, which only we know. POCL takes the values that a loop leaves for shared if its
 * steps are, though work-items leave it at different times; a loop up to the count then gets
 * barriers, and a condition on it is evaluated for one work-item instead of all.
 */
static LLVMValueRef put_own_count(const struct insertion *in, LLVMValueRef count)
{
	LLVMValueRef item =
		LLVMBuildStructGEP2(in->b, in->runtime->item_type, in->item, PROBE_ITEM_FIELD, "");

	item = LLVMBuildLoad2(in->b, in->u32, item, "");
	item = LLVMBuildLShr(in->b, item, insertion_u32(in, 31), "");
	return LLVMBuildAdd(in->b, count, LLVMBuildZExt(in->b, item, in->u64, ""), "");
}

/* One run per access, each at the address that the kernel computed. */
static void put_each(struct exit_code *x, const struct leaving_site *l)
{
	struct insertion *in = x->in;
	LLVMBasicBlockRef before = LLVMGetInsertBlock(in->b), body = new_node(x), after;
	LLVMValueRef i, next, count = put_own_count(in, l->count), arguments[5];

	go_to(x, body);
	i = LLVMBuildPhi(in->b, in->u64, "");
	arguments[0] = insertion_u32(in, l->number);
	arguments[1] = i;
	arguments[2] = insertion_u64(in, 1);
	arguments[3] = affine_values_at(&l->address, i, x->err);
	arguments[4] = insertion_u64(in, 0);
	if (!arguments[3]) {
		x->code = ERR_NOMEM;
		return;
	}
	insertion_call(in, in->runtime->run_apart, arguments, 5);
	next = LLVMBuildAdd(in->b, i, insertion_u64(in, 1), "");
	after = new_node(x);
	LLVMBuildCondBr(in->b, LLVMBuildICmp(in->b, LLVMIntEQ, next, count, ""), after, body);
	LLVMAddIncoming(i, (LLVMValueRef[]){ insertion_u64(in, 0), next },
	                (LLVMBasicBlockRef[]){ before, body }, 2);
	LLVMPositionBuilderAtEnd(in->b, after);
}

/* Record the entry of a grid's loop, once on this edge. */
static void put_entry(struct exit_code *x, const struct affine_site *s)
{
	struct insertion *in = x->in;
	const struct kernel *k = in->kernel;
	uint32_t point = (uint32_t)(k->table->site_count + (size_t)k->table_loop[s->loop]);
	LLVMValueRef arguments[3], entered;
	LLVMBasicBlockRef after;

	if (!insert_runs_may_enter(in, (uint32_t)s->loop))
		return;
	entered = LLVMBuildLoad2(in->b, in->u64, x->entered, "");
	after = put_branch(x, LLVMBuildICmp(in->b, LLVMIntEQ, entered, insertion_u64(in, 0), ""));
	LLVMBuildStore(in->b, insertion_u64(in, 1), x->entered);
	arguments[0] = insertion_u32(in, point);
	arguments[1] = insertion_u64(in, 0);
	arguments[2] = insert_loops_run(in, s->parent, point);
	insertion_call(in, in->runtime->point_apart, arguments, 3);
	go_to(x, after);
}

/* Whether the record is as planned, as an i1; NULL: it always is. */
static LLVMValueRef put_check(struct exit_code *x, const struct leaving_site *l)
{
	LLVMBuilderRef b = x->in->b;
	LLVMValueRef last = LLVMBuildSub(b, l->count, insertion_u64(x->in, 1), "");
	LLVMValueRef linear = affine_values_check(&l->address, last), fits;

	if (l->site->record != RECORD_GRID)
		return linear;
	fits = LLVMBuildICmp(b, LLVMIntULT, last, insertion_u64(x->in, GRID_COUNT_MOST), "");
	return linear ? LLVMBuildAnd(b, linear, fits, "") : fits;
}

/* Write the records of a site that was executed at least once. */
static void put_records(struct exit_code *x, const struct leaving_site *l)
{
	LLVMBasicBlockRef otherwise = NULL, after;
	LLVMValueRef check = put_check(x, l);

	if (check)
		otherwise = put_branch(x, check);
	if (l->site->record == RECORD_GRID)
		put_row(x, l);
	else
		put_run(x, l);
	if (!otherwise)
		return;
	after = new_node(x);
	LLVMBuildBr(x->in->b, after);
	LLVMPositionBuilderAtEnd(x->in->b, otherwise);
	if (l->site->record == RECORD_GRID)
		put_entry(x, l->site);
	if (l->site->address.check_count)
		put_each(x, l);
	else
		put_run(x, l);
	if (!x->code)
		go_to(x, after);
}

static void put_site(struct exit_code *x, uint32_t number)
{
	struct leaving_site l = { .site = &x->all->sites[number], .number = number };
	LLVMBasicBlockRef after = NULL, outside = NULL;

	if (insertion_is_sampled(x->in, number))
		outside = put_branch(x, x->in->kernel->in_sample);
	l.count = put_count(x, l.site);
	if (x->code)
		return;
	if (l.site->whole || l.site->ended[x->exit])
		after = put_branch(x, LLVMBuildICmp(x->in->b, LLVMIntNE, l.count,
		                                    insertion_u64(x->in, 0), ""));
	x->code = affine_values_init(&l.address, x->in->b, &l.site->address, x->err);
	if (!x->code)
		put_records(x, &l);
	affine_values_release(&l.address);
	if (after && !x->code)
		go_to(x, after);
	if (outside && !x->code)
		go_to(x, outside);
}

/* The end of an activation of one loop. */
static void put_loop(struct exit_code *x, int32_t loop)
{
	struct insertion *in = x->in;

	if (x->entered && insert_runs_may_enter(in, (uint32_t)loop))
		LLVMBuildStore(in->b, insertion_u64(in, 0), x->entered);
	for (size_t i = 0; !x->code && i < x->all->site_count; i++)
		if (x->all->sites[i].loop == loop)
			put_site(x, (uint32_t)i);
	for (size_t i = 0; !x->code && i < x->all->site_count; i++) {
		LLVMValueRef arguments[] = { x->rows[i], insertion_u32(in, (uint32_t)i) };

		if (x->rows[i] && x->all->sites[i].parent == loop)
			insertion_call(in, in->runtime->rows, arguments, 2);
	}
}

/* Whether any site writes records when a loop is left. */
static bool has_records(const struct affine_sites *a, int32_t loop)
{
	for (size_t i = 0; i < a->site_count; i++)
		if (a->sites[i].record != RECORD_POINT &&
		    (a->sites[i].loop == loop || a->sites[i].parent == loop))
			return true;
	return false;
}

static int put_exit(struct exit_code *x, struct affine_sites *a)
{
	const struct kernel_flow *flow = &x->in->kernel->flow;
	const struct affine_exit *exit = &a->exits[x->exit];
	struct exit_edge edge = { 0 };

	for (int32_t l = flow->forest.innermost[exit->from];
	     !x->code && l >= 0 && affine_exit_leaves(exit, flow, l);
	     l = flow->forest.loops[l].parent) {
		if (!has_records(a, l))
			continue;
		if (!edge.first)
			exit_edge_open(&edge, x->in, exit);
		put_loop(x, l);
	}
	if (edge.first)
		exit_edge_close(&edge, x->in, a);
	return x->code;
}

/* Create the variables and the counters; not while code is being inserted on an edge. */
static void prepare(struct exit_code *x)
{
	struct insertion *in = x->in;
	LLVMTypeRef type = LLVMArrayType(in->u64, ROW_WORDS), types[4];
	LLVMValueRef rows;

	LLVMGetParamTypes(LLVMGlobalGetValueType(in->runtime->rows), types);

	for (size_t i = 0; i < x->all->site_count; i++) {
		const struct affine_site *s = &x->all->sites[i];

		if (s->record == RECORD_POINT)
			continue;
		insertion_counter(in, (uint32_t)s->loop);
		if (s->record != RECORD_GRID)
			continue;
		insertion_counter(in, (uint32_t)s->parent);
		if (!x->entered)
			x->entered = insertion_variable(in, "warpline.entered");
		LLVMPositionBuilderBefore(in->b, in->item);
		rows = LLVMBuildAlloca(in->b, type, "warpline.rows");
		insertion_after_header(in, in->b);
		LLVMBuildStore(in->b, LLVMConstNull(type), rows);
		x->rows[i] = LLVMBuildBitCast(in->b, rows, types[2], "");
	}
}

bool insert_runs_may_enter(const struct insertion *in, uint32_t loop)
{
	const struct kernel_flow *flow = &in->kernel->flow;

	if (in->loops[loop].has_records || flow->forest.loops[loop].parent < 0)
		return false;
	for (size_t i = 0; i < in->kernel->table->site_count; i++)
		if (insertion_record(in, i) == RECORD_GRID &&
		    flow->forest.innermost[in->site_node[i]] == (int32_t)loop)
			return true;
	return false;
}

int insert_runs(struct insertion *in, struct affine_sites *a, struct err *err)
{
	struct exit_code x = { .in = in, .all = a, .err = err };

	x.rows = array_alloc(a->site_count, sizeof(LLVMValueRef), "sites", err);
	if (!x.rows)
		return ERR_NOMEM;
	prepare(&x);
	for (x.exit = 0; !x.code && x.exit < a->exit_count; x.exit++)
		put_exit(&x, a);
	free(x.rows);
	return x.code;
}
