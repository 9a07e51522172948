/* SPDX-License-Identifier: Apache-2.0 */
#include "nvcc_plan.h"

#include "cuda_target.h"
#include "err.h"
#include "str.h"
#include "word_list.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STEPS_LIMIT = 65536 };

/* A plan being made. */
struct planner {
	struct nvcc_plan *plan;
	const struct nvcc_line *line;
	const struct nvcc_places *places;
	struct word_list objects; /* of the sources, in order */
};

/* Options for every CUDA source. nvcc accepts narrowing and `register` with a warning. */
static const char *const cuda_words[] = {
	"-nocudalib",
	"-Xclang",
	"-target-sdk-version=" CUDA_TARGET_SDK,
	"-Wno-unknown-cuda-version",
	"-Wno-register",
	"-Wno-c++11-narrowing",
};

/* Code for the device keeps its lines and is not optimized before it is recorded. The last four are
 * those of passes/cuda/cuda_front.c; with the last one, files keep the names that clang was given,
 * by which they are found. */
static const char *const device_words[] = {
	"--cuda-device-only",
	"-Xclang",
	"-target-feature",
	"-Xclang",
	CUDA_TARGET_PTX,
	"-O1",
	"-Xclang",
	"-disable-llvm-passes",
	"-g",
	"-emit-llvm",
	"-fno-strict-return",
	"-fno-finite-loops",
	"-ffp-contract=on",
	"-fdebug-compilation-dir=.",
};

#define COUNT(words) (sizeof(words) / sizeof((words)[0]))

static struct word_list *new_step(struct planner *p, struct err *err)
{
	struct word_list *step = array_push(&p->plan->steps, 1, err);

	if (step)
		word_list_init(step);
	return step;
}

/* Whether -I names the headers of a toolkit. */
static bool is_toolkit(const char *word)
{
	char *header =
		strncmp(word, "-I", 2) ? NULL : str_format(NULL, "%s/cuda_runtime_api.h", word + 2);
	bool is_there = header && !access(header, R_OK);

	free(header);
	return is_there;
}

/* Options for both sides; a toolkit's headers come after ours. */
static int add_both(struct word_list *step, const struct planner *p, const char *language,
                    struct err *err)
{
	bool is_c = !strcmp(language, "c"), has_std = false;
	int ret = 0;

	for (size_t i = 0; i < word_list_count(&p->line->both) && !ret; i++) {
		const char *word = word_list_at(&p->line->both, i);
		bool is_std = !strncmp(word, "-std=", 5);

		has_std = has_std || is_std;
		if (is_std && is_c == (strstr(word, "++") != NULL))
			continue;
		if (is_toolkit(word))
			ret = word_list_format(step, err, "-idirafter%s", word + 2);
		else
			ret = word_list_format(step, err, "%s", word);
	}
	if (!ret && !has_std && !is_c)
		ret = word_list_format(step, err, "-std=gnu++17");
	return ret;
}

/* Where CUDA's headers are. */
static int add_headers(struct word_list *step, const struct nvcc_places *places, bool is_cuda,
                       struct err *err)
{
	int ret;

	if (places->toolkit && is_cuda) {
		ret = word_list_format(step, err, "--cuda-path=%s", places->toolkit);
		if (!ret)
			ret = word_list_format(step, err, "-I%s/warpline/toolkit", places->headers);
		/* clang includes a file that newer toolkits lack, and declares the rest twice. */
		return ret ? ret
		           : word_list_format(step, err, "-D__CLANG_CUDA_TEXTURE_INTRINSICS_H__");
	}
	if (places->toolkit)
		return word_list_format(step, err, "-isystem%s/include", places->toolkit);
	ret = word_list_format(step, err, "-isystem%s", places->headers);
	if (ret || !is_cuda)
		return ret;
	ret = word_list_add_words(step,
	                          (const char *const[]){ "--cuda-path=/nonexistent", "-nocudainc",
	                                                 "-include", "cuda_runtime.h" },
	                          4, err);
	return ret;
}

