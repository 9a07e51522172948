/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_source.h"

#include "array.h"
#include "cuda_front.h"
#include "err.h"
#include "front_end.h"
#include "program.h"
#include "str.h"

#include <llvm-c/DebugInfo.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Get the file that a unit or function of debug information names; all NULL when there is none. */
static int file_of(LLVMMetadataRef scope, struct cuda_source *s, struct err *err)
{
	LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
	unsigned length = 0, folder_length = 0;
	const char *text = file ? LLVMDIFileGetFilename(file, &length) : NULL;
	const char *folder = file ? LLVMDIFileGetDirectory(file, &folder_length) : NULL;
	bool has_folder = folder && folder_length;

	if (!text || !length)
		return 0;
	s->name = str_format(err, "%.*s", (int)length, text);
	s->folder = has_folder ? str_format(err, "%.*s", (int)folder_length, folder)
	                       : str_copy("", err);
	s->path = *text == '/' || !has_folder ? str_format(err, "%.*s", (int)length, text)
	                                      : str_format(err, "%.*s/%.*s", (int)folder_length,
	                                                   folder, (int)length, text);
	return s->name && s->folder && s->path ? 0 : ERR_NOMEM;
}

static bool is_usable(const char *path)
{
	return path && cuda_front_is_source(path) && !access(path, R_OK);
}

/* Use the file if it exists and is CUDA. */
static int try_file(LLVMMetadataRef scope, struct cuda_source *s, struct err *err)
{
	int ret = file_of(scope, s, err);

	if (!ret && !is_usable(s->path))
		cuda_source_release(s);
	return ret;
}

/* Try the compiled files: what they include is CUDA only through them, and has positions of its
 * own. */
static int try_units(LLVMModuleRef module, struct cuda_source *s, struct err *err)
{
	static const char name[] = "llvm.dbg.cu";
	unsigned count = LLVMGetNamedMetadataNumOperands(module, name);
	LLVMValueRef *units;
	int ret = 0;

	if (!count)
		return 0;
	units = array_alloc(count, sizeof(*units), "units of debug information", err);
	if (!units)
		return ERR_NOMEM;
	LLVMGetNamedMetadataOperands(module, name, units);
	for (unsigned i = 0; !ret && !s->path && i < count; i++)
		ret = try_file(LLVMValueAsMetadata(units[i]), s, err);
	free(units);
	return ret;
}

/* Headers are searched for in the source's own folder. */
static int settle(struct cuda_source *s, const struct settings *part, struct err *err)
{
	const char *slash = strrchr(s->path, '/');
	const char *options = part->options ? part->options : "";

	s->options =
		slash ? str_format(err, "%s '-I%.*s'", options, (int)(slash - s->path), s->path)
		      : str_copy(options, err);
	s->settings = *part;
	s->settings.source = s->path;
	s->settings.source_name = s->name;
	s->settings.options = s->options;
	s->settings.folder = s->folder;
	return s->options ? 0 : ERR_NOMEM;
}

int cuda_source_find(struct cuda_source *s, const struct program *p, const struct settings *part,
                     struct err *err)
{
	int ret;

	*s = (struct cuda_source){ .path = NULL };
	if (!front_end_is_ir(part->source) || !program_is_cuda(p))
		return 0;
	ret = try_units(p->module, s, err);
	for (size_t i = 0; !ret && !s->path && i < p->kernel_count; i++)
		ret = try_file(LLVMGetSubprogram(p->kernels[i].function), s, err);
	return ret || !s->path ? ret : settle(s, part, err);
}

void cuda_source_release(struct cuda_source *s)
{
	free(s->path);
	free(s->name);
	free(s->folder);
	free(s->options);
	*s = (struct cuda_source){ .path = NULL };
}

bool cuda_source_is_there(const struct cuda_source *s)
{
	return s->path != NULL;
}
