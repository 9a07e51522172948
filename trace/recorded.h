/*
 * recorded - the things that a recording knows of: devices, programs, buffers, kernels, launches.
 *
 * FORMAT.md, section "Manifest", says more of each. In a struct recording all texts are the
 * recording's; in a call of the recording writer they are the caller's.
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

struct recorded_program {
	char *source_file; /* relative to the directory, "sources/program-0000.cl"; NULL: none seen
	                    */
	char *options;     /* build options; "" for none */
	char *origin;      /* "source", "binary", "il", "builtin", "linked", "imported" */
};

/* Device memory, in order of allocation. */
struct recorded_buffer {
	uint64_t bytes;
	uint64_t flags;        /* cl_mem_flags */
	int64_t parent;        /* buffer this is a part of, or -1 */
	uint64_t origin_bytes; /* where in the parent it begins */
	uint64_t svm_address;  /* of an SVM allocation; 0 for a cl_mem */
};

struct recorded_kernel {
	uint32_t program;
	uint32_t device;
	char *door;                /* "spir", "text", "imported"; "" when unmodified */
	char *reason;              /* why it runs unmodified; NULL when instrumented */
	struct kernel_table table; /* only `name` is set when unmodified */
};

struct recorded_argument {
	uint32_t index;   /* of the kernel's arguments */
	int64_t buffer;   /* id, or -1 for a pointer into memory not seen */
	uint64_t address; /* device address of the buffer's first byte, as the kernel saw it; 0:
	                     NULL */
};

enum launch_fate { LAUNCH_PENDING, LAUNCH_TRACED, LAUNCH_SKIPPED };

struct recorded_launch {
	uint32_t kernel;
	struct launch_shape shape;
	uint64_t local_bytes;                /* local memory of a group: static and arguments */
	struct recorded_argument *arguments; /* global pointers only; known once traced */
	size_t argument_count;
	enum launch_fate fate;   /* PENDING: the program ended before it was drained */
	char *reason;            /* of SKIPPED; else NULL */
	char *file;              /* of TRACED, relative; else NULL */
	uint64_t dropped_events; /* lost for want of room */
	struct launch_totals totals;
};

/* Something that was seen and not handled, with how often. */
struct recorded_note {
	char *what;
	char *reason;
	uint64_t count;
};

#endif