/* The GPU, for both sides: clang 22 defines the list, too, and warns if ours differs. */
static int add_arch(struct word_list *step, unsigned arch, struct err *err)
{
	int ret = word_list_format(step, err, "--cuda-gpu-arch=sm_%u", arch);

	return ret ? ret : word_list_format(step, err, "-D__CUDA_ARCH_LIST__=%u0", arch);
}

/* Begin a compilation. */
static int begin_compile(struct word_list *step, const struct planner *p, const char *language,
                         struct err *err)
{
	bool is_cuda = !strcmp(language, "cuda");
	const char *compiler =
		!is_cuda && p->line->host_compiler ? p->line->host_compiler : NVCC_CLANG;
	int ret = word_list_add_words(step, (const char *const[]){ compiler, "-x", language }, 3,
	                              err);

	if (!ret && is_cuda)
		ret = word_list_add_words(step, cuda_words, COUNT(cuda_words), err);
	if (!ret && is_cuda)
		ret = add_arch(step, nvcc_arch_for_clang(p->line->arch), err);
	/* Our CUDA headers define it; clang's headers for a toolkit must not see it. */
	if (!ret && !is_cuda && !p->places->toolkit)
		ret = word_list_format(step, err, "-D__NVCC__");
	if (!ret)
		ret = add_both(step, p, language, err);
	return ret ? ret : add_headers(step, p->places, is_cuda, err);
}

static int add_end(struct word_list *step, const char *source, const char *output, struct err *err)
{
	return word_list_add_words(step, (const char *const[]){ "-c", source, "-o", output }, 4,
	                           err);
}

/* Compile for the device, to `bitcode`. */
static int plan_device(struct planner *p, const char *source, const char *bitcode, struct err *err)
{
	struct word_list *step = new_step(p, err);
	int ret = step ? begin_compile(step, p, "cuda", err) : ERR_NOMEM;

	if (!ret)
		ret = word_list_add_words(step, device_words, COUNT(device_words), err);
	if (!ret)
		ret = word_list_add_list(step, &p->line->device, err);
	return ret ? ret : add_end(step, source, bitcode, err);
}

/* Options for a step that compiles host code. */
static int add_host(struct word_list *step, const struct planner *p, struct err *err)
{
	int ret = word_list_add_list(step, &p->line->host, err);

	return ret ? ret : word_list_add_list(step, &p->line->host_words, err);
}

/* Compile for the host, with `bitcode` (NULL: none) in it. */
static int plan_host(struct planner *p, const char *source, const char *bitcode, const char *object,
                     struct err *err)
{
	const char *language = nvcc_line_language(p->line, source);
	struct word_list *step = new_step(p, err);
	int ret = step ? begin_compile(step, p, language, err) : ERR_NOMEM;

	if (!ret && bitcode)
		ret = word_list_add_words(step,
		                          (const char *const[]){ "--cuda-host-only", "-Xclang",
		                                                 "-fcuda-include-gpubinary",
		                                                 "-Xclang", bitcode },
		                          5, err);
	if (!ret)
		ret = add_host(step, p, err);
	return ret ? ret : add_end(step, source, object, err);
}

/* The step of -E, -M and -MM. */
static int plan_text(struct planner *p, const char *source, struct err *err)
{
	const char *language = nvcc_line_language(p->line, source);
	struct word_list *step = new_step(p, err);
	int ret = step ? begin_compile(step, p, language, err) : ERR_NOMEM;

	if (!ret && !strcmp(language, "cuda"))
		ret = word_list_format(step, err, "--cuda-host-only");
	if (!ret)
		ret = add_host(step, p, err);
	if (!ret)
		ret = word_list_format(step, err, "%s", source);
	if (!ret && p->line->output)
		ret = word_list_add_words(step, (const char *const[]){ "-o", p->line->output }, 2,
		                          err);
	return ret;
}

