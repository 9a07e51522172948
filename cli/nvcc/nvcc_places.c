/* SPDX-License-Identifier: Apache-2.0 */
#include "nvcc_places.h"

#include "err.h"
#include "file.h"
#include "install.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEADERS_VARIABLE "WARPLINE_CUDA_INCLUDE"
#define TOOLKIT_VARIABLE "WARPLINE_CUDA_PATH"
#define RUNTIME_HEADER   "cuda_runtime.h"

/* The folder of a part. */
static char *folder_of_part(const char *name, struct err *err)
{
	char *part = install_part(name, err), *slash = part ? strrchr(part, '/') : NULL;

	if (slash)
		*slash = '\0';
	return part;
}

static char *find_headers(struct err *err)
{
	const char *given = getenv(HEADERS_VARIABLE);
	char *found;

	if (given && *given)
		return str_copy(given, err);
	found = folder_of_part("../share/warpline/cuda/include/" RUNTIME_HEADER, NULL);
	return found ? found : folder_of_part("cuda/include/" RUNTIME_HEADER, err);
}

/* Check that the folder is a toolkit. */
static int check_toolkit(const char *folder, struct err *err)
{
	char *header = str_format(err, "%s/include/" RUNTIME_HEADER, folder);
	int ret = header ? 0 : ERR_NOMEM;

	if (!ret && access(header, R_OK))
		ret = err_set(err, ERR_USAGE,
		              "%s: not a CUDA toolkit: it has no include/" RUNTIME_HEADER
		              "; without --cuda-path and " TOOLKIT_VARIABLE
		              " Warpline's own headers are used",
		              folder);
	free(header);
	return ret;
}

int nvcc_places_find(struct nvcc_places *p, const char *toolkit, struct err *err)
{
	int ret = 0;

	*p = (struct nvcc_places){ .headers = find_headers(err) };
	if (!p->headers)
		return err->code;
	if (!toolkit)
		toolkit = getenv(TOOLKIT_VARIABLE);
	if (toolkit && *toolkit)
		ret = check_toolkit(toolkit, err);
	if (!ret && toolkit && *toolkit && !(p->toolkit = str_copy(toolkit, err)))
		ret = ERR_NOMEM;
	if (ret)
		return ret;
	p->libraries = folder_of_part("cuda/" NVCC_CUDART, NULL);
	return 0;
}

int nvcc_places_make_temporary(struct nvcc_places *p, struct err *err)
{
	int ret;

	temporary_sweep();
	ret = temporary_make_folder(&p->folder, TEMPORARY_NVCC, err);
	p->temporary = p->folder.path;
	return ret;
}

void nvcc_places_release(struct nvcc_places *p)
{
	temporary_remove(&p->folder);
	free(p->headers);
	free(p->toolkit);
	free(p->libraries);
	memset(p, 0, sizeof(*p));
}
