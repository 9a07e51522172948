/* SPDX-License-Identifier: Apache-2.0 */
#include "front_end.h"

#include "build_options.h"
#include "cuda_front.h"
#include "define_operations.h"
#include "device_macros.h"
#include "err.h"
#include "file.h"
#include "ir_walk.h"
#include "llvm_api.h"
#include "ptx_reader.h"
#include "retarget.h"
#include "source_macros.h"
#include "str.h"
#include "subprocess.h"
#include "word_list.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/IRReader.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

EMBEDDED(half_access);

/* SPIR-V to LLVM bitcode, with the program llvm-spirv if it is installed. */

#define MESSAGES_LIMIT_BYTES (1u << 20)
#define NOT_STARTED          (-1)

/* First the one made for our LLVM, then any, then one whose bitcode every later LLVM reads. */
static const char *const translators[] = { "llvm-spirv-" WARPLINE_LLVM, "llvm-spirv",
	                                   "llvm-spirv-14" };

/* *status stays NOT_STARTED when there is no such program. */
static int translate(const char *translator, const char *path, struct str *bitcode, int *status,
                     struct err *err)
{
	const char *const words[] = { translator, "-r", path, "-o", "-", NULL };
	char *argv[sizeof(words) / sizeof(words[0])];
	struct str none, messages;
	int ret;

	memcpy(argv, words, sizeof(argv));
	*status = NOT_STARTED;
	str_init(&none, 1);
	str_init(&messages, MESSAGES_LIMIT_BYTES);
	ret = subprocess_run(argv, &none, bitcode, &messages, status, err);
	if (!ret && *status != 0) {
		const char *text = messages.text ? messages.text : "no message";

		ret = err_set(err, ERR_SUBPROCESS, "%s exited with status %d: %.*s", translator,
		              *status, (int)strcspn(text, "\n"), text);
	}
	str_release(&messages);
	return ret;
}

/*
 * Append the module in the file `path` as bitcode to *bitcode. Returns 0; ERR_UNSUPPORTED when
 * there is no llvm-spirv; ERR_SUBPROCESS with the first line of its error output; ERR_IO,
 * ERR_LIMIT, ERR_NOMEM.
 */
static int spirv_to_bitcode(const char *path, struct str *bitcode, struct err *err)
{
	for (size_t i = 0; i < sizeof(translators) / sizeof(translators[0]); i++) {
		struct err why = { 0 };
		int status;
		int ret = translate(translators[i], path, bitcode, &status, &why);

		if (!ret)
			return 0;
		if (ret != ERR_SUBPROCESS || status != NOT_STARTED)
			return err_set(err, (enum err_code)ret, "%s", why.msg);
	}
	return err_set(err, ERR_UNSUPPORTED,
	               "SPIR-V needs the program llvm-spirv-" WARPLINE_LLVM
	               ", which is not installed");
}

#define COMPILER           "clang-" WARPLINE_LLVM
#define OUTPUT_LIMIT_BYTES (1u << 30)

/*
 * No passes, but not -O0, which would mark everything noinline. The compilation directory is "." so
 * that file names are not shortened by it. The driver includes the default header.
 */
static const char *const fixed_options[] = {
	"-O1",
	"-Xclang",
	"-disable-llvm-passes",
	"-g",
	"-c",
	"-o",
	"-",
	"-fdebug-compilation-dir=.",
	"-cl-kernel-arg-info",
	"-emit-llvm",
	"-fno-caret-diagnostics",
	"-fno-color-diagnostics",
	"-w",
	"-Wno-error=incompatible-pointer-types", /* errors of later versions: the device decides */
	"-Wno-error=int-conversion",
};

/* Features that need nothing of the target. Clang 19's header defines them itself; from 22 on the
 * target does, and -all removes them. */
#define HEADER_FEATURES                                                                            \
	",+__opencl_c_work_group_collective_functions,+__opencl_c_atomic_order_seq_cst"            \
	",+__opencl_c_atomic_scope_device,+__opencl_c_atomic_scope_all_devices"

