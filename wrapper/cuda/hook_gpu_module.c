/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_module.h"

#include "cuda_driver.h"
#include "err.h"
#include "fatbin.h"
#include "file.h"
#include "gpu_session.h"
#include "str.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What was added to one of the driver's links. Its PTX is known if nothing else was added. */
struct gpu_link {
	unsigned parts;    /* that were added */
	char *ptx;         /* of the first, or NULL */
	const void *image; /* what came out, the driver's until the link is destroyed; or NULL */
};

/* Returns the struct of a link, created if needed. Called with the lock held. */
static struct gpu_link *link_of(struct session *s, CUlinkState state)
{
	struct gpu_link *link = handle_map_get(&gpu_session(s)->links, state);

	if (link)
		return link;
	link = calloc(1, sizeof(*link));
	if (link && handle_map_put(&gpu_session(s)->links, state, link, NULL, NULL) < 0) {
		free(link);
		return NULL;
	}
	return link;
}

/* Note that a part was added. `ptx` is copied; NULL: the part is not PTX. */
static void gpu_link_add(struct session *s, CUlinkState state, const char *ptx, size_t bytes)
{
	struct gpu_link *link;

	session_lock(s);
	link = link_of(s, state);
	if (link && link->parts++ == 0 && ptx)
		link->ptx = str_format(NULL, "%.*s", (int)(bytes < INT_MAX ? bytes : INT_MAX), ptx);
	session_unlock(s);
}

/* Note the image that the link produced. */
static void gpu_link_complete(struct session *s, CUlinkState state, const void *image)
{
	struct gpu_link *link;

	session_lock(s);
	link = handle_map_get(&gpu_session(s)->links, state);
	if (link)
		link->image = image;
	session_unlock(s);
}

/* Note that the link is destroyed, and its image with it. */
static void gpu_link_end(struct session *s, CUlinkState state)
{
	struct gpu_link *link;

	session_lock(s);
	link = handle_map_remove(&gpu_session(s)->links, state);
	session_unlock(s);
	if (link)
		gpu_link_free(link);
}

static const struct gpu_link *with_image(const struct session *s, const void *image)
{
	for (size_t i = 0; i < gpu_session(s)->links.capacity; i++) {
		const struct gpu_link *link = gpu_session(s)->links.slots[i].key
		                                      ? gpu_session(s)->links.slots[i].value
		                                      : NULL;

		if (link && link->image == image)
			return link;
	}
	return NULL;
}

/* Whether a link produced the image. Then *ptx is a copy of the link's only part, or NULL with a
 * static *reason. */
static bool gpu_link_find(struct session *s, const void *image, char **ptx, const char **reason)
{
	const struct gpu_link *link;

	*ptx = NULL;
	*reason = NULL;
	session_lock(s);
	link = with_image(s, image);
	if (link && link->parts > 1)
		*reason = "it is linked from several parts at run time";
	else if (link && link->ptx)
		*ptx = str_copy(link->ptx, NULL);
	if (link && !*ptx && !*reason)
		*reason = "it is linked at run time from something other than PTX";
	session_unlock(s);
	return link;
}

void gpu_link_free(void *link)
{
	struct gpu_link *l = link;

	free(l->ptx);
	free(l);
}

#define LIMIT_PTX_BYTES  (256u << 20)
#define LIMIT_FILE_BYTES (1u << 30)
#define WRAPPER_MAGIC    0x466243b1u
#define FATBIN_HEADER    16u

/* nvcc's wrapper of a fat binary (fatbinary_section.h of the toolkit). */
struct image_wrapper {
	uint32_t magic, version;
	const void *data;
	void *file_name;
};

static uint32_t magic_of(const void *image)
{
	uint32_t magic;

	memcpy(&magic, image, sizeof(magic));
	return magic;
}

/* Bytes of a container in memory, from its header. */
static size_t container_bytes(const void *data)
{
	uint16_t header;
	uint64_t entries;

	memcpy(&header, (const char *)data + 6, sizeof(header));
	memcpy(&entries, (const char *)data + 8, sizeof(entries));
	return entries < SIZE_MAX / 2 ? header + (size_t)entries : SIZE_MAX / 2;
}

/* Find the newest PTX that is not too new for the device; if there is none best->length stays 0. */
static int find_best(const void *data, size_t limit, unsigned arch, struct fatbin_entry *best,
                     struct err *err)
{
	struct fatbin container;
	struct fatbin_entry entry;
	int rc = fatbin_open(&container, data, limit, err);

