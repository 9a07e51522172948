/* ir_walk - visits the instructions of a function in order, across its nodes; moves nodes into
 * another function. */
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

#endif
