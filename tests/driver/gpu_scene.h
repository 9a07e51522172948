/*
 * gpu_scene - an application of the mock driver, and a stand-in for warpline-instrument that makes
 * the shadows of its kernels.
 *
 * The application loads a module of three kernels, launches one of them several times and reads its
 * memory back, through the recorder's hooks. It stops at its first call that fails.
 */
#ifndef GPU_SCENE_H
#define GPU_SCENE_H

#include "cuda_driver.h"

#define SCENE_ITEMS    192
#define SCENE_LAUNCHES 3

struct recording;

enum scene_call { SCENE_BY_VALUES, SCENE_BY_BUFFER, SCENE_BY_CONFIG, SCENE_COOPERATIVE };

/* What the application does. */
struct scene_plan {
	const char *kernel;
	unsigned groups[3], items; /* SCENE_ITEMS in all */
	enum scene_call call;
	bool is_library; /* its code is loaded as one, and launched by kernel */
	unsigned stream;
	bool is_held; /* the first launch stands behind a host function that is not done before it
	               */
};

struct scene_result {
	int a[SCENE_ITEMS];
	unsigned total;     /* variable of the module, as the application reads it */
	int alive;          /* things of the driver when all that is the application's is gone */
	const char *failed; /* the call of the application that did; NULL: none */
};

/* How shadows write, and what their tables say. */
struct scene_tables {
	uint32_t lanes, item_words; /* of update(); gather() has slots always */
	bool is_repeatable;
	const char *refusal; /* of all kernels, or NULL */
};

/* A folder for the test, with the instrumenter in it. */
void scene_begin(void);
void scene_end(void);
const char *scene_dir(void);
void scene_write_tables(const struct scene_tables *t);

/* Run it; `*result` is what it ends with. */
void scene_run(const struct scene_plan *plan, struct scene_result *result);

/* The same recorded as `name` with so much device memory for records, the call behind `fail` others
 * failing; SIZE_MAX: none. Returns the driver's calls. */
size_t scene_record(const struct scene_plan *plan, const char *name, uint64_t buffer_bytes,
                    size_t fail, struct scene_result *result);

/* The PTX of the three kernels; and `run`, recorded as `name`, around whatever it does with them.
 */
const char *scene_ptx(void);
void scene_around(const char *name, uint64_t buffer_bytes, void (*run)(void));

/* A recording that was made; to be closed. Fails the test when it cannot be read. */
struct recording *scene_open(const char *name);

/* What launches of `plan` come to, by the definition of its kernel. */
void scene_expect(const struct scene_plan *plan, struct scene_result *want);

/* Check every event of launch `number`, by the definition of its kernel. */
void scene_check_events(const struct recording *r, size_t number, const struct scene_plan *plan);

#endif
