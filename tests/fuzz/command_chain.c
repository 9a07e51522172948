/* SPDX-License-Identifier: Apache-2.0 */
#include "command_chain.h"

#include "command.h"
#include "err.h"
#include "say.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WORDS_MAX = 24, WORD_BYTES = 256 };

/* "@" is the recording, "%" the good one, "=" where output goes. */
static const char *const commands[] = {
	"info @",
	"info --json - @",
	"verify @",
	"verify --json - @",
	"dump @",
	"dump --format csv @",
	"dump --format json @",
	"dump --format ancestor @",
	"replay --set sm_count=3 @",
	"replay --set sm_count=3 --jobs 2 --json - @",
	"replay --set sm_count=3 --l2 on --stats lines,buffers,arguments,sets,groups,windows @",
	"replay --set sm_count=3 --schedule reorder @",
	"replay --set sm_count=3 --bypass all --read-only site:0 @",
	"sweep --set sm_count=3 --l1-sets 1,4 --l1-ways 1..4 @",
	"curve --set sm_count=3 @",
	"curve --set sm_count=3 --json - @",
	"curve --set sm_count=3 -o - --format gp @",
	"report --set sm_count=3 @",
	"report --set sm_count=3 --annotate --top 0 @",
	"report --set sm_count=3 --json - @",
	"report --set sm_count=3 --html - @",
	"diff --set sm_count=3 @ %",
	"diff --set sm_count=3 --set-b sm_count=3 --json - % @",
	"diff --set sm_count=3 --csv - @ @",
	"bypass --set sm_count=3 --by site,warp --limit 2 @",
	"bypass --set sm_count=3 --by site --limit 2 --source @",
	"bypass --set sm_count=3 --by address --limit 2 --json - @",
	"occupancy @",
	"plot --set sm_count=3 --what order -o - --format csv @",
	"plot --set sm_count=3 --what order -o - --format gp @",
	"plot --set sm_count=3 --what reuse -o - --format csv @",
	"plot --set sm_count=3 --what sets -o - --format csv @",
	"plot --set sm_count=3 --what warps -o - --format csv @",
	"reorder @",
	"query --of accesses --columns all @",
	"query --set sm_count=3 --of requests --columns all @",
	"query --set sm_count=3 --of lines --columns all @",
	"query --of launches --columns all --format json @",
	"export --format din @",
	"export --format u64 @",
	"export --format din --order requests --sm 0 @",
	"merge -o = @ %",
	"merge -o = % @",
	"rm --launches 1 -o = @",
};

size_t command_chain_count(void)
{
	return sizeof(commands) / sizeof(commands[0]);
}

static void stop(const char *what)
{
	perror(what);
	abort();
}

/* FNV-1a. */
static void digest(struct command_outcome *o, const void *bytes, size_t length)
{
	const unsigned char *at = bytes;

	for (size_t i = 0; i < length; i++)
		o->digest = (o->digest ^ at[i]) * UINT64_C(0x100000001b3);
}

static void digest_fd(struct command_outcome *o, int fd)
{
	char bytes[1 << 14];
	ssize_t got;

	if (lseek(fd, 0, SEEK_SET))
		stop("lseek");
	while ((got = read(fd, bytes, sizeof(bytes))) > 0)
		digest(o, bytes, (size_t)got);
}

static struct command_outcome *walked; /* nftw() has no context */

static int digest_file(const char *path, const struct stat *facts, int kind, struct FTW *where)
{
	int fd = kind == FTW_F ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	(void)facts;
	(void)where;
	if (fd >= 0) {
		/* In what order they come does not matter. */
		struct command_outcome one = { .digest = UINT64_C(0xcbf29ce484222325) };

		digest_fd(&one, fd);
		close(fd);
		walked->digest += one.digest;
	}
	return remove(path);
}

/* Only what the process has written: nothing when `out` is not there. */
static void take_folder(struct command_outcome *o, const char *out)
{
	walked = o;
	(void)nftw(out, digest_file, 8, FTW_DEPTH | FTW_PHYS);
}

/* The words of a command, with the places put in. Returns how many. */
static int make_words(const char *text, const char *const places[3], char to[WORDS_MAX][WORD_BYTES],
                      char *words[WORDS_MAX + 1])
{
	static const char signs[] = "@%=";
	int count = 0;

	while (*text && count < WORDS_MAX) {
		size_t length = strcspn(text, " ");
		const char *sign = length == 1 ? strchr(signs, *text) : NULL;

		if (sign)
			snprintf(to[count], WORD_BYTES, "%s", places[sign - signs]);
		else
			snprintf(to[count], WORD_BYTES, "%.*s", (int)length, text);
		words[count] = to[count];
		count++;
		text += length + strspn(text + length, " ");
	}
	words[count] = NULL;
	return count;
}

/* Standard output goes elsewhere for a while. */
struct turned {
	int was, is;
};

static void turn(struct turned *t)
{
	fflush(stdout);
	t->was = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
	t->is = memfd_create("output", MFD_CLOEXEC);
	if (t->was < 0 || t->is < 0 || dup2(t->is, STDOUT_FILENO) < 0)
		stop("standard output");
}

static void turn_back(const struct turned *t)
{
	fflush(stdout);
	if (dup2(t->was, STDOUT_FILENO) < 0)
		stop("standard output");
	close(t->was);
}

static int run(char **words, int count)
{
	struct err err = { 0 };
	const struct command *c = command_find(words[0], &err);
	int ret = c ? command_run(c, count - 1, words + 1, &err) : ERR_USAGE;

	if (ret < 0)
		say_line(words[0], "%s", err.msg);
	if (ret == ERR_USAGE)
		return EXIT_USAGE;
	return ret < 0 ? EXIT_FAILED : ret;
}

void command_chain_run(size_t i, const char *dir, const char *good, const char *out,
                       struct command_outcome *outcome)
{
	char text[WORDS_MAX][WORD_BYTES], *words[WORDS_MAX + 1];
	const char *const places[] = { dir, good, out };
	int count = make_words(commands[i], places, text, words);
	FILE *messages = stderr, *said;
	struct turned printed;

	*outcome = (struct command_outcome){ .words = commands[i],
		                             .digest = UINT64_C(0xcbf29ce484222325) };
	said = fmemopen(outcome->said, sizeof(outcome->said) - 1, "w");
	if (!said)
		stop("fmemopen");
	/* The stream, and not its descriptor, on which sanitizers say what they find. */
	stderr = said;
	turn(&printed);
	outcome->status = run(words, count);
	turn_back(&printed);
	stderr = messages;
	fclose(said);
	digest_fd(outcome, printed.is);
	take_folder(outcome, out);
	close(printed.is);
}
