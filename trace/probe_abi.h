/*
 * probe_abi - the device buffer through which probes hand records to the recorder, version 5.
 *
 * The hidden last argument of an instrumented kernel is a __global pointer to:
 *
 *   struct probe_header                  at 0
 *   argument_count 64-bit addresses      at PROBE_ARGUMENTS_OFFSET
 *   difference_count 64-bit numbers      behind them
 *   places of words                      at PROBE_PLACES_OFFSET
 *   a directory, a bitmap, a discard area and chunks of words, where the header says
 *
 * A SLICE is a box of work-groups, launched with a global offset so that get_global_id() is right
 * by itself; the other queries of the NDRange are answered from the header. Its groups are
 * consecutive in linear number x + y*nx + z*nx*ny. Every launched work-item runs. The first one
 * writes the value of each global and constant pointer argument into its slot, 0 for the others,
 * and the differences that the table's companions need.
 *
 * WORDS are those of probe_word.h. The first word of a record is never 0.
 *
 * PLACES: each work-item has one, of place_words words. Word w of the work-item with linear local
 * id l in a group of n work-items lies at
 *
 *   PROBE_PLACES_OFFSET(argument_count + difference_count) + (before * place_words + w * n + l) * 8
 *
 * where `before` work-items of the slice are in groups of lower number. So one word of consecutive
 * work-items is contiguous, and needs nothing that is in memory.
 *
 * In a kernel with SLOTS (the table's item_words > 0; chunk_count = 0) each record has words of its
 * own in the place, which ascend on every way through the kernel; where no record was written there
 * are zeros. place_words is item_words, or PROBE_WIDE_FACTOR times that where addresses have more
 * than 48 bits: record and words then begin at that multiple.
 *
 * In other kernels as many words as a full group has work-items stay free behind the places, and
 * records follow each other, first in the place, then in CHUNKS: struct probe_chunk,
 * then chunk_words * lanes words, which `lanes` (the table's: 1 or 32) consecutive work-items of a
 * group share: word w of lane i is the (w * lanes + i)-th. A zero word, or the end of the place or
 * chunk, ends its records; none goes from one into another. With 32 lanes the first that needs
 * their k-th chunk takes it for all: entry [(group - slice_begin) * (group_items / 32) + item / 32]
 * [lane_chunks] of the directory becomes its index + 1 (0: not yet, PROBE_NO_CHUNK: there is none).
 * Where no chunk is left lost_records grows by 1 and lost_low/high by the accesses of the record.
 *
 * COUNT MODE: no words but cells, each a column of a group's place. Of a group of n work-items the
 * counters are the words [c * n + l], and the bytes behind them flags [f * n + l] of 0 or 1, each
 * work-item's last thing. In kernels without slots they are WORD_COUNT, where they are not 0.
 *
 * SELECTION: groups whose bit (group - slice_begin) is clear in the bitmap of 32-bit words are not
 * recorded. They fill their places, to be ignored; instead of chunks their words go round and round
 * in area group % 64 of the discard area.
 *
 * LOCAL MEMORY OF A SAMPLE, where the table's local_groups is not 0: there is a bitmap like that of
 * the selection. In groups whose bit is clear sites of local memory that have an address write no
 * records, and loops none of whose sites is another are not entered; a word of another site does
 * not stand for companions that are such sites.
 *
 * ROUNDS (lanes 1, a slice of one group): a work-item whose chunk is full goes on in the same one,
 * whose order grows, until it has filled as many as the table at skips_offset says, 32 bits for
 * each work-item. So the first chunk that it leaves is the one of that order, or one before it when
 * there are no more. Where no chunk is left a work-item writes nothing any more.
 *
 * The buffer is smaller than 2^35 bytes. Plain C and OpenCL C.
 */
#ifndef PROBE_ABI_H
#define PROBE_ABI_H

#include "probe_word.h"

#ifdef __OPENCL_VERSION__
#define PROBE_U32 uint
#define PROBE_U64 ulong
#else
#include <stdint.h>
#define PROBE_U32 uint32_t
#define PROBE_U64 uint64_t
#endif

#define PROBE_ABI_VERSION      5u
#define PROBE_ARGUMENTS_OFFSET 256
#define PROBE_DISCARD_AREAS    64
#define PROBE_DISCARD_BYTES    4096 /* of each area */
#define PROBE_MIN_CHUNK_WORDS  8u   /* the longest record has 7 */
#define PROBE_WIDE_FACTOR      3u   /* words of WORD_WIDE for one of a point */
#define PROBE_MAX_SLOT_WORDS   64u
#define PROBE_NO_POINT         0xffffffffu /* passed to a probe whose record is not wanted */
#define PROBE_NO_CHUNK         0xfffffffeu
#define PROBE_CHUNK_TAKEN      0xffffffffu /* in the directory while its taker prepares it */

/* A multiple of 256. Known where a kernel is instrumented. */
#define PROBE_PLACES_OFFSET(values) ((PROBE_ARGUMENTS_OFFSET + (values) * 8u + 255u) / 256u * 256u)

struct probe_header {
	PROBE_U32 abi_version;      /* PROBE_ABI_VERSION */
	PROBE_U32 next_chunk;       /* device, atomic: chunks asked for; may exceed chunk_count */
	PROBE_U32 chunk_count;      /* chunks there are; 0: slots */
	PROBE_U32 chunk_words;      /* of each lane of a chunk: >= PROBE_MIN_CHUNK_WORDS */
	PROBE_U64 group_first[3];   /* added to get_group_id() */
	PROBE_U64 group_count[3];   /* get_num_groups() of the application's launch */
	PROBE_U64 global_size[3];   /* of that launch */
	PROBE_U64 global_offset[3]; /* of that launch */
	PROBE_U64 slice_begin;      /* linear number of the slice's first group in that launch */
	PROBE_U64 chunks_offset;    /* a multiple of 256 */
	PROBE_U64 directory_offset; /* lanes > 1 and chunks: zeroed by the host */
	PROBE_U64 selection_offset; /* 0: all groups are recorded */
	PROBE_U64 discard_offset;   /* a multiple of 256; 0 when all groups are recorded */
	PROBE_U32 lane_chunks;      /* most chunks of 32 work-items */
	PROBE_U32 group_items;      /* of a full group, rounded up to a multiple of lanes */
	PROBE_U32 argument_count;   /* arguments of the kernel */
	PROBE_U32 difference_count; /* of the kernel's table */
	PROBE_U32 lost_records;     /* device, atomic */
	PROBE_U32 lost_low;         /* device, atomic: accesses lost, low 32 bits */
	PROBE_U32 lost_high;        /* device, atomic: carries out of lost_low */
	PROBE_U32 place_words;      /* of each work-item's place */
	PROBE_U64 skips_offset;     /* 0: no chunks are passed over */
	PROBE_U64 sample_offset;    /* 0: there is no sample */
	PROBE_U64 padding[7];
};

struct probe_chunk {
	PROBE_U64 group; /* linear */
	PROBE_U32 item;  /* linear local id x + y*Lx + z*Lx*Ly of lane 0 */
	PROBE_U32 order; /* k: the k-th chunk of these work-items, from 0 */
};

#ifndef __OPENCL_VERSION__
_Static_assert(sizeof(struct probe_header) == PROBE_ARGUMENTS_OFFSET, "the header is 256 bytes");
_Static_assert(sizeof(struct probe_chunk) == 16, "a chunk header is two words wide");
#endif

#endif
