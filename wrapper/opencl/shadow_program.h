/*
 * shadow_program - the instrumented form of a program, built beside the application's own: for one
 * device.
 *
 * A kernel of the program may be missing from it: the kernel's table then has a refusal that says
 * why.
 */
#ifndef SHADOW_PROGRAM_H
#define SHADOW_PROGRAM_H

#include "group_decoder.h"
#include "kernel_table.h"
#include "opencl.h"

#include <pthread.h>
#include <stdbool.h>

struct session;

struct program_code;
struct err;
struct kernel_table;

/* What it is made from; borrowed. */
struct shadow_source {
	const struct program_code *code;
	const uint32_t *program_ids; /* in the recording, of each part */
};

struct shadow_program {
	cl_device_id device;
	cl_program program; /* built and ours; NULL: see reason, or every table has a refusal */
	char *reason;       /* why it could not be built, on the heap; else NULL */
	struct kernel_table *tables;
	size_t *most_items; /* of each table: most work-items in a group; 0: not known */
	size_t table_count;
};

/*
 * Make *shadow, whose device is set and all else zero, in the context of the
 * application's program `original`. Runs the instrumenter and the driver's compiler in the calling
 * thread. Never fails: the reason says why it could not be built. Release with
 * shadow_program_release().
 */
void shadow_program_init(struct shadow_program *shadow, struct session *s, cl_program original,
                         const struct shadow_source *source);

/* The table of the kernel `name`, or NULL. Borrowed. */
const struct kernel_table *shadow_program_table(const struct shadow_program *shadow,
                                                const char *name);

/* Most work-items that a group of the kernel with this table may have; 0: not known. */
size_t shadow_program_most_items(const struct shadow_program *shadow,
                                 const struct kernel_table *table);

/* Release the driver's program and what is on the heap. Accepts a zeroed struct. */
void shadow_program_release(struct shadow_program *shadow);

/*
 * launch_kit - what a launch needs and the next one can reuse: a kernel object of an instrumented
 * kernel, and a decoder of its records.
 *
 * One thread uses a kit at a time. The build of the kernel's program keeps the idle ones.
 */

struct launch_kit {
	struct launch_kit *next;
	const struct kernel_table *table; /* borrowed from the build */
	cl_kernel kernel;
	struct group_decoder decoder;
	bool has_decoder;
};

struct launch_kits {
	pthread_mutex_t lock;
	struct launch_kit *idle;
};

void launch_kits_init(struct launch_kits *kits);

/* Free the idle kits. All must have been given back; the driver's objects are released: no lock may
 * be held. */
void launch_kits_release(struct launch_kits *kits);

/*
 * A kit for the kernel of `table`, of a program that is built. NULL with ERR_DEVICE, ERR_NOMEM. To
 * be given back with launch_kits_give(). No lock may be held.
 */
struct launch_kit *launch_kits_take(struct launch_kits *kits, cl_program program,
                                    const struct kernel_table *table, struct err *err);

void launch_kits_give(struct launch_kits *kits, struct launch_kit *kit);

/* The kit's decoder, which has no groups and no counts; NULL with ERR_NOMEM. */
struct group_decoder *launch_kit_decoder(struct launch_kit *kit, struct err *err);

#endif
