/*
 * recording_dir - the directory of a recording: makes room for a new one without losing anything
 * that is not a recording.
 */
#ifndef RECORDING_DIR_H
#define RECORDING_DIR_H

#include "recording.h"

#include <stdbool.h>

struct err;

/* Where record writes, and other commands read, by default. */
#define RECORDING_DIR_DEFAULT "warpline.data"

/* Whether `dir` holds a recording: it has a manifest. */
bool recording_dir_is_recording(const char *dir);

/*
 * The absolute pattern (recording_name.h) for the value of -o, or for the default if it is NULL; on
 * the heap. NULL with ERR_USAGE, ERR_IO or ERR_NOMEM.
 */
char *recording_dir_pattern(const char *given, struct err *err);

/*
 * recording_dir_make_room() for the names of this pattern; does nothing if each recording gets a
 * name of its own. ERR_USAGE, too, if their folder, as far as the pattern names it, does not exist
 * or is not writable.
 */
int recording_dir_make_room_for(const char *pattern, struct err *err);

/*
 * Make sure that `dir` does not exist or is empty. A recording there is moved to DIR.old; an older
 * DIR.old is removed if it holds a recording and nothing else. The recordings DIR.2, DIR.3, ... of
 * other processes are moved to DIR.2.old and so on. Returns 0; ERR_USAGE if something else is in
 * the way, or a running program is writing one of them; ERR_IO, ERR_NOMEM.
 */
int recording_dir_make_room(const char *dir, struct err *err);

/* Whether recording_dir_remove() would remove it: 0, or ERR_USAGE, ERR_IO, ERR_NOMEM. */
int recording_dir_check(const char *dir, struct err *err);

/* Remove a recording, if `dir` holds nothing else and no process is writing it. Returns 0,
 * ERR_USAGE, ERR_IO, ERR_NOMEM. */
int recording_dir_remove(const char *dir, struct err *err);

/*
 * Move the finished recording `made`, a path on the same file system, to `dir`, after
 * recording_dir_make_room(). Returns 0, an error of that function, or ERR_IO.
 */
int recording_dir_replace(const char *made, const char *dir, struct err *err);

#endif
