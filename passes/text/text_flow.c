/* SPDX-License-Identifier: Apache-2.0 */
#include "array.h"
#include "err.h"
#include "llvm_api.h"
#include "text_layout.h"
#include "text_parts.h"

#include <llvm-c/Core.h>

#include <stdlib.h>
#include <string.h>

/*
 * What phis get on an edge: copies that happen at once, put in an order in which no variable is
 * overwritten before it was read; where they go in a circle one value goes by a further variable.
 */

struct copy {
	LLVMValueRef to;   /* NULL: done */
	LLVMValueRef from; /* NULL: the further variable `spare` */
	uint32_t spare;
};

static LLVMValueRef value_from(LLVMValueRef phi, LLVMBasicBlockRef from)
{
	unsigned count = LLVMCountIncoming(phi);

	for (unsigned i = 0; i < count; i++)
		if (LLVMGetIncomingBlock(phi, i) == from)
			return text_alias(LLVMGetIncomingValue(phi, i));
	return phi;
}

static LLVMValueRef next_phi(LLVMValueRef i)
{
	return i && LLVMIsAPHINode(i) ? i : NULL;
}

static bool text_has_copies(LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	LLVMValueRef phi = next_phi(LLVMGetFirstInstruction(to));

	for (; phi; phi = next_phi(LLVMGetNextInstruction(phi)))
		if (LLVMGetFirstUse(phi) && value_from(phi, from) != phi)
			return true;
	return false;
}

static size_t collect(struct copy *copies, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	LLVMValueRef phi = next_phi(LLVMGetFirstInstruction(to));
	size_t count = 0;

	for (; phi; phi = next_phi(LLVMGetNextInstruction(phi))) {
		LLVMValueRef value = value_from(phi, from);

		if (!LLVMGetFirstUse(phi) || value == phi)
			continue;
		if (copies)
			copies[count] = (struct copy){ .to = phi, .from = value };
		count++;
	}
	return count;
}

static bool is_read(const struct copy *copies, size_t count, LLVMValueRef variable)
{
	for (size_t i = 0; i < count; i++)
		if (copies[i].to && copies[i].from == variable)
			return true;
	return false;
}

static void write_copy(struct text_function *f, struct copy *c)
{
	text_line(f);
	text_value(f, c->to);
	text_put(f, " = ");
	if (c->from)
		text_value(f, c->from);
	else
		text_put(f, "x%u", c->spare);
	text_put(f, ";\n");
	c->to = NULL;
}

/* Everything that is left reads something that is left: keep one value aside. */
static void write_aside(struct text_function *f, struct copy *copies, size_t count)
{
	LLVMValueRef kept = NULL;

	for (size_t i = 0; i < count; i++) {
		if (!copies[i].to)
			continue;
		if (!kept)
			kept = copies[i].to;
		if (copies[i].from == kept) {
			copies[i].from = NULL;
			copies[i].spare = f->number_count;
		}
	}
	text_put_to(f, &f->declarations, "\t%s x%u;\n", text_value_type(f, kept), f->number_count);
	text_line(f);
	text_put(f, "x%u = ", f->number_count++);
	text_value(f, kept);
	text_put(f, ";\n");
}

/* The copies on the edge between two nodes; text_has_copies() without writing them. */
static void text_copies(struct text_function *f, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	size_t count = collect(NULL, from, to), left = count;
	struct copy *copies;

	if (!count)
		return;
	copies = array_alloc(count, sizeof(*copies), "copies", f->err);
	if (!copies) {
		text_check(f, ERR_NOMEM);
		return;
	}
	collect(copies, from, to);
	while (left && !f->ret) {
		size_t before = left;

		for (size_t i = 0; i < count; i++)
			if (copies[i].to && !is_read(copies, count, copies[i].to)) {
				write_copy(f, &copies[i]);
				left--;
			}
		if (left == before)
			write_aside(f, copies, count);
	}
	free(copies);
}

/*
 * Headers of loops that do nothing but decide whether to go on: their condition can stand in a
 * while. Compilers of devices know such loops better than those that are left by a break.
 */

/* No floating point arithmetic: in one expression it might be contracted. */
static bool is_simple(LLVMValueRef i)
{
	switch ((int)LLVMGetInstructionOpcode(i)) {
	case LLVMICmp:
	case LLVMFCmp:
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMSExt:
	case LLVMAdd:
	case LLVMSub:
	case LLVMMul:
	case LLVMAnd:
	case LLVMOr:
	case LLVMXor:
	case LLVMShl:
	case LLVMLShr:
	case LLVMAShr:
		return LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind;
	default:
		return false;
	}
}

