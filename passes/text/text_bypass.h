/*
 * text_bypass - loads that go past L1 where the compiler is NVIDIA's, as the text door writes them
 * (private to it).
 *
 * WARPLINE_LOAD(past, plain) is `past` there, a load by inline PTX, and `plain` for every other
 * compiler: what would stand here without a list. A load is made of pieces as large as its
 * alignment allows: of 1, 2, 4, 8 or 16 bytes.
 */
#ifndef TEXT_BYPASS_H
#define TEXT_BYPASS_H

#include "text_function.h"

/* A load of global memory; `alignment` in bytes, 0: that of the type. */
struct text_bypass {
	LLVMValueRef load, pointer;
	LLVMTypeRef type;
	unsigned alignment;
};

/*
 * Begin a load that is marked (bypass_mark.h) and whose type can be made of pieces; what comes next
 * is the plain load and ")". False, with nothing written, for any other.
 */
bool text_bypass_begin(struct text_function *f, const struct text_bypass *b);

/* What the text needs in its head. Returns 0, ERR_NOMEM, ERR_LIMIT. */
int text_bypass_head(struct str *out, struct err *err);

#endif
