/* SPDX-License-Identifier: Apache-2.0 */
#include "program_macros.h"

#include "array.h"
#include "device_info.h"
#include "err.h"
#include "instrument_job.h"
#include "macro_store.h"
#include "opencl_session.h"
#include "program_code.h"
#include "str.h"
#include "text_program.h"
#include "word_list.h"

#include <stdlib.h>
#include <string.h>

#define KERNEL            "warpline_macros"
#define FOUND             "warpline_found"
#define END               "warpline end\n"
#define LIMIT_BYTES       (64u << 20)
#define FIRST_BYTES       (64u << 10)
#define LIMIT_ARGUMENTS   1000
#define LIMIT_NAMES_BYTES (64u << 10)

/* A line of the names. */
struct question {
	const char *name;
	int length;             /* of the name */
	int argument_count;     /* to call it with; -1: it is not called */
	const char *expression; /* NULL: it is a name */
	int expression_length;
};

/* Read the next line at *at; false at the end. */
static bool next_question(const char **at, struct question *q)
{
	const char *line = *at;
	size_t length = strcspn(line, "\n");

	if (!*line)
		return false;
	*at = line + length + (line[length] == '\n');
	*q = (struct question){ .name = line, .argument_count = -1 };
	q->length = (int)strcspn(line, "(=\n");
	if (line[q->length] == '(')
		q->argument_count = (int)strtol(line + q->length + 1, NULL, 10);
	if (line[q->length] == '=') {
		q->expression = line + q->length + 1;
		q->expression_length = (int)length - q->length - 1;
	}
	return true;
}

/* One name is enough to find something. */
static int append_tests(struct str *text, const char *names, struct err *err)
{
	struct question q;
	int rc = 0;

	while (rc == 0 && next_question(&names, &q))
		if (!q.expression)
			rc = str_printf(text, err, "#ifdef %.*s\n#define " FOUND "\n#endif\n",
			                q.length, q.name);
	return rc;
}

static bool has_expression(const char *names)
{
	return strchr(names, '=');
}

int macro_probe_append(struct str *text, const char *names, struct err *err)
{
	int rc = str_printf(text, err, has_expression(names) ? "\n#define " FOUND "\n" : "\n");

	if (rc == 0 && !has_expression(names))
		rc = append_tests(text, names, err);
	return rc ? rc
	          : str_printf(text, err,
	                       "#ifdef " FOUND "\n__kernel void " KERNEL "(void)\n{\n}\n#endif\n");
}

/* Whether the list "a;b;c" has the kernel. */
static bool has_kernel(const char *names)
{
	const char *found = strstr(names, KERNEL);
	size_t length = strlen(KERNEL);

	return found && (found == names || found[-1] == ';') &&
	       (!found[length] || found[length] == ';');
}

bool macro_probe_has_found(cl_program program)
{
	const struct opencl_real *real = opencl_real();
	char *names = NULL;
	size_t bytes = 0;
	cl_kernel kernel;
	cl_int rc;
	bool is_found = false;

	if (real->clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &bytes) == CL_SUCCESS)
		names = array_alloc(bytes + 1, 1, "kernel names", NULL);
	if (names && real->clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, bytes, names, NULL) ==
	                     CL_SUCCESS) {
		is_found = has_kernel(names);
	} else {
		/* A driver of OpenCL 1.1 cannot list kernels. */
		kernel = real->clCreateKernel(program, KERNEL, &rc);
		is_found = kernel;
		if (kernel)
			real->clReleaseKernel(kernel);
	}
	free(names);
	return is_found;
}

/* Append NAME and its expansion as parts of a string. */
static int append_answer(struct str *text, const struct question *q, struct err *err)
{
	int rc = str_printf(text, err, "#ifdef %.*s\n\"%.*s \" warpline_string(%.*s) \"\\n\"\n",
	                    q->length, q->name, q->length, q->name, q->length, q->name);

	if (rc == 0 && q->argument_count >= 0 && q->argument_count <= LIMIT_ARGUMENTS) {
		rc = str_printf(text, err, "\"%.*s(%d \" warpline_string(%.*s(", q->length, q->name,
		                q->argument_count, q->length, q->name);
		for (int i = 0; rc == 0 && i < q->argument_count; i++)
			rc = str_printf(text, err, "%swarpline_%d", i ? ", " : "", i);
		if (rc == 0)
			rc = str_printf(text, err, ")) \"\\n\"\n");
	}
	return rc ? rc : str_printf(text, err, "#endif\n");
}

