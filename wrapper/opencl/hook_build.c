/* SPDX-License-Identifier: Apache-2.0 */
#include "program_state.h"

#include "array.h"
#include "opencl.h"
#include "program_code.h"
#include "session.h"
#include "str.h"
#include "sub_device.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef void(CL_CALLBACK *program_callback)(cl_program program, void *user_data);

/* Called once: before the application's callback, or with NULL when that will not be called. */
typedef void (*program_notify_before)(cl_program program, void *data);

struct program_notify {
	atomic_uint refs; /* the driver's call, and our call of the driver */
	bool is_called;
	program_callback callback;
	void *user_data;
	program_notify_before before;
	void *data;
};

static _Thread_local unsigned depth;

/*
 * Create a notification that calls `before` with `data` (unless NULL) and then `callback` with
 * `user_data`. The driver gets program_notify_call with the notification as its user data; NULL
 * when out of memory: the driver then gets the application's own.
 */
static struct program_notify *program_notify_create(program_callback callback, void *user_data,
                                                    program_notify_before before, void *data)
{
	struct program_notify *n = malloc(sizeof(*n));

	if (!n)
		return NULL;
	*n = (struct program_notify){
		.callback = callback, .user_data = user_data, .before = before, .data = data
	};
	atomic_init(&n->refs, 2);
	return n;
}

static void release(struct program_notify *n, unsigned refs)
{
	if (atomic_fetch_sub(&n->refs, refs) != refs)
		return;
	if (!n->is_called && n->before)
		n->before(NULL, n->data);
	free(n);
}

static void CL_CALLBACK program_notify_call(cl_program program, void *notify)
{
	struct program_notify *n = notify;

	if (n->before)
		n->before(program, n->data);
	n->is_called = true;
	depth++;
	n->callback(program, n->user_data);
	depth--;
	release(n, 1);
}

/*
 * Call this after the driver's call, with its code. Frees the notification if the driver will not
 * call it any more; otherwise its call frees it. NULL is allowed.
 */
static void program_notify_settle(struct program_notify *n, cl_int code)
{
	bool is_over;

	if (!n)
		return;
	/* A call refused for its arguments is never followed by the callback. One that reports a
	 * failed compilation may be: the notification stays, and leaks if no callback follows. */
	is_over = code != CL_SUCCESS && code != CL_BUILD_PROGRAM_FAILURE &&
	          code != CL_COMPILE_PROGRAM_FAILURE && code != CL_LINK_PROGRAM_FAILURE;
	release(n, is_over && atomic_load(&n->refs) == 2 ? 2 : 1);
}

bool program_notify_is_running(void)
{
	return depth;
}

/* The hooks that build and compile programs. */

/* How to compile a program and for which devices; no devices: for all. */
struct order {
	cl_uint device_count;
	const cl_device_id *devices;
	const char *options;
	const struct embedded_header *headers;
	cl_uint header_count;
	const char *refusal; /* why the result cannot be instrumented, or NULL */
};

static bool compile_one(const struct order *order, const struct device_codes *made,
                        cl_device_id device, struct device_codes *out)
{
	const struct program_code *from = device_codes_find(made, device);
	struct program_code *code;
	bool is_set;

	if (!from)
		return true;
	if (order->refusal)
		code = program_code_refused(from->origin, "%s", order->refusal);
	else
		code = program_code_compile(from, order->options, order->headers,
		                            order->header_count);
	is_set = code && device_codes_set(out, device, code);
	program_code_release(code);
	return is_set;
}

/* Compile for all devices; those without a code of their own share one. */
static bool compile_all(const struct order *order, const struct device_codes *made,
                        struct device_codes *out)
{
	const struct device_code *list = made->list.data;

	for (size_t i = 0; i < made->list.count; i++)
		if (!compile_one(order, made, list[i].device, out))
			return false;
	return true;
}

/* Set the program's codes as they will be once the driver has built it. False: the program is not
 * known, or memory ran out. */
static bool plan(struct session *s, cl_program program, const struct order *order,
                 struct program_change *change)
{
	struct device_codes made;
	bool is_good = program_state_copy_codes(s, program, CODES_MADE, &made);

	device_codes_init(&change->now);
	change->build = NULL;
	if (is_good && order->device_count)
		is_good = program_state_copy_codes(s, program, CODES_BUILT, &change->now);
	if (is_good && !order->device_count)
		is_good = compile_all(order, &made, &change->now);
	for (cl_uint i = 0; is_good && order->devices && i < order->device_count; i++)
		is_good =
			compile_one(order, &made, sub_device_of_program(program, order->devices[i]),
		                    &change->now);
	device_codes_release(&made);
	/* Without codes the program counts as not built. */
	if (!is_good)
		device_codes_release(&change->now);
	return is_good;
}

/* Called before the driver's call, because its callback may create kernels. */
static bool begin(struct session *s, cl_program program, const struct order *order,
                  struct program_change *change)
{
	if (!s)
		return false;
	(void)plan(s, program, order, change);
	if (program_state_swap(s, program, change))
		return true;
	program_change_release(change);
	return false;
}

/* Called after the driver's call: a build refused for its arguments or for the program's kernels
 * leaves the last build in place. */
