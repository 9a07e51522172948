/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_mend.h"

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct match {
	const char *intrinsic, *text, *constraints;
	bool has_predicate;
} matches[] = {
	{ "llvm.nvvm.match.any.sync.i64", "match.any.sync.b64 $0, $1, $2;", "=r,l,r", false },
	{ "llvm.nvvm.match.all.sync.i64p",
	  "{ .reg .pred p; match.all.sync.b64 $0|p, $2, $3; selp.u32 $1, 1, 0, p; }", "=r,=r,l,r",
	  true },
};

/* The instruction as inline PTX: i32, or {i32, i32} with the predicate. */
static LLVMValueRef build_match(LLVMBuilderRef b, LLVMContextRef c, const struct match *m,
                                LLVMValueRef call)
{
	static const char word[] = "convergent";
	LLVMTypeRef u32 = LLVMInt32TypeInContext(c), pair[] = { u32, u32 };
	LLVMTypeRef result = m->has_predicate ? LLVMStructTypeInContext(c, pair, 2, 0) : u32;
	LLVMTypeRef types[] = { LLVMInt64TypeInContext(c), u32 };
	LLVMTypeRef type = LLVMFunctionType(result, types, 2, 0);
	LLVMValueRef operands[] = { LLVMGetOperand(call, 1), LLVMGetOperand(call, 0) };
	char text[96], constraints[16];
	LLVMValueRef code;

	snprintf(text, sizeof(text), "%s", m->text);
	snprintf(constraints, sizeof(constraints), "%s", m->constraints);
	code = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), 1, 0,
	                        LLVMInlineAsmDialectATT, 0);
	code = LLVMBuildCall2(b, type, code, operands, 2, "");
	LLVMAddCallSiteAttribute(
		code, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
		LLVMCreateEnumAttribute(c, LLVMGetEnumAttributeKindForName(word, strlen(word)), 0));
	return code;
}

static void mend_match(LLVMContextRef c, const struct match *m, LLVMValueRef call)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
	LLVMTypeRef u64 = LLVMInt64TypeInContext(c);
	LLVMValueRef lanes, predicate, value;

	LLVMPositionBuilderBefore(b, call);
	lanes = build_match(b, c, m, call);
	if (m->has_predicate) {
		predicate = LLVMBuildExtractValue(b, lanes, 1, "");
		predicate = LLVMBuildTrunc(b, predicate, LLVMInt1TypeInContext(c), "");
		lanes = LLVMBuildZExt(b, LLVMBuildExtractValue(b, lanes, 0, ""), u64, "");
		value = LLVMBuildInsertValue(b, LLVMGetUndef(LLVMTypeOf(call)), lanes, 0, "");
		value = LLVMBuildInsertValue(b, value, predicate, 1, "");
	} else {
		value = LLVMBuildZExt(b, lanes, u64, "");
	}
	LLVMReplaceAllUsesWith(call, value);
	LLVMInstructionEraseFromParent(call);
	LLVMDisposeBuilder(b);
}

/* Whether the back end must compute it: a variable's name alone, or a number, it writes. */
static bool is_computed(LLVMValueRef initial)
{
	return initial && LLVMIsAConstantExpr(initial) &&
	       LLVMGetTypeKind(LLVMTypeOf(initial)) == LLVMPointerTypeKind;
}

/* The same variable as an array of one: of arrays the elements may be such. */
static void mend_variable(LLVMModuleRef module, LLVMValueRef old)
{
	LLVMValueRef initial = LLVMGetInitializer(old), v;
	LLVMTypeRef type = LLVMTypeOf(initial), pointer = LLVMTypeOf(old);
	size_t length;
	char name[4096];
	const char *text = LLVMGetValueName2(old, &length);

	if (length >= sizeof(name))
		return;
	memcpy(name, text, length);
	v = LLVMAddGlobalInAddressSpace(module, LLVMArrayType(type, 1), "",
	                                LLVMGetPointerAddressSpace(pointer));
	LLVMSetInitializer(v, LLVMConstArray(type, &initial, 1));
	LLVMSetLinkage(v, LLVMGetLinkage(old));
	LLVMSetExternallyInitialized(v, LLVMIsExternallyInitialized(old));
	LLVMSetGlobalConstant(v, LLVMIsGlobalConstant(old));
	LLVMSetAlignment(v, LLVMGetAlignment(old) ? LLVMGetAlignment(old) : 8);
	LLVMReplaceAllUsesWith(old, LLVMConstBitCast(v, pointer));
	LLVMDeleteGlobal(old);
	LLVMSetValueName2(v, name, length);
}

void ptx_mend(LLVMModuleRef module)
{
	LLVMValueRef v = LLVMGetFirstGlobal(module), next;

	for (; v; v = next) {
		next = LLVMGetNextGlobal(v);
		if (is_computed(LLVMGetInitializer(v)))
			mend_variable(module, v);
	}
	for (size_t i = 0; i < sizeof(matches) / sizeof(matches[0]); i++) {
		LLVMValueRef f = LLVMGetNamedFunction(module, matches[i].intrinsic);
		LLVMUseRef use;

		while (f && (use = LLVMGetFirstUse(f)))
			mend_match(LLVMGetModuleContext(module), &matches[i], LLVMGetUser(use));
	}
}