/* Append the string of all answers, and the values of the expressions. */
static int append_answers(struct str *text, const char *names, struct err *err)
{
	const char *at = names;
	struct question q;
	int rc = str_printf(text, err,
	                    "#define warpline_quote(...) #__VA_ARGS__\n"
	                    "#define warpline_string(...) warpline_quote(__VA_ARGS__)\n"
	                    "__constant char warpline_answers[] =\n");

	while (rc == 0 && next_question(&at, &q))
		if (!q.expression)
			rc = append_answer(text, &q, err);
	if (rc == 0)
		rc = str_printf(text, err,
		                "\"warpline end\\n\";\n__constant char warpline_values[] = { ");
	for (at = names; rc == 0 && next_question(&at, &q);)
		if (q.expression)
			rc = str_printf(text, err, "'0' + (%.*s), ", q.expression_length,
			                q.expression);
	return rc ? rc : str_printf(text, err, "0 };\n");
}

/* Write the whole program. An expression always has an answer. */
static int write_program(struct str *text, const char *names, struct err *err)
{
	int rc = has_expression(names) ? str_printf(text, err, "#define " FOUND "\n")
	                               : append_tests(text, names, err);

	if (rc == 0)
		rc = str_printf(text, err, "#ifdef " FOUND "\n");
	if (rc == 0)
		rc = append_answers(text, names, err);
	return rc ? rc
	          : str_printf(text, err,
	                       "__kernel void " KERNEL "(__global char *out, uint bytes)\n"
	                       "{\n"
	                       "    uint at = 0;\n"
	                       "    for (uint i = 0; i + 1 < sizeof(warpline_answers); i++)\n"
	                       "        if (at < bytes)\n"
	                       "            out[at++] = warpline_answers[i];\n"
	                       "    for (uint i = 0; i < sizeof(warpline_values); i++)\n"
	                       "        if (at < bytes)\n"
	                       "            out[at++] = warpline_values[i];\n"
	                       "}\n"
	                       "#else\n"
	                       "__kernel void warpline_nothing(void)\n{\n}\n"
	                       "#endif\n");
}

/* The objects for asking a device, in a context of their own. */
struct asking {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernel;
};

static void release(const struct asking *a)
{
	const struct opencl_real *real = opencl_real();

	if (a->kernel)
		real->clReleaseKernel(a->kernel);
	if (a->program)
		real->clReleaseProgram(a->program);
	if (a->queue)
		real->clReleaseCommandQueue(a->queue);
	if (a->context)
		real->clReleaseContext(a->context);
}

/* Run the kernel with room for `bytes` and read the result. */
static cl_int run(const struct asking *a, cl_uint bytes, char *out)
{
	const struct opencl_real *real = opencl_real();
	const size_t one = 1;
	cl_int rc;
	cl_mem mem = real->clCreateBuffer(a->context, CL_MEM_WRITE_ONLY, bytes, NULL, &rc);

	if (!mem)
		return rc;
	rc = real->clSetKernelArg(a->kernel, 0, sizeof(mem), (const void *)&mem);
	if (rc == CL_SUCCESS)
		rc = real->clSetKernelArg(a->kernel, 1, sizeof(bytes), &bytes);
	if (rc == CL_SUCCESS)
		rc = real->clEnqueueNDRangeKernel(a->queue, a->kernel, 1, NULL, &one, &one, 0, NULL,
		                                  NULL);
	if (rc == CL_SUCCESS)
		rc = real->clEnqueueReadBuffer(a->queue, mem, CL_TRUE, 0, bytes, out, 0, NULL,
		                               NULL);
	if (rc == CL_SUCCESS)
		rc = real->clFinish(a->queue);
	real->clReleaseMemObject(mem);
	return rc;
}

/* Take lines up to the end mark, then a digit for each expression. */
static int take_answers(const char *text, const char *names, struct str *answers, struct err *err)
{
	const char *end = strstr(text, END), *values;
	struct question q;
	int rc;

	if (!end)
		return err_set(err, ERR_DEVICE, "the device's answer has no end");
	values = end + strlen(END);
	rc = str_append(answers, text, (size_t)(end - text), err);
	while (rc == 0 && next_question(&names, &q)) {
		if (!q.expression)
			continue;
		if (!*values)
			return err_set(err, ERR_DEVICE, "the device's answer lacks a value");
		rc = str_printf(answers, err, "%.*s=%c\n", q.length, q.name, *values++);
	}
	return rc;
}

