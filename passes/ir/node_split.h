/*
 * node_split - a piece of control flow in the middle of a node of the graph.
 */
#ifndef NODE_SPLIT_H
#define NODE_SPLIT_H

#include <llvm-c/Types.h>

/*
 * Cut the node of `at`, an instruction that is no phi, before it; what lies before becomes a node
 * of its own, the result, which jumps to what is left. Phis behind go on naming that.
 */
LLVMBasicBlockRef node_cut(LLVMValueRef at);

/*
 * Cut the node of `at`, an instruction that is no phi, before it; what lies before becomes a node
 * of its own, which jumps to a new node when `condition` holds, and that to `at`. Returns the jump
 * at the new node's end, for the caller to put code before.
 */
LLVMValueRef node_split(LLVMValueRef at, LLVMValueRef condition);

#endif
