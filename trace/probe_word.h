/*
 * probe_word - the words that probes write into the device buffer of probe_abi.h.
 *
 * WORDS are 64 bits: payload (bits 0..47), run (48..51), code (52..63).
 *
 *   code 1..4094  the point code - 1: sites from 0, then loops from site_count. Of a site that has
 *                 an address the payload is that address, else 0; of such a site of bytes == 0 the
 *                 size is in one more word. Of a loop that lies in another: it is entered.
 *                 run: iterations begun of the loop around the point since the last word that told
 *                 an iteration of that loop in this activation; so iteration = previous + run,
 *                 previous = -1 where an activation starts. 0 outside loops.
 *                 A site's word stands for its companions too (kernel_table.h), in their order,
 *                 in the same iteration: their addresses are their leaders' last ones plus what
 *                 the table and the differences say, modulo 2^64.
 *   code 0        run is the kind (enum probe_word), payload an id unless it says otherwise
 *
 * Code made for addresses of at most 48 bits writes damaged records of others.
 *
 * Plain C and OpenCL C.
 */
#ifndef PROBE_WORD_H
#define PROBE_WORD_H

#define PROBE_RUN_SHIFT   48
#define PROBE_CODE_SHIFT  52
#define PROBE_MAX_RUN     15u
#define PROBE_MAX_POINT   4093u
#define PROBE_COUNT_SHIFT 24 /* in the payload of WORD_RUN: count above, site below */
#define PROBE_COUNT_MAX   0xffffffu

/* Kinds of words of code 0: what follows in further words. Counts are of accesses. */
enum probe_word {
	WORD_END,
	WORD_ADVANCE,  /* id = loop: count, added to the run of that loop's next word */
	WORD_WIDE,     /* id = point: address, run (64 bits), size if bytes == 0 */
	WORD_RUN,      /* payload = site | count << 24: address, stride; from iteration 0 on */
	WORD_RUN_LONG, /* id = site: address, stride, count, first iteration */
	WORD_GRID,     /* id = site: address, stride, count, row stride, rows, first row */
	WORD_COUNT,    /* id = cell: how often (count mode) */
};

#endif
