/* SPDX-License-Identifier: Apache-2.0 */
/* Samplers that the program makes: program-scope constants in the text, in OpenCL C's own words. */
#include "text_parts.h"

#include "err.h"

#include <llvm-c/Core.h>

#include <stdio.h>
#include <string.h>

/* Bits of clang's initialisers and what they are called; a device's own may differ. */
static const struct {
	unsigned mask, bits;
	const char *word;
} words[] = {
	{ 1, 0, "CLK_NORMALIZED_COORDS_FALSE" },
	{ 1, 1, "CLK_NORMALIZED_COORDS_TRUE" },
	{ 0xe, 0, "CLK_ADDRESS_NONE" },
	{ 0xe, 2, "CLK_ADDRESS_CLAMP_TO_EDGE" },
	{ 0xe, 4, "CLK_ADDRESS_CLAMP" },
	{ 0xe, 6, "CLK_ADDRESS_REPEAT" },
	{ 0xe, 8, "CLK_ADDRESS_MIRRORED_REPEAT" },
	{ 0x30, 0x10, "CLK_FILTER_NEAREST" },
	{ 0x30, 0x20, "CLK_FILTER_LINEAR" },
};

static bool bits_of(LLVMValueRef call, unsigned *bits)
{
	LLVMValueRef argument = LLVMGetOperand(call, 0);

	if (!LLVMIsAConstantInt(argument))
		return false;
	*bits = (unsigned)LLVMConstIntGetZExtValue(argument);
	return true;
}

bool text_is_sampler(LLVMValueRef v)
{
	return LLVMIsACallInst(v) && LLVMIsAFunction(LLVMGetCalledValue(v)) &&
	       !strcmp(LLVMGetValueName(LLVMGetCalledValue(v)), "__translate_sampler_initializer");
}

void text_sampler(struct text_function *f, LLVMValueRef call)
{
	unsigned bits;

	if (bits_of(call, &bits))
		text_put(f, "warpline_sampler%u", bits);
}

void text_sampler_declare(struct text_function *f, LLVMValueRef call)
{
	struct text_module *m = f->module;
	const char *between = "";
	char name[64];
	unsigned bits;

	if (!bits_of(call, &bits)) {
		text_refuse(f, "a sampler that is made at run time");
		return;
	}
	snprintf(name, sizeof(name), "__constant sampler_t warpline_sampler%u =", bits);
	if (m->constants.text && strstr(m->constants.text, name))
		return;
	text_put_to(f, &m->constants, "%s ", name);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if ((bits & words[i].mask) != words[i].bits)
			continue;
		text_put_to(f, &m->constants, "%s%s", between, words[i].word);
		between = " | ";
	}
	text_put_to(f, &m->constants, ";\n");
}
