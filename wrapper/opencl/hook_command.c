/* SPDX-License-Identifier: Apache-2.0 */
/* The calls that record a command into a command buffer: the driver's first, then ours. */
#include "command_buffer_state.h"
#include "session.h"

#include <string.h>

#define COLOR_BYTES 16 /* four floats or integers, whatever the image holds */

#define THREE(list)                                                                                \
	{                                                                                          \
		(list)[0], (list)[1], (list)[2]                                                    \
	}

/* Keep a command that the driver has taken. */
static void keep(cl_command_buffer_khr buffer, struct recorded_command *command,
                 const struct command_order *order)
{
	struct session *s = session_current();

	if (s)
		command_buffer_state_add(s, buffer, command, 0, order);
}

/* The same with a pattern of command->transfer.pattern_bytes. */
static void keep_fill(cl_command_buffer_khr buffer, struct recorded_command *command,
                      const void *pattern, const struct command_order *order)
{
	if (command->transfer.pattern_bytes > COMMAND_PATTERN_BYTES)
		command->transfer.pattern_bytes = COMMAND_PATTERN_BYTES;
	memcpy(command->transfer.pattern, pattern, command->transfer.pattern_bytes);
	keep(buffer, command, order);
}

/* The order of a command as the calls name its parameters. */
#define ORDER                                                                                      \
	&(struct command_order)                                                                    \
	{                                                                                          \
		num_sync_points_in_wait_list, sync_point_wait_list, sync_point, mutable_handle     \
	}

/* NOLINTBEGIN(readability-function-size): the parameters are Khronos' */
cl_int CL_API_CALL hook_clCommandBarrierWithWaitListKHR(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
	cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
	cl_int rc = opencl_ext_of(command_buffer)
	                    ->clCommandBarrierWithWaitListKHR(
				    command_buffer, command_queue, num_sync_points_in_wait_list,
				    sync_point_wait_list, sync_point, mutable_handle);

	if (rc == CL_SUCCESS)
		keep(command_buffer, &(struct recorded_command){ .sort = COMMAND_BARRIER }, ORDER);
	return rc;
}

cl_int CL_API_CALL hook_clCommandCopyBufferKHR(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue, cl_mem src_buffer,
	cl_mem dst_buffer, size_t src_offset, size_t dst_offset, size_t size,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
	cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
	cl_int rc = opencl_ext_of(command_buffer)
	                    ->clCommandCopyBufferKHR(
				    command_buffer, command_queue, src_buffer, dst_buffer,
				    src_offset, dst_offset, size, num_sync_points_in_wait_list,
				    sync_point_wait_list, sync_point, mutable_handle);

	if (rc == CL_SUCCESS)
		keep(command_buffer,
		     &(struct recorded_command){ .sort = COMMAND_COPY_BUFFER,
		                                 .transfer = { .from = src_buffer,
		                                               .to = dst_buffer,
		                                               .from_place = { src_offset },
		                                               .to_place = { dst_offset },
		                                               .region = { size } } },
		     ORDER);
	return rc;
}

cl_int CL_API_CALL hook_clCommandCopyBufferRectKHR(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue, cl_mem src_buffer,
	cl_mem dst_buffer, const size_t *src_origin, const size_t *dst_origin, const size_t *region,
	size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch, size_t dst_slice_pitch,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
	cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
	cl_int rc = opencl_ext_of(command_buffer)
	                    ->clCommandCopyBufferRectKHR(
				    command_buffer, command_queue, src_buffer, dst_buffer,
				    src_origin, dst_origin, region, src_row_pitch, src_slice_pitch,
				    dst_row_pitch, dst_slice_pitch, num_sync_points_in_wait_list,
				    sync_point_wait_list, sync_point, mutable_handle);

	if (rc == CL_SUCCESS)
		keep(command_buffer,
		     &(struct recorded_command){
			     .sort = COMMAND_COPY_RECT,
			     .transfer = { .from = src_buffer,
		                           .to = dst_buffer,
		                           .from_place = THREE(src_origin),
		                           .to_place = THREE(dst_origin),
		                           .region = THREE(region),
		                           .from_pitches = { src_row_pitch, src_slice_pitch },
		                           .to_pitches = { dst_row_pitch, dst_slice_pitch } } },
		     ORDER);
	return rc;
}

cl_int CL_API_CALL hook_clCommandCopyBufferToImageKHR(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue, cl_mem src_buffer,
	cl_mem dst_image, size_t src_offset, const size_t *dst_origin, const size_t *region,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
	cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
	cl_int rc = opencl_ext_of(command_buffer)
	                    ->clCommandCopyBufferToImageKHR(
				    command_buffer, command_queue, src_buffer, dst_image,
				    src_offset, dst_origin, region, num_sync_points_in_wait_list,
				    sync_point_wait_list, sync_point, mutable_handle);

	if (rc == CL_SUCCESS)
		keep(command_buffer,
		     &(struct recorded_command){ .sort = COMMAND_COPY_TO_IMAGE,
		                                 .transfer = { .from = src_buffer,
		                                               .to = dst_image,
		                                               .from_place = { src_offset },
		                                               .to_place = THREE(dst_origin),
		                                               .region = THREE(region) } },
		     ORDER);
	return rc;
}

