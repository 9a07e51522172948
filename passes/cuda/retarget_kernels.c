/* SPDX-License-Identifier: Apache-2.0 */
#include "err.h"

#include "kernel_names.h"
#include "llvm_api.h"
#include "memory_space.h"
#include "pointer_map.h"
#include "retarget_private.h"
#include "str.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * Pointers of device code whose type says constant or local memory become generic, so that all
 * pointers are analysed in one way (infer_spaces()).
 *
 * NVPTX numbers these memories differently from SPIR, and the types of values are fixed. clang uses
 * such pointers only at variables, the PTX reader wherever PTX names a memory.
 */

#define LIMIT_POINTERS (1u << 24)

struct making {
	struct pointer_map map;  /* old value -> its number in `made` */
	struct array olds, made; /* LLVMValueRef */
	LLVMBuilderRef builder;
	struct err *err;
	int ret;
};

static bool is_special(LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);

	return retarget_is_pointer(type, NVPTX_CONSTANT) || retarget_is_pointer(type, NVPTX_LOCAL);
}

static LLVMTypeRef generic(LLVMTypeRef type)
{
	return llvm_pointer_in(type, NVPTX_GENERIC);
}

static LLVMValueRef remember(struct making *m, LLVMValueRef old, LLVMValueRef value)
{
	LLVMValueRef *a = array_push(&m->olds, 1, m->err), *b = array_push(&m->made, 1, m->err);

	if (!a || !b || pointer_map_set(&m->map, old, (uint32_t)m->made.count - 1, m->err)) {
		m->ret = ERR_NOMEM;
		return value;
	}
	*a = old;
	*b = value;
	return value;
}

static LLVMValueRef make(struct making *m, LLVMValueRef old);

static LLVMValueRef make_phi(struct making *m, LLVMValueRef old)
{
	LLVMValueRef phi = LLVMBuildPhi(m->builder, generic(LLVMTypeOf(old)), "");
	unsigned count = LLVMCountIncoming(old);

	remember(m, old, phi);
	for (unsigned i = 0; i < count; i++) {
		LLVMBasicBlockRef from = LLVMGetIncomingBlock(old, i);
		LLVMValueRef value = make(m, LLVMGetIncomingValue(old, i));

		LLVMAddIncoming(phi, &value, &from, 1);
	}
	return phi;
}

static LLVMValueRef make_gep(struct making *m, LLVMValueRef old, LLVMValueRef base)
{
	LLVMTypeRef element = LLVMGetGEPSourceElementType(old);
	unsigned count = (unsigned)LLVMGetNumOperands(old) - 1;
	LLVMValueRef *indices = array_alloc(count, sizeof(*indices), "indices", m->err);
	LLVMValueRef gep;

	if (!indices) {
		m->ret = ERR_NOMEM;
		return LLVMGetUndef(generic(LLVMTypeOf(old)));
	}
	for (unsigned i = 0; i < count; i++)
		indices[i] = LLVMGetOperand(old, i + 1);
	LLVMPositionBuilderBefore(m->builder, old);
	gep = LLVMBuildGEP2(m->builder, element, base, indices, count, "");
	LLVMSetIsInBounds(gep, LLVMIsInBounds(old));
	free(indices);
	return gep;
}

/* From SPIR's constant memory, a cast to generic; from generic, the original pointer. */
static LLVMValueRef make_cast(struct making *m, LLVMValueRef old, LLVMValueRef from)
{
	LLVMTypeRef type = generic(LLVMTypeOf(old));

	LLVMPositionBuilderBefore(m->builder, old);
	if (retarget_is_pointer(LLVMTypeOf(from), NVPTX_GENERIC))
		return LLVMBuildBitCast(m->builder, from, type, "");
	return LLVMBuildAddrSpaceCast(m->builder, from, type, "");
}

