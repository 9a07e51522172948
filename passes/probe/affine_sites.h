/*
 * affine_sites - decides how each site of a kernel is recorded: access by access, or
 * one record for all iterations of its loop, or of two loops.
 *
 * A site gets a run when its address is affine in its innermost loop
 * (affine_expression.h) and it is known at the loop's end in which iterations it
 * was passed: in all, or, where it lies under conditions that are invariant in the
 * loop, in all or none. It gets a grid when moreover the loop lies in another and
 * both the address and the loop's conditions look regular in that one: a guess that
 * costs room when it is wrong, nothing else.
 *
 * Nothing is changed in the kernel.
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

/* How the accesses of a site leave the device (probe_abi.h). */
enum site_record {
	RECORD_POINT, /* each on its own, where it happens */
	RECORD_RUN,   /* those of an activation of the site's loop together, where that is left */
	RECORD_GRID,  /* those of an activation of the loop around that together */
	RECORD_COMPANION, /* with the point of another site: the address differs by what is known */
};

/* A conditional edge. */
struct affine_edge {
	uint32_t from, to;
};

/* An edge that leaves some loop: every pair of nodes once. */
struct affine_exit {
	uint32_t from, to;
};

/* Invariant in the site's loop: the edge is taken if the value is `is_true`. */
struct affine_condition {
	struct affine_edge edge;
	struct affine_expression value;
	bool is_true;
	uint32_t place; /* grows from outer conditions to inner ones */
};

/* A set of a site's conditions, bit by bit: all of them have to hold. */
#define AFFINE_CONDITIONS_NEVER UINT32_MAX

struct affine_site {
	enum site_record record;
	const char *why; /* a POINT: what kept it from being a run; static storage */
	int32_t loop;    /* RUN, GRID: of the flow's forest; -1 for a POINT */
	int32_t parent;  /* GRID: the loop of the rows */
	struct affine_expression address; /* 64 bits, in `loop` */
	struct affine_condition *conditions;
	uint32_t condition_count;
	uint32_t whole;  /* conditions under which an iteration that goes round passes the site */
	uint32_t *ended; /* per exit: those under which one that ends there does, or NEVER */
};

struct affine_sites {
	struct affine_site *sites; /* per site of the kernel's table */
	enum site_record *records; /* the `record` of each site, for callers that need only that */
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
 * One line for each site: "KERNEL SITE KIND LINE: point (why)" or "run, ..." or "grid, ..." or
 * "companion of ...", as the kernel's table says.
 */
void affine_sites_explain(const struct affine_sites *a, const struct kernel *kernel, FILE *out);

#endif
