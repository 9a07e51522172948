/* SPDX-License-Identifier: Apache-2.0 */
#include "insertion.h"

#include "array.h"
#include "cuda_call.h"
#include "err.h"
#include "llvm_api.h"
#include "probe_abi.h"
#include "slot_places.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

EMBEDDED(probe_bitcode_spir_1);
EMBEDDED(probe_bitcode_spir_32);
EMBEDDED(probe_bitcode_spir64_1);
EMBEDDED(probe_bitcode_spir64_32);
EMBEDDED(probe_bitcode_nvptx64_1);
EMBEDDED(probe_bitcode_nvptx64_32);

#define PREFIX "warpline_"
#define SHAPE  "warpline_item_shape"
#define OTHERS "warpline_cuda_" /* declared by libraries of ours that are linked later */

static const struct {
	const char *name;
	size_t offset; /* of its field in struct probe_runtime */
} rows[] = {
#define PROBE_FUNCTION(name) { PREFIX #name, offsetof(struct probe_runtime, name) },
#include "probe_functions.def"
#undef PROBE_FUNCTION
};

/* The runtime for each target and number of lanes. */
static const struct {
	const char *triple; /* a prefix */
	unsigned lanes;
	const unsigned char *bitcode;
	const size_t *bytes;
} forms[] = {
	{ "spir-", 1, probe_bitcode_spir_1, &probe_bitcode_spir_1_bytes },
	{ "spir-", 32, probe_bitcode_spir_32, &probe_bitcode_spir_32_bytes },
	{ "spir64-", 1, probe_bitcode_spir64_1, &probe_bitcode_spir64_1_bytes },
	{ "spir64-", 32, probe_bitcode_spir64_32, &probe_bitcode_spir64_32_bytes },
	{ "nvptx64-", 1, probe_bitcode_nvptx64_1, &probe_bitcode_nvptx64_1_bytes },
	{ "nvptx64-", 32, probe_bitcode_nvptx64_32, &probe_bitcode_nvptx64_32_bytes },
};

static int parse(LLVMModuleRef module, unsigned lanes, LLVMModuleRef *runtime, struct err *err)
{
	const char *triple = LLVMGetTarget(module);
	size_t i = 0;

	while (i < sizeof(forms) / sizeof(forms[0]) &&
	       (forms[i].lanes != lanes ||
	        strncmp(triple, forms[i].triple, strlen(forms[i].triple)) != 0))
		i++;
	if (i == sizeof(forms) / sizeof(forms[0]))
		return err_set(err, ERR_UNSUPPORTED,
		               "the program is compiled for '%s', expected spir, spir64 or nvptx64",
		               triple);
	return llvm_parse_library(LLVMGetModuleContext(module), forms[i].bitcode, *forms[i].bytes,
	                          "probe runtime", runtime, err);
}

/* Whether a function belongs to probe.cl. */
static bool probe_runtime_owns(LLVMValueRef function)
{
	size_t length;
	const char *name = LLVMGetValueName2(function, &length);

	return !strncmp(name, PREFIX, strlen(PREFIX)) &&
	       (strncmp(name, OTHERS, strlen(OTHERS)) != 0 || !LLVMIsDeclaration(function));
}

/* Declared for the CUDA library, which is linked later. */
static bool is_of_cuda(LLVMValueRef function)
{
	size_t length;

	return LLVMIsDeclaration(function) &&
	       !strncmp(LLVMGetValueName2(function, &length), CUDA_LIBRARY_PREFIX,
	                strlen(CUDA_LIBRARY_PREFIX));
}

/* A program that defines or calls such names itself would be linked to our functions. */
static int check_names(LLVMModuleRef module, struct err *err)
{
	LLVMValueRef f = LLVMGetFirstFunction(module);

	for (; f; f = LLVMGetNextFunction(f)) {
		size_t length;

		if (probe_runtime_owns(f) && !is_of_cuda(f))
			return err_set(err, ERR_UNSUPPORTED,
			               "the program has a function %s; names that begin with "
			               "'" PREFIX "' are reserved",
			               LLVMGetValueName2(f, &length));
	}
	return 0;
}

int probe_runtime_link(struct probe_runtime *r, LLVMModuleRef module, unsigned lanes,
                       struct err *err)
{
	LLVMTypeRef types[5];
	LLVMModuleRef runtime = NULL;
	LLVMValueRef f, shape;
	int ret = check_names(module, err);

	if (!ret)
		ret = parse(module, lanes, &runtime, err);
	if (ret)
		return ret;
	if (llvm_link(module, runtime))
		return err_set(err, ERR_UNSUPPORTED, "the probe runtime cannot be linked");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		f = LLVMGetNamedFunction(module, rows[i].name);
		*(LLVMValueRef *)(void *)((char *)r + rows[i].offset) = f;
	}
	for (f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (probe_runtime_owns(f) && !is_of_cuda(f))
			LLVMSetLinkage(f, LLVMInternalLinkage);
	LLVMGetParamTypes(LLVMGlobalGetValueType(r->point), types);
	shape = LLVMGetNamedGlobal(module, SHAPE);
	r->item_type = LLVMGlobalGetValueType(shape);
	LLVMDeleteGlobal(shape);
	r->header_type = types[1];
	return 0;
}

