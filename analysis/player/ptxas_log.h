/*
 * ptxas_log - the registers of kernels, as reported by the CUDA assembler.
 *
 * Reads what `ptxas -v`, `nvcc -Xptxas -v` and a build log with -cl-nv-verbose print: a line
 * "Compiling entry function 'NAME' for 'sm_NN'" and, later, "Used N registers". All other lines are
 * ignored. Logs may have up to 64 MiB.
 */
#ifndef PTXAS_LOG_H
#define PTXAS_LOG_H

#include "array.h"
#include "str.h"

#include <stdint.h>

struct err;

struct ptxas_log {
	const char *what; /* as given; borrowed */
	struct str text;  /* of the file; entries point into it */
	struct array entries;
};

/*
 * Read the log named by `what`: FILE, or FILE@sm_NN for the entries of that target only. `what` is
 * borrowed until ptxas_log_release(), which is called in every case. Returns 0; ERR_IO, ERR_LIMIT,
 * ERR_NOMEM; ERR_FORMAT when the file holds no kernel, or none for that target.
 */
int ptxas_log_load(struct ptxas_log *log, const char *what, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void ptxas_log_release(struct ptxas_log *log);

/*
 * Get the registers that a work-item of `kernel` needs: of the entry with that name or, when there
 * is none, of those whose C++ name without namespaces, parameters and template arguments equals it.
 * *registers is 0 when the log lacks the kernel. Fails with ERR_USAGE, naming two entries, when
 * several match and differ.
 */
int ptxas_log_find(const struct ptxas_log *log, const char *kernel, uint32_t *registers,
                   struct err *err);

#endif