/* Used once, in its own node. */
static bool is_used_once(LLVMValueRef i)
{
	LLVMUseRef use = LLVMGetFirstUse(i);

	return use && !LLVMGetNextUse(use) && LLVMIsAInstruction(LLVMGetUser(use)) &&
	       !LLVMIsAPHINode(LLVMGetUser(use)) &&
	       LLVMGetInstructionParent(LLVMGetUser(use)) == LLVMGetInstructionParent(i);
}

/* What becomes an expression; false for what becomes nothing at all. */
static bool is_counted(LLVMValueRef i)
{
	return !LLVMIsAPHINode(i) && !LLVMIsADbgInfoIntrinsic(i) && !LLVMIsATerminatorInst(i);
}

/*
 * Whether the header of a loop can stand in the condition of a while. From then on
 * its instructions are written where they are used: text_inlined() writes one that is.
 */
static bool text_while_fits(struct text_function *f, LLVMBasicBlockRef header)
{
	LLVMValueRef first = LLVMGetFirstInstruction(header), i;

	for (i = first; i; i = LLVMGetNextInstruction(i))
		if (is_counted(i) && (!is_simple(i) || !is_used_once(i)))
			return false;
	for (i = first; i; i = LLVMGetNextInstruction(i))
		if (is_counted(i))
			text_check(f, pointer_map_set(&f->inlined, i, 1, f->err));
	return true;
}

bool text_inlined(struct text_function *f, LLVMValueRef v)
{
	if (pointer_map_get(&f->inlined, v) == POINTER_MAP_NONE)
		return false;
	text_put(f, "((%s)(", text_type(f, LLVMTypeOf(v)));
	text_operation(f, v);
	text_put(f, "))");
	return true;
}

/*
 * Control flow as text: each node once, where text_layout has it; each edge as what gets there.
 * Written twice: the first time only to learn which nodes need labels.
 */

enum { MAX_BRACES = 60, MAX_DEPTH = 400 };

#define AT_END (GRAPH_NONE - 1) /* the end of the function */

struct writer {
	struct text_function *f;
	struct text_layout layout;
	bool *has_label;        /* per node */
	struct array postponed; /* uint32_t: nodes that would be nested too deeply */
};

/* Where control gets to from here without a goto; GRAPH_NONE: nowhere. */
struct around {
	uint32_t next;  /* at the end of the text that is being written */
	uint32_t leave; /* by break */
	uint32_t again; /* by continue */
	unsigned braces, depth;
};

static void write_tree(struct writer *w, uint32_t node, struct around around);

static LLVMBasicBlockRef node_at(const struct writer *w, uint32_t n)
{
	return w->f->flow.node[n];
}

/* Whether the target of an edge stands at it: not where the edge goes back to a loop's header. */
static bool is_here(const struct writer *w, uint32_t from, uint32_t to)
{
	const struct loop_forest *forest = &w->f->flow.forest;
	int32_t loop = w->layout.loop[to];

	return w->layout.is_inline[to] &&
	       (loop < 0 || !loop_forest_contains(forest, loop, forest->innermost[from]));
}

static void open_brace(struct writer *w, struct around *around)
{
	text_put(w->f, " {\n");
	w->f->indent++;
	around->braces++;
}

static void close_brace(struct writer *w)
{
	w->f->indent--;
	text_line(w->f);
	text_put(w->f, "}");
}

static void write_jump(struct writer *w, uint32_t to, const struct around *around)
{
	if (to == around->next)
		return;
	text_line(w->f);
	if (to == around->leave) {
		text_put(w->f, "break;\n");
	} else if (to == around->again) {
		text_put(w->f, "continue;\n");
	} else {
		w->has_label[to] = true;
		text_put(w->f, "goto L%u;\n", to);
	}
}

static void postpone(struct writer *w, uint32_t node)
{
	uint32_t *slot = array_push(&w->postponed, 1, w->f->err);

	if (slot)
		*slot = node;
	else
		text_check(w->f, ERR_NOMEM);
}

/* The edge, and behind it its target where that stands there. */
static void write_edge(struct writer *w, uint32_t from, uint32_t to, struct around around)
{
	if (!w->f->is_dry)
		text_copies(w->f, node_at(w, from), node_at(w, to));
	if (!is_here(w, from, to)) {
		write_jump(w, to, &around);
	} else if (around.braces < MAX_BRACES && around.depth < MAX_DEPTH) {
		around.depth++;
		write_tree(w, to, around);
	} else {
		around.next = around.leave = around.again = GRAPH_NONE;
		write_jump(w, to, &around);
		postpone(w, to);
	}
}

/* Whether an edge needs no text. */
static bool is_silent(const struct writer *w, uint32_t from, uint32_t to,
                      const struct around *around)
{
	return !is_here(w, from, to) && to == around->next &&
	       !text_has_copies(node_at(w, from), node_at(w, to));
}

