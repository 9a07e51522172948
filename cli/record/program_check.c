/* SPDX-License-Identifier: Apache-2.0 */
#include "program_check.h"

#include "app.h"
#include "elf_facts.h"
#include "err.h"
#include "file.h"
#include "library_walk.h"
#include "str.h"

#include <ctype.h>
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

/* Where Python packages keep their libraries. */
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

#define SCRIPT_LIMIT     ((size_t)1 << 22)
#define FIRST_LINE_BYTES 256

/* Words in a script that keep the environment of `record` from the programs that the line starts. A
 * blank in the words stands for any run of blanks. */
static const struct {
	const char *words, *what;
} script_rows[] = {
	{ "env -i", "starts programs with an empty environment" },
	{ "env -", "starts programs with an empty environment" },
	{ "exec -c", "starts a program with an empty environment" },
	{ "sudo", "starts programs with an environment of its own, as another user" },
	{ "su", "starts programs with an environment of its own, as another user" },
	{ "ssh", "starts programs on another host" },
	{ "docker",
	  "starts programs in a container, without the files and the environment of Warpline" },
	{ "podman",
	  "starts programs in a container, without the files and the environment of Warpline" },
	{ "unset LD_PRELOAD", "keeps the recorder from being loaded" },
	{ "unset OPENCL_LAYERS", "keeps the ICD loader from loading the recorder" },
	{ "LD_PRELOAD=", "may replace the recorder among the libraries to load" },
	{ "OPENCL_LAYERS=", "may replace the recorder among the layers to load" },
	{ "export LD_PRELOAD=", "may replace the recorder among the libraries to load" },
	{ "export OPENCL_LAYERS=", "may replace the recorder among the layers to load" },
};

enum { SCRIPT_ROWS = sizeof(script_rows) / sizeof(script_rows[0]) };

/* The length of `words` at the beginning of `text`, as whole words, or 0. */
static size_t match(const char *text, const char *words)
{
	const char *at = text;
	size_t length = strlen(words);

	for (; *words; words++) {
		if (*words != ' ') {
			if (*at++ != *words)
				return 0;
			continue;
		}
		if (!isblank((unsigned char)*at))
			return 0;
		at += strspn(at, " \t");
	}
	if (length && words[-1] != '=' && *at && !isspace((unsigned char)*at) && *at != ';')
		return 0;
	return (size_t)(at - text);
}

/* Whether the text before `at` ends with this word. */
static bool follows(const char *line, const char *at, const char *word)
{
	size_t length = strlen(word);

	return (size_t)(at - line) >= length && !memcmp(at - length, word, length);
}

/* Whether a command may begin at this place of a line. */
static bool is_command(const char *line, const char *at)
{
	static const char *const words[] = { "then", "else", "do", "exec", "time", "!" };

	while (at > line && isblank((unsigned char)at[-1]))
		at--;
	if (at == line || strchr(";|&({`", at[-1]))
		return true;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (follows(line, at, words[i]))
			return true;
	return false;
}

/* Whether the line has a command with these words. */
static bool has_command(const char *line, const char *words)
{
	if (line[strspn(line, " \t")] == '#')
		return false;
	for (const char *at = line; *at; at++) {
		bool begins =
			at == line || !(isalnum((unsigned char)at[-1]) || strchr("_-./$", at[-1]));

		if (begins && match(at, words) && is_command(line, at))
			return true;
	}
	return false;
}

/* Check one line; each row is reported once. */
static int check_line(struct program_check *c, const char *path, const char *line, unsigned number,
                      bool found[SCRIPT_ROWS], struct err *err)
{
	for (size_t i = 0; i < SCRIPT_ROWS; i++) {
		if (found[i] || !has_command(line, script_rows[i].words))
			continue;
		found[i] = true;
		return program_check_say(c, err, "%s:%u: '%s' %s", path, number,
		                         script_rows[i].words, script_rows[i].what);
	}
	return 0;
}

int program_check_script(struct program_check *c, const char *path, struct err *err)
{
	bool found[SCRIPT_ROWS] = { false };
	struct str text;
	unsigned number = 1;
	char *rest, *line;
	int ret = 0;

	str_init(&text, SCRIPT_LIMIT);
	if (file_read(path, &text, NULL) || memchr(text.text, '\0', text.length)) {
		str_release(&text);
		return 0;
	}
	rest = text.text;
	while (!ret && (line = strsep(&rest, "\n")))
		ret = check_line(c, path, line, number++, found, err);
	str_release(&text);
	return ret;
}

/* The first line after "#!", in `line`; false if it is not a script. */
static bool read_first_line(const char *path, char line[FIRST_LINE_BYTES])
{
	FILE *file = fopen(path, "rbe");
	bool is_script = file && fgets(line, FIRST_LINE_BYTES, file) && !strncmp(line, "#!", 2);

	if (file)
		fclose(file);
	if (is_script)
		line[strcspn(line, "\n")] = '\0';
	return is_script;
}

char *program_check_interpreter(const char *path, bool *clears)
{
	char line[FIRST_LINE_BYTES], *rest, *word, *file = NULL;
	const char *name;

	*clears = false;
	if (!read_first_line(path, line))
		return NULL;
	rest = line + 2;
	rest += strspn(rest, " \t");
	word = strsep(&rest, " \t");
	name = strrchr(word, '/');
	if (strcmp(name ? name + 1 : word, "env") != 0)
		return str_copy(word, NULL);
	while ((word = strsep(&rest, " \t"))) {
		*clears = *clears || !strcmp(word, "-") || !strcmp(word, "--ignore-environment") ||
		          (word[0] == '-' && word[1] != '-' && strchr(word, 'i'));
		if (*word && *word != '-' && !strchr(word, '='))
			break;
	}
	if (word)
		(void)app_check(word, &file, NULL);
	return file;
}

/* Report a file that runs with more privileges than its starter: the loader then ignores the
 * environment. */
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

/* Report the files that match a pattern. */
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

/* Check an interpreter and its script. */
static int check_interpreter(struct program_check *c, const char *interpreter, const char *script,
                             struct err *err)
{
	int ret = check_rights(c, interpreter, err);

	if (!ret && is_python(interpreter))
		ret = check_wheels(c, interpreter, err);
	if (!ret && script)
		ret = program_check_script(c, script, err);
	if (!ret && !c->findings.count)
		ret = program_check_say(
			c, err,
			"%s runs %s%s: what that loads and starts cannot be told from "
			"its file; try `warpline record` on the program itself",
			base_of(interpreter), script ? "the script " : "commands",
			script ? script : "");
	return ret;
}

/* The first argument that is not an option, if it is a file. */
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
	char *interpreter = program_check_interpreter(path, &clears);
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
