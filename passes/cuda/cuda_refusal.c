/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_refusal.h"

#include "cuda_table.h"
#include "err.h"
#include "program.h"
#include "str.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LIMIT_WHAT 400

static const char *file_of(LLVMMetadataRef scope, unsigned *length)
{
	LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;

	*length = 0;
	return file ? LLVMDIFileGetFilename(file, length) : NULL;
}

/* Of the places that an instruction was inlined through the innermost in the kernel's own file. */
static LLVMMetadataRef place_in_program(LLVMValueRef instruction, LLVMValueRef kernel)
{
	LLVMMetadataRef scope = LLVMGetSubprogram(kernel), at;
	LLVMMetadataRef innermost = LLVMInstructionGetDebugLoc(instruction);
	unsigned length, other;
	const char *own = file_of(scope, &length);

	for (at = innermost; own && at; at = LLVMDILocationGetInlinedAt(at)) {
		const char *file = file_of(LLVMDILocationGetScope(at), &other);

		if (file && other == length && !memcmp(file, own, length))
			return at;
	}
	return innermost;
}

static char *sentence(LLVMValueRef instruction, LLVMValueRef kernel, const char *what,
                      struct err *err)
{
	LLVMMetadataRef at = place_in_program(instruction, kernel);
	unsigned length;
	const char *file = at ? file_of(LLVMDILocationGetScope(at), &length) : NULL;

	if (!file)
		return str_copy(what, err);
	return str_format(err, "%.*s:%u: %s", (int)length, file, LLVMDILocationGetLine(at), what);
}

char *cuda_refusal_text(LLVMValueRef instruction, LLVMValueRef kernel, struct err *err,
                        const char *what, ...)
{
	char text[LIMIT_WHAT];
	va_list list;

	va_start(list, what);
	vsnprintf(text, sizeof(text), what, list);
	va_end(list);
	return sentence(instruction, kernel, text, err);
}

int cuda_refuse(struct program *p, LLVMValueRef instruction, struct err *err, const char *what, ...)
{
	LLVMValueRef kernel = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
	struct cuda_kernel *row;
	char text[LIMIT_WHAT];
	size_t length;
	va_list list;

	row = cuda_table_kernel(p->cuda, LLVMGetValueName2(kernel, &length));
	if (!row || row->refusal)
		return 0;
	va_start(list, what);
	vsnprintf(text, sizeof(text), what, list);
	va_end(list);
	row->refusal = sentence(instruction, kernel, text, err);
	return row->refusal ? 0 : ERR_NOMEM;
}
