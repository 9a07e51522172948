/* SPDX-License-Identifier: Apache-2.0 */
#include "direct_launch.h"

#include "array.h"
#include "clock.h"
#include "engine.h"
#include "err.h"
#include "hook_event.h"
#include "in_flight.h"
#include "kernel_table.h"
#include "launch_capture.h"
#include "launch_fate.h"
#include "launch_job.h"
#include "opencl_session.h"
#include "probe_abi.h"
#include "recorder.h"
#include "session.h"
#include "shadow_program.h"
#include "slice_plan.h"
#include "slice_records.h"

#include <stdlib.h>
#include <string.h>

/* Maximum number of bytes that a gated launch copies before it runs. */
#define SHOT_BYTES_MAX (UINT64_C(4) << 20)

/* Room for the other parts of a slice with chunks. */
#define TABLES_BYTES ((uint64_t)4096)

/* Whether all groups fit in one slice in a room. */
static bool has_one_slice(struct slice_plan *plan, struct direct_launch *d)
{
	return slice_plan_guess(plan) <= DIRECT_ROOM_BYTES && slice_plan_next(plan, &d->slice) &&
	       d->slice.box.end == plan->group_count;
}

/* Whether they fit where words go into chunks, with twice the chunks that earlier launches needed.
 */
static bool has_one_large_slice(const struct launch_job *job, struct slice_plan *plan,
                                struct direct_launch *d)
{
	uint64_t bytes = slice_plan_guess(plan);

	if (!engine_recall(job->engine, job->shadow.table, plan))
		return false;
	bytes = slice_plan_guess(plan);
	if (bytes > DIRECT_ROOM_BYTES - TABLES_BYTES)
		return false;
	plan->groups = plan->group_count;
	slice_plan_set_room(plan, bytes + TABLES_BYTES + bytes / 8);
	plan->groups = plan->group_count;
	return plan->room_bytes <= DIRECT_ROOM_BYTES && slice_plan_next(plan, &d->slice) &&
	       d->slice.box.end == plan->group_count;
}

static bool is_in_order(cl_command_queue queue)
{
	cl_command_queue_properties properties = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

	(void)opencl_real()->clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof(properties),
	                                           &properties, NULL);
	return !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

/* Whether the memory that the launch may write can be copied and is small. */
static bool can_be_undone(const struct launch_job *job)
{
	const struct kernel_table *table = job->shadow.table;
	uint64_t bytes = 0;

	for (cl_uint i = 0; i < job->value_count; i++) {
		if (!table->arguments[i].is_written)
			continue;
		if (job->values[i].pointer != POINTER_BY_NONE)
			return false;
		bytes += job->arguments[i].buffer_bytes;
	}
	return job->is_repeatable && bytes <= SHOT_BYTES_MAX;
}

void direct_launch_prepare(struct launch_job *job, cl_command_queue queue)
{
	const struct kernel_table *table = job->shadow.table;
	const struct engine *e = job->engine;
	struct direct_launch d = { .is_gated = !table->item_words };
	struct slice_plan plan;

	if (!queue || e->is_inline || !atomic_load(&e->is_width_known) || job->selection ||
	    job->session->settings.atomics)
		return;
	d.queue = is_in_order(queue) ? queue : NULL;
	/* In a queue that runs what it can in the call, a tail that waits would never run. */
	if (d.is_gated && (e->is_immediate || !d.queue || !can_be_undone(job)))
		return;
	d.layout = slice_layout_of(table, &job->shape, false, e->has_wide_addresses);
	slice_plan_init(&plan, table, &job->shape, &d.layout, DIRECT_ROOM_BYTES);
	if (!(d.is_gated ? has_one_large_slice(job, &plan, &d) : has_one_slice(&plan, &d)))
		return;
	job->direct = malloc(sizeof(*job->direct));
	if (job->direct)
		*job->direct = d;
}

static size_t room_bytes(const struct direct_launch *d)
{
	return (size_t)d->slice.end_offset;
}

/* Bytes that the host writes before the kernel runs: the header and the tables after it. */
static size_t host_bytes(const struct direct_launch *d)
{
	return (size_t)(d->slice.places_offset + d->slice.tables_bytes);
}

