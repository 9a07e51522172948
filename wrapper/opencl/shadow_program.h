/*
 * shadow_program - the instrumented form of a program for one device, built beside the
 * application's own.
 *
 * A kernel of the program may be missing from it; the kernel's table then has a refusal that says
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

/* What a shadow is made from; borrowed. */
struct shadow_source {
	const struct program_code *code;
	const uint32_t *program_ids; /* in the recording, of each part */
};

struct shadow_program {
	cl_device_id device;
	cl_program program; /* built, owned; NULL: see reason, or every table has a refusal */
	char *reason;       /* why it could not be built, on the heap, or NULL */
	struct kernel_table *tables;
	size_t *most_items; /* of each table: maximum in a group; 0: not known */
	size_t table_count;
};

/*
 * Make *shadow, of which only the device is set, in the context of the application's program
 * `original`. Runs the instrumenter and the driver's compiler in the calling thread. Never fails:
 * shadow->reason says why it could not be built. Release with shadow_program_release().
 */
void shadow_program_init(struct shadow_program *shadow, struct session *s, cl_program original,
                         const struct shadow_source *source);

/* Returns the table of the kernel `name`, or NULL. Borrowed. */
const struct kernel_table *shadow_program_table(const struct shadow_program *shadow,
                                                const char *name);

/* Returns the maximum number of work-items in a group of the kernel with this table; 0: not known.
 */
size_t shadow_program_most_items(const struct shadow_program *shadow,
                                 const struct kernel_table *table);

/* Release the driver's program and free what it owns. Accepts a zeroed struct. */
void shadow_program_release(struct shadow_program *shadow);

/*
 * launch_kit - reusable parts of a launch: a kernel object of an instrumented kernel, and a decoder
 * of its records.
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

/* Free the idle kits. All must have been given back. Releases driver objects: no lock may be held.
 */
void launch_kits_release(struct launch_kits *kits);

/*
 * Take a kit for the kernel of `table` in a built program until launch_kits_give(). NULL with
 * ERR_DEVICE or ERR_NOMEM. No lock may be held.
 */
struct launch_kit *launch_kits_take(struct launch_kits *kits, cl_program program,
                                    const struct kernel_table *table, struct err *err);

void launch_kits_give(struct launch_kits *kits, struct launch_kit *kit);

/* Returns the kit's decoder, emptied of groups and counts; NULL with ERR_NOMEM. */
struct group_decoder *launch_kit_decoder(struct launch_kit *kit, struct err *err);

#endif
