/* SPDX-License-Identifier: Apache-2.0 */
#include "nvrtc_program.h"

#include "cuda_compile.h"
#include "cuda_core.h"
#include "err.h"
#include "line_walk.h"
#include "module_table.h"
#include "str.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum argument {
	NONE,
	TEXT,
	BOOL,   /* true or false */
	NOT,    /* the same; canonical is for false */
	NUMBER, /* digits */
	ARCH,   /* compute_75, sm_90a */
	STD,    /* c++17 */
	LETTER, /* as TEXT, of a one-letter option whose argument may follow without a space */
};

/* An option that NVRTC's user guide lists. */
struct row {
	const char *long_name, *short_name;
	enum argument argument;
	/* What replaces it when we compile the program, before its argument; of BOOL for true, of
	 * NOT for false; "": nothing. Macros are those that NVRTC defines for it. */
	const char *canonical;
};

static const struct row rows[] = {
	{ "--gpu-architecture", "-arch", ARCH, "-arch=" },
	{ "--device-c", "-dc", NONE, "-D__CUDACC_RDC__" },
	{ "--device-w", "-dw", NONE, "" },
	{ "--relocatable-device-code", "-rdc", BOOL, "-D__CUDACC_RDC__" },
	{ "--extensible-whole-program", "-ewp", NONE, "-D__CUDACC_EWP__" },
	{ "--device-debug", "-G", NONE, "-D__CUDACC_DEBUG__" },
	{ "--generate-line-info", "-lineinfo", NONE, "" },
	{ "--dopt", "-dopt", TEXT, "" },
	{ "--Ofast-compile", "-Ofc", TEXT, "" },
	{ "--ptxas-options", "-Xptxas", TEXT, "" },
	{ "--maxrregcount", "-maxrregcount", NUMBER, "" },
	{ "--ftz", "-ftz", BOOL, "" },
	{ "--prec-sqrt", "-prec-sqrt", BOOL, "" },
	{ "--prec-div", "-prec-div", BOOL, "" },
	{ "--fmad", "-fmad", NOT, "-ffp-contract=off" },
	{ "--use_fast_math", "-use_fast_math", NONE, "" },
	{ "--extra-device-vectorization", "-extra-device-vectorization", NONE, "" },
	{ "--modify-stack-limit", "-modify-stack-limit", BOOL, "" },
	{ "--dlink-time-opt", "-dlto", NONE, "" },
	{ "--gen-opt-lto", "-gen-opt-lto", NONE, "" },
	{ "--optix-ir", "-optix-ir", NONE, "" },
	{ "--jump-table-density", "-jtd", NUMBER, "" },
	{ "--device-stack-protector", "-device-stack-protector", BOOL, "" },
	{ "--no-cache", "-no-cache", NONE, "" },
	{ "--frandom-seed", "-frandom-seed", TEXT, "" },
	{ "--define-macro", "-D", LETTER, "-D" },
	{ "--undefine-macro", "-U", LETTER, "-U" },
	{ "--include-path", "-I", LETTER, "-I" },
	{ "--pre-include", "-include", TEXT, "--pre-include=" },
	{ "--no-source-include", "-no-source-include", NONE, "" },
	{ "--std", "-std", STD, "-std=" },
	{ "--builtin-move-forward", "-builtin-move-forward", BOOL, "" },
	{ "--builtin-initializer-list", "-builtin-initializer-list", BOOL, "" },
	{ "--pch", "-pch", NONE, "" },
	{ "--create-pch", "-create-pch", TEXT, "" },
	{ "--use-pch", "-use-pch", TEXT, "" },
	{ "--pch-dir", "-pch-dir", TEXT, "" },
	{ "--pch-verbose", "-pch-verbose", BOOL, "" },
	{ "--pch-messages", "-pch-messages", BOOL, "" },
	{ "--instantiate-templates-in-pch", "-instantiate-templates-in-pch", BOOL, "" },
	{ "--disable-warnings", "-w", NONE, "" },
	{ "--restrict", "-restrict", NONE, "" },
	{ "--device-as-default-execution-space", "-default-device", NONE, "" },
	{ "--device-int128", "-device-int128", NONE, "-D__CUDACC_RTC_INT128__" },
	{ "--device-float128", "-device-float128", NONE, "-D__CUDACC_RTC_FLOAT128__" },
	{ "--optimization-info", "-opt-info", TEXT, "" },
	{ "--display-error-number", "-err-no", NONE, "" },
	{ "--no-display-error-number", "-no-err-no", NONE, "" },
	{ "--diag-error", "-diag-error", TEXT, "" },
	{ "--diag-suppress", "-diag-suppress", TEXT, "" },
	{ "--diag-warn", "-diag-warn", TEXT, "" },
	{ "--brief-diagnostics", "-brief-diag", BOOL, "" },
	{ "--time", "-time", TEXT, "" },
	{ "--split-compile", "-split-compile", NUMBER, "" },
	{ "--fdevice-syntax-only", "-fdevice-syntax-only", NONE, "" },
	{ "--fdevice-time-trace", "-fdevice-time-trace", TEXT, "" },
	{ "--minimal", "-minimal", NONE, "-D__CUDACC_RTC_MINIMAL__" },
	{ "--version-ident", "-version-ident", BOOL, "" },
};

