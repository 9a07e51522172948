/*
 * warp_opcode - what an instruction of an NVIDIA GPU does with memory, from its name.
 *
 * The name is as the disassembler writes it, "LDG.E.128.CONSTANT": the first part is the operation,
 * the others include the width: ".U8", ".64", ".F16x2". Without a width it is 4 bytes a lane.
 */
#ifndef WARP_OPCODE_H
#define WARP_OPCODE_H

#include <stdbool.h>
#include <stdint.h>

enum { WARP_OPCODE_BYTES = 96 }; /* room for a name */

enum warp_opcode_class {
	WARP_READ, /* the first four are in the recording */
	WARP_WRITE,
	WARP_ATOMIC,
	WARP_BARRIER,
	WARP_NONE,
	WARP_SHARED,
	WARP_LOCAL,
	WARP_CONSTANT,
	WARP_CONTROL,
	WARP_TEXTURE,
	WARP_BULK,
	WARP_UNKNOWN,
	WARP_CLASS_COUNT
};

struct warp_opcode {
	enum warp_opcode_class class;
	bool is_generic; /* of READ, WRITE, ATOMIC: only the address shows whether memory is global
	                  */
	uint32_t bytes;  /* that a lane accesses: 1, 2, 4, 8, 16 or 32 */
};

/* `has_address`: the trace has a width for it, so that it is an access; names missing from the
 * table are then UNKNOWN, else NONE. */
struct warp_opcode warp_opcode_read(const char *name, bool has_address);

/* What instructions of the class touch; static storage. */
const char *warp_opcode_class_text(enum warp_opcode_class class);

/* Whether they may touch global memory and are in no recording. */
bool warp_opcode_is_lost(enum warp_opcode_class class);

#endif