/* "-cl-ext=-all,+a,+b": by default the target claims every extension. */
static int append_extensions(struct word_list *argv, const struct settings *s, struct err *err)
{
	struct word_list names;
	struct str list;
	int ret;

	if (!s->extensions)
		return 0;
	word_list_init(&names);
	str_init(&list, 1u << 20);
	ret = word_list_split(&names, s->extensions, err);
	if (!ret)
		ret = str_printf(&list, err, "-cl-ext=-all");
	for (size_t i = 0; !ret && i < word_list_count(&names); i++) {
		const char *name = word_list_at(&names, i);

		ret = str_printf(&list, err, ",+%s", name);
		/* From OpenCL C 3.0 on, the feature must agree with the extension. */
		if (!ret && !strcmp(name, "cl_khr_fp64"))
			ret = str_printf(&list, err, ",+__opencl_c_fp64");
		if (!ret && !strcmp(name, "cl_khr_3d_image_writes"))
			ret = str_printf(&list, err,
			                 ",+__opencl_c_images,+__opencl_c_3d_image_writes");
	}
	if (!ret)
		ret = s->seen ? device_macros_features(s->seen->device, &list, err)
		              : str_printf(&list, err, "%s", HEADER_FEATURES);
	if (!ret)
		ret = word_list_add(argv, "-Xclang", err);
	if (!ret)
		ret = word_list_add(argv, list.text, err);
	str_release(&list);
	word_list_release(&names);
	return ret;
}

/*
 * __OPENCL_VERSION__ is the device's version, not the language's; clang leaves defining it to us.
 */
static int append_version(struct word_list *argv, const char *version, struct err *err)
{
	if (!version)
		version = "1.2";
	return word_list_format(argv, err, "-D__OPENCL_VERSION__=%c%c0", version[0], version[2]);
}

int front_end_options(struct word_list *argv, const struct settings *s, struct err *err)
{
	bool is_narrow = s->address_bits && !strcmp(s->address_bits, "32");
	int ret;

	if (cuda_front_is_source(s->source))
		return cuda_front_options(argv, s, err);
	ret = word_list_split(argv, "-x cl", err);

	if (!ret && s->embedded)
		ret = word_list_format(argv, err, "-I%s", s->embedded);
	if (!ret)
		ret = word_list_split(argv, "-I. -target", err);
	if (!ret)
		ret = word_list_add(
			argv, is_narrow ? "spir-unknown-unknown" : "spir64-unknown-unknown", err);
	if (!ret)
		ret = append_extensions(argv, s, err);
	if (!ret)
		ret = append_version(argv, s->cl_version, err);
	if (!ret)
		ret = build_options_append(argv, s->options ? s->options : "", s->cl_version,
		                           s->seen ? device_macros_standard(s->seen->device) : NULL,
		                           err);
	return ret;
}

static const char *const preprocess_options[] = {
	"-E", "-Wundef", "-fno-caret-diagnostics", "-fno-color-diagnostics", "-o", "-",
};

static int append_words(struct word_list *argv, const char *const *words, size_t count,
                        struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < count; i++)
		ret = word_list_add(argv, words[i], err);
	return ret;
}

/* What clang should produce: code, or preprocessed source. */
enum output { CODE, PREPROCESSED };

static int append_output(struct word_list *argv, const struct settings *s, enum output output,
                         struct err *err)
{
	if (output == PREPROCESSED)
		return append_words(argv, preprocess_options,
		                    sizeof(preprocess_options) / sizeof(preprocess_options[0]),
		                    err);
	return cuda_front_is_source(s->source)
	               ? cuda_front_output(argv, err)
	               : append_words(argv, fixed_options,
	                              sizeof(fixed_options) / sizeof(fixed_options[0]), err);
}

static int command_line(struct word_list *argv, const struct settings *s, enum output output,
                        struct err *err)
{
	int ret = word_list_add(argv, COMPILER, err);

