/*
 * import_nvbit - a recording from the text that NVBit's tool mem_trace prints, in both of its
 * forms:
 *
 *   MEMTRACE: CTX 0xC - LAUNCH - Kernel pc 0xP - Kernel name N - grid launch id I - grid size X,Y,Z
 *       - block size X,Y,Z - nregs R - shmem S - cuda stream id T
 *   MEMTRACE: CTX 0xC - grid_launch_id I - CTA X,Y,Z - warp W - LDG.E - 0xA 0xA ...
 *
 * and, of old versions, "Kernel N - grid size ..." and "CTA X,Y,Z - warp W - LDG.E - 0xA ...". An
 * instruction has 32 addresses; 0 stands for a lane that did not take part. Other lines are the
 * program's own, and are passed over.
 *
 * In the first form launches are counted from 1 where they are printed and from 0 where they are
 * used by old versions, from 0 in both by newer ones: the first one printed tells. A warp's number
 * is that of its slot on the SM, which says only which instructions are of one warp.
 */
#ifndef IMPORT_NVBIT_H
#define IMPORT_NVBIT_H

struct err;

/* Make the recording `dir` of `file` (text_lines.h). Returns as import_traceg(). */
int import_nvbit(const char *file, const char *dir, struct err *err);

#endif
