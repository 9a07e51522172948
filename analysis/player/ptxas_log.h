/*
 * ptxas_log - registers of kernels, as the CUDA assembler says them.
 *
 * Reads what `ptxas -v`, `nvcc -Xptxas -v` and a build log with -cl-nv-verbose print: a line
 * "Compiling entry function 'NAME' for 'sm_NN'" and, later, "Used N registers". All other lines are
 * passed over. Made for logs of up to 64 MiB.
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
 * Registers that a work-item of `kernel` needs: of the entry with that name or, when there is none,
 * of those whose C++ name without namespaces, parameters and template arguments it is. *registers
 * is 0 when the log does not know the kernel. ERR_USAGE when several entries fit and differ: the
 * message names two of them.
 */
int ptxas_log_find(const struct ptxas_log *log, const char *kernel, uint32_t *registers,
                   struct err *err);

#endif
