/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "affine_sites.h"
#include "array.h"
#include "builtin.h"
#include "companion_sites.h"
#include "err.h"
#include "insert_counts.h"
#include "insert_runs.h"
#include "insertion.h"
#include "ir_walk.h"
#include "kernel_table.h"
#include "launch_shape.h"
#include "mark.h"
#include "memory_space.h"
#include "nvvm.h"
#include "probe_abi.h"
#include "slot_places.h"
#include "str.h"

#include <llvm-c/Core.h>
#include <llvm-c/Types.h>

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Gives a kernel one more, last argument: the buffer that its probes write to. */

/* The entry for the new argument in the metadata of each kind; NULL: the number of its space. */
static const struct {
	const char *kind, *text;
} metadata_rows[] = {
	{ "kernel_arg_addr_space", NULL }, { "kernel_arg_access_qual", "none" },
	{ "kernel_arg_type", "uchar*" },   { "kernel_arg_base_type", "uchar*" },
	{ "kernel_arg_type_qual", "" },    { "kernel_arg_name", "warpline_buffer" },
};

/* Attributes that no longer hold once probes write memory and use addresses. */
static const char *const dropped_attributes[] = {
	"readonly",
	"readnone",
	"writeonly",
	"argmemonly",
	"nosync",
	"nocapture",
	"inaccessiblememonly",
	"inaccessiblemem_or_argmemonly",
	"speculatable",
	"memory",
	"captures",
	"initializes",
};

static LLVMValueRef create_like(LLVMValueRef old, struct err *err)
{
	LLVMModuleRef module = LLVMGetGlobalParent(old);
	LLVMContextRef context = LLVMGetModuleContext(module);
	unsigned count = LLVMCountParams(old);
	LLVMTypeRef *types = array_alloc(count + 1, sizeof(LLVMTypeRef), "parameters", err);
	LLVMTypeRef type;
	LLVMValueRef kernel;

	if (!types)
		return NULL;
	LLVMGetParamTypes(LLVMGlobalGetValueType(old), types);
	types[count] = LLVMPointerType(LLVMInt8TypeInContext(context),
	                               memory_space_number(module, SPACE_GLOBAL));
	type = LLVMFunctionType(LLVMVoidTypeInContext(context), types, count + 1, 0);
	kernel = LLVMAddFunction(module, "", type);
	LLVMSetFunctionCallConv(kernel, LLVMGetFunctionCallConv(old));
	LLVMSetLinkage(kernel, LLVMGetLinkage(old));
	LLVMSetVisibility(kernel, LLVMGetVisibility(old));
	free(types);
	return kernel;
}

static bool is_dropped(LLVMAttributeRef attribute)
{
	unsigned kind;

	if (LLVMIsStringAttribute(attribute))
		return false;
	kind = LLVMGetEnumAttributeKind(attribute);
	for (size_t i = 0; i < sizeof(dropped_attributes) / sizeof(dropped_attributes[0]); i++)
		if (kind == LLVMGetEnumAttributeKindForName(dropped_attributes[i],
		                                            strlen(dropped_attributes[i])))
			return true;
	return false;
}

static int copy_attributes_at(LLVMValueRef old, LLVMValueRef kernel, LLVMAttributeIndex at,
                              struct err *err)
{
	unsigned count = LLVMGetAttributeCountAtIndex(old, at);
	LLVMAttributeRef *attributes;

	attributes = array_alloc(count, sizeof(LLVMAttributeRef), "attributes", err);
	if (!attributes)
		return ERR_NOMEM;
	LLVMGetAttributesAtIndex(old, at, attributes);
	for (unsigned i = 0; i < count; i++)
		if (!is_dropped(attributes[i]))
			LLVMAddAttributeAtIndex(kernel, at, attributes[i]);
	free(attributes);
	return 0;
}

static int copy_attributes(LLVMValueRef old, LLVMValueRef kernel, struct err *err)
{
	unsigned count = LLVMCountParams(old);
	int ret = copy_attributes_at(old, kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
	                             err);

	for (unsigned i = 0; !ret && i < count; i++)
		ret = copy_attributes_at(old, kernel, i + 1, err);
	return ret;
}