	if (rc < 0)
		return rc;
	while ((rc = fatbin_next(&container, &entry, err)) == 1)
		if (entry.kind == FATBIN_PTX && (!arch || entry.arch <= arch) &&
		    (!best->length || entry.arch > best->arch))
			*best = entry;
	return rc;
}

static int read_container(const void *data, size_t limit, unsigned arch, struct str *out,
                          struct err *err)
{
	struct fatbin_entry best = { 0 };
	int rc = find_best(data, limit, arch, &best, err);

	if (rc < 0)
		return rc;
	if (!best.length)
		return err_set(err, ERR_UNSUPPORTED,
		               "its device code is machine code only, without PTX that this "
		               "device takes: build it with PTX (nvcc -gencode "
		               "arch=compute_XX,code=compute_XX)");
	return fatbin_unpack(&best, out, err);
}

/* Whether it is PTX. */
static int check_text(const char *text, struct err *err)
{
	if (strstr(text, ".version") && strstr(text, ".target"))
		return 0;
	return err_set(err, ERR_UNSUPPORTED, "its device code has an unknown format");
}

static int read_image(const void *image, size_t limit, unsigned arch, struct str *out,
                      struct err *err)
{
	if (magic_of(image) == FATBIN_MAGIC)
		return read_container(image, limit ? limit : container_bytes(image), arch, out,
		                      err);
	if (!memcmp(image, "\177ELF", 4))
		return err_set(err, ERR_UNSUPPORTED,
		               "its device code is machine code only (an ELF file), without PTX");
	if (check_text(image, err) < 0)
		return ERR_UNSUPPORTED;
	return str_append(out, image, strlen(image), err);
}

/* `limit` is 0 for an image in memory: its own headers give its length. */
static int read_ptx(const void *image, size_t limit, unsigned arch, char **ptx, struct err *err)
{
	struct str out;
	int rc;

	str_init(&out, LIMIT_PTX_BYTES);
	rc = read_image(image, limit, arch, &out, err);
	*ptx = rc == 0 ? str_take(&out) : NULL;
	str_release(&out);
	return rc == 0 && !*ptx ? err_set(err, ERR_UNSUPPORTED, "its PTX is empty") : rc;
}

int gpu_image_ptx(const void *image, unsigned arch, char **ptx, struct err *err)
{
	struct image_wrapper wrapper;

	*ptx = NULL;
	if (magic_of(image) != WRAPPER_MAGIC)
		return read_ptx(image, 0, arch, ptx, err);
	memcpy(&wrapper, image, sizeof(wrapper));
	if (!wrapper.data)
		return err_set(err, ERR_FORMAT, "its fat binary is empty");
	return read_ptx(wrapper.data, 0, arch, ptx, err);
}

int gpu_image_ptx_file(const char *path, unsigned arch, char **ptx, struct err *err)
{
	struct str text;
	int rc;

	*ptx = NULL;
	str_init(&text, LIMIT_FILE_BYTES);
	rc = file_read(path, &text, err);
	if (rc == 0 && text.length < FATBIN_HEADER)
		rc = err_set(err, ERR_FORMAT, "%s: too short for device code", path);
	if (rc == 0)
		rc = read_ptx(text.text, text.length, arch, ptx, err);
	str_release(&text);
	return rc;
}

/* The hooks of cuGetProcAddress(): applications that ask for a function get our hook if there is
 * one. */

/* A function that the driver lacks stays missing. */
static void replace(const char *symbol, void **function, int version, uint64_t flags)
{
	void *hook =
		symbol && function && *function ? cuda_hook_asked(symbol, version, flags) : NULL;

	if (hook)
		*function = hook;
}

CUresult hook_cuGetProcAddress(const char *symbol, void **function, int version, uint64_t flags)
{
	CUresult rc = cuda_real()->cuGetProcAddress(symbol, function, version, flags);

	if (rc == CUDA_SUCCESS)
		replace(symbol, function, version, flags);
	return rc;
}

CUresult hook_cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags,
                                  int *status)
{
	CUresult rc = cuda_real()->cuGetProcAddress_v2(symbol, function, version, flags, status);

	if (rc == CUDA_SUCCESS)
		replace(symbol, function, version, flags);
	return rc;
}

/* The hooks of modules and libraries: they remember what these are loaded from, and return the
 * shadow's variables.
 */

