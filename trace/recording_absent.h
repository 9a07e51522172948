/*
 * recording_absent - says why a folder is no recording, and which is one.
 *
 * Looks only at names: at the manifest, at warpline.data in the folder and at the folder's
 * neighbours. Nothing is opened or changed.
 */
#ifndef RECORDING_ABSENT_H
#define RECORDING_ABSENT_H

struct err;

/* What `warpline record` writes to when no name is given. */
#define RECORDING_DIR_DEFAULT "warpline.data"

/*
 * 0 when `dir` has a manifest or nothing can be said of it; else ERR_IO with a sentence that says
 * what `dir` is (nothing, a file, a folder without a manifest) and which recording was meant: the
 * folder of the file, the one in it, or that of a similar name beside it; else, what makes one.
 */
int recording_absent(const char *dir, struct err *err);

#endif
