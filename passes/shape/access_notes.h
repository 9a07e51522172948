/*
 * access_notes - what is known of a function's accesses beside the code, through passes that forget
 * it or must not see it: their places in the source, which LLVM drops from what it moves out of a
 * loop, and their types (`tbaa`), which it would use.
 *
 * An access is known again by its name, which LLVM keeps when it moves or copies it, or by metadata
 * where it has no value. What was made of several has the notes of the one that stayed.
 */
#ifndef ACCESS_NOTES_H
#define ACCESS_NOTES_H

#include "array.h"

#include <llvm-c/Types.h>

struct err;

struct access_notes {
	struct array notes; /* struct access_note */
};

/* No notes yet; free them. */
void access_notes_init(struct access_notes *n);
void access_notes_release(struct access_notes *n);

/* Note the places of all loads, stores and calls of a function; take the types away. Returns 0,
 * ERR_NOMEM or ERR_LIMIT. */
int access_notes_take(struct access_notes *n, LLVMValueRef function, struct err *err);

/* Give types back, and places to what has lost its own. */
void access_notes_give_back(const struct access_notes *n, LLVMValueRef function);

#endif
