/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mock's command buffers: launches, copies and barriers, kept as they were recorded and
 * enqueued one by one, each behind its sync points and the wait list.
 */
#include "mock_calls.h"
#include "mock_driver.h"

#include <string.h>

#define MOST_COMMANDS 4
#define MOST_HELD     MOST_WAITS

struct kept {
	struct mock_command command;
	size_t numbers[3]; /* of its range */
	cl_uint wait_count;
	cl_sync_point_khr waits[MOST_COMMANDS];
};

/* In the object's bytes. What the commands name is retained in its waits_for[]. */
struct commands {
	struct object *queue;
	bool is_final, is_simultaneous;
	unsigned count;
	struct kept kept[MOST_COMMANDS];
};

static bool is_late;

void mock_driver_set_late(bool takes_arguments_late)
{
	is_late = takes_arguments_late;
}

static struct commands *commands_of(cl_command_buffer_khr buffer)
{
	mock_check(buffer, COMMANDS);
	return (struct commands *)(void *)((struct object *)buffer)->bytes;
}

static void hold(cl_command_buffer_khr buffer, struct object *o)
{
	struct object *self = (struct object *)buffer;
	int i = 0;

	while (i < MOST_HELD - 1 && self->waits_for[i])
		i++;
	self->waits_for[i] = o;
	o->refs++;
}

static bool is_pending(cl_command_buffer_khr buffer)
{
	const struct object *last = ((struct object *)buffer)->last;

	return last && last->status > CL_COMPLETE;
}

cl_command_buffer_khr mock_clCreateCommandBufferKHR(cl_uint num_queues,
                                                    const cl_command_queue *queues,
                                                    const cl_command_buffer_properties_khr *p,
                                                    cl_int *errcode_ret)
{
	struct object *o;
	struct commands *c;

	ENTER_OBJECT
	mock_check(queues[0], QUEUE);
	o = mock_make(COMMANDS, (struct object *)queues[0]);
	o->bytes = mock_alloc(sizeof(*c));
	c = (struct commands *)(void *)o->bytes;
	c->queue = (struct object *)queues[0];
	c->is_simultaneous = p && p[1] & CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR;
	LEAVE((cl_command_buffer_khr)o);
}

cl_int mock_clFinalizeCommandBufferKHR(cl_command_buffer_khr buffer)
{
	ENTER
	commands_of(buffer)->is_final = true;
	LEAVE(CL_SUCCESS);
}

/* Record a command. The lock is held. */
static cl_int keep(cl_command_buffer_khr buffer, const struct mock_command *command, cl_uint n,
                   const cl_sync_point_khr *waits, cl_sync_point_khr *sync_point)
{
	struct commands *c = commands_of(buffer);
	struct kept *kept = &c->kept[c->count];

	if (c->is_final || c->count == MOST_COMMANDS)
		return CL_INVALID_OPERATION;
	for (cl_uint i = 0; i < n; i++) {
		if (waits[i] < 1 || waits[i] > c->count)
			return CL_INVALID_SYNC_POINT_WAIT_LIST_KHR;
		kept->waits[i] = waits[i];
	}
	kept->wait_count = n;
	kept->command = *command;
	c->count++;
	if (sync_point)
		*sync_point = c->count;
	return CL_SUCCESS;
}

/* NOLINTBEGIN(readability-function-size): the parameters are Khronos' */
cl_int mock_clCommandNDRangeKernelKHR(cl_command_buffer_khr buffer, cl_command_queue q,
                                      const cl_properties *p, cl_kernel kernel, cl_uint dim,
                                      const size_t *offset, const size_t *global,
                                      const size_t *local, cl_uint n,
                                      const cl_sync_point_khr *waits, cl_sync_point_khr *sync_point,
                                      cl_mutable_command_khr *handle)
{
	struct object *o = (struct object *)kernel, *then;
	struct mock_command command = { .kernel = o };
	struct kept *kept;
	cl_int rc;

	ENTER
	mock_check(kernel, KERNEL);
	rc = keep(buffer, &command, n, waits, sync_point);
	if (rc != CL_SUCCESS)
		LEAVE(rc);
	kept = &commands_of(buffer)->kept[commands_of(buffer)->count - 1];
	kept->numbers[0] = offset ? *offset : 0;
	kept->numbers[1] = *global;
	kept->numbers[2] = local ? *local : 1;
	kept->command.range =
		(struct mock_range){ &kept->numbers[0], &kept->numbers[1], &kept->numbers[2] };
	hold(buffer, o);
	then = mock_named(o->values[0]);
	if (then)
		hold(buffer, then);
	if (is_late)
		LEAVE(CL_SUCCESS);
	then = mock_make(KERNEL, o->owner);
	memcpy(then->name, o->name, sizeof(o->name));
	memcpy(then->values, o->values, sizeof(o->values));
	hold(buffer, then);
	mock_drop(then);
	kept->command.kernel = then;
	LEAVE(CL_SUCCESS);
}

