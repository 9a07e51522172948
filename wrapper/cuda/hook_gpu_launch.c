/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_hook.h"
#include "gpu_launch.h"
#include "recorder.h"
#include "session.h"

#include <string.h>

/* NOLINTBEGIN(readability-function-size): the parameters are NVIDIA's */
CUresult hook_cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                             unsigned group_x, unsigned group_y, unsigned group_z,
                             unsigned shared_bytes, CUstream stream, void **values, void **extra)
{
	return gpu_launch(&(struct gpu_request){ .function = function,
	                                         .groups = { grid_x, grid_y, grid_z },
	                                         .items = { group_x, group_y, group_z },
	                                         .shared_bytes = shared_bytes,
	                                         .stream = stream,
	                                         .values = values,
	                                         .extra = extra });
}

CUresult hook_cuLaunchKernel_ptsz(CUfunction function, unsigned grid_x, unsigned grid_y,
                                  unsigned grid_z, unsigned group_x, unsigned group_y,
                                  unsigned group_z, unsigned shared_bytes, CUstream stream,
                                  void **values, void **extra)
{
	return hook_cuLaunchKernel(function, grid_x, grid_y, grid_z, group_x, group_y, group_z,
	                           shared_bytes, cuda_hook_per_thread(stream), values, extra);
}

CUresult hook_cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                        unsigned grid_z, unsigned group_x, unsigned group_y,
                                        unsigned group_z, unsigned shared_bytes, CUstream stream,
                                        void **values)
{
	return gpu_launch(&(struct gpu_request){ .function = function,
	                                         .groups = { grid_x, grid_y, grid_z },
	                                         .items = { group_x, group_y, group_z },
	                                         .shared_bytes = shared_bytes,
	                                         .stream = stream,
	                                         .values = values,
	                                         .is_cooperative = true });
}

CUresult hook_cuLaunchCooperativeKernel_ptsz(CUfunction function, unsigned grid_x, unsigned grid_y,
                                             unsigned grid_z, unsigned group_x, unsigned group_y,
                                             unsigned group_z, unsigned shared_bytes,
                                             CUstream stream, void **values)
{
	return hook_cuLaunchCooperativeKernel(function, grid_x, grid_y, grid_z, group_x, group_y,
	                                      group_z, shared_bytes, cuda_hook_per_thread(stream),
	                                      values);
}
/* NOLINTEND(readability-function-size) */

static CUresult launch_configured(const struct cuda_launch_config *config, CUfunction function,
                                  CUstream stream, void **values, void **extra)
{
	struct gpu_request request = { .function = function,
		                       .shared_bytes = config->shared_bytes,
		                       .stream = stream,
		                       .values = values,
		                       .extra = extra,
		                       .config = config };

	memcpy(request.groups, config->groups, sizeof(request.groups));
	memcpy(request.items, config->items, sizeof(request.items));
	return gpu_launch(&request);
}

CUresult hook_cuLaunchKernelEx(const struct cuda_launch_config *config, CUfunction function,
                               void **values, void **extra)
{
	if (!config)
		return cuda_real()->cuLaunchKernelEx(config, function, values, extra);
	return launch_configured(config, function, config->stream, values, extra);
}

CUresult hook_cuLaunchKernelEx_ptsz(const struct cuda_launch_config *config, CUfunction function,
                                    void **values, void **extra)
{
	if (!config)
		return cuda_real()->cuLaunchKernelEx(config, function, values, extra);
	return launch_configured(config, function, cuda_hook_per_thread(config->stream), values,
	                         extra);
}

CUresult hook_cuGraphLaunch(CUgraphExec graph, CUstream stream)
{
	struct session *s = session_current();
	CUresult rc = cuda_real()->cuGraphLaunch(graph, stream);

	if (s && rc == CUDA_SUCCESS)
		recorder_note(s->recorder, RECORDED_NOTE_LAUNCH,
		              "of a graph: its kernels run unmodified");
	return rc;
}

CUresult hook_cuGraphLaunch_ptsz(CUgraphExec graph, CUstream stream)
{
	return hook_cuGraphLaunch(graph, cuda_hook_per_thread(stream));
}
