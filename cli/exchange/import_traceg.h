/*
 * import_traceg - a recording from Accel-Sim's traces of kernels, as its NVBit tracer and
 * post-traces-processing leave them: kernel-N.traceg, or kernelslist.g, which names several.
 *
 * Versions of the tracer up to 6 are known. Group by group each warp has its instructions; one with
 * a width has addresses, in one of three forms: all of them (0), the first and the step from lane
 * to lane (1), or the first and the difference to the next for each (2).
 */
#ifndef IMPORT_TRACEG_H
#define IMPORT_TRACEG_H

struct err;

/*
 * Make the recording `dir` of `file` (text_lines.h). The files that a list names lie beside it.
 * Returns 0, ERR_FORMAT with "FILE:LINE: expected ...", ERR_IO, ERR_LIMIT, or as import_warps().
 */
int import_traceg(const char *file, const char *dir, struct err *err);

#endif