/* Move the code to the function with the new arguments. */
static void move_code(LLVMValueRef old, LLVMValueRef kernel)
{
	unsigned count = LLVMCountParams(old);

	ir_move_nodes(old, kernel);
	for (unsigned i = 0; i < count; i++) {
		LLVMValueRef from = LLVMGetParam(old, i), to = LLVMGetParam(kernel, i);
		size_t length;
		const char *name = LLVMGetValueName2(from, &length);

		LLVMSetValueName2(to, name, length);
		LLVMReplaceAllUsesWith(from, to);
	}
	LLVMSetValueName2(LLVMGetParam(kernel, count), "warpline_buffer", 15);
}

/* Append an operand to this metadata of the kernel. */
static int extend_metadata(LLVMContextRef context, LLVMValueRef kernel, size_t row, unsigned kind,
                           LLVMMetadataRef there, struct err *err)
{
	LLVMValueRef node = LLVMMetadataAsValue(context, there);
	unsigned count = LLVMGetMDNodeNumOperands(node);
	LLVMValueRef *values = array_alloc(count, sizeof(LLVMValueRef), "metadata", err);
	LLVMMetadataRef *operands =
		array_alloc(count + 1, sizeof(LLVMMetadataRef), "metadata", err);
	const char *text = metadata_rows[row].text;
	int ret = values && operands ? 0 : ERR_NOMEM;

	if (!ret) {
		LLVMGetMDNodeOperands(node, values);
		for (unsigned i = 0; i < count; i++)
			operands[i] = LLVMValueAsMetadata(values[i]);
		operands[count] = text ? LLVMMDStringInContext2(context, text, strlen(text))
		                       : LLVMValueAsMetadata(LLVMConstInt(
						 LLVMInt32TypeInContext(context), SPACE_GLOBAL, 0));
		LLVMGlobalSetMetadata(kernel, kind,
		                      LLVMMDNodeInContext2(context, operands, count + 1));
	}
	free(values);
	free(operands);
	return ret;
}

static int copy_metadata(LLVMValueRef old, LLVMValueRef kernel, struct err *err)
{
	LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(old));
	size_t count;
	LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(old, &count);
	int ret = 0;

	for (unsigned i = 0; !ret && i < count; i++) {
		unsigned kind = LLVMValueMetadataEntriesGetKind(entries, i);
		LLVMMetadataRef there = LLVMValueMetadataEntriesGetMetadata(entries, i);

		LLVMGlobalSetMetadata(kernel, kind, there);
		for (size_t r = 0; r < sizeof(metadata_rows) / sizeof(metadata_rows[0]); r++) {
			const char *name = metadata_rows[r].kind;

			if (kind == LLVMGetMDKindIDInContext(context, name, (unsigned)strlen(name)))
				ret = extend_metadata(context, kernel, r, kind, there, err);
		}
	}
	LLVMDisposeValueMetadataEntries(entries);
	return ret;
}

/*
 * Create a kernel like `old` with "__global uchar *" appended, move the code into it, and delete
 * `old`. Promises of `old` about memory are dropped. *kernel is the new function, with the same
 * name. Returns 0, ERR_NOMEM, or ERR_UNSUPPORTED when code that could not be inlined refers to the
 * kernel.
 */
static int hidden_argument_append(LLVMValueRef old, LLVMValueRef *kernel, struct err *err)
{
	size_t length;
	char *name;
	int ret;

	/* A kernel that calls itself, or is passed to enqueue_kernel(). */
	if (LLVMGetFirstUse(old))
		return err_set(err, ERR_UNSUPPORTED,
		               "kernel %s: the program's own code refers to it",
		               LLVMGetValueName2(old, &length));
	name = str_copy(LLVMGetValueName2(old, &length), err);
	if (!name)
		return ERR_NOMEM;
	*kernel = create_like(old, err);
	ret = *kernel ? copy_attributes(old, *kernel, err) : ERR_NOMEM;
	if (!ret)
		ret = copy_metadata(old, *kernel, err);
	if (!ret)
		ret = nvvm_annotations_copy(old, *kernel, err);
	if (!ret) {
		move_code(old, *kernel);
		LLVMDeleteFunction(old);
		LLVMSetValueName2(*kernel, name, strlen(name));
	}
	free(name);
	return ret;
}

/* With more sites than this, probes are calls: inlined code makes compilers slow. */
#define APART_SITES 32

#define DEFAULT_RECORDS "affine"

