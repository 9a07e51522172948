/*
 * recorded - what a recording describes: devices, programs, buffers, kernels, launches.
 *
 * FORMAT.md, section "Manifest", describes each. The recording owns the strings in a struct
 * recording; the caller owns those passed to the recording writer.
 */
#ifndef RECORDED_H
#define RECORDED_H

#include "kernel_table.h"
#include "launch_shape.h"
#include "launch_writer.h"

struct recorded_device {
	char *name, *vendor, *version, *driver, *platform; /* as OpenCL reports them; never NULL */
	uint32_t address_bits;
};

/* The length and checksum of a file according to the manifest; not known before version 6. */
struct recorded_sum {
	bool is_known;
	uint64_t bytes, xxh64;
};

struct recorded_program {
	char *source_file; /* relative to the directory, "sources/program-0000.cl"; NULL: none
	                    */
	char *options;     /* build options; "" for none */
	char *origin;      /* "source", "binary", "il", "builtin", "linked", "imported" */
	char *source_name; /* the name of the file in sites, "transpose.cu"; NULL: source_file */
	struct recorded_sum source_sum;
};

/* A bypass list in the recording (bypass_list.h). */
struct recorded_list {
	char *file; /* relative, "bypass.txt"; NULL: there is none */
	uint64_t rules;
	struct recorded_sum sum;
};

/* Device memory, in order of allocation. */
struct recorded_buffer {
	uint64_t bytes;
	uint64_t flags;        /* cl_mem_flags */
	int64_t parent;        /* buffer of which this is a part, or -1 */
	uint64_t origin_bytes; /* its offset in the parent */
	uint64_t svm_address;  /* of an SVM allocation; 0 for a cl_mem */
};

struct recorded_kernel {
	uint32_t program;
	uint32_t device;
	char *door;   /* "text", "ptx", "imported"; "spir" of older versions; "" when unmodified */
	char *reason; /* why it runs unmodified; of older versions also why it is not text; or NULL
	               */
	struct kernel_table table; /* only `name` is set when unmodified */
};

struct recorded_argument {
	uint32_t index;   /* of the kernel's arguments */
	int64_t buffer;   /* id, or -1 for a pointer into unknown memory */
	uint64_t address; /* device address of the buffer's first byte, as the kernel saw it; 0:
	                     NULL */
};

/* TRACED: has a file. COUNTED: has only counts. UNSELECTED: the user left it out, which is no loss,
 * unlike SKIPPED. LIMITED: it was selected, but a limit of the user's had been reached. */
enum launch_fate {
#define LAUNCH_FATE(NAME, name) LAUNCH_##NAME,
#include "launch_fates.def"
#undef LAUNCH_FATE
	LAUNCH_FATE_COUNT
};

struct recorded_launch {
	uint64_t number; /* among all launches of the program, from 0; assigned by the writer */
	uint32_t kernel;
	struct launch_shape shape;
	uint64_t local_bytes;  /* local memory of a group: static and arguments */
	bool is_sequence;      /* imported: its groups are consecutive pieces of one warp's sequence
	                        */
	char *groups_selected; /* the groups to record, as the user gave them; NULL: all */
	struct recorded_argument *arguments; /* global pointers only; of TRACED */
	size_t argument_count;
	enum launch_fate fate;
	char *reason;            /* of SKIPPED and LIMITED; else NULL */
	char *file;              /* of TRACED, relative; else NULL */
	uint64_t dropped_events; /* lost because there was no room */
	uint64_t room_bytes;     /* a device buffer of this size should hold them; 0: not known */
	uint64_t device_ns; /* time of its kernels on the device, including probes; 0: not known */
	uint64_t device_bytes;       /* of records that they wrote */
	uint64_t *counts;            /* of COUNTED: how often each site of the table was reached */
	size_t count_count;          /* its sites, or 0 */
	struct launch_totals totals; /* of TRACED and COUNTED */
	uint32_t bundle; /* index + 1 of its bundle, which then owns arguments, file, counts and
	                    groups_selected; 0: none */
	uint32_t place;  /* index of its first group in the bundle */
};

/* Free what launches that were read own, but not the array itself. */
void recorded_launches_release(struct recorded_launch *launches, size_t count);

/* Small launches of one kernel, which share a piece of a file. */
struct recorded_bundle {
	char *file; /* relative */
	uint64_t offset, bytes, sum;
	bool is_named; /* by a line of the manifest; else it is a launch in the open file */
	uint32_t kernel;
	uint64_t launches;    /* how many */
	uint64_t first, last; /* the lowest and the highest of their numbers */
	uint64_t accesses;    /* total; 2^64 - 1: that many or more */
	char *groups_selected;
	struct recorded_argument *arguments; /* of all of them */
	uint64_t *counts;                    /* of all of them */
	char *fault; /* why its launches cannot be read, a sentence; else NULL */
};

/*
 * `count` launches of a kernel without lines, which ran unmodified for one reason. Their numbers
 * are in first..last, mixed with those of other launches.
 */
struct recorded_tally {
	uint32_t kernel;
	enum launch_fate fate; /* UNSELECTED or SKIPPED */
	char *reason;          /* for UNSELECTED: the option that left them out */
	uint64_t count, first, last;
};

/* Compute the totals from the counts of a kernel's sites, with groups and file_bytes 0. A sum that
 * does not fit in 64 bits becomes 2^64 - 1. */
void recorded_counts_total(const struct kernel_table *t, const uint64_t *counts,
                           struct launch_totals *totals);

/* "record --device-buffer 256m should hold them", of room_bytes; returns `text`. */
enum { RECORDED_ROOM_TEXT_BYTES = 96 };
const char *recorded_room_text(char text[RECORDED_ROOM_TEXT_BYTES], uint64_t room_bytes);

/* `what` of notes about launches without line and number. */
#define RECORDED_NOTE_LAUNCH "kernel launch"

/* How long the recorder worked in the program's process, in all threads, and the parts of that
 * time; 0: not known. */
struct recorded_work {
	uint64_t all_ns;
#define WORK_PART(NAME, name, what, advice) uint64_t name##_ns;
#include "work_parts.def"
#undef WORK_PART
};

/* Something that was seen but not handled, and how often. */
struct recorded_note {
	char *what;
	char *reason;
	uint64_t count;
};

#endif
