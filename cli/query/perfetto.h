/*
 * perfetto - launches as a timeline in the Trace Event Format, which chrome://tracing and
 * ui.perfetto.dev show: a format of table.h.
 *
 * A device is a process with one track. A recording does not have the queue of a launch, nor when
 * it began, but how long it ran on the device: launches of a device stand one after another in the
 * order in which the program made them, each as long as it ran. One of which no time is known is an
 * instant. The track's name says so.
 *
 * The file is JSON whatever happens: it is written whole or not at all (out_file.h), and launches
 * for which it has no room are left out: all behind the first such one, counted in `otherData`.
 */
#ifndef PERFETTO_H
#define PERFETTO_H

#include "table.h"

struct recording;

#define PERFETTO_LIMIT_BYTES UINT64_C(499000000) /* of a file */

/* The first columns of the rows; those behind them become arguments of the launch as well. */
#define PERFETTO_COLUMNS "launch,kernel,device,start_ns,device_ns"

struct perfetto {
	const struct recording *recording; /* borrowed */
	uint64_t limit_bytes;
	uint64_t bytes;                            /* written, and what the end takes */
	uint64_t launches, without_time, left_out; /* events, of the last one */
};

/* Its writers have a struct perfetto, with the first two set, as context. */
extern const struct table_format table_as_perfetto;

#endif
