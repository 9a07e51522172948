/*
 * insertion - the state shared while the probes of one kernel are inserted. Private to
 * insert_probes.c and the files next to it, each of which inserts one thing.
 *
 * Nodes, loops and their numbers are those of the kernel's flow before anything was inserted. New
 * nodes may be added, but a node must keep its first instruction and its terminator.
 */
#ifndef INSERTION_H
#define INSERTION_H

#include "affine_sites.h"
#include "graph.h"
#include "program.h"

#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stdint.h>

#define INSERTION_NONE UINT32_MAX

struct companion_sites;
struct node_counts;
struct err;

/* What is known of a loop of the flow. */
struct insertion_loop {
	LLVMValueRef counter; /* its iteration, an i64 phi; NULL until insertion_counter() */
	LLVMValueRef untold;  /* variable: iterations begun and not yet recorded, or NULL */
	uint32_t leader;      /* the first point that records its iteration, or NONE */
	bool needs_variable;  /* control may bypass the leader */
	uint32_t preheader;   /* the only node that enters it, or NONE */
	bool has_records;     /* its activations have records, so their start is recorded */
	bool has_others;      /* contains sites that are not sampled */
};

struct insertion {
	struct kernel *kernel;
	const struct probe_runtime *runtime;
	const struct settings *settings;
	const enum site_record *record;           /* per site; NULL: all are points */
	const struct companion_sites *companions; /* NULL: no companions */
	const struct node_counts *counts;         /* NULL: not in count mode */
	uint32_t *site_node;                      /* per site: the node of its mark */
	struct insertion_loop *loops;             /* per loop of the flow */
	struct loop_bound *bounds;  /* per loop of the flow, from slot_words_fill() on */
	struct slot_places *places; /* positions of records in slots; NULL: no slots */
	struct graph predecessors;
	uint32_t *idom; /* immediate dominators */
	bool is_apart;  /* probes are calls: the control flow is unchanged */
	LLVMBuilderRef b;
	LLVMTypeRef u32, u64;
	LLVMValueRef item;   /* the work-item's struct probe_item, a variable */
	LLVMValueRef header; /* the hidden argument as struct probe_header */
};

/*
 * Start on a kernel: find its nodes, dominators and preheaders. Changes no code. Returns 0 or
 * ERR_NOMEM. Release with insertion_release() in any case.
 */
int insertion_init(struct insertion *in, struct program *p, struct kernel *k,
                   const struct probe_runtime *runtime, struct err *err);
void insertion_release(struct insertion *in);

LLVMValueRef insertion_u32(const struct insertion *in, uint32_t value);
LLVMValueRef insertion_u64(const struct insertion *in, uint64_t value);

/* Place the builder before a node's terminator; after its phis. */
void insertion_at_end(struct insertion *in, uint32_t node);
void insertion_behind_phis(struct insertion *in, uint32_t node);

/* Position `b` in the entry, right after the kernel's item and header are available. */
void insertion_after_header(const struct insertion *in, LLVMBuilderRef b);

/*
 * Create a 64-bit variable at the top of the function, initially 0. Keeps the builder's position.
 */
LLVMValueRef insertion_variable(struct insertion *in, const char *name);

/* The iteration of a loop: a phi in its header, created on first use. Moves the builder. */
LLVMValueRef insertion_counter(struct insertion *in, uint32_t loop);

/* Whether control always reaches node a before node b. */
bool insertion_dominates(const struct insertion *in, uint32_t a, uint32_t b);

/* How the accesses of a site are recorded. */
enum site_record insertion_record(const struct insertion *in, size_t site);

/*
 * Whether a point, a site or site_count + loop, is recorded only in the groups of a sample: if the
 * kernel takes one, sites in local memory, and loops that have no others.
 */
bool insertion_is_sampled(const struct insertion *in, uint32_t point);