/* The compute capability of the current device; 0: unknown, any PTX is taken. */
static unsigned current_arch(void)
{
	const struct cuda_real *real = cuda_real();
	CUdevice device;
	int major, minor;

	if (real->cuCtxGetDevice(&device) ||
	    real->cuDeviceGetAttribute(&major, CUDA_DEVICE_CAPABILITY_MAJOR, device) ||
	    real->cuDeviceGetAttribute(&minor, CUDA_DEVICE_CAPABILITY_MINOR, device) || major < 1 ||
	    minor < 0)
		return 0;
	return (unsigned)(major * 10 + minor);
}

/* Remember what was loaded from memory. */
static void loaded(void *code, bool is_library, const void *image)
{
	struct session *s = session_begin(&gpu_part);
	const char *reason = NULL;
	struct err err = { 0 };
	char *ptx = NULL;

	if (!s)
		return;
	if (!gpu_link_find(s, image, &ptx, &reason) &&
	    gpu_image_ptx(image, current_arch(), &ptx, &err) < 0)
		reason = err.msg;
	gpu_module_add(s, code, is_library, ptx, reason);
}

static void loaded_file(void *code, bool is_library, const char *path)
{
	struct session *s = session_begin(&gpu_part);
	struct err err = { 0 };
	char *ptx = NULL;

	if (!s)
		return;
	(void)gpu_image_ptx_file(path, current_arch(), &ptx, &err);
	gpu_module_add(s, code, is_library, ptx, ptx ? NULL : err.msg);
}

CUresult hook_cuModuleLoad(CUmodule *module, const char *path)
{
	CUresult rc = cuda_real()->cuModuleLoad(module, path);

	if (rc == CUDA_SUCCESS)
		loaded_file(*module, false, path);
	return rc;
}

CUresult hook_cuModuleLoadData(CUmodule *module, const void *image)
{
	CUresult rc = cuda_real()->cuModuleLoadData(module, image);

	if (rc == CUDA_SUCCESS)
		loaded(*module, false, image);
	return rc;
}

CUresult hook_cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned option_count,
                                 int *options, void **values)
{
	CUresult rc = cuda_real()->cuModuleLoadDataEx(module, image, option_count, options, values);

	if (rc == CUDA_SUCCESS)
		loaded(*module, false, image);
	return rc;
}

CUresult hook_cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
	CUresult rc = cuda_real()->cuModuleLoadFatBinary(module, image);

	if (rc == CUDA_SUCCESS)
		loaded(*module, false, image);
	return rc;
}

CUresult hook_cuModuleUnload(CUmodule module)
{
	struct session *s = session_current();

	if (s)
		gpu_module_end(s, module, false);
	return cuda_real()->cuModuleUnload(module);
}

CUresult hook_cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
	CUresult rc = cuda_real()->cuModuleGetFunction(function, module, name);
	struct session *s = session_current();

	if (s && rc == CUDA_SUCCESS)
		gpu_function_add(s, *function, false, module, false, name);
	return rc;
}

/* NOLINTBEGIN(readability-function-size): the parameters are NVIDIA's */
CUresult hook_cuLibraryLoadData(CUlibrary *library, const void *image, int *jit_options,
                                void **jit_values, unsigned jit_count, int *options, void **values,
                                unsigned option_count)
{
	CUresult rc = cuda_real()->cuLibraryLoadData(library, image, jit_options, jit_values,
	                                             jit_count, options, values, option_count);

	if (rc == CUDA_SUCCESS)
		loaded(*library, true, image);
	return rc;
}

CUresult hook_cuLibraryLoadFromFile(CUlibrary *library, const char *path, int *jit_options,
                                    void **jit_values, unsigned jit_count, int *options,
                                    void **values, unsigned option_count)
{
	CUresult rc = cuda_real()->cuLibraryLoadFromFile(library, path, jit_options, jit_values,
	                                                 jit_count, options, values, option_count);

	if (rc == CUDA_SUCCESS)
		loaded_file(*library, true, path);
	return rc;
}

/* NOLINTEND(readability-function-size) */

CUresult hook_cuLibraryUnload(CUlibrary library)
{
	struct session *s = session_current();

	if (s)
		gpu_module_end(s, library, true);
	return cuda_real()->cuLibraryUnload(library);
}

CUresult hook_cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
	CUresult rc = cuda_real()->cuLibraryGetKernel(kernel, library, name);
	struct session *s = session_current();

	if (s && rc == CUDA_SUCCESS)
		gpu_function_add(s, *kernel, true, library, true, name);
	return rc;
}

