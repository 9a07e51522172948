/*
 * node_split - insert control flow in the middle of a node of the graph.
 */
#ifndef NODE_SPLIT_H
#define NODE_SPLIT_H

#include <llvm-c/Types.h>

/*
 * Cut the node of `at`, not a phi, before it. Returns the new node, which holds what came before
 * and jumps to the rest. Phis in later nodes still name the rest.
 */
LLVMBasicBlockRef node_cut(LLVMValueRef at);

/*
 * Cut the node of `at`, not a phi, before it. The part before jumps to a new node when `condition`
 * holds, and the new node jumps to `at`. Returns the jump at the end of the new node: the caller
 * inserts code before it.
 */
LLVMValueRef node_split(LLVMValueRef at, LLVMValueRef condition);

#endif
