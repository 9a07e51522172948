/* SPDX-License-Identifier: Apache-2.0 */
/* clLinkProgram(): what the new program is made of, known before its callback is called. */
#include "array.h"
#include "opencl.h"
#include "program_code.h"
#include "program_notify.h"
#include "program_state.h"
#include "session.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* What will be known of a program that does not exist yet. */
struct link_ticket {
	atomic_uint refs;
	atomic_bool is_used;
	struct device_codes codes;
};

static void ticket_release(struct link_ticket *t)
{
	if (!t || atomic_fetch_sub(&t->refs, 1) != 1)
		return;
	device_codes_release(&t->codes);
	free(t);
}

/* The first to come, callback or call, tells the session; gives a reference back. */
static void ticket_use(cl_program program, void *ticket)
{
	struct session *s = session_current();
	struct link_ticket *t = ticket;

	if (program && s && !atomic_exchange(&t->is_used, true)) {
		program_state_remember(s, program, &t->codes);
		device_codes_init(&t->codes);
	}
	ticket_release(t);
}

/* Link what each of the programs is for one device. */
static bool link_for(const struct device_codes *inputs, cl_uint count, const char *options,
                     cl_device_id device, struct device_codes *out)
{
	struct program_code **codes = array_alloc(count, sizeof(*codes), "programs", NULL);
	struct program_code *made = NULL;
	bool is_set;

	for (cl_uint i = 0; codes && i < count; i++)
		codes[i] = device_codes_find(&inputs[i], device);
	if (codes)
		made = program_code_link(codes, count, options);
	is_set = made && device_codes_set(out, device, made);
	program_code_release(made);
	free(codes);
	return is_set;
}

/* For each device that a program is compiled for by itself, and for all the others. */
static bool link_all(const struct device_codes *inputs, cl_uint count, const char *options,
                     struct device_codes *out)
{
	bool is_good = link_for(inputs, count, options, NULL, out);

	for (cl_uint i = 0; is_good && i < count; i++) {
		const struct device_code *list = inputs[i].list.data;

		for (size_t k = 0; is_good && k < inputs[i].list.count; k++)
			is_good = link_for(inputs, count, options, list[k].device, out);
	}
	return is_good;
}

static void release_inputs(struct device_codes *inputs, cl_uint count)
{
	for (cl_uint i = 0; inputs && i < count; i++)
		device_codes_release(&inputs[i]);
	free(inputs);
}

/* What the programs are now. NULL: out of memory. */
static struct device_codes *read_inputs(struct session *s, cl_uint count,
                                        const cl_program *programs)
{
	struct device_codes *inputs = array_alloc(count, sizeof(*inputs), "programs", NULL);

	for (cl_uint i = 0; inputs && i < count; i++)
		(void)program_state_copy_codes(s, programs[i], CODES_PRESENT, &inputs[i]);
	return inputs;
}

/* A ticket with one reference; NULL when the call can come to nothing, or out of memory. */
static struct link_ticket *ticket_create(struct session *s, cl_uint count,
                                         const cl_program *programs, const char *options)
{
	struct link_ticket *t = s && count && programs ? calloc(1, sizeof(*t)) : NULL;
	struct device_codes *inputs;
	bool is_good;

	if (!t)
		return NULL;
	atomic_init(&t->refs, 1);
	atomic_init(&t->is_used, false);
	device_codes_init(&t->codes);
	inputs = read_inputs(s, count, programs);
	is_good = inputs && link_all(inputs, count, options, &t->codes);
	release_inputs(inputs, count);
	if (is_good)
		return t;
	device_codes_release(&t->codes);
	free(t);
	return NULL;
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are Khronos' */
cl_program CL_API_CALL hook_clLinkProgram(
	cl_context context, cl_uint num_devices, const cl_device_id *device_list,
	const char *options, cl_uint num_input_programs, const cl_program *input_programs,
	void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data), void *user_data,
	cl_int *errcode_ret)
{
	struct session *s = session_current();
	struct link_ticket *ticket = ticket_create(s, num_input_programs, input_programs, options);
	struct program_notify *notify = NULL;
	cl_int code = CL_SUCCESS;
	cl_program program;

	if (ticket && pfn_notify)
		notify = program_notify_create(pfn_notify, user_data, ticket_use, ticket);
	if (notify)
		atomic_store(&ticket->refs, 2);
	program = opencl_real()->clLinkProgram(
		context, num_devices, device_list, options, num_input_programs, input_programs,
		notify ? program_notify_call : pfn_notify, notify ? notify : user_data, &code);
	if (errcode_ret)
		*errcode_ret = code;
	program_notify_settle(notify, code);
	if (ticket)
		ticket_use(program, ticket);
	/* A callback may have released it by now. */
	if (s && program && !pfn_notify && code == CL_SUCCESS)
		program_state_prepare(s, program);
	return program;
}