/* Double the room until the end mark fits. */
static int read_answers(const struct asking *a, const char *names, struct str *answers,
                        struct err *err)
{
	for (size_t bytes = FIRST_BYTES; bytes <= LIMIT_BYTES; bytes *= 2) {
		char *text = array_alloc(bytes + 1, 1, "the device's answer", err);
		cl_int failed;
		int rc = 0;
		bool is_whole;

		if (!text)
			return ERR_NOMEM;
		failed = run(a, (cl_uint)bytes, text);
		is_whole = strlen(text) < bytes;
		if (failed)
			rc = err_set(err, ERR_DEVICE, "the device does not run the question: %d",
			             failed);
		else if (is_whole)
			rc = take_answers(text, names, answers, err);
		free(text);
		if (rc < 0 || is_whole)
			return rc;
	}
	return err_set(err, ERR_LIMIT, "the device's answer has more than %u bytes", LIMIT_BYTES);
}

static int ask(struct asking *a, const char *options, const char *names, struct str *answers,
               struct err *err)
{
	const struct opencl_real *real = opencl_real();
	struct str text;
	cl_int failed;
	int rc;

	a->context = real->clCreateContext(NULL, 1, &a->device, NULL, NULL, &failed);
	if (a->context)
		a->queue = real->clCreateCommandQueue(a->context, a->device, 0, &failed);
	if (!a->queue)
		return err_set(err, ERR_DEVICE, "the driver cannot create a queue: %d", failed);
	str_init(&text, LIMIT_BYTES);
	rc = write_program(&text, names, err);
	if (rc == 0)
		rc = text_program_build_unprobed(a->context, a->device, &text, options, &a->program,
		                                 err);
	str_release(&text);
	if (rc < 0 || !macro_probe_has_found(a->program))
		return rc;
	a->kernel = real->clCreateKernel(a->program, KERNEL, &failed);
	if (!a->kernel)
		return err_set(err, ERR_DEVICE, "the driver cannot create a kernel: %d", failed);
	return read_answers(a, names, answers, err);
}

/*
 * Build a program with `options` in a context of our own and, unless the build shows that no name
 * is a macro, run it on the device. Appends to *answers. Returns 0; ERR_DEVICE with what the driver
 * said; ERR_LIMIT, ERR_NOMEM.
 */
static int macro_probe_ask(cl_device_id device, const char *options, const char *names,
                           struct str *answers, struct err *err)
{
	struct asking a = { .device = device };
	int rc = *names ? ask(&a, options, names, answers, err) : 0;

	release(&a);
	return rc;
}

#define ANSWER_BYTES (16u << 20)

/* Variables with which drivers extend every program's build options. */
static const char *const variables[] = { "POCL_EXTRA_BUILD_FLAGS", "OCLGRIND_BUILD_OPTIONS" };

/* Build options on which no macro of the compiler depends; the first that matches counts. */
static const struct {
	const char *text;
	bool is_prefix, has_pair;
} idle[] = {
	{ "-I", false, true },       { "-I", true, false },
	{ "-include", false, true }, { "-isystem", false, true },
	{ "-iquote", false, true },  { "-cl-kernel-arg-info", false, false },
	{ "-s", false, true },       { "-o", false, true },
	{ "-w", false, false },      { "-W", true, false },
	{ "-g", true, false },       { "-save-temps", true, false },
};

/* Returns the number of words of the option at `i` if no macro depends on it, else 0. */
static size_t count_idle(const struct word_list *words, size_t i)
{
	const char *word = word_list_at(words, i);

	for (size_t k = 0; k < sizeof(idle) / sizeof(idle[0]); k++)
		if (idle[k].is_prefix ? !strncmp(word, idle[k].text, strlen(idle[k].text))
		                      : !strcmp(word, idle[k].text))
			return idle[k].has_pair ? 2 : 1;
	return 0;
}

/* Returns what -D or -U at `i` names; NULL if it is neither. *count is its number of words. */
static const char *named_macro(const struct word_list *words, size_t i, size_t *count)
{
	const char *word = word_list_at(words, i);

	*count = 1;
	if (strncmp(word, "-D", 2) != 0 && strncmp(word, "-U", 2) != 0)
		return NULL;
	if (word[2])
		return word + 2;
	*count = 2;
	return i + 1 < word_list_count(words) ? word_list_at(words, i + 1) : "";
}

