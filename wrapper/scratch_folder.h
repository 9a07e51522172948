/*
 * scratch_folder - the files of one run of the instrumenter, in a folder of their own under
 * file_temporary_folder().
 *
 * Headers that the application embedded are written with the names that it gave them, below a
 * folder so deep that no name leads out of the scratch folder.
 */
#ifndef SCRATCH_FOLDER_H
#define SCRATCH_FOLDER_H

#include "temporary.h"

#include <stddef.h>

struct program_code;

struct scratch_part {
	char *source;   /* path of the text */
	char *embedded; /* folder of its embedded headers; NULL: it has none */
	char *name;     /* what the tables are to call it: the user's to set, freed here */
	char *macros;   /* where what the device defines goes, of a text */
};

struct scratch_folder {
	struct temporary folder;
	char *output, *table, *headers, *names;
	struct scratch_part *parts;
	size_t part_count;
};

/*
 * Make the folder, with the code's texts and headers in it; `output` is the name of the file to
 * come. Release *f in every case. Returns 0, ERR_IO, ERR_NOMEM, or ERR_UNSUPPORTED for the name of
 * a header that is no name below a folder.
 */
int scratch_folder_init(struct scratch_folder *f, const struct program_code *code,
                        const char *output, struct err *err);

/* Remove the folder unless it is to be kept, and free. Accepts a zeroed struct. */
void scratch_folder_release(struct scratch_folder *f, bool keep);

#endif
