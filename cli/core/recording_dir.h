/*
 * recording_dir - makes room for a new recording without losing what is not one.
 */
#ifndef RECORDING_DIR_H
#define RECORDING_DIR_H

#include "recording.h"

#include <stdbool.h>

struct err;

/* Where record writes when nothing else is said, and other commands read. */
#define RECORDING_DIR_DEFAULT "warpline.data"

/* Whether `dir` holds a recording: it has a manifest. */
bool recording_dir_is_recording(const char *dir);

/*
 * The absolute pattern (recording_name.h) for what the user gave with -o, or NULL for the default;
 * on the heap. NULL with ERR_USAGE, ERR_IO or ERR_NOMEM.
 */
char *recording_dir_pattern(const char *given, struct err *err);

/*
 * Make room for a recording with the names of this pattern, as recording_dir_make_room() does;
 * where each recording gets a name of its own there is nothing to do. ERR_USAGE, too, when the
 * folder that they are to lie in is not there or not writable, as far as the pattern tells it.
 */
int recording_dir_make_room_for(const char *pattern, struct err *err);

/*
 * After this `dir` does not exist or is empty. A recording there is moved to DIR.old; an older
 * DIR.old is removed, when it is a recording and holds nothing but one. So are the recordings
 * DIR.2, DIR.3, ... of other processes, to DIR.2.old and so on. Returns 0; ERR_USAGE when
 * something else is in the way, or a running program writes one of them; ERR_IO, ERR_NOMEM.
 */
int recording_dir_make_room(const char *dir, struct err *err);

/* Whether recording_dir_remove() would remove it: 0, or ERR_USAGE, ERR_IO, ERR_NOMEM. */
int recording_dir_check(const char *dir, struct err *err);

/* Remove a recording, when `dir` holds nothing but one that nobody is writing. Returns 0,
 * ERR_USAGE, ERR_IO, ERR_NOMEM. */
int recording_dir_remove(const char *dir, struct err *err);

/*
 * Put the finished recording `made`, a path on the same file system, in the place of `dir`, after
 * recording_dir_make_room(). Returns 0; what that returns; ERR_IO.
 */
int recording_dir_replace(const char *made, const char *dir, struct err *err);

#endif
