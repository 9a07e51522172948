/*
 * app - the shell around our own OpenCL programs: options, device, buffers, clock, result line.
 *
 * Plain OpenCL 1.2 host code that knows nothing of Warpline. A program is one app_spec, a run()
 * and a kernel text, NAME.cl, which the build embeds. Any failure prints one sentence on stderr
 * and ends the program: 1 for a wrong result or an OpenCL error, 2 for wrong usage. One device,
 * one in-order queue. Values are made by a fixed generator: every run computes the same.
 */
#ifndef APP_H
#define APP_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct app;

struct app_spec {
	const char *name;
	const char *summary;   /* of -h */
	const char *size_text; /* what --size means */
	size_t size, size_min, size_max;
	cl_uint dimensions; /* that --group may use */
	size_t group[3];    /* default */
	void (*run)(struct app *app);
};

struct app {
	const struct app_spec *spec;
	size_t size, group[3];
	unsigned repeat;
	const char *platform; /* as given; NULL: the first */
	cl_context context;
	cl_device_id device;
	cl_command_queue queue;
	cl_program program;
	double lap_ms;     /* of this repetition, so far */
	double kernel_ms;  /* the best repetition */
	uint64_t checksum; /* of the output */
};

/* The text of NAME.cl. */
extern const char app_kernel_source[];

/* The whole program: options, run(), the result line. Returns the exit status. */
int app_main(int argc, char **argv, const struct app_spec *spec);

/* Print "NAME: sentence" on stderr and end with status 1, or 2 for wrong usage. */
_Noreturn void app_fail(const struct app *app, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
_Noreturn void app_usage(const struct app *app, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* End with status 1 unless `status` is CL_SUCCESS. */
void app_check(const struct app *app, cl_int status, const char *call);

/* End with status 2 unless dimension d of the group divides `items`. */
void app_must_divide(const struct app *app, unsigned d, size_t items);

/* Zeroed memory for `count` items; the caller frees it. */
void *app_alloc(const struct app *app, size_t count, size_t item_bytes);

/* Fill with values in [0, 1). */
void app_fill(float *values, size_t count, uint64_t seed);

/* The next number of a splitmix64 generator. */
uint64_t app_random(uint64_t *state);

/* A buffer with a copy of `data`, or not initialised when `data` is NULL. The caller releases it.
 */
cl_mem app_buffer(const struct app *app, cl_mem_flags flags, size_t bytes, const void *data);
void app_write(const struct app *app, cl_mem buffer, const void *data, size_t bytes);
void app_read(const struct app *app, cl_mem buffer, void *data, size_t bytes);

/* A kernel of the program, and its arguments: cl_mem, cl_uint, local memory. Caller releases it. */
cl_kernel app_kernel(const struct app *app, const char *name);
void app_set_mem(const struct app *app, cl_kernel kernel, cl_uint index, cl_mem value);
void app_set_uint(const struct app *app, cl_kernel kernel, cl_uint index, cl_uint value);
void app_set_float(const struct app *app, cl_kernel kernel, cl_uint index, cl_float value);
void app_set_local(const struct app *app, cl_kernel kernel, cl_uint index, size_t bytes);

/*
 * Launch over spec->dimensions of `global` (multiples of the group), wait, and add the host time
 * to this repetition.
 */
void app_launch(struct app *app, cl_kernel kernel, const size_t *global);

/* End a repetition: keep its time if it is the best, and start the next at zero. */
void app_lap(struct app *app);

/* Set the checksum: 64-bit FNV-1a of the output. */
void app_set_checksum(struct app *app, const void *data, size_t bytes);

/* End with status 1 unless every value is within 1e-4 (relative) of what is expected. */
void app_check_floats(const struct app *app, const float *got, const double *want, size_t count);
void app_check_words(const struct app *app, const cl_uint *got, const cl_uint *want, size_t count);

#endif