/* Variables of fixed size belong at the top of the entry, wherever that is. */
static void move_variables(struct insertion *in, LLVMBasicBlockRef from)
{
	LLVMValueRef i = LLVMGetFirstInstruction(from), next;

	for (; i; i = next) {
		next = LLVMGetNextInstruction(i);
		if (!LLVMIsAAllocaInst(i) || !LLVMIsAConstantInt(LLVMGetOperand(i, 0)))
			continue;
		LLVMInstructionRemoveFromParent(i);
		LLVMInsertIntoBuilder(in->b, i);
	}
}

/* Store the value of each pointer argument into its slot, 0 for other arguments; then the
 * differences. */
static void tell_arguments(struct insertion *in, LLVMValueRef probe)
{
	LLVMValueRef function = in->kernel->function;
	unsigned count = LLVMCountParams(function) - 1;

	for (unsigned i = 0; i < count; i++) {
		uint32_t space = in->kernel->table->arguments[i].space;
		LLVMValueRef arguments[2] = { insertion_u32(in, i), insertion_u64(in, 0) };

		if (space == SPACE_GLOBAL || space == SPACE_CONSTANT)
			arguments[1] =
				LLVMBuildPtrToInt(in->b, LLVMGetParam(function, i), in->u64, "");
		insertion_call(in, probe, arguments, 2);
	}
	if (in->companions)
		companion_sites_tell(in->companions, in, probe);
}

/* Initialise the work-item's state, at the builder. */
static void put_state(struct insertion *in)
{
	const struct probe_runtime *r = in->runtime;
	LLVMValueRef function = in->kernel->function;
	LLVMValueRef hidden = LLVMGetParam(function, LLVMCountParams(function) - 1);
	const struct kernel_table *table = in->kernel->table;
	LLVMValueRef arguments[2] = { insertion_u32(in, PROBE_PLACES_OFFSET(
								(uint32_t)table->argument_count +
								table->difference_count) /
		                                                8),
		                      insertion_u32(in, table->item_words) };
	bool is_wide = !setting_is(in->settings->wide, "0");
	LLVMValueRef bits;

	in->item = LLVMBuildAlloca(in->b, r->item_type, "warpline.item");
	in->header = LLVMBuildBitCast(in->b, hidden, r->header_type, "warpline.header");
	if (!table->item_words)
		insertion_call(in, r->enter, arguments, 1);
	else if (in->counts && is_wide)
		insertion_call(in, r->enter_cells, arguments, 1);
	else
		insertion_call(in, is_wide ? r->enter_wide : r->enter_slot, arguments, 2);
	if (in->places && !is_wide)
		slot_places_clear(in);
	if (table->local_groups) {
		bits = insertion_call(in, r->in_sample, NULL, 0);
		in->kernel->in_sample = LLVMBuildICmp(in->b, LLVMIntNE, bits, insertion_u32(in, 0),
		                                      "warpline.sample");
	}
}

/* In the kernel's own entry, without changing the control flow. */
static void put_entry_apart(struct insertion *in)
{
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(in->kernel->function);

	LLVMPositionBuilderBefore(in->b, LLVMGetFirstInstruction(entry));
	put_state(in);
	tell_arguments(in, in->runtime->argument_apart);
}

/* Insert a node before `body` for copy_samples(): groups in the sample and others may diverge
 * there. */
static LLVMBasicBlockRef put_choice(struct insertion *in, LLVMBasicBlockRef body)
{
	LLVMContextRef c = LLVMGetTypeContext(in->u64);

	in->kernel->choice = LLVMInsertBasicBlockInContext(c, body, "warpline.choice");
	LLVMPositionBuilderAtEnd(in->b, in->kernel->choice);
	LLVMBuildBr(in->b, body);
	return in->kernel->choice;
}

/* Before the kernel's code: enter -> {tell, body}, tell -> body; with a choice before the body. */
static void put_entry(struct insertion *in)
{
	LLVMValueRef function = in->kernel->function, is_first;
	LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(function));
	LLVMBasicBlockRef body = LLVMGetEntryBasicBlock(function);
	LLVMBasicBlockRef enter = LLVMInsertBasicBlockInContext(c, body, "warpline.enter");
	LLVMBasicBlockRef tell = LLVMInsertBasicBlockInContext(c, body, "warpline.tell");

	LLVMPositionBuilderAtEnd(in->b, enter);
	move_variables(in, body);
	put_state(in);
	is_first = insertion_call(in, in->runtime->is_first, NULL, 0);
	is_first = LLVMBuildICmp(in->b, LLVMIntNE, is_first, insertion_u32(in, 0), "");
	if (in->kernel->in_sample)
		body = put_choice(in, body);
	LLVMPositionBuilderAtEnd(in->b, enter);
	LLVMBuildCondBr(in->b, is_first, tell, body);

	LLVMPositionBuilderAtEnd(in->b, tell);
	tell_arguments(in, in->runtime->argument);
	LLVMBuildBr(in->b, body);
}

