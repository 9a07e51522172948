/*
 * instrument_process - runs warpline-instrument as a process of its own.
 *
 * The compiler never enters the application's process: two versions of LLVM in
 * one process crash it. The child's environment lacks what would make it record
 * itself, its input is empty and nothing it prints reaches the application's
 * output.
 */
#ifndef INSTRUMENT_PROCESS_H
#define INSTRUMENT_PROCESS_H

struct err;

struct instrument_request {
	const char *instrumenter; /* path of the program */
	const char *source;       /* file with the program text */
	const char *source_name;  /* what the tables call it */
	const char *output;       /* instrumented code goes here */
	const char *table;        /* kernel tables go here */
	const char *options;      /* the application's build options */
	const char *extensions;   /* CL_DEVICE_EXTENSIONS */
	const char *cl_version;   /* the device's, "1.2" */
	const char *door;         /* "text" or "spir": the form of the output */
	const char *records;      /* "affine", "raw", "count" or "none" */
	const char *layout;       /* of the records: "item" or "lane" */
	const char *inlines_all;  /* "1" or "0": what the device's compiler does (runtimes.def) */
	const char *mixes_items;  /* likewise */
	const char *opt;          /* "0" or "2": accesses of the source, or after optimisation */
	const char *spaces;       /* address spaces to record too, "constant,local"; NULL: none */
};

/*
 * Run it and wait. Returns 0 when both files were made; ERR_SUBPROCESS with the child's first
 * line of complaint or how it ended; ERR_IO, ERR_NOMEM. Works when the application reaps or
 * ignores its children.
 */
int instrument_process_run(const struct instrument_request *request, struct err *err);

/*
 * The program to run when the settings name none: beside this library, else in ../bin, else
 * looked for in PATH by its name. On the heap; NULL when out of memory.
 */
char *instrument_process_default(struct err *err);

#endif