LLVMValueRef probe_runtime_call(LLVMBuilderRef b, LLVMValueRef function, LLVMValueRef *arguments,
                                unsigned count)
{
	LLVMValueRef call =
		LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, arguments, count, "");

	LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
	return call;
}

static void find_site_nodes(struct insertion *in)
{
	const struct kernel *k = in->kernel;
	size_t next = 0;

	for (size_t i = 0; i < k->flow.order_count; i++) {
		uint32_t node = k->flow.order[i];

		while (next < k->table->site_count &&
		       LLVMGetInstructionParent(k->marks[next]) == k->flow.node[node])
			in->site_node[next++] = node;
	}
}

/* The only node from which a loop is entered and that leads nowhere else, or NONE. */
static uint32_t find_preheader(const struct insertion *in, uint32_t l)
{
	const struct kernel_flow *flow = &in->kernel->flow;
	uint32_t header = flow->forest.loops[l].header, found = INSERTION_NONE;

	for (uint32_t e = in->predecessors.first[header]; e < in->predecessors.first[header + 1];
	     e++) {
		uint32_t from = in->predecessors.successor[e];

		if (loop_forest_contains(&flow->forest, (int32_t)l, flow->forest.innermost[from]))
			continue;
		if (found != INSERTION_NONE ||
		    flow->graph.first[from + 1] - flow->graph.first[from] != 1)
			return INSERTION_NONE;
		found = from;
	}
	return found;
}

int insertion_init(struct insertion *in, struct program *p, struct kernel *k,
                   const struct probe_runtime *runtime, struct err *err)
{
	uint32_t loop_count = k->flow.forest.loop_count;
	int ret;

	*in = (struct insertion){ .kernel = k, .runtime = runtime, .settings = p->settings };
	in->b = LLVMCreateBuilderInContext(p->context);
	in->u32 = LLVMInt32TypeInContext(p->context);
	in->u64 = LLVMInt64TypeInContext(p->context);
	in->site_node = array_alloc(k->table->site_count, sizeof(*in->site_node), "sites", err);
	in->loops = array_alloc(loop_count, sizeof(*in->loops), "loops", err);
	in->idom = array_alloc(k->flow.graph.node_count, sizeof(*in->idom), "control flow", err);
	in->bounds = array_alloc(loop_count, sizeof(*in->bounds), "loops", err);
	if (!in->site_node || !in->loops || !in->idom || !in->bounds)
		return ERR_NOMEM;
	ret = graph_reverse(&k->flow.graph, &in->predecessors, err);
	if (!ret)
		ret = dominators_compute(&k->flow.graph, in->idom, err);
	if (ret)
		return ret;
	find_site_nodes(in);
	for (uint32_t s = 0; s < k->table->site_count; s++)
		for (int32_t l = k->flow.forest.innermost[in->site_node[s]];
		     l >= 0 && !insertion_is_sampled(in, s); l = k->flow.forest.loops[l].parent)
			in->loops[l].has_others = true;
	for (uint32_t l = 0; l < loop_count; l++) {
		in->loops[l].leader = INSERTION_NONE;
		in->loops[l].preheader = find_preheader(in, l);
	}
	return 0;
}

void insertion_release(struct insertion *in)
{
	if (in->b)
		LLVMDisposeBuilder(in->b);
	graph_release(&in->predecessors);
	free(in->site_node);
	free(in->loops);
	free(in->idom);
	free(in->bounds);
	slot_places_free(in->places);
	memset(in, 0, sizeof(*in));
}

LLVMValueRef insertion_u32(const struct insertion *in, uint32_t value)
{
	return LLVMConstInt(in->u32, value, 0);
}

LLVMValueRef insertion_u64(const struct insertion *in, uint64_t value)
{
	return LLVMConstInt(in->u64, value, 0);
}

void insertion_at_end(struct insertion *in, uint32_t node)
{
	LLVMPositionBuilderBefore(in->b, LLVMGetBasicBlockTerminator(in->kernel->flow.node[node]));
}

void insertion_behind_phis(struct insertion *in, uint32_t node)
{
	LLVMValueRef i = LLVMGetFirstInstruction(in->kernel->flow.node[node]);

	while (LLVMIsAPHINode(i))
		i = LLVMGetNextInstruction(i);
	LLVMPositionBuilderBefore(in->b, i);
}

void insertion_after_header(const struct insertion *in, LLVMBuilderRef b)
{
	/* Opaque pointers need no cast: the header is then the argument itself. */
	LLVMValueRef last = LLVMIsAInstruction(in->header) ? in->header : in->item;

	LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(last));
}

