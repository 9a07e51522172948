/*
 * ptx_rewrite - a PTX text through all of bypass_ptx, in memory; not part of the program.
 */
#ifndef PTX_REWRITE_H
#define PTX_REWRITE_H

#include <stddef.h>

struct recording;

/* What came of it. Release with ptx_rewritten_release(). */
struct ptx_rewritten {
	char *text;  /* NULL: it was refused */
	char *notes; /* each with a newline */
	size_t left_rules;
	char refusal[512];
};

/* Apply a list, as a command line has it or as the text of a file; `cache_op` with its point. */
struct ptx_rewritten ptx_rewrite(const char *ptx, const char *list,
                                 const struct recording *recording, const char *cache_op);
void ptx_rewritten_release(struct ptx_rewritten *r);

#endif
