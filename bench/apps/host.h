/*
 * host - the shell around our own OpenCL programs: options, device, buffers, clock, result line.
 *
 * Plain OpenCL 1.2 host code that knows nothing of Warpline. A program is one host_spec, a run()
 * and a kernel text, NAME.cl, which the build embeds. Any failure prints one sentence on stderr
 * and ends the program: 1 for a wrong result or an OpenCL error, 2 for wrong usage. One device,
 * one in-order queue. Values are made by a fixed generator: every run computes the same.
 */
#ifndef HOST_H
#define HOST_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct host;

struct host_spec {
	const char *name;
	const char *summary;   /* of -h */
	const char *size_text; /* what --size means */
	size_t size, size_min, size_max;
	cl_uint dimensions;        /* that --group may use */
	size_t group[3];           /* default */
	const char *const *inputs; /* names that --input takes, NULL at the end; the first is the
	                              default. NULL: there is one input and no option. */
	void (*run)(struct host *host);
};

struct host {
	const struct host_spec *spec;
	size_t size, group[3];
	unsigned repeat;
	unsigned input;       /* which of spec->inputs */
	const char *platform; /* as given; NULL: the first */
	cl_context context;
	cl_device_id device;
	cl_command_queue queue;
	cl_program program;
	double lap_ms;                   /* of this repetition, so far */
	double kernel_ms;                /* the best repetition */
	double device_lap_ms, device_ms; /* the same by the device's clock, launches alone */
	uint64_t checksum;               /* of the output */
};

/* The text of NAME.cl. */
extern const char host_kernel_source[];

/* The whole program: options, run(), the result line. Returns the exit status. */
int host_main(int argc, char **argv, const struct host_spec *spec);

/* Open the first device of host->platform, a context and a queue, and build the program. The caller
   ends with host_close(). */
void host_open(struct host *host);
void host_close(struct host *host);

/* Print "NAME: sentence" on stderr and end with status 1, or 2 for wrong usage. */
_Noreturn void host_fail(const struct host *host, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
_Noreturn void host_usage(const struct host *host, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* End with status 1 unless `status` is CL_SUCCESS. */
void host_check(const struct host *host, cl_int status, const char *call);

/* End with status 2 unless dimension d of the group divides `items`. */
void host_must_divide(const struct host *host, unsigned d, size_t items);

/* `items` rounded up to a multiple of dimension d of the group: what to launch for them. */
size_t host_cover(const struct host *host, unsigned d, size_t items);

/* Zeroed memory for `count` items; the caller frees it. */
void *host_alloc(const struct host *host, size_t count, size_t item_bytes);

/* Fill with values in [0, 1). */
void host_fill(float *values, size_t count, uint64_t seed);

/* The next number of a splitmix64 generator. */
uint64_t host_random(uint64_t *state);

/* A buffer with a copy of `data`, or not initialised when `data` is NULL. The caller releases it.
 */
cl_mem host_buffer(const struct host *host, cl_mem_flags flags, size_t bytes, const void *data);
void host_write(const struct host *host, cl_mem buffer, const void *data, size_t bytes);
void host_read(const struct host *host, cl_mem buffer, void *data, size_t bytes);

/* A kernel of the program, and its arguments: cl_mem, cl_uint, local memory. Caller releases it. */
cl_kernel host_kernel(const struct host *host, const char *name);
void host_set_mem(const struct host *host, cl_kernel kernel, cl_uint index, cl_mem value);
void host_set_uint(const struct host *host, cl_kernel kernel, cl_uint index, cl_uint value);
void host_set_float(const struct host *host, cl_kernel kernel, cl_uint index, cl_float value);
void host_set_local(const struct host *host, cl_kernel kernel, cl_uint index, size_t bytes);

/*
 * Launch over spec->dimensions of `global` (multiples of the group), wait, and add the host time
 * to this repetition.
 */
void host_launch(struct host *host, cl_kernel kernel, const size_t *global);

/* End a repetition: keep its time if it is the best, and start the next at zero. */
void host_lap(struct host *host);

/* Set the checksum: 64-bit FNV-1a of the output. */
void host_set_checksum(struct host *host, const void *data, size_t bytes);

/* End with status 1 unless every value is within 1e-4 (relative) of what is expected. */
void host_check_floats(const struct host *host, const float *got, const double *want, size_t count);
void host_check_words(const struct host *host, const cl_uint *got, const cl_uint *want,
                      size_t count);

#endif