/* Returns the rest of a word that begins with `name`, or NULL. */
static const char *after(const char *word, const char *name)
{
	return strncmp(word, name, strlen(name)) ? NULL : word + strlen(name);
}

/* Returns the part after the name in a word that is an option of this row, which may be ""; NULL if
 * it is another option.
 */
static const char *rest_of(const struct row *row, const char *word)
{
	const char *rest = after(word, row->long_name);

	if (rest && (!*rest || *rest == '='))
		return rest;
	rest = after(word, row->short_name);
	return rest && (!*rest || *rest == '=' || row->argument == LETTER) ? rest : NULL;
}

static const struct row *find(const char *word, const char **rest)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		*rest = rest_of(&rows[i], word);
		if (*rest)
			return &rows[i];
	}
	return NULL;
}

static bool is_one_of(const char *word, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(word, list[i]))
			return true;
	return false;
}

/* Whether it is "compute_75", "sm_90a" or the like. */
static bool is_architecture(const char *value)
{
	const char *number = after(value, "compute_");

	number = number ? number : after(value, "sm_");
	if (!number || !strspn(number, "0123456789"))
		return false;
	number += strspn(number, "0123456789");
	return !*number || !strcmp(number, "a") || !strcmp(number, "f");
}

static bool is_value(enum argument argument, const char *value)
{
	static const char *const booleans[] = { "true", "false" };
	static const char *const standards[] = { "c++03", "c++11", "c++14", "c++17", "c++20" };

	switch (argument) {
	case BOOL:
	case NOT:
		return is_one_of(value, booleans, sizeof(booleans) / sizeof(booleans[0]));
	case NUMBER:
		return *value && !value[strspn(value, "0123456789")];
	case ARCH:
		return is_architecture(value);
	case STD:
		return is_one_of(value, standards, sizeof(standards) / sizeof(standards[0]));
	case TEXT:
	case LETTER:
		return *value;
	case NONE:
		break;
	}
	return false;
}

/* Append a word in single quotes, as for a shell. It must not contain a line feed. */
static int quote(struct str *out, const char *canonical, const char *value, struct err *err)
{
	int rc = str_printf(out, err, "'%s", canonical);

	for (; rc == 0 && *value; value++)
		rc = *value == '\'' ? str_printf(out, err, "'\\''")
		                    : str_append(out, value, 1, err);
	return rc ? rc : str_printf(out, err, "' ");
}

/* Returns the value in `rest` or else the next string, to which *i advances; NULL when there is
 * none. */
