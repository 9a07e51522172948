/*
 * ptx_loc - the places in the source that a PTX text tells: .file and .loc.
 */
#ifndef PTX_LOC_H
#define PTX_LOC_H

#include "array.h"
#include "ptx_scan.h"

struct ptx_loc {
	uint64_t file, line, column;
	bool is_inlined;
	struct ptx_word function; /* the label of its name; may be empty */
	uint64_t function_offset;
	uint64_t at_file, at_line, at_column; /* where the call is */
};

/* .file 1 "name", 1234, 56; or .file 1 "folder" "name". */
struct ptx_file {
	uint64_t number;
	struct ptx_word folder, name; /* without their quotes; the folder may be empty */
};

/* Read one from behind that word. 0 or ERR_FORMAT. */
int ptx_loc_read(struct ptx_scan *s, struct ptx_loc *loc);
int ptx_file_read(struct ptx_scan *s, struct ptx_file *file);

/*
 * The files of a text: those that begin a line, in or outside of functions. Compilers write them
 * before or after the code. Appends to `files` (struct ptx_file). 0, ERR_FORMAT, ERR_LIMIT,
 * ERR_NOMEM.
 */
int ptx_files_find(const struct ptx_scan *text, struct array *files);

/* The file's path, on the heap; NULL with ERR_NOMEM. */
char *ptx_file_path(const struct ptx_file *file, struct err *err);

#endif
