/*
 * recording_chain - a recording taken through all that reads one: info, dump, replay and sweep.
 *
 * In one process, printing to nowhere, so that thousands of damaged ones can be tried. For two
 * recordings of which nobody says that they are not whole, equal digests mean equal answers.
 */
#ifndef RECORDING_CHAIN_H
#define RECORDING_CHAIN_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>

struct gpu;
struct replay_options;

/* The most accesses of a launch that are played: a few bytes can stand for 2^50 of them. */
#define CHAIN_ACCESSES_MAX (1u << 16)

struct chain_report {
	struct err refusal; /* code 0: nothing was refused */
	bool is_large;      /* a launch was not played, since it stands for too many accesses */
	bool is_warned;     /* something is said to be missing, or was not played */
	uint64_t digest;    /* of all counts, accesses and cells of the sweep */
	uint64_t lanes;     /* accesses played */
};

/* Take the recording `dir` through the chain; `options` are those of the replay, NULL: none. */
void chain_run(const char *dir, const struct gpu *gpu, const struct replay_options *options,
               struct chain_report *out);

#endif