/* Whether there is an answer about the macro that a definition defines. */
static bool is_answered(const char *answers, const char *definition)
{
	size_t length = strcspn(definition, "=(");

	for (const char *line = answers; *line; line += *line == '\n') {
		if (!strncmp(line, definition, length) && line[length] &&
		    strchr(" (", line[length]))
			return true;
		line += strcspn(line, "\n");
	}
	return false;
}

static int append_word(struct str *out, const char *word, struct err *err)
{
	if (strpbrk(word, " \t\n\"'\\"))
		return err_set(err, ERR_UNSUPPORTED,
		               "the device cannot be asked for its macros with the build option "
		               "'%.100s'",
		               word);
	return str_printf(out, err, " %s", word);
}

/*
 * Get the options with which a part's device is asked: without the program's own definitions,
 * except of names that are macros of the device.
 */
static int reduce(const char *options, const char *answers, struct str *out, struct err *err)
{
	struct word_list words;
	int rc = str_printf(out, err, "-w");

	word_list_init(&words);
	if (rc == 0)
		rc = word_list_split(&words, options, err);
	for (size_t i = 0, count; rc == 0 && i < word_list_count(&words); i += count) {
		const char *macro = named_macro(&words, i, &count);

		if (!macro)
			count = count_idle(&words, i);
		if (macro ? !is_answered(answers, macro) : count)
			continue;
		count = count ? count : 1;
		for (size_t k = i; rc == 0 && k < i + count && k < word_list_count(&words); k++)
			rc = append_word(out, word_list_at(&words, k), err);
	}
	word_list_release(&words);
	return rc;
}

/* Append the names that such options define: the device is asked about them, too. */
static int append_named(struct str *names, const char *options, struct err *err)
{
	struct word_list words;
	int rc;

	word_list_init(&words);
	rc = word_list_split(&words, options, err);
	for (size_t i = 0, count; rc == 0 && i < word_list_count(&words); i += count) {
		const char *macro = named_macro(&words, i, &count);

		if (macro)
			rc = str_printf(names, err, "%.*s\n", (int)strcspn(macro, "=("), macro);
	}
	word_list_release(&words);
	return rc;
}

static int append_property(struct str *key, char *text, struct err *err)
{
	int rc = text ? str_printf(key, err, "%s\n", text) : ERR_NOMEM;

	free(text);
	return rc;
}

/* Returns everything that answers depend on, one item a line. */
static char *key_of(const struct program_macros *m, const char *options, struct err *err)
{
	static const cl_device_info properties[] = { CL_DEVICE_NAME, CL_DEVICE_VERSION,
		                                     CL_DRIVER_VERSION, CL_DEVICE_OPENCL_C_VERSION,
		                                     CL_DEVICE_EXTENSIONS };
	struct str key;
	int rc;

	str_init(&key, ANSWER_BYTES);
	rc = str_printf(&key, err, "%s\n", m->identity);
	if (rc == 0)
		rc = append_property(&key, device_info_platform(m->device, CL_PLATFORM_NAME, err),
		                     err);
	if (rc == 0)
		rc = append_property(
			&key, device_info_platform(m->device, CL_PLATFORM_VERSION, err), err);
	for (size_t i = 0; rc == 0 && i < sizeof(properties) / sizeof(properties[0]); i++)
		rc = append_property(&key, device_info_text(m->device, properties[i], err), err);
	for (size_t i = 0; rc == 0 && i < sizeof(variables) / sizeof(variables[0]); i++)
		rc = str_printf(&key, err, "%s\n",
		                getenv(variables[i]) ? getenv(variables[i]) : "");
	if (rc == 0)
		rc = str_printf(&key, err, "%s", options);
	if (rc < 0)
		str_release(&key);
	return str_take(&key);
}

static void release_part(struct part_macros *part)
{
	free(part->key);
	free(part->options);
	free(part->answers);
	*part = (struct part_macros){ .key = NULL };
}

/* Take the known answers about a part that is asked with these options. */
static int take_known(struct program_macros *m, struct part_macros *part, const char *options,
                      struct err *err)
{
	struct session *s = m->session;

