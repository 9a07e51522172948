/*
 * ptx_debug - source positions of PTX code as LLVM debug information: from .file and .loc,
 * including inlined calls; lines of the PTX source for a function without .loc.
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
	struct array made_files; /* struct ptx_debug_file: one for each of `files` */
	struct array names;      /* struct ptx_debug_name: labels in .debug_str */
	struct str strings;      /* the contents of .debug_str */
	struct array inlined;    /* struct ptx_debug_function: subprograms of inlined functions */
	struct array locations;  /* struct ptx_debug_location, of the current function */
	LLVMMetadataRef scope;   /* the function */
	LLVMMetadataRef scope_file;
	bool has_locs, is_finished;
};

/*
 * Start on a module with PTX source `text` and file name `name`: reads its names of files and
 * inlined functions. Returns 0, ERR_FORMAT or ERR_NOMEM. Release accepts a zeroed struct.
 */
int ptx_debug_init(struct ptx_debug *d, LLVMModuleRef module, const char *name,
                   const struct ptx_scan *text, struct err *err);
void ptx_debug_release(struct ptx_debug *d);

/* Complete the module's debug information. */
void ptx_debug_finish(struct ptx_debug *d);

/* Start a function; `code` sets its positions. */
void ptx_debug_begin(struct ptx_debug *d, LLVMValueRef function, struct ptx_word name, size_t line,
                     const struct ptx_statements *code);

/* Set the position of what is built next; without .loc, the line of the PTX source. */
int ptx_debug_at(struct ptx_debug *d, LLVMBuilderRef b, const struct ptx_loc *loc, struct err *err);
void ptx_debug_at_line(struct ptx_debug *d, LLVMBuilderRef b, size_t line);

/* The function's own name in a mangled name: `add` for _Z3addPfi. */
struct ptx_word ptx_debug_plain_name(struct ptx_word mangled);

#endif