cl_int CL_API_CALL hook_clCommandCopyImageKHR(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue, cl_mem src_image,
	cl_mem dst_image, const size_t *src_origin, const size_t *dst_origin, const size_t *region,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
	cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
	cl_int rc = opencl_ext_of(command_buffer)
	                    ->clCommandCopyImageKHR(
				    command_buffer, command_queue, src_image, dst_image, src_origin,
				    dst_origin, region, num_sync_points_in_wait_list,
				    sync_point_wait_list, sync_point, mutable_handle);

	if (rc == CL_SUCCESS)
		keep(command_buffer,
		     &(struct recorded_command){ .sort = COMMAND_COPY_IMAGE,
		                                 .transfer = { .from = src_image,
		                                               .to = dst_image,
		                                               .from_place = THREE(src_origin),
		                                               .to_place = THREE(dst_origin),
		                                               .region = THREE(region) } },
		     ORDER);
	return rc;
}

cl_int CL_API_CALL hook_clCommandCopyImageToBufferKHR(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue, cl_mem src_image,
	cl_mem dst_buffer, const size_t *src_origin, const size_t *region, size_t dst_offset,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
	cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
	cl_int rc = opencl_ext_of(command_buffer)
	                    ->clCommandCopyImageToBufferKHR(
				    command_buffer, command_queue, src_image, dst_buffer,
				    src_origin, region, dst_offset, num_sync_points_in_wait_list,
				    sync_point_wait_list, sync_point, mutable_handle);

	if (rc == CL_SUCCESS)
		keep(command_buffer,
		     &(struct recorded_command){ .sort = COMMAND_COPY_FROM_IMAGE,
		                                 .transfer = { .from = src_image,
		                                               .to = dst_buffer,
		                                               .from_place = THREE(src_origin),
		                                               .to_place = { dst_offset },
		                                               .region = THREE(region) } },
		     ORDER);
	return rc;
}

cl_int CL_API_CALL hook_clCommandFillBufferKHR(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue, cl_mem buffer,
	const void *pattern, size_t pattern_size, size_t offset, size_t size,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
	cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
	cl_int rc = opencl_ext_of(command_buffer)
	                    ->clCommandFillBufferKHR(
				    command_buffer, command_queue, buffer, pattern, pattern_size,
				    offset, size, num_sync_points_in_wait_list,
				    sync_point_wait_list, sync_point, mutable_handle);

	if (rc == CL_SUCCESS)
		keep_fill(
			command_buffer,
			&(struct recorded_command){ .sort = COMMAND_FILL_BUFFER,
		                                    .transfer = { .to = buffer,
		                                                  .to_place = { offset },
		                                                  .region = { size },
		                                                  .pattern_bytes = pattern_size } },
			pattern, ORDER);
	return rc;
}

cl_int CL_API_CALL hook_clCommandFillImageKHR(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue, cl_mem image,
	const void *fill_color, const size_t *origin, const size_t *region,
	cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,
	cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle)
{
	cl_int rc =
		opencl_ext_of(command_buffer)
			->clCommandFillImageKHR(command_buffer, command_queue, image, fill_color,
	                                        origin, region, num_sync_points_in_wait_list,
	                                        sync_point_wait_list, sync_point, mutable_handle);

	if (rc == CL_SUCCESS)
		keep_fill(
			command_buffer,
			&(struct recorded_command){ .sort = COMMAND_FILL_IMAGE,
		                                    .transfer = { .to = image,
		                                                  .to_place = THREE(origin),
		                                                  .region = THREE(region),
		                                                  .pattern_bytes = COLOR_BYTES } },
			fill_color, ORDER);
	return rc;
}

cl_int CL_API_CALL hook_clCommandNDRangeKernelKHR(
	cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
	const cl_ndrange_kernel_command_properties_khr *properties, cl_kernel kernel,
	cl_uint work_dim, const size_t *global_work_offset, const size_t *global_work_size,
	const size_t *local_work_size, cl_uint num_sync_points_in_wait_list,
	const cl_sync_point_khr *sync_point_wait_list, cl_sync_point_khr *sync_point,
	cl_mutable_command_khr *mutable_handle)
{
	struct session *s = session_current();
	struct launch_request request = { .queue = command_queue,
		                          .kernel = kernel,
		                          .work_dim = work_dim,
		                          .offset = global_work_offset,
		                          .global = global_work_size,
		                          .local = local_work_size };
	struct command_order order = { num_sync_points_in_wait_list, sync_point_wait_list,
		                       sync_point, mutable_handle || (properties && *properties) };
	struct recorded_command command;
	cl_int rc = opencl_ext_of(command_buffer)
	                    ->clCommandNDRangeKernelKHR(
				    command_buffer, command_queue, properties, kernel, work_dim,
				    global_work_offset, global_work_size, local_work_size,
				    num_sync_points_in_wait_list, sync_point_wait_list, sync_point,
				    mutable_handle);

	if (s && rc == CL_SUCCESS) {
		int known = recorded_command_launch(s, &command, &request);

		command_buffer_state_add(s, command_buffer, &command, known, &order);
	}
	return rc;
}
/* NOLINTEND(readability-function-size) */
