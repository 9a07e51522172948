/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_bypass.h"

#include "array.h"
#include "bypass_mark.h"
#include "err.h"
#include "memory_space.h"
#include "program.h"

#include <llvm-c/Target.h>

#include <stdio.h>
#include <string.h>

#define CONSTRAINT_BYTES 64

#define SREG "llvm.nvvm.read.ptx.sreg."

/* A load as PTX has it: `lanes` registers of so many bits. */
struct form {
	unsigned lanes, bits;
};

/* The form of a load that can be changed; false for any other. */
static bool find_form(LLVMModuleRef module, LLVMValueRef load, struct form *f)
{
	LLVMTypeRef type = LLVMTypeOf(load);
	uint64_t bytes = LLVMStoreSizeOfType(LLVMGetModuleDataLayout(module), type);
	LLVMTypeRef pointer = LLVMTypeOf(LLVMGetOperand(load, 0));

	*f = (struct form){ .lanes = 1 };
	if (LLVMGetVolatile(load) || LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic ||
	    memory_space_of_type(module, pointer) != SPACE_GLOBAL || LLVMGetAlignment(load) < bytes)
		return false;
	if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
		f->lanes = LLVMGetVectorSize(type);
		type = LLVMGetElementType(type);
	}
	switch ((int)LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind:
	case LLVMHalfTypeKind:
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind:
	case LLVMPointerTypeKind:
		break;
	default:
		return false;
	}
	f->bits = (unsigned)(bytes * 8 / f->lanes);
	if (f->lanes == 1)
		return LLVMSizeOfTypeInBits(LLVMGetModuleDataLayout(module), type) == f->bits &&
		       (f->bits == 8 || f->bits == 16 || f->bits == 32 || f->bits == 64);
	return bytes <= 16 && (f->lanes == 2 || f->lanes == 4) && (f->bits == 32 || f->bits == 64);
}

/* "ld.global.cg.v2.u32 {$0, $1}, [$2];" */
static void print_load(char *text, size_t bytes, const struct form *f, const char *cache)
{
	static const char *const registers[] = { "$0", "{$0, $1}", "", "{$0, $1, $2, $3}" };
	static const char *const vectors[] = { "", ".v2", "", ".v4" };

	snprintf(text, bytes, "ld.global%s%s.u%u %s, [$%u];", cache, vectors[f->lanes - 1], f->bits,
	         registers[f->lanes - 1], f->lanes);
}

static LLVMValueRef read_sreg(LLVMBuilderRef b, LLVMModuleRef module, const char *name, char axis)
{
	LLVMContextRef c = LLVMGetModuleContext(module);
	LLVMTypeRef type = LLVMFunctionType(LLVMInt32TypeInContext(c), NULL, 0, 0);
	char symbol[64];
	LLVMValueRef function;

	snprintf(symbol, sizeof(symbol), SREG "%s.%c", name, axis);
	function = LLVMGetNamedFunction(module, symbol);
	if (!function)
		function = LLVMAddFunction(module, symbol, type);
	return LLVMBuildCall2(b, type, function, NULL, 0, "");
}

/* The work-item's warp in its group. */
static LLVMValueRef warp_of(LLVMBuilderRef b, LLVMModuleRef module)
{
	LLVMValueRef item = read_sreg(b, module, "tid", 'z');

	item = LLVMBuildMul(b, item, read_sreg(b, module, "ntid", 'y'), "");
	item = LLVMBuildAdd(b, item, read_sreg(b, module, "tid", 'y'), "");
	item = LLVMBuildMul(b, item, read_sreg(b, module, "ntid", 'x'), "");
	item = LLVMBuildAdd(b, item, read_sreg(b, module, "tid", 'x'), "");
	return LLVMBuildLShr(b, item, LLVMConstInt(LLVMTypeOf(item), 5, 0), "");
}

/* The text of the whole, and its constraints. */
static void print_code(char *text, size_t bytes, char constraints[CONSTRAINT_BYTES],
                       const struct form *f, uint32_t warps)
{
	static const char letters[] = { ['\1'] = 'r', ['\2'] = 'h', ['\4'] = 'r', ['\10'] = 'l' };
	size_t length = 0;
	char past[80], plain[80];

	print_load(past, sizeof(past), f, ".cg");
	print_load(plain, sizeof(plain), f, "");
	if (warps)
		snprintf(text, bytes, "{ .reg .pred p; setp.ge.u32 p, $%u, %u; @p %s @!p %s }",
		         f->lanes + 1, warps, past, plain);
	else
		snprintf(text, bytes, "%s", past);
	for (unsigned i = 0; i < f->lanes; i++)
		length += (size_t)snprintf(constraints + length, CONSTRAINT_BYTES - length, "=%c,",
		                           letters[f->bits / 8]);
	snprintf(constraints + length, CONSTRAINT_BYTES - length, "%s",
	         warps ? "l,r,~{memory}" : "l,~{memory}");
}

