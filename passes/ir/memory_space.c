/* SPDX-License-Identifier: Apache-2.0 */
#include "memory_space.h"

#include "err.h"
#include "kernel_table.h"
#include "llvm_api.h"
#include "site.h"

#include <llvm-c/Core.h>

#include <string.h>

/* Indexed by enum address_space. CUDA calls private memory local, and local memory shared. */
static const unsigned nvptx_numbers[] = {
	[SPACE_PRIVATE] = 5, [SPACE_GLOBAL] = 1,  [SPACE_CONSTANT] = 4,
	[SPACE_LOCAL] = 3,   [SPACE_GENERIC] = 0,
};

#define SPACE_COUNT (sizeof(nvptx_numbers) / sizeof(nvptx_numbers[0]))

bool memory_space_is_nvptx(LLVMModuleRef module)
{
	return !strncmp(LLVMGetTarget(module), "nvptx64", 7);
}

unsigned memory_space_number(LLVMModuleRef module, unsigned space)
{
	return memory_space_is_nvptx(module) ? nvptx_numbers[space] : space;
}

unsigned memory_space_of_type(LLVMModuleRef module, LLVMTypeRef pointer)
{
	unsigned number = LLVMGetPointerAddressSpace(pointer);

	if (!memory_space_is_nvptx(module))
		return number;
	for (unsigned space = 0; space < SPACE_COUNT; space++)
		if (nvptx_numbers[space] == number)
			return space;
	return SPACE_PRIVATE;
}

LLVMValueRef memory_space_cast(LLVMBuilderRef b, LLVMModuleRef module, LLVMValueRef pointer,
                               unsigned space)
{
	LLVMTypeRef type = LLVMTypeOf(pointer);
	LLVMTypeRef u64 = LLVMInt64TypeInContext(LLVMGetModuleContext(module));

	type = llvm_pointer_in(type, memory_space_number(module, space));
	if (!memory_space_is_nvptx(module) || space != SPACE_CONSTANT)
		return LLVMBuildAddrSpaceCast(b, pointer, type, "");
	/* The back end cannot cast from global memory, where the compiler's own constants are. */
	return LLVMBuildIntToPtr(b, LLVMBuildPtrToInt(b, pointer, u64, ""), type, "");
}

bool memory_space_is_kept_by(LLVMValueRef cast)
{
	LLVMBasicBlockRef node = LLVMGetInstructionParent(cast);
	LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(node));
	LLVMTypeRef types[] = { LLVMTypeOf(LLVMGetOperand(cast, 0)), LLVMTypeOf(cast) };

	for (size_t i = 0; i < 2; i++) {
		unsigned space = memory_space_of_type(module, types[i]);

		if (space != SPACE_GLOBAL && space != SPACE_GENERIC)
			return false;
	}
	return memory_space_is_nvptx(module);
}

LLVMTypeRef memory_space_by_value(LLVMValueRef argument)
{
	LLVMValueRef function = LLVMGetParamParent(argument);
	unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);

	for (unsigned i = 0; i < LLVMCountParams(function); i++)
		if (LLVMGetParam(function, i) == argument) {
			LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(function, i + 1, kind);

			return a ? LLVMGetTypeAttributeValue(a) : NULL;
		}
	return NULL;
}

/* What a pointer is based on, looking through address arithmetic and casts, including constant
 * ones. */
static LLVMValueRef base_of(LLVMValueRef pointer)
{
	for (;;) {
		LLVMOpcode opcode;

		if (LLVMIsAConstantExpr(pointer))
			opcode = LLVMGetConstOpcode(pointer);
		else if (LLVMIsAInstruction(pointer))
			opcode = LLVMGetInstructionOpcode(pointer);
		else
			return pointer;
		if (opcode != LLVMGetElementPtr && opcode != LLVMBitCast &&
		    opcode != LLVMAddrSpaceCast)
			return pointer;
		pointer = LLVMGetOperand(pointer, 0);
	}
}

/* A string or a compiler-generated table: not a variable that the program could name. */
static bool is_constant(LLVMValueRef pointer)
{
	LLVMValueRef variable = LLVMIsAGlobalVariable(base_of(pointer));

	return variable && LLVMIsGlobalConstant(variable) && !LLVMIsExternallyInitialized(variable);
}

unsigned memory_space_of(LLVMModuleRef module, LLVMValueRef pointer)
{
	unsigned space = memory_space_of_type(module, LLVMTypeOf(pointer));

	if (!memory_space_is_nvptx(module))
		return space;
	if (is_constant(pointer))
		return SPACE_CONSTANT;
	if (space != SPACE_GENERIC)
		return space;
	if (LLVMIsAAllocaInst(pointer))
		return SPACE_PRIVATE;
	if (LLVMIsAArgument(pointer))
		return memory_space_by_value(pointer) ? SPACE_PRIVATE : SPACE_GLOBAL;
	return space;
}

static const struct {
	const char *name;
	uint32_t spaces;
} rows[] = {
	{ "global", 0 },
	{ "constant", 1u << SPACE_CONSTANT },
	{ "local", 1u << SPACE_LOCAL },
	{ "sample", 1u << SPACE_SET_SAMPLE },
	{ "all", 1u << SPACE_CONSTANT | 1u << SPACE_LOCAL },
};

int space_set_parse(const char *list, uint32_t *spaces, struct err *err)
{
	const char *word = list ? list : "";

	*spaces = 1u << SPACE_GLOBAL | 1u << SPACE_GENERIC;
	while (*word) {
		size_t length = strcspn(word, ","), i = 0, count = sizeof(rows) / sizeof(rows[0]);

		while (i < count &&
		       (strlen(rows[i].name) != length || strncmp(rows[i].name, word, length) != 0))
			i++;
		if (i == count)
			return err_set(err, ERR_USAGE,
			               "--spaces: '%.60s': expected constant, local, sample, "
			               "global or all",
			               word);
		*spaces |= rows[i].spaces;
		word += length;
		if (*word == ',')
			word++;
	}
	return 0;
}

bool space_set_samples(uint32_t spaces)
{
	return spaces >> SPACE_SET_SAMPLE & 1 && !(spaces >> SPACE_LOCAL & 1);
}

bool space_set_has(uint32_t spaces, unsigned space)
{
	return space < 32 &&
	       (spaces >> space & 1 || (space == SPACE_LOCAL && space_set_samples(spaces)));
}