	if (!ret)
		ret = append_output(argv, s, output, err);
	if (!ret)
		ret = front_end_options(argv, s, err);
	if (ret || !s->embedded)
		return ret ? ret : word_list_add(argv, "-", err);
	/* From a file: for source on standard input, headers would be found in the current
	 * directory first. */
	ret = word_list_format(argv, err, "-ffile-prefix-map=%s/=", s->embedded);
	return ret ? ret : word_list_format(argv, err, "%s/" FRONT_END_EMBEDDING, s->embedded);
}

/* Write the source next to its embedded headers; without any, it goes to standard input and *input
 * is empty. */
static int place_source(const struct settings *s, const struct str *source, struct str *input,
                        struct err *err)
{
	char *path;
	int ret;

	if (!s->embedded)
		return str_append(input, source->text, source->length, err);
	path = file_path(s->embedded, FRONT_END_EMBEDDING, err);
	ret = path ? file_write(path, source->text, source->length, err) : ERR_NOMEM;
	free(path);
	return ret;
}

/*
 * Whether clang hides vload_half() and similar functions, whose types contain `half`: it requires
 * cl_khr_fp16 for them, OpenCL C does not.
 */
static bool hides_half(const char *extensions)
{
	static const char name[] = "cl_khr_fp16";
	const char *at = extensions;

	while (at && (at = strstr(at, name))) {
		at += strlen(name);
		if (!*at || *at == ' ')
			return false;
	}
	return extensions != NULL;
}

/* Replace a byte order mark at the start, which clang only recognises at the start of its input, by
 * blanks: columns stay the same. */
static void hide_mark(char *text, size_t length)
{
	static const char mark[] = "\xef\xbb\xbf";

	if (length >= strlen(mark) && !memcmp(text, mark, strlen(mark)))
		memset(text, ' ', strlen(mark));
}

static int append_includes(const struct settings *s, struct str *out, struct err *err)
{
	struct word_list headers;
	int ret;

	word_list_init(&headers);
	ret = build_options_includes(&headers, s->options ? s->options : "", err);
	for (size_t i = 0; !ret && i < word_list_count(&headers); i++)
		ret = str_printf(out, err, "#include \"%s\"\n", word_list_at(&headers, i));
	word_list_release(&headers);
	return ret;
}

/* Append what goes before OpenCL C source. */
static int append_prologue(const struct settings *s, bool is_marked, struct str *out,
                           struct err *err)
{
	int ret = 0;

	if (hides_half(s->extensions))
		ret = str_append(out, (const char *)half_access, half_access_bytes, err);
	if (!ret && s->seen)
		ret = device_macros_write(s->seen->device, &s->seen->names, is_marked, out, err);
	return ret ? ret : append_includes(s, out, err);
}

int front_end_source(const struct settings *s, bool is_marked, struct str *out, struct err *err)
{
	const char *name = s->source_name ? s->source_name : s->source;
	size_t before;
	int ret = 0;

	if (!cuda_front_is_source(s->source))
		ret = append_prologue(s, is_marked, out, err);
	if (!ret)
		ret = str_printf(out, err, "#line 1 \"");
	for (; !ret && *name; name++) {
		if (*name == '"' || *name == '\\')
			ret = str_append(out, "\\", 1, err);
		if (!ret)
			ret = str_append(out, name, 1, err);
	}
	if (!ret)
		ret = str_printf(out, err, "\"\n");
	before = out->length;
	if (!ret)
		ret = file_read(s->source, out, err);
	if (!ret)
		hide_mark(out->text + before, out->length - before);
	return ret;
}

/* The line of clang's messages that matters: the first error, or else the first line. */
static void first_error(const struct str *messages, const char **line, int *length)
{
	const char *text = messages->text ? messages->text : "no message";
	const char *error = strstr(text, "error:");

	while (error && error > text && error[-1] != '\n')
		error--;
	*line = error ? error : text;
	*length = (int)strcspn(*line, "\n");
	if (*length > 400)
		*length = 400;
}