/* Take a room and prepare the header. */
static bool take_room(struct direct_launch *d, const struct launch_job *job)
{
	struct slice_host host = { 0 };

	d->has_room = direct_room_take(&job->engine->rooms, &d->room, d->queue, room_bytes(d));
	if (!d->has_room)
		return false;
	if (!d->room.piece)
		d->copies = malloc(host_bytes(d) + room_bytes(d));
	d->records = d->room.piece ? d->room.piece : d->copies + host_bytes(d);
	host.bytes = d->room.piece ? d->room.piece : d->copies;
	host.size = host_bytes(d);
	if (!host.bytes || slice_host_fill(&host, &d->layout, &job->shape, NULL, &d->slice) < 0)
		return false;
	if (d->room.piece && d->slice.tables_bytes)
		memmove(d->records + d->slice.tables_offset, d->records + d->slice.places_offset,
		        (size_t)d->slice.tables_bytes);
	return true;
}

/* Commands that run one after the other, in any queue. */
struct sequence {
	cl_command_queue queue;
	bool is_in_order, is_task;
	cl_uint wait_count; /* events that the next one waits for */
	const cl_event *wait_list;
	cl_event last; /* ours; of an out-of-order queue */
};

/* Let the next command wait for `done` if the queue is out of order. */
static void go_on(struct sequence *q, cl_event done)
{
	q->wait_count = 0;
	q->wait_list = NULL;
	if (q->last)
		opencl_real()->clReleaseEvent(q->last);
	q->last = done;
	if (done) {
		q->wait_count = 1;
		q->wait_list = &q->last;
	}
}

static cl_int set_arguments(const struct launch_job *job, cl_kernel kernel)
{
	const struct direct_room *room = &job->direct->room;
	cl_int rc = kernel_run_arguments(job, kernel);

	if (rc == CL_SUCCESS && room->piece)
		return opencl_real()->clSetKernelArgSVMPointer(kernel, job->value_count,
		                                               room->piece);
	if (rc == CL_SUCCESS)
		rc = opencl_real()->clSetKernelArg(kernel, job->value_count,
		                                   sizeof(room->buffer->mem),
		                                   (const void *)&room->buffer->mem);
	return rc;
}

static cl_int enqueue_kernel(struct sequence *q, const struct launch_job *job, cl_kernel kernel)
{
	struct direct_launch *d = job->direct;
	const struct opencl_real *real = opencl_real();
	size_t offset[3], global[3], local[3];
	uint64_t box_offset[3], box_global[3];

	slice_box_range(&d->slice.box, &job->shape, box_offset, box_global);
	for (int i = 0; i < 3; i++) {
		offset[i] = (size_t)box_offset[i];
		global[i] = (size_t)box_global[i];
		local[i] = (size_t)job->shape.local[i];
	}
	if (q->is_task)
		return real->clEnqueueTask(q->queue, kernel, q->wait_count, q->wait_list,
		                           &d->kernel);
	return real->clEnqueueNDRangeKernel(q->queue, kernel, job->shape.dimensions, offset, global,
	                                    local, q->wait_count, q->wait_list, &d->kernel);
}

/* Enqueue the header, the kernel and, if possible, the records. Called with the room's sequence
 * held. */
static cl_int enqueue_all(struct sequence *q, struct launch_job *job, cl_kernel kernel)
{
	struct direct_launch *d = job->direct;
	const struct opencl_real *real = opencl_real();
	cl_mem mem = d->room.buffer->mem;
	cl_event written = NULL;
	cl_int rc = real->clEnqueueWriteBuffer(q->queue, mem, CL_FALSE, 0, d->slice.places_offset,
	                                       d->copies, q->wait_count, q->wait_list,
	                                       q->is_in_order ? NULL : &written);

	if (rc != CL_SUCCESS)
		return rc;
	d->is_begun = true;
	go_on(q, written);
	if (d->slice.tables_bytes) {
		written = NULL;
		rc = real->clEnqueueWriteBuffer(q->queue, mem, CL_FALSE, d->slice.tables_offset,
		                                d->slice.tables_bytes,
		                                d->copies + d->slice.places_offset, q->wait_count,
		                                q->wait_list, q->is_in_order ? NULL : &written);
		if (rc != CL_SUCCESS)
			return rc;
		go_on(q, written);
	}
	rc = enqueue_kernel(q, job, kernel);
	if (rc != CL_SUCCESS)
		return rc;
	if (!q->is_in_order)
		opencl_real_retain_event(d->kernel);
	go_on(q, q->is_in_order ? NULL : d->kernel);
	d->has_records =
		real->clEnqueueReadBuffer(q->queue, mem, CL_FALSE, 0, room_bytes(d), d->records,
	                                  q->wait_count, q->wait_list, &job->head) == CL_SUCCESS;
	return CL_SUCCESS;
}