static LLVMValueRef make_instruction(struct making *m, LLVMValueRef old)
{
	LLVMTypeRef type = generic(LLVMTypeOf(old));
	LLVMValueRef first, second;

	switch ((int)LLVMGetInstructionOpcode(old)) {
	case LLVMGetElementPtr:
		return make_gep(m, old, make(m, LLVMGetOperand(old, 0)));
	case LLVMBitCast:
	case LLVMAddrSpaceCast:
		return make_cast(m, old, make(m, LLVMGetOperand(old, 0)));
	case LLVMSelect:
		first = make(m, LLVMGetOperand(old, 1));
		second = make(m, LLVMGetOperand(old, 2));
		LLVMPositionBuilderBefore(m->builder, old);
		return LLVMBuildSelect(m->builder, LLVMGetOperand(old, 0), first, second, "");
	case LLVMIntToPtr:
		LLVMPositionBuilderBefore(m->builder, old);
		return LLVMBuildIntToPtr(m->builder, LLVMGetOperand(old, 0), type, "");
	case LLVMAlloca:
		LLVMPositionBuilderBefore(m->builder, old);
		first = LLVMBuildAlloca(m->builder, LLVMGetAllocatedType(old), "");
		LLVMSetAlignment(first, LLVMGetAlignment(old));
		return first;
	default: /* only a cast after it says so */
		LLVMPositionBuilderBefore(m->builder, LLVMGetNextInstruction(old));
		return LLVMBuildAddrSpaceCast(m->builder, old, type, "");
	}
}

/* The generic pointer for one that is not generic; any other value unchanged. */
static LLVMValueRef make(struct making *m, LLVMValueRef old)
{
	uint32_t number;

	if (!is_special(old))
		return old;
	number = pointer_map_get(&m->map, old);
	if (number != POINTER_MAP_NONE)
		return ((LLVMValueRef *)m->made.data)[number];
	if (!LLVMIsAInstruction(old))
		return LLVMIsNull(old) ? LLVMConstNull(generic(LLVMTypeOf(old)))
		                       : LLVMConstAddrSpaceCast(old, generic(LLVMTypeOf(old)));
	if (LLVMIsAPHINode(old)) {
		LLVMPositionBuilderBefore(m->builder, old);
		return make_phi(m, old);
	}
	return remember(m, old, make_instruction(m, old));
}

static void use_instead(struct making *m, LLVMValueRef i)
{
	int count = LLVMGetNumOperands(i);

	for (int n = 0; n < count; n++) {
		LLVMValueRef operand = LLVMGetOperand(i, (unsigned)n);

		if (!LLVMIsABasicBlock(operand) && is_special(operand))
			LLVMSetOperand(i, (unsigned)n, make(m, operand));
	}
}

static void replace_cast(struct making *m, LLVMValueRef cast)
{
	LLVMValueRef made = make(m, LLVMGetOperand(cast, 0));

	if (made == cast)
		return;
	LLVMPositionBuilderBefore(m->builder, cast);
	LLVMReplaceAllUsesWith(cast, LLVMBuildBitCast(m->builder, made, LLVMTypeOf(cast), ""));
}

/* Accesses, comparisons and conversions to numbers use the generic pointers, which also replace
 * casts to generic. */
static int visit(void *context, LLVMValueRef i, struct err *err)
{
	struct making *m = context;
	LLVMOpcode opcode = LLVMGetInstructionOpcode(i);

	(void)err;
	if (is_special(i))
		make(m, i);
	else if (opcode == LLVMLoad || opcode == LLVMStore || opcode == LLVMPtrToInt ||
	         opcode == LLVMICmp || opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg)
		use_instead(m, i);
	else if (opcode == LLVMAddrSpaceCast && is_special(LLVMGetOperand(i, 0)))
		replace_cast(m, i);
	return m->ret;
}

/* Delete what is no longer used, once the old values do not use each other. */
static void drop_olds(const struct making *m)
{
	LLVMValueRef const *olds = m->olds.data, *made = m->made.data;

	for (size_t i = 0; i < m->olds.count; i++)
		if (!LLVMIsAAddrSpaceCastInst(made[i]) || LLVMGetOperand(made[i], 0) != olds[i])
			LLVMReplaceAllUsesWith(olds[i], LLVMGetUndef(LLVMTypeOf(olds[i])));
	for (size_t i = 0; i < m->olds.count; i++)
		if (!LLVMGetFirstUse(olds[i]))
			LLVMInstructionEraseFromParent(olds[i]);
}

