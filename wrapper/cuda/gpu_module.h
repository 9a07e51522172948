/*
 * gpu_module - device code of the application, a module of a context or a library, and its
 * instrumented shadow, which the recorder loads beside it.
 *
 * The shadow is made at the first launch of one of the kernels, or when the application asks for a
 * variable, since original and shadow have separate variables. The shadow's variables are the valid
 * ones: the application gets their addresses, and a kernel that runs unmodified gets copies
 * (gpu_call.c). If anything fails, the original is used.
 *
 * Handles, names and attributes that the application sees are the original's.
 */
#ifndef GPU_MODULE_H
#define GPU_MODULE_H

#include "cuda_driver.h"
#include "kernel_table.h"
#include "ptx_outline.h"
#include "slice_plan.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct err;
struct gpu_module;
struct launch_tally;
struct session;

enum gpu_module_stage { MODULE_NEW, MODULE_BEING_MADE, MODULE_MADE };

struct gpu_module {
	atomic_uint refs;
	bool is_library;
	void *original; /* CUmodule or CUlibrary */
	char *ptx;      /* NULL: not available; see reason */
	char *reason;   /* why there is no shadow; NULL: there is one, or it is not made yet */
	struct ptx_outline outline;
	pthread_mutex_t lock; /* of stage */
	pthread_cond_t made;
	enum gpu_module_stage stage;
	/* Once MADE, unchanged: */
	void *shadow; /* CUmodule or CUlibrary, or NULL */
	struct kernel_table *tables;
	size_t table_count;
	bool has_program;
	uint32_t program_id;
	struct gpu_function *functions; /* under the session's lock */
};

/* A kernel's line in the recording, for one device. */
struct gpu_line {
	uint32_t device_id, kernel_id;
	const struct kernel_table *table; /* NULL: it runs unmodified; see reason */
	const char *reason;
	struct launch_tally *tally; /* may be NULL */
	bool is_selected;           /* by --kernel */
};

#define GPU_FUNCTION_LINES 16
struct gpu_function {
	struct gpu_function *next; /* of the same module */
	struct gpu_module *module;
	char *name;
	pthread_mutex_t lock; /* of the lines: held during a write to a file, never a driver call */
	size_t line_count;
	struct gpu_line lines[GPU_FUNCTION_LINES];
	struct slice_needs needs; /* of an earlier launch; guarded by the session's lock */
};

/* Note that the application has loaded device code. Takes ownership of `ptx`; if that is NULL,
 * `reason` says why. */
void gpu_module_add(struct session *s, void *original, bool is_library, char *ptx,
                    const char *reason);

/* Unload the shadow and forget the handle: the application is about to unload the code. */
void gpu_module_end(struct session *s, void *original, bool is_library);

/* Make a CUmodule another handle of the library's code. */
void gpu_module_alias(struct session *s, CUmodule module, CUlibrary library);

/* Returns a reference to the module of a handle, or NULL when it is not known. */
struct gpu_module *gpu_module_get(struct session *s, const void *original, bool is_library);

void gpu_module_release(struct gpu_module *m); /* NULL is allowed */

/*
 * Make the shadow unless that was done. A context of the module must be current. Calls the driver
 * and runs a process: no lock may be held.
 */
void gpu_module_make(struct gpu_module *m, struct session *s);

/* Note the handle of a function of a module or of a kernel of a library. */
void gpu_function_add(struct session *s, const void *handle, bool is_kernel, const void *original,
                      bool is_library, const char *name);

/* Make a CUfunction another handle of the kernel. */
void gpu_function_alias(struct session *s, CUfunction function, CUkernel kernel);

/* Returns the function of a handle that a launch names, with a reference to its module; NULL when
 * it is not known. Sets *is_kernel to whether the handle is a CUkernel. */
struct gpu_function *gpu_function_get(struct session *s, CUfunction handle, bool *is_kernel);

/* Returns the shadow's kernel for a launch in the current context, or NULL when the driver has
 * none. */
CUfunction gpu_function_shadow(const struct gpu_function *f);

/* Get the line of a function on a device, written if it is new. Its module must be MADE. False: the
 * line cannot be written. */
bool gpu_function_line(struct gpu_function *f, struct session *s, CUdevice device,
                       struct gpu_line *out);

/* Free a struct gpu_link, the inputs of one of the driver's links (hook_gpu_module.c). */
void gpu_link_free(void *link);

/*
 * gpu_image - the PTX in the device code that an application passes to the driver.
 *
 * An image is what cuModuleLoadData() takes: a string of PTX, an ELF file of machine code, a fat
 * binary, or nvcc's wrapper of one. Its own headers give its length.
 */

/*
 * Get the newest PTX of an image that a device of compute capability `arch` (75 for 7.5; 0: any)
 * takes. *ptx is on the heap. Returns 0; ERR_UNSUPPORTED with what the image has instead of PTX;
 * ERR_FORMAT, ERR_LIMIT, ERR_NOMEM.
 */
int gpu_image_ptx(const void *image, unsigned arch, char **ptx, struct err *err);

/* Get the PTX of a file; also fails with ERR_IO. */
int gpu_image_ptx_file(const char *path, unsigned arch, char **ptx, struct err *err);

#endif