/* Whether nothing comes behind the text of an edge. */
static bool is_final(const struct writer *w, uint32_t from, uint32_t to,
                     const struct around *around)
{
	return !is_here(w, from, to) && to != around->next;
}

static void write_if(struct writer *w, LLVMValueRef condition, bool is_negated)
{
	text_line(w->f);
	text_put(w->f, is_negated ? "if (!" : "if (");
	if (!w->f->is_dry)
		text_value(w->f, condition);
	text_put(w->f, ")");
}

static void write_arm(struct writer *w, uint32_t from, uint32_t to, struct around around)
{
	open_brace(w, &around);
	write_edge(w, from, to, around);
	close_brace(w);
}

static void write_branch(struct writer *w, uint32_t node, LLVMValueRef jump, struct around around)
{
	const struct graph *g = &w->f->flow.graph;
	LLVMValueRef condition = LLVMGetCondition(jump);
	uint32_t yes = g->successor[g->first[node]], no = g->successor[g->first[node] + 1];
	bool is_negated = is_silent(w, node, yes, &around) ||
	                  (is_final(w, node, no, &around) && !is_final(w, node, yes, &around));
	uint32_t first = is_negated ? no : yes, second = is_negated ? yes : no;

	if (yes == no) {
		write_edge(w, node, yes, around);
		return;
	}
	if (is_silent(w, node, first, &around))
		return;
	write_if(w, condition, is_negated);
	write_arm(w, node, first, around);
	if (is_silent(w, node, second, &around)) {
		text_put(w->f, "\n");
	} else if (is_final(w, node, first, &around)) {
		text_put(w->f, "\n");
		write_edge(w, node, second, around);
	} else {
		text_put(w->f, " else");
		write_arm(w, node, second, around);
		text_put(w->f, "\n");
	}
}

/* The cases that go where case `first` goes, if that is the first of them; then the way there. */
static void write_case(struct writer *w, uint32_t node, LLVMValueRef jump, unsigned first,
                       struct around around)
{
	const struct graph *g = &w->f->flow.graph;
	const uint32_t *to = &g->successor[g->first[node]];
	unsigned count = g->first[node + 1] - g->first[node];

	for (unsigned i = 0; i < first; i++)
		if (to[i] == to[first])
			return;
	for (unsigned i = first; i < count; i++) {
		if (to[i] != to[first])
			continue;
		text_line(w->f);
		if (i == 0) {
			text_put(w->f, "default:\n");
			continue;
		}
		text_put(w->f, "case ");
		if (!w->f->is_dry)
			text_value(w->f, llvm_switch_case(jump, i));
		text_put(w->f, ":\n");
	}
	w->f->indent++;
	text_line(w->f);
	text_put(w->f, "{\n");
	w->f->indent++;
	around.braces += 2;
	write_edge(w, node, to[first], around);
	close_brace(w);
	text_put(w->f, "\n");
	w->f->indent--;
}

static void write_switch(struct writer *w, uint32_t node, LLVMValueRef jump, struct around around)
{
	const struct graph *g = &w->f->flow.graph;
	unsigned count = g->first[node + 1] - g->first[node];
	struct around inside = around;

	inside.leave = around.next;
	inside.next = GRAPH_NONE;
	text_line(w->f);
	text_put(w->f, "switch (");
	if (!w->f->is_dry)
		text_value(w->f, LLVMGetOperand(jump, 0));
	text_put(w->f, ") {\n");
	for (unsigned i = 0; i < count; i++)
		write_case(w, node, jump, i, inside);
	text_line(w->f);
	text_put(w->f, "}\n");
}

static void write_return(struct writer *w, LLVMValueRef jump, const struct around *around)
{
	LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(w->f->function));
	bool is_void = LLVMGetTypeKind(type) == LLVMVoidTypeKind;

	if (w->f->is_dry || (is_void && around->next == AT_END))
		return;
	text_line(w->f);
	text_put(w->f, is_void ? "return" : "return ");
	if (!is_void)
		text_value(w->f, LLVMGetNumOperands(jump) ? LLVMGetOperand(jump, 0)
		                                          : LLVMConstNull(type));
	text_put(w->f, ";\n");
}

static void write_end(struct writer *w, uint32_t node, struct around around)
{
	LLVMValueRef jump = LLVMGetBasicBlockTerminator(node_at(w, node));
	const struct graph *g = &w->f->flow.graph;

	w->f->at = jump;
	switch ((int)LLVMGetInstructionOpcode(jump)) {
	case LLVMRet:
	case LLVMUnreachable:
		write_return(w, jump, &around);
		break;
	case LLVMBr:
		if (LLVMIsConditional(jump))
			write_branch(w, node, jump, around);
		else
			write_edge(w, node, g->successor[g->first[node]], around);
		break;
	case LLVMSwitch:
		write_switch(w, node, jump, around);
		break;
	default:
		text_refuse(w->f, "a jump of opcode %d", (int)LLVMGetInstructionOpcode(jump));
	}
}