/* Call a function of the runtime: item and header first, then the `count` arguments (at most 8). */
LLVMValueRef insertion_call(struct insertion *in, LLVMValueRef function, LLVMValueRef *arguments,
                            unsigned count);

/*
 * Insert a point that records `loop` (-1: none), at the builder. `bytes` is the size if the record
 * contains it, else NULL.
 */
void insertion_put_point(struct insertion *in, uint32_t point, int32_t loop, LLVMValueRef address,
                         LLVMValueRef run, LLVMValueRef bytes);

/*
 * insert_loops.c. Before any code is inserted: decide how the iteration of each loop is recorded. A
 * loop needs no variable if one point comes before all others that record its iteration, and before
 * its latch: the run of that point is 1 and that of the others 0. Returns 0 or ERR_NOMEM.
 */
int insert_loops_plan(struct insertion *in, struct err *err);

/* Insert what the plan needs: variables, and points where nested loops are entered. */
int insert_loops(struct insertion *in, struct err *err);

/* The `run` of a point (a site, or site_count + loop) in `loop` (-1: none), at the builder. */
LLVMValueRef insert_loops_run(struct insertion *in, int32_t loop, uint32_t point);

/*
 * insert_counts.c. Count mode: decide what to count (*c, which the caller releases in any case) and
 * fill the kernel's table; then insert counters, recorded at each return. Return 0 or ERR_NOMEM.
 */
int insert_counts_plan(struct insertion *in, struct node_counts *c, struct err *err);
int insert_counts(struct insertion *in, struct err *err);

/*
 * virtual_range.c. Answer the kernel's queries of the NDRange from the header; loads are in the
 * entry.
 */
void virtual_range_insert(struct insertion *in);

/*
 * The functions of probe.cl in a module: links them and calls them. Their bitcode is embedded in
 * this program.
 */

struct probe_runtime {
#define PROBE_FUNCTION(name) LLVMValueRef name;
#include "probe_functions.def"
#undef PROBE_FUNCTION
	LLVMTypeRef item_type;   /* struct probe_item */
	LLVMTypeRef header_type; /* __global struct probe_header * */
};

/*
 * Link the runtime into `module`, which is spir, spir64 or nvptx64 by its triple, for `lanes` (1 or
 * 32), private to it. Returns 0; ERR_UNSUPPORTED when the triple is another, the program has
 * functions of the same names, or linking fails.
 */
int probe_runtime_link(struct probe_runtime *r, LLVMModuleRef module, unsigned lanes,
                       struct err *err);

/* Build a call of one of the functions. */
LLVMValueRef probe_runtime_call(LLVMBuilderRef b, LLVMValueRef function, LLVMValueRef *arguments,
                                unsigned count);

/*
 * loop_bounds.c: how often a node of a kernel can be executed at most, where constants bound it.
 *
 * Handles loops that count from a constant by a constant up to a constant, with an exit test in
 * every iteration. Does not relate the bounds of different loops.
 */

struct insertion;

struct loop_bound {
	uint64_t passes; /* of the node `test`; nodes after it one less; 0: not known */
	uint32_t test;
};

/* Fill bounds[], zeroed, one for each loop; a loop of more than `limit` iterations gets none. */
void loop_bounds_find(const struct insertion *in, uint64_t limit, struct loop_bound *bounds);

/*
 * How often a node is executed at most each time its loop, whose bound this is, is entered; 0 when
 * not known.
 */
uint64_t loop_bounds_passes(const struct insertion *in, const struct loop_bound *b, uint32_t node);

/* Whether every iteration of loop l that continues executes the node. */
bool loop_bounds_meet(const struct insertion *in, uint32_t l, uint32_t node);

/*
 * Set times[n] to the maximum number of times that a work-item executes node n, or 0 when that is
 * not known, or exceeds `limit`.
 */
void loop_bounds_times(const struct insertion *in, const struct loop_bound *bounds, uint64_t limit,
                       uint64_t *times);

#endif