static const char *value_of(const char *rest, const char *const *options, size_t count, size_t *i)
{
	rest += *rest == '=';
	rest += strspn(rest, " ");
	if (*rest)
		return rest;
	return *i + 1 < count ? options[++*i] : NULL;
}

static int read_one(struct str *out, const char *const *options, size_t count, size_t *i,
                    struct err *err)
{
	const char *word = options[*i], *rest = NULL, *value = "";
	const struct row *row = find(word, &rest);

	if (!row || (row->argument == NONE && *rest))
		return err_set(err, ERR_USAGE, "nvrtc: error: unrecognized option %.300s found",
		               word);
	if (row->argument != NONE)
		value = value_of(rest, options, count, i);
	if (row->argument != NONE &&
	    (!value || !is_value(row->argument, value) || strchr(value, '\n')))
		return err_set(err, ERR_USAGE, "nvrtc: error: invalid value for %s (%s)",
		               row->long_name, row->short_name);
	if (!*row->canonical || (row->argument == BOOL && strcmp(value, "true") != 0) ||
	    (row->argument == NOT && strcmp(value, "false") != 0))
		return 0;
	if (row->argument == BOOL || row->argument == NOT)
		value = "";
	return quote(out, row->canonical, value, err);
}

int nvrtc_options_read(struct str *out, const char *const *options, size_t count, struct err *err)
{
	int rc = str_printf(out, err, "'-D__CUDACC_RTC__' ");

	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = options[i] ? read_one(out, options, count, &i, err)
		                : err_set(err, ERR_USAGE, "nvrtc: error: an option is NULL");
	return rc;
}

#define LIMIT_BYTES (256u << 20)
#define DEPTH       32

/* Returns the index of the header that a line includes, or the number of headers. */
static size_t included(const char *line, size_t length, const struct nvrtc_headers *headers)
{
	const char *at = line + strspn(line, " \t"), *end = line + length;
	size_t name;

	if (at >= end || *at != '#')
		return headers->count;
	at++;
	at += strspn(at, " \t");
	if (strncmp(at, "include", 7) != 0)
		return headers->count;
	at += 7;
	at += strspn(at, " \t");
	if (at >= end || (*at != '"' && *at != '<'))
		return headers->count;
	name = strcspn(at + 1, "\">\n");
	for (size_t i = 0; i < headers->count; i++)
		if (headers->names[i] && headers->texts[i] && strlen(headers->names[i]) == name &&
		    !memcmp(headers->names[i], at + 1, name))
			return i;
	return headers->count;
}

char *nvrtc_source_expand(const char *source, const struct nvrtc_headers *headers, struct err *err)
{
	struct line_walk levels[DEPTH] = { line_walk_string(source) }; /* texts being inserted */
	size_t depth = 1, header;
	struct line line;
	struct str out;
	int rc;

	str_init(&out, LIMIT_BYTES);
	rc = str_append(&out, "", 0, err);
	while (rc == 0 && depth) {
		if (!line_walk_next(&levels[depth - 1], &line)) {
			depth--;
			continue;
		}
		header = included(line.text, line.length, headers);
		if (header == headers->count)
			rc = str_append(&out, line.text, line.length, err);
		if (rc == 0)
			rc = str_append(&out, "\n", 1, err);
		if (header < headers->count && depth < DEPTH)
			levels[depth++] = line_walk_string(headers->texts[header]);
	}
	if (rc)
		str_release(&out);
	return str_take(&out);
}

#define SOURCE_LIMIT_BYTES (256u << 20)
#define VERSION_MAJOR      12
#define VERSION_MINOR      0

struct nvrtc_program {
	char *source;   /* with its headers inserted */
	struct str out; /* what is returned as PTX; empty: not compiled */
	char *log;
	bool is_compiled; /* successfully */
	struct module_table table;
};

/* The values of --gpu-architecture. */
static const int architectures[] = { 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90 };

