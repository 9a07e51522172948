/*
 * perfetto - launches as a timeline in the Trace Event Format, which chrome://tracing and
 * ui.perfetto.dev show: a format of cell_table.h.
 *
 * A device is a process with one track. A recording has neither the queue of a launch nor its
 * start, but how long it ran on the device: the launches of a device follow one another in program
 * order, each as long as it ran. A launch without a known time is an instant. The track's name says
 * so.
 *
 * The file is always JSON: it is written whole or not at all (out_file.h). Launches from the first
 * one that it has no room for are left out and counted in `otherData`.
 */
#ifndef PERFETTO_H
#define PERFETTO_H

#include "cell_table.h"

struct recording;

#define PERFETTO_LIMIT_BYTES UINT64_C(499000000) /* of a file */

/* The first columns of the rows; those after them also become arguments of the launch. */
#define PERFETTO_COLUMNS "launch,kernel,device,start_ns,device_ns"

struct perfetto {
	const struct recording *recording; /* borrowed */
	uint64_t limit_bytes;
	uint64_t bytes;                            /* written, and what the end takes */
	uint64_t launches, without_time, left_out; /* events, of the last one */
};

/* Its writers have a struct perfetto, with the first two set, as context. */
extern const struct cell_table_format cell_table_as_perfetto;

#endif
