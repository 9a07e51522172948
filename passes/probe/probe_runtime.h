/*
 * probe_runtime - the functions of probe.cl inside a module: links them in and
 * calls them. Their bitcode is part of this program.
 */
#ifndef PROBE_RUNTIME_H
#define PROBE_RUNTIME_H

#include <llvm-c/Types.h>

#include <stdbool.h>

struct err;

struct probe_runtime {
#define PROBE_FUNCTION(name) LLVMValueRef name;
#include "probe_functions.def"
#undef PROBE_FUNCTION
	LLVMTypeRef item_type;   /* struct probe_item */
	LLVMTypeRef header_type; /* __global struct probe_header * */
};

/*
 * Link the runtime into `module`, as spir, spir64 or nvptx64 by its triple, for `lanes` (1 or 32),
 * private to it; with mem_fence() only if the device has it. Returns 0; ERR_UNSUPPORTED when the
 * triple is another, the program has functions of the same names, or linking fails.
 */
int probe_runtime_link(struct probe_runtime *r, LLVMModuleRef module, unsigned lanes,
                       bool has_fences, struct err *err);

/* Build a call of one of the functions. */
LLVMValueRef probe_runtime_call(LLVMBuilderRef b, LLVMValueRef function, LLVMValueRef *arguments,
                                unsigned count);

/* Whether a function is one of probe.cl. */
bool probe_runtime_owns(LLVMValueRef function);

#endif
