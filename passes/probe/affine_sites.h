/*
 * affine_sites - decides how each site of a kernel is recorded: access by access, or with one
 * record for all iterations of its loop, or of two loops.
 *
 * A site gets a run if its address is affine in its innermost loop (affine_expression.h) and if, at
 * the loop's end, it is known in which iterations it was executed: in all, or, under conditions
 * that are invariant in the loop, in all or none. It gets a grid if the loop is also nested in
 * another, and both the address and the loop's conditions look regular there: a guess that costs
 * only space when it is wrong.
 *
 * The kernel is not changed.
 */
#ifndef AFFINE_SITES_H
#define AFFINE_SITES_H

#include "affine_expression.h"
#include "graph.h"

#include <stdbool.h>
#include <stdio.h>

struct err;
struct kernel;
struct kernel_flow;

/* How the accesses of a site are recorded (probe_abi.h). */
enum site_record {
	RECORD_POINT,     /* each separately, where it happens */
	RECORD_RUN,       /* those of one activation of the site's loop together, at its exit */
	RECORD_GRID,      /* those of one activation of the surrounding loop together */
	RECORD_COMPANION, /* with the point of another site, from which the address differs by a
	                     known value */
};

/* A conditional edge. */
struct affine_edge {
	uint32_t from, to;
};

/* An edge that leaves some loop; each pair of nodes once. */
struct affine_exit {
	uint32_t from, to;
};

/* Invariant in the site's loop: the edge is taken if the value equals `is_true`. */
struct affine_condition {
	struct affine_edge edge;
	struct affine_expression value;
	bool is_true;
	uint32_t place; /* greater for inner conditions than for outer ones */
};

/* A set of a site's conditions, one bit each; all must hold. */
#define AFFINE_CONDITIONS_NEVER UINT32_MAX

struct affine_site {
	enum site_record record;
	const char *why; /* for a POINT: why it is not a run; static storage */
	int32_t loop;    /* RUN, GRID: the loop in the flow's forest; -1 for a POINT */
	int32_t parent;  /* GRID: the loop over rows */
	struct affine_expression address; /* 64 bits, in `loop` */
	struct affine_condition *conditions;
	uint32_t condition_count;
	uint32_t whole;  /* conditions under which an iteration that continues executes the site */
	uint32_t *ended; /* per exit: those under which an iteration that ends there executes it, or
	                    NEVER */
};

struct affine_sites {
	struct affine_site *sites; /* per site of the kernel's table */
	enum site_record *records; /* each site's `record`, for callers that need only that */
	size_t site_count;
	struct affine_exit *exits;
	size_t exit_count;
};

/*
 * Decide for every site of a kernel whose sites are numbered and marked (steps.h). Release with
 * affine_sites_release(). Returns 0 or ERR_NOMEM.
 */
int affine_sites_find(struct affine_sites *a, const struct kernel *kernel, struct err *err);

/* Free what it owns and zero it. Accepts a zeroed struct. */
void affine_sites_release(struct affine_sites *a);

/* Whether an exit leaves a loop of the kernel's flow. */
bool affine_exit_leaves(const struct affine_exit *exit, const struct kernel_flow *flow,
                        int32_t loop);

/*
 * Write one line per site: "KERNEL SITE KIND LINE: point (why)" or "run, ..." or "grid, ..." or
 * "companion of ...", according to the kernel's table.
 */
void affine_sites_explain(const struct affine_sites *a, const struct kernel *kernel, FILE *out);

#endif
