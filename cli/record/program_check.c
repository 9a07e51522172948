/* SPDX-License-Identifier: Apache-2.0 */
#include "program_check.h"

#include "elf_facts.h"
#include "err.h"
#include "library_walk.h"
#include "script_check.h"
#include "str.h"

#include <glob.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define FINDINGS_LIMIT 64
#define SENTENCE_BYTES 1024

/* Where Python keeps the libraries that come with a package. */
static const char *const wheels[] = {
	"/usr/lib/python3*/*-packages/*.libs/libOpenCL*",
	"/usr/lib/python3/*-packages/*.libs/libOpenCL*",
	"/usr/local/lib/python3*/*-packages/*.libs/libOpenCL*",
};

int program_check_say(struct program_check *c, struct err *err, const char *fmt, ...)
{
	char sentence[SENTENCE_BYTES], **slot;
	va_list args;

	va_start(args, fmt);
	vsnprintf(sentence, sizeof(sentence), fmt, args);
	va_end(args);
	slot = array_push(&c->findings, 1, err);
	if (slot)
		*slot = str_copy(sentence, err);
	return slot && *slot ? 0 : ERR_NOMEM;
}

/* Whether the file is run with rights that its starter lacks: the loader then takes nothing from
 * the environment. */
static int check_rights(struct program_check *c, const char *path, struct err *err)
{
	static const char why[] =
		"so that its loader ignores LD_PRELOAD and OPENCL_LAYERS; record a "
		"copy without these rights";
	struct stat facts;

	if (stat(path, &facts))
		return 0;
	if ((facts.st_mode & S_ISUID && facts.st_uid != geteuid()) ||
	    (facts.st_mode & S_ISGID && facts.st_gid != getegid()))
		return program_check_say(c, err, "%s is %s, %s", path,
		                         facts.st_mode & S_ISUID ? "set-uid" : "set-gid", why);
	if (geteuid() && getxattr(path, "security.capability", NULL, 0) > 0)
		return program_check_say(c, err, "%s has capabilities, %s", path, why);
	return 0;
}

static int check_libraries(struct program_check *c, const char *path, struct err *err)
{
	struct library_walk w;
	int ret = library_walk_make(&w, path, err);

	if (!ret && w.opencl && w.is_bundled)
		ret = program_check_say(c, err,
		                        "%s brings a libOpenCL of its own, %s, which may know no "
		                        "OPENCL_LAYERS; try it with the system's",
		                        path, w.opencl);
	else if (!ret && w.is_linked)
		ret = program_check_say(c, err,
		                        "%s is linked with libOpenCL: it may have ended before its "
		                        "first context, or found no device",
		                        path);
	else if (!ret && w.names_opencl)
		ret = program_check_say(
			c, err,
			"%s may load libOpenCL by dlopen(): its name is in %s; that "
			"is recorded when the libOpenCL it finds knows OPENCL_LAYERS "
			"(ocl-icd from 2.3.0, Khronos' loader)",
			path, w.names_opencl);
	else if (!ret)
		ret = program_check_say(
			c, err,
			"%s is not linked with libOpenCL, nor is any library that it "
			"needs, and its name is in none of these %zu files",
			path, w.files.count);
	library_walk_release(&w);
	return ret;
}

static int check_program(struct program_check *c, const char *path, struct err *err)
{
	struct elf_facts f;
	int ret = elf_facts_read(&f, path, NULL) == ERR_NOMEM ? ERR_NOMEM : 0;

	if (!ret && f.is_elf && f.bits == 32 && sizeof(void *) == 8)
		ret = program_check_say(c, err,
		                        "%s is a 32-bit program: the recorder, which has 64 bits, "
		                        "cannot be loaded into it",
		                        path);
	else if (!ret && f.is_elf && f.is_foreign)
		ret = program_check_say(c, err, "%s is a program for another machine", path);
	else if (!ret && f.is_elf && f.is_static)
		ret = program_check_say(
			c, err,
			"%s is statically linked: no library can be loaded into it; "
			"link it with the shared libOpenCL",
			path);
	else if (!ret && f.is_elf)
		ret = check_libraries(c, path, err);
	elf_facts_release(&f);
	return ret;
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool is_python(const char *path)
{
	return !strncmp(base_of(path), "python", strlen("python"));
}

static bool is_shell(const char *path)
{
	static const char *const shells[] = { "sh", "bash", "dash", "zsh", "ksh", "busybox" };

	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++)
		if (!strcmp(base_of(path), shells[i]))
			return true;
	return false;
}

