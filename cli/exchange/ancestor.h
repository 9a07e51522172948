/*
 * ancestor - one line of the 2014 text format (Crawford 2014, 4.3, 4.4, 5.1).
 *
 * "WORD|IDS|LOOPS", each hexadecimal:
 *   WORD   8 digits: low 32 bits of the address; F read, A write; 7 digits: the base-36 value of
 *          the instruction's name, "M1", "M2", ... (decimal after the M). Or 1: a local
 *          barrier, 2: a global one.
 *   IDS    5 digits a dimension, x lowest.
 *   LOOPS  up to three parts of 20 bits, the outermost in bits 40..59, then 20..39, then 0..19:
 *          loop << 16 | iteration, iterations counted from 1. 0 for barriers.
 * A line of hyphens ends a kernel execution.
 */
#ifndef ANCESTOR_H
#define ANCESTOR_H

#include <stdint.h>

enum {
	ANCESTOR_LOOP_DEPTH = 3,
	ANCESTOR_LOOPS = 16,
	ANCESTOR_LAST_ITERATION = 65535, /* counted from 1 */
	ANCESTOR_LAST_ID = 0xfffff,
	ANCESTOR_LAST_NUMBER = 9999, /* of M: a fifth digit does not fit in 28 bits */
	ANCESTOR_LINE_BYTES = 64,
};

enum ancestor_kind {
	ANCESTOR_READ,
	ANCESTOR_WRITE,
	ANCESTOR_LOCAL_BARRIER,
	ANCESTOR_GLOBAL_BARRIER,
	ANCESTOR_END, /* hyphens */
};

struct ancestor_line {
	enum ancestor_kind kind;
	uint32_t address;
	uint16_t number; /* n of "Mn"; 0 for barriers */
	uint8_t loop_count;
	uint8_t loops[ANCESTOR_LOOP_DEPTH];       /* outermost first, ascending */
	uint16_t iterations[ANCESTOR_LOOP_DEPTH]; /* from 1 */
	uint32_t id[3];
};

/*
 * Read a line (without its newline). Returns NULL, or what was expected where it is wrong; static
 * storage.
 */
const char *ancestor_parse(const char *text, struct ancestor_line *line);

/* Write a line, without a newline; its values are in range. Returns `text`. */
const char *ancestor_print(char text[ANCESTOR_LINE_BYTES], const struct ancestor_line *line);

#endif