/* The nodes of a list, one behind the other; behind the last comes around.next. */
static void write_followers(struct writer *w, uint32_t node, struct around around)
{
	uint32_t behind = around.next;

	for (; node != GRAPH_NONE; node = w->layout.next[node]) {
		uint32_t next = w->layout.next[node];

		around.next = next != GRAPH_NONE ? next : behind;
		write_tree(w, node, around);
	}
}

static void write_statements(struct writer *w, uint32_t node)
{
	LLVMValueRef i = LLVMGetFirstInstruction(node_at(w, node));

	if (w->has_label[node])
		text_put(w->f, "L%u:;\n", node);
	for (; !w->f->is_dry && i && !LLVMIsATerminatorInst(i); i = LLVMGetNextInstruction(i))
		text_statement(w->f, i);
}

/* A node and what stands behind it in its loop; where `to` is a node, only the way there. */
static void write_body(struct writer *w, uint32_t node, uint32_t to, struct around around)
{
	uint32_t follower = w->layout.follower[node];
	struct around inside = around;

	if (follower != GRAPH_NONE)
		inside.next = follower;
	if (to == GRAPH_NONE) {
		write_statements(w, node);
		write_end(w, node, inside);
	} else {
		write_edge(w, node, to, inside);
	}
	write_followers(w, follower, around);
}

/*
 * Writes "while (...)" and gives where the loop goes on if its header only decides between that
 * and what a break leads to; else writes "for (;;)".
 */
static uint32_t write_head(struct writer *w, uint32_t node, const struct around *inside)
{
	const struct graph *g = &w->f->flow.graph;
	LLVMValueRef jump = LLVMGetBasicBlockTerminator(node_at(w, node));
	bool fits = LLVMIsABranchInst(jump) && LLVMIsConditional(jump) && !w->has_label[node];
	uint32_t yes = g->successor[g->first[node]], no = yes;

	if (fits)
		no = g->successor[g->first[node] + 1];
	fits = fits && yes != no && (yes == inside->leave || no == inside->leave) &&
	       !text_has_copies(node_at(w, node), node_at(w, inside->leave)) &&
	       text_while_fits(w->f, node_at(w, node));
	text_line(w->f);
	if (!fits) {
		text_put(w->f, "for (;;)");
		return GRAPH_NONE;
	}
	text_put(w->f, yes == inside->leave ? "while (!" : "while (");
	if (!w->f->is_dry)
		text_value(w->f, LLVMGetCondition(jump));
	text_put(w->f, ")");
	return yes == inside->leave ? no : yes;
}

static void write_tree(struct writer *w, uint32_t node, struct around around)
{
	int32_t loop = w->layout.loop[node];
	struct around inside = around;
	uint32_t behind, to;

	if (loop < 0) {
		write_body(w, node, GRAPH_NONE, around);
		return;
	}
	behind = w->layout.loop_follower[loop];
	inside.next = inside.again = node;
	inside.leave = behind != GRAPH_NONE ? behind : around.next;
	to = write_head(w, node, &inside);
	open_brace(w, &inside);
	write_body(w, node, to, inside);
	close_brace(w);
	text_put(w->f, "\n");
	write_followers(w, behind, around);
}

static void write_all(struct writer *w)
{
	const struct around end = { AT_END, GRAPH_NONE, GRAPH_NONE, 0, 0 };
	const struct around nowhere = { GRAPH_NONE, GRAPH_NONE, GRAPH_NONE, 0, 0 };

	array_clear(&w->postponed);
	write_tree(w, 0, end);
	if (w->postponed.count) {
		text_line(w->f);
		text_put(w->f, "return;\n");
	}
	for (size_t i = 0; i < w->postponed.count && !w->f->ret; i++)
		write_tree(w, ((const uint32_t *)w->postponed.data)[i], nowhere);
}

void text_flow(struct text_function *f)
{
	struct writer w = { .f = f };

	array_init(&w.postponed, sizeof(uint32_t), UINT32_MAX, "nested control flow");
	w.has_label = array_alloc(f->flow.graph.node_count, sizeof(bool), "labels", f->err);
	if (!w.has_label)
		text_check(f, ERR_NOMEM);
	if (!f->ret)
		text_check(f, text_layout_init(&w.layout, &f->flow.graph, &f->flow.forest,
		                               f->flow.order, f->flow.order_count, f->err));
	if (!f->ret) {
		f->is_dry = true;
		write_all(&w);
		f->is_dry = false;
		write_all(&w);
	}
	text_layout_release(&w.layout);
	array_release(&w.postponed);
	free(w.has_label);
}