CUresult hook_cuLibraryGetModule(CUmodule *module, CUlibrary library)
{
	CUresult rc = cuda_real()->cuLibraryGetModule(module, library);
	struct session *s = session_current();

	if (s && rc == CUDA_SUCCESS)
		gpu_module_alias(s, *module, library);
	return rc;
}

CUresult hook_cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
	CUresult rc = cuda_real()->cuKernelGetFunction(function, kernel);
	struct session *s = session_current();

	if (s && rc == CUDA_SUCCESS)
		gpu_function_alias(s, *function, kernel);
	return rc;
}

typedef CUresult (*get_module_variable)(CUdeviceptr *, size_t *, CUmodule, const char *);

typedef CUresult (*get_library_variable)(CUdeviceptr *, size_t *, CUlibrary, const char *);

/* Returns the module after making its shadow; NULL when it has none. The caller releases it. */
static struct gpu_module *made(const void *code, bool is_library)
{
	struct session *s = session_current();
	struct gpu_module *m = s ? gpu_module_get(s, code, is_library) : NULL;

	if (!m)
		return NULL;
	gpu_module_make(m, s);
	if (m->shadow)
		return m;
	gpu_module_release(m);
	return NULL;
}

static CUresult library_variable(get_library_variable get, CUdeviceptr *address, size_t *bytes,
                                 CUlibrary library, const char *name)
{
	struct gpu_module *m = made(library, true);
	CUresult rc = get(address, bytes, m ? m->shadow : library, name);

	/* A variable that only the original has is not used by the shadow's kernels. */
	if (m && rc == CUDA_ERROR_NOT_FOUND)
		rc = get(address, bytes, library, name);
	gpu_module_release(m);
	return rc;
}

CUresult hook_cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module,
                                   const char *name)
{
	const struct cuda_real *real = cuda_real();
	struct gpu_module *m = made(module, false);
	CUresult rc;

	if (m && m->is_library)
		rc = real->cuLibraryGetGlobal(address, bytes, m->shadow, name);
	else
		rc = real->cuModuleGetGlobal_v2(address, bytes, m ? m->shadow : module, name);
	if (m && rc == CUDA_ERROR_NOT_FOUND)
		rc = real->cuModuleGetGlobal_v2(address, bytes, module, name);
	gpu_module_release(m);
	return rc;
}

CUresult hook_cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library,
                                 const char *name)
{
	return library_variable(cuda_real()->cuLibraryGetGlobal, address, bytes, library, name);
}

CUresult hook_cuLibraryGetManaged(CUdeviceptr *address, size_t *bytes, CUlibrary library,
                                  const char *name)
{
	return library_variable(cuda_real()->cuLibraryGetManaged, address, bytes, library, name);
}

/* NOLINTBEGIN(readability-function-size): the parameters are NVIDIA's */
CUresult hook_cuLinkAddData_v2(CUlinkState state, int type, void *data, size_t bytes,
                               const char *name, unsigned option_count, int *options, void **values)
{
	CUresult rc = cuda_real()->cuLinkAddData_v2(state, type, data, bytes, name, option_count,
	                                            options, values);
	struct session *s = rc == CUDA_SUCCESS ? session_begin(&gpu_part) : NULL;

	if (s)
		gpu_link_add(s, state, type == CUDA_JIT_INPUT_PTX ? data : NULL, bytes);
	return rc;
}

CUresult hook_cuLinkAddFile_v2(CUlinkState state, int type, const char *path, unsigned option_count,
                               int *options, void **values)
{
	CUresult rc =
		cuda_real()->cuLinkAddFile_v2(state, type, path, option_count, options, values);
	struct session *s = rc == CUDA_SUCCESS ? session_begin(&gpu_part) : NULL;
	struct err err = { 0 };
	char *ptx = NULL;

	if (!s)
		return rc;
	if (type == CUDA_JIT_INPUT_PTX)
		(void)gpu_image_ptx_file(path, 0, &ptx, &err);
	gpu_link_add(s, state, ptx, ptx ? strlen(ptx) : 0);
	free(ptx);
	return rc;
}

/* NOLINTEND(readability-function-size) */

CUresult hook_cuLinkComplete(CUlinkState state, void **image, size_t *bytes)
{
	CUresult rc = cuda_real()->cuLinkComplete(state, image, bytes);
	struct session *s = session_current();

	if (s && rc == CUDA_SUCCESS)
		gpu_link_complete(s, state, *image);
	return rc;
}

CUresult hook_cuLinkDestroy(CUlinkState state)
{
	struct session *s = session_current();

	if (s)
		gpu_link_end(s, state);
	return cuda_real()->cuLinkDestroy(state);
}
