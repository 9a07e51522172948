/*
 * text_memory - loads that go past L1 where the compiler is NVIDIA's, as the text door writes them
 * (private to it).
 *
 * WARPLINE_LOAD(past, plain) is `past` there, a load by inline PTX, and `plain` for every other
 * compiler: what would stand here without a list. A load is made of pieces as large as its
 * alignment allows: of 1, 2, 4, 8 or 16 bytes.
 */
#ifndef TEXT_MEMORY_H
#define TEXT_MEMORY_H

#include "text_function.h"

/* A load of global memory; `alignment` in bytes, 0: that of the type. */
struct text_bypass {
	LLVMValueRef load, pointer;
	LLVMTypeRef type;
	unsigned alignment;
};

/* What the text needs in its head. Returns 0, ERR_NOMEM, ERR_LIMIT. */
int text_bypass_head(struct str *out, struct err *err);

#endif
