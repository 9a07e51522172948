/*
 * sync_rounds - makes a kernel whose work-items wait for one another wherever they like into one
 * that OpenCL can run: its work-items go on in rounds.
 *
 * OpenCL's barrier must be met by all work-items of a group alike; CUDA's warps wait under
 * conditions, lanes wait in parts, and work-items that have returned are not waited for. So the
 * kernel becomes one loop that all go round together: in each round a work-item that may go on runs
 * from where it waited to where it waits next. Its values lie in variables between. What waits for
 * what is decided in cuda_sync.cl.
 */
#ifndef SYNC_ROUNDS_H
#define SYNC_ROUNDS_H

#include <llvm-c/Types.h>

struct array;
struct err;
struct sync_library;

/* First, for each kernel: let every call of `calls` (LLVMValueRef) be the last before a jump. */
void sync_rounds_cut(const struct array *calls);

/*
 * Then, when no value of `function` lives from one node to another outside of variables (LLVM's
 * reg2mem): make the loop, with `shared` of sync_library_shared(). The calls are gone afterwards.
 */
void sync_rounds_build(const struct sync_library *library, LLVMValueRef function,
                       LLVMValueRef shared, const struct array *calls);

#endif
