/*
 * warp_trace - an imported trace of warp instructions: its kernels, its launches and the
 * instructions left out; the instructions themselves are in a warp_sort.
 *
 * A kernel is what has one name. Its sites are its instructions that access global memory, and its
 * barriers: distinguished by their place in the code and their name.
 */
#ifndef WARP_TRACE_H
#define WARP_TRACE_H

#include "array.h"
#include "launch_shape.h"
#include "site.h"
#include "warp_opcode.h"
#include "warp_sort.h"

enum {
	WARP_KERNELS_MAX = 1 << 14,
	WARP_LAUNCHES_MAX = 1 << 20,
	WARP_SITES_MAX = 1 << 16, /* of a kernel */
	WARP_UNKNOWN_MAX = 256,   /* names of instructions that were left out */
};

#define WARP_NO_PC      UINT64_MAX
#define WARP_SITE_EMPTY UINT32_MAX /* of a request: no instruction, but its group was traced */

struct warp_site {
	uint64_t pc;   /* in the kernel's code, or WARP_NO_PC */
	uint32_t line; /* of the source, or 0 */
	char *opcode;
	enum site_kind kind;
	uint32_t bytes;
	uint32_t number; /* in the kernel's table, by warp_trace_number() */
};

struct warp_kernel {
	char *name;
	struct array sites;                  /* struct warp_site, as they came */
	struct array in_order;               /* uint32_t: the sites by pc, name, line */
	uint64_t left_out[WARP_CLASS_COUNT]; /* instructions that are not in the recording */
};

struct warp_launch {
	uint32_t kernel;
	struct launch_shape shape;
	uint64_t local_bytes;
	uint64_t shared_base, private_base; /* windows of generic addresses, or 0 */
};

/* Instructions that may have touched global memory and are not in the recording. */
struct warp_unknown {
	char opcode[WARP_OPCODE_BYTES];
	enum warp_opcode_class class;
	uint64_t count;
};

struct warp_trace {
	struct array kernels;  /* struct warp_kernel */
	struct array launches; /* struct warp_launch */
	struct array unknown;  /* struct warp_unknown */
	uint64_t stray_lanes;  /* addresses of lanes that their group does not have */
	struct warp_sort *sort;
};

/* A warp instruction as a line of a trace has it: with addresses where `has_address`. */
struct warp_instruction {
	char *opcode;
	uint64_t pc;
	uint32_t line;
	bool has_address;
	struct warp_request request; /* site is set by warp_trace_add() */
};

/* Begin; release in every case. Returns 0 or ERR_NOMEM. */
int warp_trace_init(struct warp_trace *t, struct err *err);
void warp_trace_release(struct warp_trace *t);

/* Get the kernel of that name, created if needed. Returns 0, ERR_LIMIT, ERR_NOMEM. */
int warp_trace_kernel(struct warp_trace *t, const char *name, uint32_t *kernel, struct err *err);

/* Add a launch of `grid` groups of `group` work-items. *l gets its shape and is added. Returns 0,
 * ERR_FORMAT (a shape that cannot be), ERR_LIMIT, ERR_NOMEM. */
int warp_trace_launch(struct warp_trace *t, struct warp_launch *l, const uint64_t grid[3],
                      const uint64_t group[3], struct err *err);

/* Add an instruction of the launch that i->request names, or count it as left out. Returns 0,
 * ERR_LIMIT, ERR_NOMEM, ERR_IO. */
int warp_trace_add(struct warp_trace *t, struct warp_instruction *i, struct err *err);

/* A group was traced, which may have no instruction that is kept. Returns as warp_trace_add(). */
int warp_trace_group(struct warp_trace *t, uint32_t launch, uint64_t group, struct err *err);

/* All are added: number the sites by their places. */
void warp_trace_number(struct warp_trace *t);

#endif
