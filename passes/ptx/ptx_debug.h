/*
 * ptx_debug - the places of PTX code as LLVM's debug information: those of .file and .loc,
 * with the calls that were inlined; for a function without .loc the lines of the PTX text.
 */
#ifndef PTX_DEBUG_H
#define PTX_DEBUG_H

#include "ptx_statements.h"
#include "str.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Types.h>

struct ptx_debug {
	LLVMContextRef context;
	LLVMDIBuilderRef builder;
	LLVMMetadataRef own_file, unit, signature;
	struct array files;      /* struct ptx_file */
	struct array made_files; /* struct ptx_debug_file: what became of each */
	struct array names;      /* struct ptx_debug_name: labels in .debug_str */
	struct str strings;      /* what .debug_str holds */
	struct array inlined;    /* struct ptx_debug_function: subprograms of inlined functions */
	struct array locations;  /* struct ptx_debug_location, of this function */
	LLVMMetadataRef scope;   /* the function */
	LLVMMetadataRef scope_file;
	bool has_locs, is_finished;
};

/*
 * Begin for a module whose text is `text` and whose file's name is `name`: reads the names of
 * files and of inlined functions in it. 0, ERR_FORMAT or ERR_NOMEM. Release accepts a zeroed
 * struct.
 */
int ptx_debug_init(struct ptx_debug *d, LLVMModuleRef module, const char *name,
                   const struct ptx_scan *text, struct err *err);
void ptx_debug_release(struct ptx_debug *d);

/* Complete the module's debug information. */
void ptx_debug_finish(struct ptx_debug *d);

/* Begin a function; its places are those of `code`. */
void ptx_debug_begin(struct ptx_debug *d, LLVMValueRef function, struct ptx_word name, size_t line,
                     const struct ptx_statements *code);

/* What comes at the builder is at this place; at this line of the text, if there is no .loc. */
int ptx_debug_at(struct ptx_debug *d, LLVMBuilderRef b, const struct ptx_loc *loc, struct err *err);
void ptx_debug_at_line(struct ptx_debug *d, LLVMBuilderRef b, size_t line);

/* What a mangled name calls the function itself: of _Z3addPfi it is add. */
struct ptx_word ptx_debug_plain_name(struct ptx_word mangled);

#endif