/*
 * In one function: address arithmetic, casts, phis, selects, accesses. Casts from pointers into
 * SPIR's constant memory remain visible. Returns 0 or ERR_NOMEM.
 */
static int generic_pointers_make(LLVMValueRef function, struct err *err)
{
	struct making m = { .err = err };
	int ret;

	array_init(&m.olds, sizeof(LLVMValueRef), LIMIT_POINTERS, "pointers");
	array_init(&m.made, sizeof(LLVMValueRef), LIMIT_POINTERS, "pointers");
	m.builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
	ret = ir_walk(function, visit, &m, err);
	if (!ret)
		drop_olds(&m);
	LLVMDisposeBuilder(m.builder);
	pointer_map_release(&m.map);
	array_release(&m.olds);
	array_release(&m.made);
	return ret;
}

#define LIMIT_PARAM_BYTES (1u << 16)
#define LIMIT_ARGUMENTS   (1u << 14)
#define ENUM_KIND(name)   LLVMGetEnumAttributeKindForName(name, sizeof(name) - 1)

/* A parameter as CUDA passes it, and how many arguments it becomes. */
struct param {
	LLVMValueRef old;
	LLVMTypeRef type; /* its contents: for one passed by value, the structure */
	uint64_t bytes, offset;
	unsigned align;
	bool is_by_value;          /* `old` is the address of the structure */
	bool is_words;             /* its words become arguments */
	size_t first;              /* its first argument in the new kernel */
	struct kernel_name naming; /* its name */
};

/* A kernel while it is rebuilt. */
struct rebuild {
	struct program *program;
	LLVMTargetDataRef layout;
	struct cuda_kernel *row;
	struct param *params;
	unsigned param_count;
	struct array types;           /* LLVMTypeRef of each argument */
	struct retarget_globals used; /* what the hidden arguments stand for */
	LLVMValueRef old, kernel;
};

static LLVMTypeRef integer(const struct rebuild *r, unsigned bits)
{
	return LLVMIntTypeInContext(r->program->context, bits);
}

static bool is_plain(LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);

	return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind ||
	       (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64);
}

static int add_argument(struct rebuild *r, struct param *p, LLVMTypeRef type, uint64_t offset,
                        struct err *err)
{
	struct cuda_argument a = { .param = (uint32_t)(p - r->params), .offset = offset };
	LLVMTypeRef *slot = array_push(&r->types, 1, err);

	if (!slot)
		return ERR_LIMIT;
	*slot = type;
	a.is_pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
	a.bytes = LLVMStoreSizeOfType(r->layout, type);
	return cuda_kernel_add_argument(r->row, a, err);
}

/* Split a parameter into words: of 8 bytes as long as they fit, then 4, 2 and 1. */
static int add_words(struct rebuild *r, struct param *p, struct err *err)
{
	int ret = 0;

	for (uint64_t at = 0; !ret && at < p->bytes;) {
		uint64_t bytes = 8;

		while (bytes > p->bytes - at)
			bytes /= 2;
		ret = add_argument(r, p, integer(r, (unsigned)bytes * 8), at, err);
		at += bytes;
	}
	return ret;
}

static int add_arguments(struct rebuild *r, struct param *p, struct err *err)
{
	p->first = r->types.count;
	if (p->is_words)
		return add_words(r, p, err);
	if (LLVMGetTypeKind(p->type) == LLVMPointerTypeKind)
		return add_argument(r, p, llvm_pointer_in(p->type, SPACE_GLOBAL), 0, err);
	if (LLVMGetTypeKind(p->type) == LLVMIntegerTypeKind)
		return add_argument(r, p, integer(r, (unsigned)p->bytes * 8), 0, err);
	return add_argument(r, p, p->type, 0, err);
}

static unsigned enum_value(LLVMValueRef function, unsigned param, unsigned kind)
{
	LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(function, param + 1, kind);

	return a ? (unsigned)LLVMGetEnumAttributeValue(a) : 0;
}

