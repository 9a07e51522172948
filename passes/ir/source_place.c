/* SPDX-License-Identifier: Apache-2.0 */
#include "source_place.h"

#include "array.h"
#include "err.h"
#include "str.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include <stdlib.h>
#include <string.h>

static int place_of(LLVMMetadataRef location, struct place *place, struct err *err)
{
	LLVMMetadataRef scope = LLVMDILocationGetScope(location);
	LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
	unsigned length = 0;
	const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;

	*place = (struct place){ .line = LLVMDILocationGetLine(location),
		                 .column = LLVMDILocationGetColumn(location) };
	if (!name || !length)
		return 0;
	place->file = str_format(err, "%.*s", (int)length, name);
	return place->file ? 0 : ERR_NOMEM;
}

static int chain_of(LLVMMetadataRef location, struct place **chain, size_t *count, struct err *err)
{
	LLVMMetadataRef at;
	size_t length = 0;

	for (at = LLVMDILocationGetInlinedAt(location); at; at = LLVMDILocationGetInlinedAt(at))
		length++;
	*count = 0;
	*chain = array_alloc(length, sizeof(**chain), "a chain of calls", err);
	if (!*chain)
		return ERR_NOMEM;
	for (at = LLVMDILocationGetInlinedAt(location); at; at = LLVMDILocationGetInlinedAt(at))
		if (place_of(at, &(*chain)[(*count)++], err))
			return ERR_NOMEM;
	return 0;
}

int source_place(LLVMValueRef instruction, struct place *place, struct place **chain, size_t *count,
                 struct err *err)
{
	LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
	int ret;

	*place = (struct place){ 0 };
	if (count) {
		*chain = NULL;
		*count = 0;
	}
	if (!location)
		return 0;
	ret = place_of(location, place, err);
	if (!ret && count)
		ret = chain_of(location, chain, count, err);
	if (ret && count) {
		for (size_t i = 0; *chain && i < *count; i++)
			free((*chain)[i].file);
		free(*chain);
		*chain = NULL;
		*count = 0;
	}
	if (ret) {
		free(place->file);
		*place = (struct place){ 0 };
	}
	return ret;
}

/* The first source position in !llvm.loop of a back jump; NULL if none, or when out of memory. */
static LLVMMetadataRef start_of_loop(LLVMValueRef jump)
{
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(jump));
	unsigned kind = LLVMGetMDKindIDInContext(context, "llvm.loop", strlen("llvm.loop"));
	LLVMValueRef node = LLVMGetMetadata(jump, kind), *operands;
	LLVMMetadataRef found = NULL;
	unsigned count;

	if (!node)
		return NULL;
	count = LLVMGetMDNodeNumOperands(node);
	operands = array_alloc(count, sizeof(LLVMValueRef), "a loop's metadata", NULL);
	if (!operands)
		return NULL;
	LLVMGetMDNodeOperands(node, operands);
	for (unsigned i = 0; !found && i < count; i++) {
		LLVMMetadataRef m = operands[i] ? LLVMValueAsMetadata(operands[i]) : NULL;

		if (m && LLVMGetMetadataKind(m) == LLVMDILocationMetadataKind)
			found = m;
	}
	free(operands);
	return found;
}

int source_place_of_loop(LLVMBasicBlockRef header, LLVMBasicBlockRef latch, struct place *place,
                         struct err *err)
{
	LLVMValueRef jump = LLVMGetBasicBlockTerminator(latch), i;
	LLVMMetadataRef location = jump ? start_of_loop(jump) : NULL;

	for (i = LLVMGetFirstInstruction(header); !location && i; i = LLVMGetNextInstruction(i))
		location = LLVMInstructionGetDebugLoc(i);
	*place = (struct place){ 0 };
	return location ? place_of(location, place, err) : 0;
}
