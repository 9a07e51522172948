/* ir_walk - the instructions of a function, one after the other through all its nodes; its nodes
 * into another function. */
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
 * Call `visit` for each instruction until a call returns other than 0, which is then the result.
 * The visited instruction may be erased, or its node be cut before it.
 */
int ir_walk(LLVMValueRef function, ir_visit *visit, void *context, struct err *err);

/* Move all nodes of a function to the end of another; arguments that they use stay those of the
 * first. */
void ir_move_nodes(LLVMValueRef from, LLVMValueRef to);

/* Each operand that is a null pointer cast into a memory becomes that memory's null pointer: clang
 * 22 writes the former, and no language without generic pointers has it. */
void ir_settle_nulls(LLVMValueRef instruction);

#endif