/* The object of source number i; on the heap. */
static char *object_name(const struct planner *p, size_t i, struct err *err)
{
	const char *source = word_list_at(&p->line->sources, i), *slash = strrchr(source, '/');
	const char *base = slash ? slash + 1 : source, *dot = strrchr(base, '.');
	int length = dot ? (int)(dot - base) : (int)strlen(base);

	if (p->line->product != NVCC_MAKE_OBJECT)
		return str_format(err, "%s/%zu-%.*s.o", p->places->temporary, i, length, base);
	if (p->line->output)
		return str_copy(p->line->output, err);
	return str_format(err, "%s%s%.*s.o", p->line->folder ? p->line->folder : "",
	                  p->line->folder ? "/" : "", length, base);
}

/* Compile source number i. */
static int plan_source(struct planner *p, size_t i, struct err *err)
{
	const char *source = word_list_at(&p->line->sources, i);
	bool is_cuda = !strcmp(nvcc_line_language(p->line, source), "cuda");
	char *object, *bitcode = NULL;
	int ret;

	if (p->line->product == NVCC_MAKE_TEXT)
		return plan_text(p, source, err);
	object = object_name(p, i, err);
	ret = object ? word_list_format(&p->objects, err, "%s", object) : ERR_NOMEM;
	if (!ret && is_cuda) {
		bitcode = str_format(err, "%s/%zu.bc", p->places->temporary, i);
		ret = bitcode ? plan_device(p, source, bitcode, err) : ERR_NOMEM;
	}
	if (!ret)
		ret = plan_host(p, source, bitcode, object, err);
	free(object);
	free(bitcode);
	return ret;
}

/* The linker's input: the objects of sources, and our libraries by their paths. */
static int add_input(struct word_list *step, const struct planner *p, const char *input,
                     size_t *source, struct err *err)
{
	static const struct {
		const char *option, *file;
	} ours[] = { { "-lcuda", NVCC_DRIVER }, { "-lnvrtc", NVCC_NVRTC } };

	if (!*input)
		return word_list_format(step, err, "%s", word_list_at(&p->objects, (*source)++));
	for (size_t i = 0; i < COUNT(ours); i++)
		if (!strcmp(input, ours[i].option))
			return word_list_format(step, err, "%s/%s", p->places->libraries,
			                        ours[i].file);
	return word_list_format(step, err, "%s", input);
}

static int add_inputs(struct word_list *step, const struct planner *p, struct err *err)
{
	size_t source = 0;
	int ret = 0;

	for (size_t i = 0; i < word_list_count(&p->line->inputs) && !ret; i++)
		ret = add_input(step, p, word_list_at(&p->line->inputs, i), &source, err);
	return ret;
}

static int link_program(struct planner *p, struct err *err)
{
	const struct nvcc_line *l = p->line;
	struct word_list *step = new_step(p, err);
	int ret = step ? 0 : ERR_NOMEM;

	if (!ret)
		ret = word_list_add_words(
			step,
			(const char *const[]){ l->host_compiler ? l->host_compiler : NVCC_CLANG_CXX,
		                               "-o", l->output ? l->output : "a.out" },
			3, err);
	if (!ret)
		ret = word_list_add_list(step, &l->host_words, err);
	if (!ret)
		ret = word_list_add_list(step, &l->link, err);
	if (!ret)
		ret = add_inputs(step, p, err);
	if (!ret && l->has_runtime)
		ret = word_list_format(step, err, "%s/" NVCC_CUDART, p->places->libraries);
	return ret;
}

static int plan_program(struct planner *p, struct err *err)
{
	if (!p->places->libraries)
		return err_set(err, ERR_IO,
		               "cuda/" NVCC_CUDART ": not found beside the program nor in "
		               "../lib/warpline; programs are linked with it");
	return link_program(p, err);
}