/* What came out of the registers, as the load's type. */
static LLVMValueRef put_together(LLVMBuilderRef b, LLVMValueRef load, const struct form *f,
                                 LLVMValueRef code)
{
	LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(load));
	LLVMTypeRef number = LLVMIntTypeInContext(c, f->bits), type = LLVMTypeOf(load);
	LLVMTypeRef u32 = LLVMInt32TypeInContext(c);
	LLVMValueRef value;

	if (f->lanes == 1) {
		value = LLVMBuildTruncOrBitCast(b, code, number, "");
		return LLVMGetTypeKind(type) == LLVMPointerTypeKind
		               ? LLVMBuildIntToPtr(b, value, type, "")
		               : LLVMBuildBitCast(b, value, type, "");
	}
	value = LLVMGetUndef(LLVMVectorType(number, f->lanes));
	for (unsigned i = 0; i < f->lanes; i++)
		value = LLVMBuildInsertElement(b, value, LLVMBuildExtractValue(b, code, i, ""),
		                               LLVMConstInt(u32, i, 0), "");
	return LLVMBuildBitCast(b, value, type, "");
}

static void change(LLVMModuleRef module, LLVMValueRef load, const struct form *f, uint32_t warps)
{
	LLVMContextRef c = LLVMGetModuleContext(module);
	LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
	LLVMTypeRef cell = LLVMIntTypeInContext(c, f->bits == 8 ? 32 : f->bits);
	LLVMTypeRef cells[] = { cell, cell, cell, cell };
	LLVMTypeRef operands[] = { LLVMInt64TypeInContext(c), LLVMInt32TypeInContext(c) };
	LLVMTypeRef result = f->lanes == 1 ? cell : LLVMStructTypeInContext(c, cells, f->lanes, 0);
	LLVMTypeRef type = LLVMFunctionType(result, operands, warps ? 2 : 1, 0);
	char text[256], constraints[CONSTRAINT_BYTES];
	LLVMValueRef values[2], code;

	LLVMPositionBuilderBefore(b, load);
	values[0] = LLVMBuildPtrToInt(b, LLVMGetOperand(load, 0), operands[0], "");
	if (warps)
		values[1] = warp_of(b, module);
	print_code(text, sizeof(text), constraints, f, warps);
	code = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), 1, 0,
	                        LLVMInlineAsmDialectATT, 0);
	code = LLVMBuildCall2(b, type, code, values, warps ? 2 : 1, "");
	LLVMReplaceAllUsesWith(load, put_together(b, load, f, code));
	LLVMInstructionEraseFromParent(load);
	LLVMDisposeBuilder(b);
}

static void apply_in(struct program *p, struct kernel *k)
{
	for (LLVMBasicBlockRef n = LLVMGetFirstBasicBlock(k->function); n;
	     n = LLVMGetNextBasicBlock(n))
		for (LLVMValueRef i = LLVMGetFirstInstruction(n), next; i; i = next) {
			struct bypass_mark mark;
			struct form f;

			next = LLVMGetNextInstruction(i);
			if (!LLVMIsALoadInst(i) || !bypass_mark_read(i, &mark) ||
			    mark.site >= k->table->site_count || !find_form(p->module, i, &f))
				continue;
			change(p->module, i, &f, mark.warps);
			k->table->is_applied[mark.site] = true;
		}
}

int ptx_bypass_apply(struct program *p, struct err *err)
{
	for (size_t i = 0; p->settings->apply && i < p->kernel_count; i++) {
		struct kernel *k = &p->kernels[i];

		if (!k->function || k->table->refusal)
			continue;
		if (!k->table->is_applied)
			k->table->is_applied =
				array_alloc(k->table->site_count, sizeof(bool), "sites", err);
		if (!k->table->is_applied)
			return ERR_NOMEM;
		apply_in(p, k);
	}
	return 0;
}