static int read_param(struct rebuild *r, unsigned i, uint64_t *end, struct err *err)
{
	struct param *p = &r->params[i];
	struct cuda_param there;
	int ret;

	p->old = LLVMGetParam(r->old, i);
	p->type = memory_space_by_value(p->old);
	p->is_by_value = p->type != NULL;
	if (!p->is_by_value)
		p->type = LLVMTypeOf(p->old);
	p->bytes = LLVMABISizeOfType(r->layout, p->type);
	p->align = p->is_by_value ? enum_value(r->old, i, ENUM_KIND("align")) : 0;
	if (!p->align)
		p->align = LLVMABIAlignmentOfType(r->layout, p->type);
	p->is_words = p->is_by_value ||
	              (LLVMGetTypeKind(p->type) != LLVMPointerTypeKind && !is_plain(p->type));
	if (p->bytes > LIMIT_PARAM_BYTES)
		return err_set(err, ERR_LIMIT, "kernel %s: parameter %u has more than %u bytes",
		               r->row->name, i, LIMIT_PARAM_BYTES);
	p->offset = (*end + p->align - 1) / p->align * p->align;
	*end = p->offset + p->bytes;
	there = (struct cuda_param){ .offset = p->offset, .bytes = p->bytes };
	ret = cuda_kernel_add_param(r->row, there, err);
	if (!ret)
		ret = kernel_name_find(&p->naming, p->old, err);
	return ret ? ret : add_arguments(r, p, err);
}

/* Create the kernel without its code and without a name. */
static int create_kernel(struct rebuild *r, struct err *err)
{
	unsigned count = LLVMCountParams(r->old);
	uint64_t end = 0;
	int ret = 0;

	r->param_count = count;
	r->params = array_alloc(count, sizeof(*r->params), "parameters", err);
	if (!r->params)
		return ERR_NOMEM;
	for (unsigned i = 0; !ret && i < count; i++)
		ret = read_param(r, i, &end, err);
	if (!ret)
		ret = retarget_globals_find(&r->used, r->old, err);
	if (!ret)
		ret = retarget_globals_types(&r->used, &r->types, err);
	if (ret)
		return ret;
	r->kernel = LLVMAddFunction(r->program->module, "",
	                            LLVMFunctionType(LLVMVoidTypeInContext(r->program->context),
	                                             r->types.data, (unsigned)r->types.count, 0));
	LLVMSetFunctionCallConv(r->kernel, LLVMSPIRKERNELCallConv);
	LLVMSetSubprogram(r->kernel, LLVMGetSubprogram(r->old));
	return 0;
}

static void add_attributes(LLVMContextRef context, LLVMValueRef kernel)
{
	static const char *const names[] = { "convergent", "nounwind", "norecurse" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		unsigned kind = LLVMGetEnumAttributeKindForName(names[i], strlen(names[i]));

		LLVMAddAttributeAtIndex(kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
		                        LLVMCreateEnumAttribute(context, kind, 0));
	}
}

/* A variable that holds the parameter, filled from its words. */
static LLVMValueRef store_words(struct rebuild *r, LLVMBuilderRef b, const struct param *p)
{
	LLVMValueRef variable = LLVMBuildAlloca(b, p->type, "");
	LLVMTypeRef byte = integer(r, 8);
	const struct cuda_argument *rows = r->row->args.data;
	size_t end = r->row->args.count;
	LLVMValueRef start;

	LLVMSetAlignment(variable, p->align < 8 ? 8 : p->align);
	start = LLVMBuildBitCast(b, variable, LLVMPointerType(byte, 0), "");
	for (size_t i = p->first; rows && i < end && rows[i].param == p - r->params; i++) {
		LLVMValueRef word = LLVMGetParam(r->kernel, (unsigned)i), at, store;
		LLVMValueRef offset = LLVMConstInt(integer(r, 64), rows[i].offset, 0);

		at = LLVMBuildInBoundsGEP2(b, byte, start, &offset, 1, "");
		at = LLVMBuildBitCast(b, at, LLVMPointerType(LLVMTypeOf(word), 0), "");
		store = LLVMBuildStore(b, word, at);
		LLVMSetAlignment(store, (unsigned)rows[i].bytes);
	}
	return variable;
}