/* Tell of the files of a pattern. */
static int check_wheel(struct program_check *c, const char *pattern, struct err *err)
{
	glob_t g = { 0 };
	int ret = 0;

	if (!glob(pattern, 0, NULL, &g))
		for (size_t i = 0; i < g.gl_pathc && !ret; i++)
			ret = program_check_say(
				c, err,
				"a Python package brings a libOpenCL of its own, %s, "
				"which may know no OPENCL_LAYERS; the distribution's "
				"package uses the system's",
				g.gl_pathv[i]);
	globfree(&g);
	return ret;
}

/* Packages of Python that bring a libOpenCL: those of the system and of the virtual environment. */
static int check_wheels(struct program_check *c, const char *python, struct err *err)
{
	const char *slash = strrchr(python, '/');
	char *own = slash ? str_format(err, "%.*s/../lib/python3*/site-packages/*.libs/libOpenCL*",
	                               (int)(slash - python), python)
	                  : NULL;
	int ret = own ? check_wheel(c, own, err) : 0;

	free(own);
	for (size_t i = 0; i < sizeof(wheels) / sizeof(wheels[0]) && !ret; i++)
		ret = check_wheel(c, wheels[i], err);
	return ret;
}

/* An interpreter, and the script that it was given. */
static int check_interpreter(struct program_check *c, const char *interpreter, const char *script,
                             struct err *err)
{
	int ret = check_rights(c, interpreter, err);

	if (!ret && is_python(interpreter))
		ret = check_wheels(c, interpreter, err);
	if (!ret && script)
		ret = script_check_text(c, script, err);
	if (!ret && !c->findings.count)
		ret = program_check_say(
			c, err,
			"%s runs %s%s: what that loads and starts cannot be told from "
			"its file; try `warpline record` on the program itself",
			base_of(interpreter), script ? "the script " : "commands",
			script ? script : "");
	return ret;
}

/* The first argument that is no option, when it is a file. */
static const char *script_of(char *const argv[])
{
	for (size_t i = 1; argv[0] && argv[i]; i++) {
		if (!strcmp(argv[i], "-c") || !strcmp(argv[i], "-m"))
			return NULL;
		if (argv[i][0] != '-')
			return access(argv[i], R_OK) ? NULL : argv[i];
	}
	return NULL;
}

int program_check_make(struct program_check *c, const char *path, char *const argv[],
                       struct err *err)
{
	bool clears = false;
	char *interpreter = script_check_interpreter(path, &clears);
	int ret;

	array_init(&c->findings, sizeof(char *), FINDINGS_LIMIT, "findings");
	ret = check_rights(c, path, err);
	if (!ret && clears)
		ret = program_check_say(c, err,
		                        "%s:1: its interpreter is started with an empty "
		                        "environment",
		                        path);
	if (!ret && interpreter)
		ret = check_interpreter(c, interpreter, path, err);
	else if (!ret && (is_python(path) || is_shell(path)))
		ret = check_interpreter(c, path, script_of(argv), err);
	else if (!ret)
		ret = check_program(c, path, err);
	free(interpreter);
	return ret;
}

void program_check_release(struct program_check *c)
{
	char **findings = c->findings.data;

	for (size_t i = 0; i < c->findings.count; i++)
		free(findings[i]);
	array_release(&c->findings);
}
