/*
 * sync_library - the functions of cuda_sync.cl inside a module: links them in, calls them, and
 * makes the memory that the work-items of a kernel share for them. Their bitcode is part of this
 * program.
 */
#ifndef SYNC_LIBRARY_H
#define SYNC_LIBRARY_H

#include <llvm-c/Types.h>

struct err;

struct sync_library {
	LLVMModuleRef module;
#define SYNC_FUNCTION(name) LLVMValueRef name;
#include "sync_functions.def"
#undef SYNC_FUNCTION
	LLVMValueRef barrier; /* barrier(uint) of OpenCL */
	LLVMTypeRef shared;   /* struct warpline_sync */
};

/* Link it into a module for spir64, private to it. Returns 0 or ERR_UNSUPPORTED. */
int sync_library_link(struct sync_library *l, LLVMModuleRef module, struct err *err);

/* The first arguments of the functions that are of a work-item (cuda_sync.cl). */
struct sync_item {
	LLVMValueRef shared; /* what the group shares, of sync_library_shared() */
	LLVMValueRef number; /* of `item` */
	LLVMValueRef place;  /* a variable of its own, u32 */
	LLVMValueRef kinds;  /* of all calls of the kernel, a constant */
};

/*
 * A variable in local memory, for all calls of one kernel, named as clang names a kernel's: some
 * runtimes find it by that. It has what calls of these kinds need: 20 bytes if none is of a warp.
 * NULL: ERR_NOMEM, ERR_LIMIT.
 */
LLVMValueRef sync_library_shared(const struct sync_library *l, LLVMValueRef kernel,
                                 LLVMValueRef kinds, struct err *err);

/* Build a call of one of the functions; of one of a work-item, with up to 8 further arguments; of
 * the barrier, with both kinds of memory. */
LLVMValueRef sync_library_call(LLVMBuilderRef b, LLVMValueRef function, LLVMValueRef *arguments,
                               unsigned count);
LLVMValueRef sync_library_call_item(LLVMBuilderRef b, LLVMValueRef function,
                                    const struct sync_item *item, const LLVMValueRef *more,
                                    unsigned count);
void sync_library_barrier(const struct sync_library *l, LLVMBuilderRef b);

#endif