	release_part(part);
	part->options = str_copy(options, err);
	part->key = part->options ? key_of(m, options, err) : NULL;
	if (part->key)
		part->answers =
			macro_store_find(&opencl_session(s)->macros, s->settings.cache, part->key);
	return part->answers ? 0 : err_set(err, ERR_NOMEM, "out of memory for a device's macros");
}

/* First without the program's definitions, then with those of names that the device defines, too.
 */
static int take_part(struct program_macros *m, struct part_macros *part, const char *options,
                     struct err *err)
{
	struct str plain, whole;
	int rc;

	str_init(&plain, ANSWER_BYTES);
	str_init(&whole, ANSWER_BYTES);
	rc = reduce(options, "", &plain, err);
	if (rc == 0)
		rc = take_known(m, part, plain.text, err);
	if (rc == 0)
		rc = reduce(options, part->answers, &whole, err);
	if (rc == 0 && strcmp(whole.text, plain.text) != 0)
		rc = take_known(m, part, whole.text, err);
	str_release(&whole);
	str_release(&plain);
	return rc;
}

static int take(struct program_macros *m, const struct program_code *code, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < m->part_count; i++)
		if (code->parts[i].kind == CODE_SOURCE)
			rc = take_part(m, &m->parts[i], code->parts[i].options, err);
	return rc;
}

int program_macros_init(struct program_macros *m, struct session *s, cl_device_id device,
                        const struct program_code *code, const char *instrumenter, struct err *err)
{
	*m = (struct program_macros){ .session = s, .device = device };
	m->identity = cached_instrument_identity(instrumenter);
	if (!m->identity)
		m->identity = str_copy("", err);
	m->parts = array_alloc(code->part_count, sizeof(*m->parts), "parts", err);
	if (!m->parts || !m->identity)
		return ERR_NOMEM;
	m->part_count = code->part_count;
	return take(m, code, err);
}

bool program_macros_are_known(const struct program_macros *m)
{
	for (size_t i = 0; i < m->part_count; i++)
		if (m->parts[i].key && !*m->parts[i].answers)
			return false;
	return true;
}

/* Whether an earlier part has the same key. */
static bool is_double(const struct program_macros *m, size_t part)
{
	for (size_t i = 0; i < part; i++)
		if (m->parts[i].key && !strcmp(m->parts[i].key, m->parts[part].key))
			return true;
	return false;
}

/* Whether another thread has asked since the part's answers were taken. */
static bool is_asked_meanwhile(const struct program_macros *m, const struct part_macros *part)
{
	struct session *s = m->session;
	char *now = macro_store_find(&opencl_session(s)->macros, s->settings.cache, part->key);
	bool is_other = now && strcmp(now, part->answers) != 0;

	free(now);
	return is_other;
}

/* Ask with a part's options and keep the answers. */
static int ask_part(const struct program_macros *m, const struct part_macros *part,
                    const char *names, bool *is_more, struct err *err)
{
	struct session *s = m->session;
	struct str question, answers;
	int rc;

	str_init(&question, ANSWER_BYTES);
	str_init(&answers, ANSWER_BYTES);
	rc = str_printf(&question, err, "%s", names);
	if (rc == 0 && !*part->answers)
		rc = append_named(&question, part->options, err);
	if (rc == 0)
		rc = macro_probe_ask(m->device, part->options, question.text, &answers, err);
	if (rc == 0 && answers.length)
		macro_store_add(&opencl_session(s)->macros, s->settings.cache, part->key,
		                answers.text);
	*is_more |= answers.length;
	str_release(&answers);
	str_release(&question);
	return rc;
}

int program_macros_ask(struct program_macros *m, const struct program_code *code, const char *names,
                       bool *is_more, struct err *err)
{
	int rc = 0;

	*is_more = false;
	macro_store_begin(&opencl_session(m->session)->macros);
	for (size_t i = 0; rc == 0 && i < m->part_count; i++) {
		if (!m->parts[i].key || is_double(m, i))
			continue;
		if (is_asked_meanwhile(m, &m->parts[i]))
			*is_more = true;
		else
			rc = ask_part(m, &m->parts[i], names, is_more, err);
	}
	macro_store_end(&opencl_session(m->session)->macros);
	return rc ? rc : take(m, code, err);
}

void program_macros_release(struct program_macros *m)
{
	for (size_t i = 0; i < m->part_count; i++)
		release_part(&m->parts[i]);
	free(m->parts);
	free(m->identity);
	*m = (struct program_macros){ .session = NULL };
}