const char *nvrtc_program_error_text(int error)
{
	switch (error) {
#define NVRTC_ERROR(name, code, text)                                                              \
	case code:                                                                                 \
		return text;
#include "nvrtc_api.def"
	default:
		return "NVRTC_ERROR unknown";
	}
}

int nvrtc_program_Version(int *major, int *minor)
{
	if (!major || !minor)
		return NVRTC_INVALID_INPUT;
	*major = VERSION_MAJOR;
	*minor = VERSION_MINOR;
	return NVRTC_SUCCESS;
}

int nvrtc_program_GetNumSupportedArchs(int *numArchs)
{
	if (!numArchs)
		return NVRTC_INVALID_INPUT;
	*numArchs = (int)(sizeof(architectures) / sizeof(architectures[0]));
	return NVRTC_SUCCESS;
}

int nvrtc_program_GetSupportedArchs(int *supportedArchs)
{
	if (!supportedArchs)
		return NVRTC_INVALID_INPUT;
	memcpy(supportedArchs, architectures, sizeof(architectures));
	return NVRTC_SUCCESS;
}

static void release(struct nvrtc_program *p)
{
	free(p->source);
	str_release(&p->out);
	free(p->log);
	module_table_release(&p->table);
	free(p);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are the interface's */
int nvrtc_program_CreateProgram(struct nvrtc_program **prog, const char *src, const char *name,
                                int numHeaders, const char *const *headers,
                                const char *const *includeNames)
{
	const struct nvrtc_headers list = { headers, includeNames,
		                            numHeaders > 0 ? (size_t)numHeaders : 0 };
	struct nvrtc_program *p;

	if (!prog || !src || numHeaders < 0 || (numHeaders && (!headers || !includeNames)))
		return NVRTC_INVALID_INPUT;
	p = calloc(1, sizeof(*p));
	if (!p)
		return NVRTC_OUT_OF_MEMORY;
	str_init(&p->out, SOURCE_LIMIT_BYTES);
	p->source = nvrtc_source_expand(src, &list, NULL);
	p->log = str_copy("", NULL);
	if (!p->source || !p->log) {
		release(p);
		return NVRTC_PROGRAM_CREATION_FAILURE;
	}
	*prog = p;
	return NVRTC_SUCCESS;
}

int nvrtc_program_DestroyProgram(struct nvrtc_program **prog)
{
	if (!prog || !*prog)
		return NVRTC_INVALID_PROGRAM;
	release(*prog);
	*prog = NULL;
	return NVRTC_SUCCESS;
}

/* Write the mark, the options and the source. */
static int write_out(struct nvrtc_program *p, int count, const char *const *options,
                     struct err *err)
{
	int rc = str_printf(&p->out, err, "%s", DEVICE_IMAGE_SOURCE);

	if (rc == 0)
		rc = nvrtc_options_read(&p->out, options, (size_t)count, err);
	return rc ? rc : str_printf(&p->out, err, "\n%s", p->source);
}

/* Compile the program to find errors and its kernels' names. */
static int try_out(struct nvrtc_program *p, struct err *err)
{
	struct device_image image;
	cl_program program = NULL;
	int rc = device_image_init(&image, p->out.text, p->out.length + 1, err);

	module_table_release(&p->table);
	if (rc == 0)
		rc = cuda_compile(&image, &program, &p->table, err);
	if (program)
		clReleaseProgram(program);
	device_image_release(&image);
	return rc;
}

int nvrtc_program_CompileProgram(struct nvrtc_program *prog, int numOptions,
                                 const char *const *options)
{
	struct err err = { 0 };
	bool is_refused;
	char *log;
	int rc;

	if (!prog)
		return NVRTC_INVALID_PROGRAM;
	if (numOptions < 0 || (numOptions && !options))
		return NVRTC_INVALID_INPUT;
	if (cuda_core()->status)
		return NVRTC_INTERNAL_ERROR;
	str_release(&prog->out);
	str_init(&prog->out, SOURCE_LIMIT_BYTES);
	rc = write_out(prog, numOptions, options, &err);
	is_refused = rc == ERR_USAGE;
	if (rc == 0)
		rc = try_out(prog, &err);
	prog->is_compiled = rc == 0;
	log = str_format(NULL, "%s%s", err.msg, *err.msg ? "\n" : "");
	if (log) {
		free(prog->log);
		prog->log = log;
	}
	if (rc == ERR_NOMEM)
		return NVRTC_OUT_OF_MEMORY;
	if (is_refused)
		return NVRTC_INVALID_OPTION;
	return rc ? NVRTC_COMPILATION : NVRTC_SUCCESS;
}

int nvrtc_program_GetPTXSize(struct nvrtc_program *prog, size_t *ptxSizeRet)
{
	if (!prog || !prog->is_compiled)
		return NVRTC_INVALID_PROGRAM;
	if (!ptxSizeRet)
		return NVRTC_INVALID_INPUT;
	*ptxSizeRet = prog->out.length + 1;
	return NVRTC_SUCCESS;
}

int nvrtc_program_GetPTX(struct nvrtc_program *prog, char *ptx)
{
	if (!prog || !prog->is_compiled)
		return NVRTC_INVALID_PROGRAM;
	if (!ptx)
		return NVRTC_INVALID_INPUT;
	memcpy(ptx, prog->out.text, prog->out.length + 1);
	return NVRTC_SUCCESS;
}

int nvrtc_program_GetCUBINSize(struct nvrtc_program *prog, size_t *cubinSizeRet)
{
	return nvrtc_program_GetPTXSize(prog, cubinSizeRet);
}

int nvrtc_program_GetCUBIN(struct nvrtc_program *prog, char *cubin)
{
	return nvrtc_program_GetPTX(prog, cubin);
}

int nvrtc_program_GetProgramLogSize(struct nvrtc_program *prog, size_t *logSizeRet)
{
	if (!prog || !logSizeRet)
		return NVRTC_INVALID_INPUT;
	*logSizeRet = strlen(prog->log) + 1;
	return NVRTC_SUCCESS;
}

int nvrtc_program_GetProgramLog(struct nvrtc_program *prog, char *log)
{
	if (!prog || !log)
		return NVRTC_INVALID_INPUT;
	memcpy(log, prog->log, strlen(prog->log) + 1);
	return NVRTC_SUCCESS;
}

int nvrtc_program_AddNameExpression(struct nvrtc_program *prog, const char *name_expression)
{
	if (!prog || !name_expression)
		return NVRTC_INVALID_INPUT;
	return prog->is_compiled ? NVRTC_NO_NAME_EXPRESSIONS_AFTER_COMPILATION : NVRTC_SUCCESS;
}

/* Finds the kernel whose name is the expression, or begins with its mangling as a C++ function
 * outside of namespaces: _Z, its length, its name. */
int nvrtc_program_GetLoweredName(struct nvrtc_program *prog, const char *name_expression,
                                 const char **lowered_name)
{
	char *mangled;

	if (!prog || !name_expression || !lowered_name)
		return NVRTC_INVALID_INPUT;
	if (!prog->is_compiled)
		return NVRTC_NO_LOWERED_NAMES_BEFORE_COMPILATION;
	name_expression += strspn(name_expression, " &:");
	mangled = str_format(NULL, "_Z%zu%s", strlen(name_expression), name_expression);
	*lowered_name = NULL;
	for (size_t i = 0; mangled && !*lowered_name && i < prog->table.kernel_count; i++) {
		const char *kernel = prog->table.kernels[i].name;

		if (!strcmp(kernel, name_expression) || !strncmp(kernel, mangled, strlen(mangled)))
			*lowered_name = kernel;
	}
	free(mangled);
	return *lowered_name ? NVRTC_SUCCESS : NVRTC_NAME_EXPRESSION_NOT_VALID;
}