/* Enqueue a launch with shared memory: the header is written there and the records stay there. */
static cl_int enqueue_shared(struct sequence *q, struct launch_job *job, cl_kernel kernel)
{
	cl_int rc = enqueue_kernel(q, job, kernel);

	job->direct->has_records = rc == CL_SUCCESS;
	return rc;
}

/* Enqueue copies of what the kernel may write. */
static cl_int enqueue_copies(struct sequence *q, struct launch_job *job)
{
	struct direct_launch *d = job->direct;
	cl_int rc;

	if (snapshot_init(&d->shot, job, NULL) < 0)
		return CL_MEM_OBJECT_ALLOCATION_FAILURE;
	if (!d->shot.count)
		return CL_SUCCESS;
	rc = snapshot_enqueue(&d->shot, q->queue, q->wait_count, q->wait_list);
	d->is_begun = true;
	go_on(q, NULL);
	return rc;
}

static cl_int enqueue(struct sequence *q, struct launch_job *job, cl_kernel kernel)
{
	const struct direct_room *room = &job->direct->room;
	cl_int rc = set_arguments(job, kernel);

	if (rc == CL_SUCCESS && job->direct->is_gated)
		rc = enqueue_copies(q, job);
	if (rc != CL_SUCCESS)
		return rc;
	if (room->piece)
		return enqueue_shared(q, job, kernel);
	pthread_mutex_lock(&room->buffer->sequence);
	rc = enqueue_all(q, job, kernel);
	pthread_mutex_unlock(&room->buffer->sequence);
	if (q->last)
		opencl_real()->clReleaseEvent(q->last);
	return rc;
}

/* Give the application the kernel's event; our own reference to it is hidden. */
static void give_event(const struct launch_request *r, struct launch_job *job)
{
	struct direct_launch *d = job->direct;

	*r->event = d->kernel;
	opencl_real_retain_event(d->kernel);
	job->times = event_times_create();
	if (job->times) {
		job->times->own_refs = 1;
		d->is_shared = event_times_attach(job->session, job->times, d->kernel);
	}
}

bool direct_launch_enqueue(const struct launch_request *r, struct launch_job *job)
{
	struct launch_kits *kits = program_build_kits(job->build);
	struct direct_launch *d = job->direct;
	struct sequence q = { .queue = r->queue,
		              .wait_count = r->wait_count,
		              .wait_list = r->wait_list,
		              .is_task = r->is_task };
	struct launch_kit *kit = NULL;
	cl_int rc = CL_OUT_OF_RESOURCES;

	d->begun_ns = clock_now_ns();
	q.is_in_order = d->queue != NULL;
	if (take_room(d, job))
		kit = launch_kits_take(kits, job->shadow.program, job->shadow.table, NULL);
	if (kit)
		rc = enqueue(&q, job, kit->kernel);
	launch_kits_give(kits, kit);
	if (rc == CL_SUCCESS && r->event && !d->is_gated)
		give_event(r, job);
	return rc == CL_SUCCESS;
}

cl_command_queue direct_launch_queue(const struct launch_job *job)
{
	return job->direct->queue;
}

/* Returns the status of an event, or `otherwise` when the driver does not report it. */
static cl_int status_of(cl_event event, cl_int otherwise)
{
	cl_int status;

	return opencl_real()->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
	                                     sizeof(status), &status, NULL) == CL_SUCCESS
	               ? status
	               : otherwise;
}

bool direct_launch_is_done(struct launch_job *job, bool may_wait)
{
	const struct direct_launch *d = job->direct;

	if (status_of(d->kernel, CL_QUEUED) > CL_COMPLETE)
		return false;
	if (!job->head) {
		/* A status alone does not make the kernel's writes visible. */
		(void)opencl_real()->clWaitForEvents(1, &d->kernel);
		return true;
	}
	job->head_status = status_of(job->head, CL_COMPLETE);
	if (job->head_status > CL_COMPLETE && !may_wait)
		return false;
	if (job->head_status > CL_COMPLETE) {
		(void)opencl_real()->clWaitForEvents(1, &job->head);
		job->head_status = status_of(job->head, CL_COMPLETE);
	}
	return true;
}

