/*
 * flow_program - random structured programs for tests, as control-flow graphs.
 *
 * A program is made of accesses, fences, barriers, if and if-else, loops tested at their head or at
 * their foot, break, continue and return, nested at random. It becomes a graph: nodes with up to
 * two successors. What a kernel's table says of it is found from the graph in the most naive ways:
 * natural loops, and sites in reverse post-order with the nodes of a loop together (SEMANTICS 1).
 *
 * Barriers stand only where all work-items that have not returned come together.
 */
#ifndef FLOW_PROGRAM_H
#define FLOW_PROGRAM_H

#include "kernel_table.h"

enum { FLOW_NODES = 448, FLOW_SITES = 256, FLOW_LOOPS = 32, FLOW_DEPTH = 4 };
enum { FLOW_WORDS = FLOW_NODES / 64 };

enum flow_kind {
	FLOW_PASS,
	FLOW_SITE,
	FLOW_FORK,
	FLOW_LOOP, /* before a loop */
	FLOW_TURN, /* before the body of a loop, in each iteration */
	FLOW_JUMP, /* break, continue, return */
	FLOW_END,
};

/* What a fork's decisions depend on, beside the fork and how often the work-item came to it. */
enum flow_share { FLOW_OF_ALL, FLOW_OF_ITEM, FLOW_OF_X, FLOW_OF_Y, FLOW_OF_Z };

struct flow_node {
	enum flow_kind kind;
	int next[2]; /* successors, -1: none; of a fork the first when it decides 0 */
	bool turns;  /* of a LOOP: it has a second iteration somewhere, and so is a natural loop */
	int join;    /* of a LOOP or TURN: where what is in it comes together */
	int beside;  /* of a JUMP: where those go on who do not jump */
	int leaves;  /* of a JUMP: the LOOP (break) or TURN (continue); -1: return */
	enum flow_share share;
	enum site_kind site_kind;
	int site;    /* its number; -1 when it cannot be reached */
	int written; /* loop in which it is written: its LOOP node, -1 for none */
	int loop;    /* natural loop that holds it, innermost; as in the table, or -1 */
};

struct flow_program {
	uint64_t seed;
	bool has_jumps;
	struct flow_node nodes[FLOW_NODES];
	int node_count, entry, end;
	int order[FLOW_NODES]; /* reachable nodes as sites are numbered */
	int order_count;

	struct site sites[FLOW_SITES];
	int node_of[FLOW_SITES];
	struct loop loops[FLOW_LOOPS];
	int header[FLOW_LOOPS];    /* node of a loop of the table */
	uint64_t base[FLOW_LOOPS]; /* its first iteration (0 in a real kernel) */
	struct kernel_table table;

	/* node of the immediate post-dominator of each: of the graph; of the graph in which jumps
	 * go on beside */
	int join_of_graph[FLOW_NODES];
	int join_of_text[FLOW_NODES];
};

/* Make a program from a seed. */
void flow_program_make(struct flow_program *p, uint64_t seed, bool has_jumps);

/* Find all that follows from the graph; flow_program_make() does. */
void flow_program_analyse(struct flow_program *p);

/*
 * Whether a site stands elsewhere in the order than in the text: a loop in which it is written does
 * not hold it, or one that is written after it is numbered before it. Never without jumps; with
 * them where it is in a branch that leaves a loop, or stands before a return in an `else`.
 */
bool flow_program_is_moved(const struct flow_program *p, int site);

/* Whether no site is. */
bool flow_program_is_in_text_order(const struct flow_program *p);

/* Whether each branch joins where it is written to, or has one side only that comes there. */
bool flow_program_joins_as_written(const struct flow_program *p);

/* Whether natural loop `outer` of the table (-1: the kernel) holds `inner`. */
bool flow_program_holds(const struct flow_program *p, int outer, int inner);

#endif
