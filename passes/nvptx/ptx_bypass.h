/*
 * ptx_bypass - loads that go past L1, as the PTX door writes them: those with a mark
 * (bypass_mark.h) become inline PTX, ld.global.cg, for all warps or for those from one on.
 *
 * Of 1, 2, 4, 8 or 16 bytes, aligned to their size, of one number, one pointer or a vector of two
 * or four; any other load stays, and its site is not said to be changed.
 */
#ifndef PTX_BYPASS_H
#define PTX_BYPASS_H

struct err;
struct program;

/* Change them and note it in the kernels' tables. Returns 0 or ERR_NOMEM. */
int ptx_bypass_apply(struct program *p, struct err *err);

#endif