static int keep_part(void *context, uint64_t group, const struct group_events *part, bool is_last,
                     struct err *err)
{
	return launch_outcome_keep(context, group, part, is_last, err);
}

static int keep_groups(struct group_decoder *decoder, struct launch_outcome *o, struct err *err)
{
	int rc;

	decoder->sink = keep_part;
	decoder->context = o;
	rc = group_decoder_send(decoder, err);
	decoder->sink = NULL;
	return rc;
}

static int decode(const struct launch_job *job, struct group_decoder *decoder,
                  struct launch_outcome *o, struct err *err)
{
	const struct direct_launch *d = job->direct;
	struct probe_header header;
	struct slice_records records;
	int rc = 0;

	memcpy(&header, d->records, sizeof(header));
	slice_records_init(&records, &job->shape, &d->layout);
	slice_records_set(&records, &d->slice, d->records + d->slice.places_offset,
	                  slice_host_used_chunks(&header, &d->slice));
	records.differences =
		(const uint64_t *)(const void *)(d->records + PROBE_ARGUMENTS_OFFSET) +
		d->layout.argument_count;
	rc = slice_records_index(&records, err);
	for (uint64_t g = d->slice.box.begin; rc == 0 && g < d->slice.box.end; g++)
		rc = group_decoder_add(decoder, &records, g, err);
	o->damaged += decoder->damaged + records.damaged;
	slice_records_release(&records);
	return rc;
}

/* Open the launch's file or counts and fill them. */
static int take_in(const struct launch_job *job, struct group_decoder *decoder,
                   struct launch_outcome *o, uint64_t **counts)
{
	const struct kernel_table *table = job->shadow.table;
	struct err *err = &o->trouble;
	int rc = decode(job, decoder, o, err);

	if (rc < 0)
		return rc;
	if (table->counts) {
		*counts = array_alloc(table->site_count, sizeof(**counts), "counts", err);
		if (!*counts)
			return ERR_NOMEM;
		count_cells_expand(table, decoder->sums, decoder->counted, *counts);
		o->counts = *counts;
		return 0;
	}
	o->writer = recorder_open_launch(job->session->recorder, (uint32_t)job->wish.number,
	                                 &job->shape, table, err);
	return o->writer ? keep_groups(decoder, o, err) : ERR_IO;
}

/* Decode the records and write the fate. */
static void keep(struct launch_job *job, struct launch_outcome *o)
{
	struct launch_kits *kits = program_build_kits(job->build);
	const struct direct_launch *d = job->direct;
	struct group_decoder *decoder = NULL;
	struct probe_header header;
	struct launch_kit *kit;
	uint64_t *counts = NULL, since = clock_now_ns();

	memcpy(&header, d->records, sizeof(header));
	o->dropped = slice_host_lost_accesses(&header);
	o->slots = (const uint64_t *)(const void *)(d->records + PROBE_ARGUMENTS_OFFSET);
	o->device_bytes = slice_layout_record_bytes(&d->layout, &d->slice,
	                                            slice_host_used_chunks(&header, &d->slice));
	kit = launch_kits_take(kits, job->shadow.program, job->shadow.table, &o->trouble);
	if (kit)
		decoder = launch_kit_decoder(kit, &o->trouble);
	if (decoder)
		(void)take_in(job, decoder, o, &counts);
	work_clock_part(job->session, RECORDER_DRAINS, since, 0);
	since = clock_now_ns();
	launch_fate_write(o);
	work_clock_part(job->session, RECORDER_WRITES, since, 0);
	if (decoder)
		group_decoder_clear(decoder);
	launch_kits_give(kits, kit);
	free(counts);
}

/* Find out how the kernel ended. */
static void judge(const struct launch_job *job, struct launch_outcome *o)
{
	const struct direct_launch *d = job->direct;
	cl_int status = status_of(d->kernel, CL_COMPLETE);

	if (status < 0)
		err_set(&o->trouble, ERR_DEVICE,
		        "a command that it waits for failed, or the kernel itself: %d", status);
	else if (job->head_status < 0 || !d->has_records)
		err_set(&o->trouble, ERR_DEVICE, "the records cannot be read from the device: %d",
		        job->head_status);
	o->has_run = status >= 0;
}