LLVMValueRef insertion_variable(struct insertion *in, const char *name)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(in->u64));
	LLVMValueRef variable;

	LLVMPositionBuilderBefore(b, in->item);
	variable = LLVMBuildAlloca(b, in->u64, name);
	insertion_after_header(in, b);
	LLVMBuildStore(b, insertion_u64(in, 0), variable);
	LLVMDisposeBuilder(b);
	return variable;
}

LLVMValueRef insertion_counter(struct insertion *in, uint32_t loop)
{
	const struct kernel_flow *flow = &in->kernel->flow;
	uint32_t header = flow->forest.loops[loop].header;
	LLVMValueRef zero = insertion_u64(in, 0), counter, next;

	if (in->loops[loop].counter)
		return in->loops[loop].counter;
	LLVMPositionBuilderBefore(in->b, LLVMGetFirstInstruction(flow->node[header]));
	counter = LLVMBuildPhi(in->b, in->u64, "warpline.iteration");
	insertion_behind_phis(in, header);
	next = LLVMBuildAdd(in->b, counter, insertion_u64(in, 1), "warpline.next");
	for (uint32_t e = in->predecessors.first[header]; e < in->predecessors.first[header + 1];
	     e++) {
		uint32_t from = in->predecessors.successor[e];
		bool is_inside = loop_forest_contains(&flow->forest, (int32_t)loop,
		                                      flow->forest.innermost[from]);
		LLVMBasicBlockRef node = flow->node[from];

		LLVMAddIncoming(counter, is_inside ? &next : &zero, &node, 1);
	}
	in->loops[loop].counter = counter;
	return counter;
}

bool insertion_dominates(const struct insertion *in, uint32_t a, uint32_t b)
{
	while (b != a && in->idom[b] != b && in->idom[b] != GRAPH_NONE)
		b = in->idom[b];
	return a == b;
}

enum site_record insertion_record(const struct insertion *in, size_t site)
{
	return in->record ? in->record[site] : RECORD_POINT;
}

bool insertion_is_sampled(const struct insertion *in, uint32_t point)
{
	const struct kernel_table *t = in->kernel->table;
	uint32_t l = 0;

	if (!t->local_groups)
		return false;
	if (point < t->site_count)
		return t->sites[point].space == SPACE_LOCAL &&
		       site_kind_has_address(t->sites[point].kind);
	while (in->kernel->table_loop[l] != (int32_t)(point - t->site_count))
		l++;
	return !in->loops[l].has_others;
}

LLVMValueRef insertion_call(struct insertion *in, LLVMValueRef function, LLVMValueRef *arguments,
                            unsigned count)
{
	LLVMValueRef all[10] = { in->item, in->header };

	for (unsigned i = 0; i < count; i++)
		all[i + 2] = arguments[i];
	return probe_runtime_call(in->b, function, all, count + 2);
}

/* Whether a point's address may be invalid as an address. */
static bool may_be_anything(const struct insertion *in, uint32_t point)
{
	const struct kernel_table *t = in->kernel->table;

	return point < t->site_count && t->sites[point].kind == SITE_PREFETCH;
}

/* The function that writes a point, for narrow or wide addresses, in a slot or a chunk. */
static LLVMValueRef writer(const struct insertion *in, uint32_t point, int32_t loop, bool is_sized)
{
	const struct probe_runtime *r = in->runtime;
	bool is_wide = !setting_is(in->settings->wide, "0");
	bool is_long = slot_words_may_be_wide(in, point, loop) || may_be_anything(in, point);

	if (!in->places) {
		if (is_sized || in->is_apart)
			return is_sized ? r->sized : r->point_apart;
		return is_wide || is_long ? r->point : r->point_narrow;
	}
	if (is_sized)
		return is_wide ? r->wide_sized : r->slot_sized;
	if (is_wide)
		return in->is_apart ? r->wide_point_apart : r->wide_point;
	return is_long ? r->slot_long : r->slot_point;
}

void insertion_put_point(struct insertion *in, uint32_t point, int32_t loop, LLVMValueRef address,
                         LLVMValueRef run, LLVMValueRef bytes)
{
	LLVMValueRef function = writer(in, point, loop, bytes), arguments[6];
	LLVMValueRef number = insertion_u32(in, point);
	unsigned count = 0;

	if (insertion_is_sampled(in, point))
		number = LLVMBuildSelect(in->b, in->kernel->in_sample, number,
		                         insertion_u32(in, PROBE_NO_POINT), "");

	if (in->places)
		arguments[count++] = slot_places_word(in, point, loop);
	if (in->places && function != in->runtime->slot_point)
		arguments[count++] = insertion_u32(in, slot_places_room(in->places, point));
	arguments[count++] = number;
	arguments[count++] = address;
	arguments[count++] = run;
	if (bytes)
		arguments[count++] = bytes;
	insertion_call(in, function, arguments, count);
}