static int plan_archive(struct planner *p, struct err *err)
{
	struct word_list *step = new_step(p, err);
	const char *output = p->line->output ? p->line->output : "a.a";
	int ret = step ? word_list_add_words(step, (const char *const[]){ "ar", "rcs", output }, 3,
	                                     err)
	               : ERR_NOMEM;

	return ret ? ret : add_inputs(step, p, err);
}

/* Device code is linked when it is loaded, so this makes an empty object. */
static int plan_device_link(struct planner *p, struct err *err)
{
	struct word_list *step = new_step(p, err);

	return step ? word_list_add_words(step,
	                                  (const char *const[]){
						  NVCC_CLANG, "-x", "c", "-c", "/dev/null", "-o",
						  p->line->output ? p->line->output : "a_dlink.o" },
	                                  7, err)
	            : ERR_NOMEM;
}

static int check(const struct nvcc_line *l, struct err *err)
{
	size_t sources = word_list_count(&l->sources);

	if (!word_list_count(&l->inputs))
		return err_set(err, ERR_USAGE, "expected a source file, an object or a library");
	if (l->product == NVCC_MAKE_OBJECT && !sources)
		return err_set(err, ERR_USAGE, "%s: -c expected a source file",
		               word_list_at(&l->inputs, 0));
	if (l->product == NVCC_MAKE_OBJECT && l->output && sources > 1)
		return err_set(err, ERR_USAGE, "-o %s: one name for the objects of %zu sources",
		               l->output, sources);
	return 0;
}

static int finish(struct planner *p, struct err *err)
{
	switch (p->line->product) {
	case NVCC_MAKE_PROGRAM:
		return plan_program(p, err);
	case NVCC_MAKE_ARCHIVE:
		return plan_archive(p, err);
	case NVCC_MAKE_OBJECT:
	case NVCC_MAKE_TEXT:
	case NVCC_MAKE_DEVICE_LINK:
		break;
	}
	return 0;
}

int nvcc_plan_make(struct nvcc_plan *p, const struct nvcc_line *l, const struct nvcc_places *places,
                   struct err *err)
{
	struct planner planner = { p, l, places, { .words = { .count = 0 } } };
	int ret = check(l, err);

	array_init(&p->steps, sizeof(struct word_list), STEPS_LIMIT, "commands");
	word_list_init(&planner.objects);
	if (!ret && l->product == NVCC_MAKE_DEVICE_LINK)
		ret = plan_device_link(&planner, err);
	for (size_t i = 0;
	     l->product != NVCC_MAKE_DEVICE_LINK && !ret && i < word_list_count(&l->sources); i++)
		ret = plan_source(&planner, i, err);
	if (!ret)
		ret = finish(&planner, err);
	word_list_release(&planner.objects);
	return ret;
}

void nvcc_plan_release(struct nvcc_plan *p)
{
	struct word_list *steps = p->steps.data;

	for (size_t i = 0; i < p->steps.count; i++)
		word_list_release(&steps[i]);
	array_release(&p->steps);
}

static int cannot_start(const char *name, int code, struct err *err)
{
	bool is_clang = !strcmp(name, NVCC_CLANG) || !strcmp(name, NVCC_CLANG_CXX);

	if (is_clang && code == ENOENT)
		return err_set(err, ERR_IO,
		               "%s: not found in PATH; it is needed to compile CUDA sources; on "
		               "Debian and Ubuntu: apt install " NVCC_CLANG,
		               name);
	return err_set(err, ERR_IO, "%s: %s", name, strerror(code));
}

int nvcc_plan_run(struct word_list *step, struct err *err)
{
	char *const *argv = word_list_argv(step, err);
	int code, status = 0;
	pid_t child;

	if (!argv)
		return ERR_NOMEM;
	code = posix_spawnp(&child, argv[0], NULL, NULL, argv, environ);
	if (code)
		return cannot_start(argv[0], code, err);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return err_set(err, ERR_IO, "%s: %s", argv[0], strerror(errno));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