/* Run clang on the source. */
static int run_compiler(const struct settings *s, enum output output, struct str *out,
                        struct str *messages, int *status, struct err *err)
{
	struct word_list argv;
	struct str source, input;
	char *const *words;
	int ret;

	word_list_init(&argv);
	str_init(&source, FRONT_END_SOURCE_LIMIT_BYTES);
	str_init(&input, FRONT_END_SOURCE_LIMIT_BYTES);
	ret = front_end_source(s, output == PREPROCESSED, &source, err);
	if (!ret)
		ret = place_source(s, &source, &input, err);
	if (!ret)
		ret = command_line(&argv, s, output, err);
	words = ret ? NULL : word_list_argv(&argv, err);
	if (!ret)
		ret = words ? subprocess_run(words, &input, out, messages, status, err) : ERR_NOMEM;
	str_release(&input);
	str_release(&source);
	word_list_release(&argv);
	return ret;
}

static int compile(const struct settings *s, struct str *bitcode, struct err *err)
{
	struct str messages;
	int status = 0, ret;

	str_init(&messages, OUTPUT_LIMIT_BYTES);
	ret = run_compiler(s, CODE, bitcode, &messages, &status, err);
	if (!ret && status != 0) {
		const char *line;
		int length;

		first_error(&messages, &line, &length);
		ret = err_set(err, ERR_SUBPROCESS, "%s exited with status %d: %.*s", COMPILER,
		              status, length, line);
	}
	str_release(&messages);
	return ret;
}

int front_end_preprocess(const struct settings *s, struct str *text, struct str *messages,
                         struct err *err)
{
	int status = 0;

	return run_compiler(s, PREPROCESSED, text, messages, &status, err);
}

static int parse(LLVMContextRef context, const struct str *text, const char *name,
                 LLVMModuleRef *module, struct err *err)
{
	char *message = NULL;
	LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
		text->text ? text->text : "", text->length, name);
	int ret = 0;

	/* The parser takes ownership of the buffer. */
	if (LLVMParseIRInContext(context, buffer, module, &message))
		ret = err_set(err, ERR_FORMAT, "%s: not an LLVM " WARPLINE_LLVM " module: %.*s",
		              name, message ? (int)strcspn(message, "\n") : 0,
		              message ? message : "");
	LLVMDisposeMessage(message);
	return ret;
}

static bool ends_in(const char *path, const char *end)
{
	size_t length = strlen(path);

	return length > strlen(end) && !strcmp(path + length - strlen(end), end);
}

bool front_end_is_ptx(const char *path)
{
	return ends_in(path, ".ptx");
}

bool front_end_is_ir(const char *path)
{
	return ends_in(path, ".ll") || ends_in(path, ".bc") || ends_in(path, ".spv") ||
	       front_end_is_ptx(path);
}

/* A binary from the application may be for any machine; this one must be for none. */
static int check_target(LLVMModuleRef module, const struct settings *s, struct err *err)
{
	const char *triple = LLVMGetTarget(module);

	/* Short for the only possible triples. */
	if (!strcmp(triple, "spir64") || !strcmp(triple, "spir"))
		LLVMSetTarget(module,
		              triple[4] ? "spir64-unknown-unknown" : "spir-unknown-unknown");
	else if (ends_in(s->source, ".bc") && !retarget_is_needed(module) &&
	         strncmp(triple, "spir64-", 7) != 0 && strncmp(triple, "spir-", 5) != 0)
		return err_set(err, ERR_UNSUPPORTED,
		               "the binary is bitcode for '%s', expected SPIR", triple);
	return 0;
}

/* No string in the code may contain the source's name: the device's compiler uses another one. */
static int check_places(LLVMModuleRef module, const struct settings *s, struct err *err)
{
	const char *name = s->source_name ? s->source_name : s->source;

	if (!s->seen || !s->seen->has_place)
		return 0;
	for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
		LLVMValueRef value = LLVMGetInitializer(g);
		const char *text;
		size_t length;

		if (!value || !LLVMIsAConstantDataSequential(value) || !LLVMIsConstantString(value))
			continue;
		text = LLVMGetAsString(value, &length);
		if (memmem(text, length, name, strlen(name)))
			return err_set(err, ERR_UNSUPPORTED,
			               "the source uses __FILE__, which only the device's compiler "
			               "knows");
	}
	return 0;
}