cl_int mock_clCommandCopyBufferKHR(cl_command_buffer_khr buffer, cl_command_queue q, cl_mem from,
                                   cl_mem to, size_t s, size_t d, size_t size, cl_uint n,
                                   const cl_sync_point_khr *waits, cl_sync_point_khr *sync_point,
                                   cl_mutable_command_khr *handle)
{
	cl_int rc;

	ENTER
	mock_check(from, BUFFER);
	mock_check(to, BUFFER);
	rc = keep(buffer,
	          &(struct mock_command){ .from = ((struct object *)from)->bytes + s,
	                                  .to = ((struct object *)to)->bytes + d,
	                                  .buffers = { (struct object *)from, (struct object *)to },
	                                  .bytes = size },
	          n, waits, sync_point);
	hold(buffer, (struct object *)from);
	hold(buffer, (struct object *)to);
	LEAVE(rc);
}

cl_int mock_clCommandBarrierWithWaitListKHR(cl_command_buffer_khr buffer, cl_command_queue q,
                                            cl_uint n, const cl_sync_point_khr *waits,
                                            cl_sync_point_khr *sync_point,
                                            cl_mutable_command_khr *handle)
{
	cl_int rc;

	ENTER
	rc = keep(buffer, &(struct mock_command){ .kernel = NULL }, n, waits, sync_point);
	LEAVE(rc);
}

static bool is_barrier(const struct commands *c, unsigned i)
{
	return i == c->count || (!c->kept[i].command.kernel && !c->kept[i].command.to);
}

/* What command i waits for, beside what all do; i is c->count for the last event. Their number. */
static cl_uint gather(const struct commands *c, unsigned i, const cl_event *events, cl_event *waits)
{
	cl_uint count = 0;

	for (cl_uint k = 0; i < c->count && k < c->kept[i].wait_count; k++)
		waits[count++] = events[c->kept[i].waits[k] - 1];
	for (unsigned k = 0; k < i; k++)
		if (is_barrier(c, i) || is_barrier(c, k))
			waits[count++] = events[k];
	return count;
}

/* Enqueue the commands; the lock is held. The wait list is that of those that wait for no other. */
static void enqueue(cl_command_buffer_khr buffer, struct object *queue,
                    const struct mock_command *whole)
{
	const struct commands *c = commands_of(buffer);
	struct object *self = (struct object *)buffer;
	cl_event events[MOST_COMMANDS + 1], waits[MOST_WAITS];

	for (unsigned i = 0; i <= c->count; i++) {
		struct mock_command command = { 0 };

		if (i < c->count)
			command = c->kept[i].command;
		command.wait_count = gather(c, i, events, waits);
		command.wait_list = waits;
		if (!command.wait_count) {
			command.wait_count = whole->wait_count;
			command.wait_list = whole->wait_list;
		}
		command.out = &events[i];
		mock_enqueue(queue, &command);
	}
	for (unsigned i = 0; i < c->count; i++)
		mock_drop((struct object *)events[i]);
	mock_drop(self->last);
	self->last = (struct object *)events[c->count];
	self->last->handles = whole->out != NULL;
	self->last->type = CL_COMMAND_COMMAND_BUFFER_KHR;
	if (whole->out) {
		*whole->out = events[c->count];
		self->last->refs++;
	}
}

cl_int mock_clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue *queues,
                                      cl_command_buffer_khr buffer, cl_uint n, const cl_event *wait,
                                      cl_event *event)
{
	const struct commands *c;

	ENTER
	c = commands_of(buffer);
	if (!num_queues != !queues)
		LEAVE(CL_INVALID_VALUE);
	if (num_queues && ((struct object *)queues[0])->properties != c->queue->properties)
		LEAVE(CL_INCOMPATIBLE_COMMAND_QUEUE_KHR);
	if (!n != !wait)
		LEAVE(CL_INVALID_EVENT_WAIT_LIST);
	if (!c->is_final || (is_pending(buffer) && !c->is_simultaneous))
		LEAVE(CL_INVALID_OPERATION);
	enqueue(buffer, num_queues ? (struct object *)queues[0] : c->queue,
	        &(struct mock_command){ .wait_count = n, .wait_list = wait, .out = event });
	LEAVE(CL_SUCCESS);
}

cl_int mock_clGetCommandBufferInfoKHR(cl_command_buffer_khr buffer,
                                      cl_command_buffer_info_khr param_name,
                                      size_t param_value_size, void *param_value,
                                      size_t *param_value_size_ret)
{
	cl_uint number = CL_COMMAND_BUFFER_STATE_RECORDING_KHR;

	ENTER
	if (param_name == CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR) {
		number = (cl_uint)((struct object *)buffer)->handles;
	} else if (commands_of(buffer)->is_final) {
		number = is_pending(buffer) ? CL_COMMAND_BUFFER_STATE_PENDING_KHR
		                            : CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR;
	}
	memcpy(param_value, &number, sizeof(number));
	LEAVE(CL_SUCCESS);
}
/* NOLINTEND(readability-function-size) */