static void end(struct session *s, cl_program program, struct program_change *change, cl_int code)
{
	if (code != CL_SUCCESS && code != CL_BUILD_PROGRAM_FAILURE &&
	    code != CL_COMPILE_PROGRAM_FAILURE)
		(void)program_state_swap(s, program, change);
	program_change_release(change);
}

cl_int CL_API_CALL hook_clBuildProgram(cl_program program, cl_uint num_devices,
                                       const cl_device_id *device_list, const char *options,
                                       void(CL_CALLBACK *pfn_notify)(cl_program program,
                                                                     void *user_data),
                                       void *user_data)
{
	struct session *s = session_current();
	const struct order order = { .device_count = device_list ? num_devices : 0,
		                     .devices = device_list,
		                     .options = options };
	struct program_notify *notify = NULL;
	struct program_change change;
	bool is_begun = begin(s, program, &order, &change);
	cl_int rc;

	if (is_begun && pfn_notify)
		notify = program_notify_create(pfn_notify, user_data, NULL, NULL);
	rc = opencl_real()->clBuildProgram(program, num_devices, device_list, options,
	                                   notify ? program_notify_call : pfn_notify,
	                                   notify ? notify : user_data);
	program_notify_settle(notify, rc);
	if (is_begun)
		end(s, program, &change, rc);
	/* A callback may have released it by now. */
	if (is_begun && !pfn_notify && rc == CL_SUCCESS)
		program_state_prepare(s, program);
	return rc;
}

/* Returns the text of a header, which is a program from source; NULL when it is not known. */
static struct shared_text *header_text(struct session *s, cl_program program)
{
	const struct program_code *code;
	struct shared_text *text = NULL;
	struct device_codes codes;

	if (!program_state_copy_codes(s, program, CODES_MADE, &codes))
		return NULL;
	code = device_codes_find(&codes, NULL);
	if (code && code->part_count == 1 && code->parts[0].kind == CODE_SOURCE)
		text = shared_text_retain(code->parts[0].text);
	device_codes_release(&codes);
	return text;
}

static void release_headers(struct embedded_header *headers, cl_uint count)
{
	for (cl_uint i = 0; headers && i < count; i++) {
		free(headers[i].name);
		shared_text_release(headers[i].text);
	}
	free(headers);
}

/* Returns the headers, freed by release_headers(); NULL with the reason in *refusal when one is not
 * known. */
static struct embedded_header *read_headers(struct session *s, cl_uint count,
                                            const cl_program *programs, const char **names,
                                            const char **refusal)
{
	struct embedded_header *headers = array_alloc(count, sizeof(*headers), "headers", NULL);

	*refusal = "the text of a header that came with the program is not known";
	for (cl_uint i = 0; headers && i < count; i++) {
		headers[i].name = str_copy(names[i], NULL);
		headers[i].text = header_text(s, programs[i]);
		if (!headers[i].name || !headers[i].text) {
			release_headers(headers, count);
			return NULL;
		}
	}
	if (headers)
		*refusal = NULL;
	return headers;
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are Khronos' */
cl_int CL_API_CALL hook_clCompileProgram(
	cl_program program, cl_uint num_devices, const cl_device_id *device_list,
	const char *options, cl_uint num_input_headers, const cl_program *input_headers,
	const char **header_include_names,
	void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data), void *user_data)
{
	struct session *s = session_current();
	bool has_headers = s && num_input_headers && input_headers && header_include_names;
	struct order order = { .device_count = device_list ? num_devices : 0,
		               .devices = device_list,
		               .options = options,
		               .header_count = has_headers ? num_input_headers : 0 };
	struct embedded_header *headers = NULL;
	struct program_notify *notify = NULL;
	struct program_change change;
	bool is_begun;
	cl_int rc;

	if (has_headers)
		headers = read_headers(s, num_input_headers, input_headers, header_include_names,
		                       &order.refusal);
	order.headers = headers;
	is_begun = begin(s, program, &order, &change);
	release_headers(headers, num_input_headers);
	if (is_begun && pfn_notify)
		notify = program_notify_create(pfn_notify, user_data, NULL, NULL);
	rc = opencl_real()->clCompileProgram(program, num_devices, device_list, options,
	                                     num_input_headers, input_headers, header_include_names,
	                                     notify ? program_notify_call : pfn_notify,
	                                     notify ? notify : user_data);
	program_notify_settle(notify, rc);
	if (is_begun)
		end(s, program, &change, rc);
	return rc;
}

/* clLinkProgram(): the new program's codes must be known before its callback is called. */

/* The codes of a program that does not exist yet. */
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

/* The callback or the call, whichever comes first, informs the session. Drops a reference. */
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

/* Link the programs' codes for one device. */
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

/* Link for each device that a program is compiled for separately, and for all others. */
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

/* Returns the present codes of the programs, or NULL when out of memory. */
static struct device_codes *read_inputs(struct session *s, cl_uint count,
                                        const cl_program *programs)
{
	struct device_codes *inputs = array_alloc(count, sizeof(*inputs), "programs", NULL);

	for (cl_uint i = 0; inputs && i < count; i++)
		(void)program_state_copy_codes(s, programs[i], CODES_PRESENT, &inputs[i]);
	return inputs;
}

/* Returns a ticket with one reference; NULL when the call is bound to fail, or out of memory. */
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