/* Replace the mark of a site by a probe. */
static void put_site(struct insertion *in, uint32_t number)
{
	const struct site *site = &in->kernel->table->sites[number];
	uint32_t node = in->site_node[number];
	LLVMValueRef instruction = in->kernel->marks[number];
	LLVMValueRef address = insertion_u64(in, 0);
	bool has_address = site_kind_has_address(site->kind);
	int32_t loop = in->kernel->flow.forest.innermost[node];
	struct mark mark;

	mark_read(instruction, &mark);
	LLVMPositionBuilderBefore(in->b, instruction);
	if (has_address)
		address = LLVMBuildPtrToInt(in->b, mark.pointer, in->u64, "");
	insertion_put_point(in, number, loop, address, insert_loops_run(in, loop, number),
	                    has_address && site->bytes == 0 ? mark.bytes : NULL);
	LLVMInstructionEraseFromParent(instruction);
}

static void put_sites(struct insertion *in)
{
	for (uint32_t s = 0; s < in->kernel->table->site_count; s++)
		if (insertion_record(in, s) == RECORD_POINT)
			put_site(in, s);
}

/* At each return of a kernel without slots: terminate what was written. */
static void put_leaves(struct insertion *in)
{
	const struct kernel_flow *flow = &in->kernel->flow;

	for (uint32_t n = 0; n < flow->graph.node_count; n++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(flow->node[n]);

		if (!LLVMIsAReturnInst(end))
			continue;
		LLVMPositionBuilderBefore(in->b, end);
		insertion_call(in, in->is_apart ? in->runtime->leave_apart : in->runtime->leave,
		               NULL, 0);
	}
}

/* The source's hints on unrolling and the like no longer fit the code. */
static void drop_loop_hints(const struct kernel_flow *flow, LLVMContextRef context)
{
	unsigned kind = LLVMGetMDKindIDInContext(context, "llvm.loop", strlen("llvm.loop"));

	for (uint32_t n = 0; n < flow->graph.node_count; n++)
		LLVMSetMetadata(LLVMGetBasicBlockTerminator(flow->node[n]), kind, NULL);
}

/* Append how the kernel's sites are recorded to the file of --explain; truncate the file if there
 * is no kernel. */
static int explain(const struct program *p, const struct kernel *k, const struct affine_sites *a,
                   struct err *err)
{
	FILE *out = fopen(p->settings->explain, k ? "a" : "w");

	if (!out)
		return err_set(err, ERR_IO, "%s: %s", p->settings->explain, strerror(errno));
	if (k)
		affine_sites_explain(a, k, out);
	if (fclose(out))
		return err_set(err, ERR_IO, "%s: %s", p->settings->explain, strerror(errno));
	return 0;
}

static bool counts_only(const struct settings *s)
{
	return setting_is(s->records, "count");
}

/* Insert the code; the decisions are in the table and in *in. */
static int put_all(struct insertion *in, struct affine_sites *affine, struct err *err)
{
	int ret;

	if (in->is_apart)
		put_entry_apart(in);
	else
		put_entry(in);
	if (in->places)
		slot_places_begin(in);
	ret = counts_only(in->settings) ? insert_counts(in, err) : insert_loops(in, err);
	if (!ret && !counts_only(in->settings))
		put_sites(in);
	if (!ret && affine->site_count)
		ret = insert_runs(in, affine, err);
	virtual_range_insert(in);
	if (!ret && !in->kernel->table->item_words)
		put_leaves(in);
	return ret;
}

/* How the accesses of each site are recorded. */
struct site_records {
	struct affine_sites affine; /* empty without runs and grids */
	struct companion_sites companions;
	struct node_counts counts; /* count mode only */
};

/*
 * Raw records have neither runs nor companions. There are no runs where the flow must not change.
 */
static int find_records(struct insertion *in, const struct program *p, bool keeps_flow,
                        struct site_records *records, struct err *err)
{
	const struct settings *s = p->settings;
	int ret = 0;

