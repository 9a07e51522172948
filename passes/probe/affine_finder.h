/*
 * affine_finder - an affine expression (affine_expression.h) while it is being found. Private to
 * affine_expression.c and affine_induction.c.
 */
#ifndef AFFINE_FINDER_H
#define AFFINE_FINDER_H

#include "affine_expression.h"
#include "array.h"

#define AFFINE_NO_TERM UINT32_MAX

/* Larger expressions are refused: their code on the way out of the loop would be large too. */
#define AFFINE_TERMS_MOST 256

struct affine_finder {
	const struct affine_scope *scope;
	struct array terms, parts;
	const char *why; /* not NULL: refused */
	struct err *err;
	int code; /* not 0: failed */
	uint32_t depth;
	LLVMValueRef entering; /* the header's phi whose step is being looked for */
	size_t check_count;
	bool may_trap;
};

/* A GEP as parts: the pointer, left to the caller, and the indices with what they step over. */
struct affine_indices {
	struct affine_part parts[2 + 6];
	uint32_t count;
	uint64_t constant;
};

/* The term of a value: that found before, or a new one; AFFINE_NO_TERM when refused. */
uint32_t affine_finder_visit(struct affine_finder *f, LLVMValueRef value);

/* The term of a phi in the loop: of its header, and stepped by the same each time round. */
uint32_t affine_finder_visit_phi(struct affine_finder *f, LLVMValueRef phi);

/* The indices of a GEP. False when refused. */
bool affine_finder_indices(struct affine_finder *f, struct affine_indices *a, LLVMValueRef gep);

/* Refuse, for that reason unless there is one; fail. Both return AFFINE_NO_TERM. */
uint32_t affine_finder_refuse(struct affine_finder *f, const char *why);
uint32_t affine_finder_fail(struct affine_finder *f, int code);

/* Append a term; give a term its parts, when all of them have been visited (false: failed). */
uint32_t affine_finder_add(struct affine_finder *f, struct affine_term term);
bool affine_finder_add_parts(struct affine_finder *f, struct affine_term *term,
                             const struct affine_part *parts, uint32_t count);

bool affine_finder_is_linear(const struct affine_finder *f, uint32_t term);
bool affine_finder_is_outside(const struct affine_finder *f, LLVMValueRef value);

/* Width as an integer, 0 for what is neither integer nor pointer. */
uint32_t affine_finder_bits(const struct affine_finder *f, LLVMTypeRef type);

#endif