/* The replacement of the old parameter in the code. */
static LLVMValueRef value_of(struct rebuild *r, LLVMBuilderRef b, const struct param *p)
{
	LLVMValueRef argument, variable;

	if (p->is_words) {
		variable = store_words(r, b, p);
		return p->is_by_value ? variable : LLVMBuildLoad2(b, p->type, variable, "");
	}
	argument = LLVMGetParam(r->kernel, (unsigned)p->first);
	if (LLVMGetTypeKind(p->type) == LLVMIntegerTypeKind)
		return LLVMBuildTruncOrBitCast(b, argument, p->type, "");
	if (LLVMGetTypeKind(p->type) != LLVMPointerTypeKind)
		return argument;
	argument = LLVMBuildBitCast(b, argument, llvm_pointer_in(p->type, SPACE_GLOBAL), "");
	return LLVMBuildAddrSpaceCast(b, argument, p->type, "");
}

static void move_code(struct rebuild *r)
{
	LLVMContextRef context = r->program->context;
	LLVMBuilderRef b;

	ir_move_nodes(r->old, r->kernel);
	b = LLVMCreateBuilderInContext(context);
	LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(r->kernel)));
	for (unsigned i = 0; i < r->param_count; i++) {
		struct param *p = &r->params[i];

		if (!p->bytes)
			LLVMReplaceAllUsesWith(p->old, LLVMGetUndef(LLVMTypeOf(p->old)));
		else
			LLVMReplaceAllUsesWith(p->old, value_of(r, b, p));
	}
	LLVMDisposeBuilder(b);
}

static int name_arguments(struct rebuild *r, struct err *err)
{
	struct kernel_names names;
	const struct cuda_argument *rows = r->row->args.data;
	int ret = kernel_names_init(&names, r->kernel, err);

	for (size_t i = 0; !ret && i < r->row->args.count; i++) {
		const struct param *p = &r->params[rows[i].param];

		ret = p->is_words ? kernel_names_set_word(&names, i, &p->naming, &rows[i], err)
		                  : kernel_names_set(&names, i, &p->naming, err);
	}
	for (size_t i = 0; !ret && i < r->row->hidden.count; i++) {
		const struct cuda_hidden *hidden = r->row->hidden.data;

		ret = kernel_names_set_hidden(&names, r->row->args.count + i, hidden[i].symbol,
		                              err);
	}
	if (!ret)
		ret = kernel_names_apply(&names, err);
	kernel_names_release(&names);
	return ret;
}

static int rebuild_kernel(struct program *p, LLVMValueRef old, struct err *err)
{
	struct rebuild r = { .program = p, .old = old };
	size_t length;
	int ret;

	r.layout = LLVMGetModuleDataLayout(p->module);
	r.row = cuda_table_kernel(p->cuda, LLVMGetValueName2(old, &length));
	if (!r.row)
		return err_set(err, ERR_UNSUPPORTED, "%s: a kernel without an annotation",
		               p->settings->source);
	r.used = (struct retarget_globals){ .program = p, .row = r.row };
	array_init(&r.types, sizeof(LLVMTypeRef), LIMIT_ARGUMENTS, "arguments of a kernel");
	ret = create_kernel(&r, err);
	if (!ret) {
		move_code(&r);
		add_attributes(p->context, r.kernel);
		r.used.first = r.row->args.count;
		ret = retarget_globals_replace(&r.used, r.kernel, err);
	}
	if (!ret)
		ret = generic_pointers_make(r.kernel, err);
	if (!ret)
		ret = name_arguments(&r, err);
	if (!ret) {
		LLVMDeleteFunction(old);
		LLVMSetValueName2(r.kernel, r.row->name, strlen(r.row->name));
	}
	for (unsigned i = 0; r.params && i < r.param_count; i++)
		kernel_name_release(&r.params[i].naming);
	retarget_globals_release(&r.used);
	array_release(&r.types);
	free(r.params);
	return ret;
}

int retarget_rebuild_kernels(struct program *p, struct err *err)
{
	LLVMValueRef last = LLVMGetLastFunction(p->module), f, next;
	int ret = 0;

	for (f = LLVMGetFirstFunction(p->module); !ret && f; f = next) {
		next = f == last ? NULL : LLVMGetNextFunction(f);
		if (retarget_is_kernel(f))
			ret = rebuild_kernel(p, f, err);
	}
	return ret;
}
