/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_source.h"

#include "cuda_front.h"
#include "device_module.h"
#include "err.h"
#include "front_end.h"
#include "program.h"
#include "str.h"

#include <llvm-c/DebugInfo.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The file that a kernel's debug information names, and its path; both NULL when there is none. */
static int file_of(LLVMValueRef kernel, char **name, char **path, struct err *err)
{
	LLVMMetadataRef scope = LLVMGetSubprogram(kernel);
	LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
	unsigned length = 0, folder_length = 0;
	const char *text = file ? LLVMDIFileGetFilename(file, &length) : NULL;
	const char *folder = file ? LLVMDIFileGetDirectory(file, &folder_length) : NULL;

	*name = *path = NULL;
	if (!text || !length)
		return 0;
	*name = str_format(err, "%.*s", (int)length, text);
	*path = *text == '/' || !folder_length ? str_format(err, "%.*s", (int)length, text)
	                                       : str_format(err, "%.*s/%.*s", (int)folder_length,
	                                                    folder, (int)length, text);
	return *name && *path ? 0 : ERR_NOMEM;
}

static bool is_usable(const char *path)
{
	return path && cuda_front_is_source(path) && !access(path, R_OK);
}

/* The text's own folder is where its headers are sought. */
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
	return s->options ? 0 : ERR_NOMEM;
}

int cuda_source_find(struct cuda_source *s, const struct program *p, const struct settings *part,
                     struct err *err)
{
	int ret = 0;

	*s = (struct cuda_source){ .path = NULL };
	if (!front_end_is_ir(part->source) || !device_module_is_cuda(p->module))
		return 0;
	for (size_t i = 0; !ret && !s->path && i < p->kernel_count; i++) {
		ret = file_of(p->kernels[i].function, &s->name, &s->path, err);
		if (ret || is_usable(s->path))
			break;
		free(s->name);
		free(s->path);
		s->name = s->path = NULL;
	}
	return ret || !s->path ? ret : settle(s, part, err);
}

void cuda_source_release(struct cuda_source *s)
{
	free(s->path);
	free(s->name);
	free(s->options);
	*s = (struct cuda_source){ .path = NULL };
}

bool cuda_source_is_there(const struct cuda_source *s)
{
	return s->path != NULL;
}
