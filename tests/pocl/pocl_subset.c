/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pocl_subset LIST FROM TO: copy POCL's library of built-in functions, the bitcode FROM, to TO
 * without the functions that are neither in LIST nor called by those. A line of LIST is a name or,
 * between slashes, an extended regular expression of names. make_pocl.sh says what it is for.
 *
 * The LLVM that POCL itself is linked to does this, through its C API: another version might write
 * bitcode that POCL cannot read.
 */
#include <dlfcn.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* LLVM's enumerators of linkage: they are part of its stable interface. */
enum { LINKAGE_EXTERNAL = 0, LINKAGE_INTERNAL = 8 };

/* The functions of LLVM's C API that are called here. */
#define LLVM_CALLS(CALL)                                                                           \
	CALL(int, LLVMCreateMemoryBufferWithContentsOfFile, (const char *, void **, char **))      \
	CALL(int, LLVMParseBitcode2, (void *, void **))                                            \
	CALL(void *, LLVMGetFirstFunction, (void *))                                               \
	CALL(void *, LLVMGetNextFunction, (void *))                                                \
	CALL(const char *, LLVMGetValueName, (void *))                                             \
	CALL(int, LLVMIsDeclaration, (void *))                                                     \
	CALL(int, LLVMGetLinkage, (void *))                                                        \
	CALL(void, LLVMSetLinkage, (void *, int))                                                  \
	CALL(void *, LLVMCreatePassBuilderOptions, (void))                                         \
	CALL(void *, LLVMRunPasses, (void *, const char *, void *, void *))                        \
	CALL(int, LLVMWriteBitcodeToFile, (void *, const char *))

#define DECLARE(type, name, arguments) static type(*name) arguments;
LLVM_CALLS(DECLARE)

struct names {
	char **names; /* sorted */
	size_t count;
	regex_t patterns[16];
	size_t pattern_count;
};

static _Noreturn void give_up(const char *what, const char *which)
{
	fprintf(stderr, "pocl_subset: %s: %s\n", what, which);
	exit(1);
}

static void find_llvm(void *pocl)
{
#define FIND(type, name, arguments)                                                                \
	if (!(*(void **)&name = dlsym(pocl, #name)))                                               \
		give_up("POCL's LLVM has no function", #name);
	LLVM_CALLS(FIND)
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* `line` is /EXPRESSION/; the second slash is overwritten. */
static void add_pattern(struct names *list, char *line)
{
	line[strcspn(line + 1, "/") + 1] = '\0';
	if (list->pattern_count == sizeof(list->patterns) / sizeof(*list->patterns) ||
	    regcomp(&list->patterns[list->pattern_count++], line + 1, REG_EXTENDED | REG_NOSUB))
		give_up("cannot be taken as a pattern", line);
}

static bool is_listed(const struct names *list, const char *name)
{
	for (size_t i = 0; i < list->pattern_count; i++)
		if (!regexec(&list->patterns[i], name, 0, NULL, 0))
			return true;
	return bsearch(&name, list->names, list->count, sizeof(*list->names), by_name);
}

static void read_list(const char *path, struct names *list)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;
	ssize_t length;

	if (!file)
		give_up("cannot be read", path);
	while ((length = getline(&line, &room, file)) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (*line == '/') {
			add_pattern(list, line);
			continue;
		}
		list->names = realloc(list->names, (list->count + 1) * sizeof(*list->names));
		list->names[list->count++] = strdup(line);
	}
	free(line);
	fclose(file);
	if (!list->count)
		give_up("names no functions", path);
	qsort(list->names, list->count, sizeof(*list->names), by_name);
}

/* Give the functions that are defined and not listed internal linkage, and remove those without
 * callers; then what is left has its linkage back, so that POCL finds it. */
static void reduce_library(const char *from, const char *to, const struct names *list)
{
	void *buffer, *module, *error;
	char *message;

	if (LLVMCreateMemoryBufferWithContentsOfFile(from, &buffer, &message) ||
	    LLVMParseBitcode2(buffer, &module))
		give_up("is not read by LLVM", from);
	for (void *f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		if (!LLVMIsDeclaration(f) && LLVMGetLinkage(f) == LINKAGE_EXTERNAL &&
		    !is_listed(list, LLVMGetValueName(f)))
			LLVMSetLinkage(f, LINKAGE_INTERNAL);
	}
	error = LLVMRunPasses(module, "globaldce", NULL, LLVMCreatePassBuilderOptions());
	if (error)
		give_up("cannot be reduced", from);
	for (void *f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (LLVMGetLinkage(f) == LINKAGE_INTERNAL)
			LLVMSetLinkage(f, LINKAGE_EXTERNAL);
	if (LLVMWriteBitcodeToFile(module, to))
		give_up("cannot be written", to);
}

int main(int argc, char **argv)
{
	struct names list = { 0 };
	void *pocl;

	if (argc != 4)
		give_up("expected", "LIST FROM TO");
	pocl = dlopen("libpocl.so.2", RTLD_NOW);
	if (!pocl)
		give_up("is not installed", "libpocl.so.2");
	find_llvm(pocl);
	read_list(argv[1], &list);
	reduce_library(argv[2], argv[3], &list);
	return 0;
}
