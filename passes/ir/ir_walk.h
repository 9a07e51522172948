/*
 * ir_walk - the instructions and nodes of a function: visits instructions in order, cuts nodes to
 * insert control flow, moves nodes to another function.
 */
#ifndef IR_WALK_H
#define IR_WALK_H

#include <llvm-c/Types.h>

struct err;

/* The first instruction of a function, NULL for a declaration. */
LLVMValueRef ir_first(LLVMValueRef function);

/* The instruction after this one, in its node or a later one; NULL after the last. */
LLVMValueRef ir_next(LLVMValueRef instruction);

typedef int ir_visit(void *context, LLVMValueRef instruction, struct err *err);

/*
 * Call `visit` for each instruction until a call returns nonzero, and return that; 0 at the end.
 * The callback may erase the visited instruction, or split its node before it.
 */
int ir_walk(LLVMValueRef function, ir_visit *visit, void *context, struct err *err);

/* Move all nodes of a function to the end of another. Arguments that they use remain those of the
 * first function. */
void ir_move_nodes(LLVMValueRef from, LLVMValueRef to);

/* Each operand that is a null pointer cast into a memory becomes that memory's null pointer: clang
 * 22 writes the former, and no language without generic pointers has it. */
void ir_settle_nulls(LLVMValueRef instruction);

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