	if (!setting_is(s->records ? s->records : DEFAULT_RECORDS, "affine"))
		return 0;
	if (!keeps_flow)
		ret = affine_sites_find(&records->affine, in->kernel, err);
	if (!ret && records->affine.site_count)
		in->record = records->affine.records;
	if (!ret)
		ret = companion_sites_find(&records->companions, in, err);
	if (ret)
		return ret;
	in->record = records->companions.records;
	in->companions = &records->companions;
	return s->explain ? explain(p, in->kernel, &records->affine, err) : 0;
}

/* Half of the sites in a sample do not count: what they call is not inlined. */
static bool has_many_sites(const struct kernel_table *t)
{
	size_t local = 0;

	for (size_t i = 0; i < t->site_count; i++)
		local += t->local_groups && t->sites[i].space == SPACE_LOCAL;
	return t->site_count - local / 2 > APART_SITES;
}

static int insert_into(struct program *p, struct kernel *k, const struct probe_runtime *runtime,
                       struct err *err)
{
	struct site_records records = { 0 };
	struct insertion in;
	int ret = insertion_init(&in, p, k, runtime, err);
	bool must_keep_flow =
		k->table->has_conditional_barrier && setting_is(p->settings->mixes_items, "1");

	/* First of all, because the kernel's parameters are replaced. */
	if (!ret)
		ret = hidden_argument_append(k->function, &k->function, err);
	if (!ret)
		ret = find_records(&in, p, must_keep_flow, &records, err);
	if (!ret)
		ret = insert_loops_plan(&in, err);
	if (!ret)
		ret = counts_only(p->settings) ? insert_counts_plan(&in, &records.counts, err)
		                               : slot_words_fill(&in, err);
	if (!ret) {
		in.is_apart = must_keep_flow || has_many_sites(k->table);
		p->keeps_flows |= must_keep_flow;
		drop_loop_hints(&k->flow, p->context);
		ret = put_all(&in, &records.affine, err);
	}
	insertion_release(&in);
	affine_sites_release(&records.affine);
	companion_sites_release(&records.companions);
	node_counts_release(&records.counts);
	return ret;
}

/* Why a kernel cannot have probes, or NULL. */
static const char *reason_against(const struct program *p, const struct kernel *k)
{
	const struct settings *s = p->settings;

	if (!k->table->has_conditional_barrier || !setting_is(s->mixes_items, "1"))
		return NULL;
	if (k->table->site_count > MARK_FRAGILE_SITES)
		return "a barrier under a condition in a kernel of more than 64 sites, on a device "
		       "that mixes work-items";
	return counts_only(s)
	               ? "count: a barrier under a condition, on a device that mixes work-items"
	               : NULL;
}

/* The layout of chunks: interleaved for PTX, unless requested otherwise. */
static unsigned lanes_of(const struct settings *s)
{
	return setting_is(s->layout                    ? s->layout
	                  : setting_is(s->door, "ptx") ? "lane"
	                                               : "item",
	                  "lane")
	               ? 32
	               : 1;
}

static bool has_local_accesses(const struct kernel_table *t)
{
	for (size_t i = 0; i < t->site_count; i++)
		if (t->sites[i].space == SPACE_LOCAL && site_kind_has_address(t->sites[i].kind))
			return true;
	return false;
}

static int note_form(const struct program *p, struct kernel *k, struct err *err)
{
	const char *records = p->settings->records ? p->settings->records : DEFAULT_RECORDS;
	const char *reason = reason_against(p, k);
	struct kernel_table *t = k->table;

	t->lanes = lanes_of(p->settings);
	t->local_groups =
		space_set_samples(p->spaces) && has_local_accesses(t) ? LOCAL_SAMPLE_GROUPS : 0;
	t->records = str_copy(records, err);
	if (reason && !t->refusal)
		t->refusal = str_copy(reason, err);
	return t->records && (!reason || t->refusal) ? 0 : ERR_NOMEM;
}

int insert_probes(struct program *p, struct err *err)
{
	bool has_probes = !setting_is(p->settings->records, "none");
	struct probe_runtime runtime;
	int ret = has_probes ? probe_runtime_link(&runtime, p->module, lanes_of(p->settings), err)
	                     : 0;

	if (!ret && p->settings->explain)
		ret = explain(p, NULL, NULL, err);
	for (size_t i = 0; !ret && i < p->kernel_count; i++) {
		struct kernel *k = &p->kernels[i];

		ret = note_form(p, k, err);
		if (!ret && has_probes && !k->table->refusal)
			ret = insert_into(p, k, &runtime, err);
	}
	if (!ret)
		mark_erase_all(p->module);
	return ret;
}