#define BODY_PREFIX "__clang_ocl_kern_imp_"

/*
 * From version 21 on, clang makes two functions of a kernel: one with its code, which other code
 * calls, and the kernel, which only calls that one. Move the code into the kernel, which is then
 * called instead.
 */
static void join_kernel(LLVMValueRef kernel, LLVMValueRef body)
{
	LLVMBasicBlockRef node;

	while ((node = LLVMGetFirstBasicBlock(kernel)))
		LLVMDeleteBasicBlock(node);
	ir_move_nodes(body, kernel);
	for (unsigned i = 0; i < LLVMCountParams(body); i++)
		LLVMReplaceAllUsesWith(LLVMGetParam(body, i), LLVMGetParam(kernel, i));
	LLVMSetSubprogram(kernel, LLVMGetSubprogram(body));
	for (LLVMUseRef u = LLVMGetFirstUse(body); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef call = LLVMIsACallInst(LLVMGetUser(u));

		if (call && LLVMGetCalledValue(call) == body)
			LLVMSetInstructionCallConv(call, LLVMSPIRKERNELCallConv);
	}
	LLVMReplaceAllUsesWith(body, kernel);
	LLVMDeleteFunction(body);
}

static void join_kernels(LLVMModuleRef module)
{
	LLVMValueRef next;

	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = next) {
		size_t length;
		const char *name = LLVMGetValueName2(f, &length);
		LLVMValueRef kernel = NULL;

		next = LLVMGetNextFunction(f);
		if (!strncmp(name, BODY_PREFIX, strlen(BODY_PREFIX)) && !LLVMIsDeclaration(f))
			kernel = LLVMGetNamedFunction(module, name + strlen(BODY_PREFIX));
		if (kernel && LLVMGetFunctionCallConv(kernel) == LLVMSPIRKERNELCallConv &&
		    LLVMGlobalGetValueType(kernel) == LLVMGlobalGetValueType(f))
			join_kernel(kernel, f);
	}
}

static int settle_nulls(void *context, LLVMValueRef instruction, struct err *err)
{
	(void)context;
	(void)err;
	ir_settle_nulls(instruction);
	return 0;
}

/* Bring a module of clang 22 into the forms of clang 19. */
static void join_forms(LLVMModuleRef module)
{
	join_kernels(module);
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		ir_walk(f, settle_nulls, NULL, NULL);
}

/* Read anything but PTX into a module. */
static int read_module(LLVMContextRef context, const struct settings *settings,
                       LLVMModuleRef *module, struct err *err)
{
	struct str text;
	int ret;

	str_init(&text, OUTPUT_LIMIT_BYTES);
	if (ends_in(settings->source, ".spv"))
		ret = spirv_to_bitcode(settings->source, &text, err);
	else if (front_end_is_ir(settings->source))
		ret = file_read(settings->source, &text, err);
	else
		ret = compile(settings, &text, err);
	if (!ret)
		ret = parse(context, &text, settings->source, module, err);
	if (!ret)
		ret = check_target(*module, settings, err);
	if (!ret)
		ret = check_places(*module, settings, err);
	if (!ret)
		join_forms(*module);
	str_release(&text);
	return ret;
}

int front_end_run(LLVMContextRef context, const struct settings *settings, LLVMModuleRef *module,
                  struct err *err)
{
	bool is_ptx = front_end_is_ptx(settings->source);
	int ret = is_ptx ? ptx_reader_run(context, settings->source, settings->source_name, module,
	                                  err)
	                 : read_module(context, settings, module, err);

	if (!ret)
		llvm_debug_as_calls(*module);
	if (ret || !retarget_is_needed(*module))
		return ret;
	if (!is_ptx) /* PTX has its own */
		define_operations(*module);
	define_values(*module);
	return 0;
}