/* Whether the recording has ended before the launch did. */
static bool is_over(struct session *s, uint64_t now, struct launch_outcome *o)
{
	char end[LAUNCH_QUOTA_TEXT_BYTES];

	if (!launch_quota_has_ended(&s->quota, now))
		return false;
	o->is_limited = true;
	launch_quota_end(&s->quota, end);
	err_set(&o->trouble, ERR_LIMIT, "%s", end);
	return true;
}

/* Count the time for which the kernel may have delayed the program: its running time or, in a queue
 * without profiling, the time since it was enqueued or another kernel was counted, whichever is
 * later. */
static void note_kernel(const struct launch_job *job, uint64_t device_ns, uint64_t now)
{
	struct session *s = job->session;
	uint64_t from = job->direct->begun_ns;
	uint64_t until = atomic_exchange(&opencl_session(s)->in_flight.noted_until_ns, now);

	from = from > until ? from : until;
	if (!device_ns)
		device_ns = now > from ? now - from : 0;
	recorder_add_work(s->recorder, RECORDER_WORK, device_ns);
	recorder_add_work(s->recorder, RECORDER_KERNELS, device_ns);
}

void direct_launch_finish(struct launch_job *job)
{
	struct launch_outcome outcome = launch_job_outcome(job);
	uint64_t since = clock_now_ns();
	struct session *s = job->session;
	struct kernel_times times;

	outcome.is_flushed_later = true;
	judge(job, &outcome);
	kernel_run_times(job->direct->kernel, &times);
	outcome.device_ns = times.end - times.start;
	note_kernel(job, outcome.device_ns, since);
	if (outcome.trouble.code || is_over(s, since, &outcome))
		launch_fate_write(&outcome);
	else
		keep(job, &outcome);
	if (job->direct->is_shared)
		event_times_disown(s, job->direct->kernel);
	launch_job_free_later(job);
	work_clock_end(s, since);
}

bool direct_launch_fits(const struct launch_job *job)
{
	const struct direct_launch *d = job->direct;
	struct probe_header header;

	if (job->head_status < 0 || !d->has_records)
		return true;
	memcpy(&header, d->records, sizeof(header));
	return slice_host_lost_accesses(&header) == 0;
}

void direct_launch_open_gate(struct launch_job *job)
{
	const struct opencl_real *real = opencl_real();
	cl_int status = job->head_status < 0 ? job->head_status : CL_COMPLETE;
	cl_event gate = job->user_event;
	struct kernel_times times;
	int tries = 3; /* otherwise the application would wait forever */

	kernel_run_times(job->direct->kernel, &times);
	if (job->times && times.start)
		event_times_set(job->session, job->times, job->direct->kernel, times.start,
		                times.end);
	launch_job_release_objects(job);
	opencl_real_retain_event(gate);
	in_flight_add(job->session, job);
	while (tries-- && real->clSetUserEventStatus(gate, status) != CL_SUCCESS)
		continue;
	real->clReleaseEvent(gate);
}

bool direct_launch_undo(struct launch_job *job, cl_int *code)
{
	size_t done = 0;
	int rc = ERR_DEVICE;

	for (int tries = 0; tries < 3 && rc; tries++)
		rc = snapshot_restore(&job->direct->shot, &done, NULL);
	if (rc && !done)
		return false;
	*code = rc ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
	/* Commands may still read the copies. */
	if (opencl_real()->clFinish(job->engine->queue) != CL_SUCCESS)
		*code = CL_OUT_OF_RESOURCES;
	direct_launch_free(job);
	return true;
}

void direct_launch_free(struct launch_job *job)
{
	struct direct_launch *d = job->direct;

	if (!d)
		return;
	snapshot_release(&d->shot);
	if (d->has_room)
		direct_room_give(&job->engine->rooms, &d->room);
	if (d->kernel)
		opencl_real()->clReleaseEvent(d->kernel);
	free(d->copies);
	free(d);
	job->direct = NULL;
}

void direct_launch_give_up(struct launch_job *job)
{
	struct direct_launch *d = job->direct;

	/* The header may still be being written, so its memory and its buffer are kept. The driver
	 * retains the buffers that copies go to until the copies have run. */
	if (d->is_begun && d->has_room) {
		direct_room_leave(&job->engine->rooms, &d->room, d->copies);
		d->has_room = false;
		d->copies = NULL;
	}
	direct_launch_free(job);
}
