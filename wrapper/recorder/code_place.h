/*
 * code_place - the folder in which a program was compiled, and whether the headers that it read
 * there are still the same.
 *
 * A header counts as changed when its file was touched in any way (ctime) since the
 * program was compiled: the instrumented program must not be another than the
 * application's.
 */
#ifndef CODE_PLACE_H
#define CODE_PLACE_H

struct err;
struct program_code;

/*
 * The folder in *folder, borrowed; NULL: no part reads files. Returns 0, or ERR_UNSUPPORTED when
 * the parts were compiled in different folders.
 */
int code_place_folder(const struct program_code *code, const char **folder, struct err *err);

/*
 * `list` is the file with the paths of the headers that were read now, one a line. Returns 0;
 * ERR_UNSUPPORTED with the header's name when one has changed, or when there is no list and the
 * code is an earlier process'; ERR_IO, ERR_LIMIT, ERR_NOMEM.
 */
int code_place_check(const struct program_code *code, const char *list, struct err *err);

#endif
