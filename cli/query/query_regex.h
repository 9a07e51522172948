/*
 * query_regex - whether a regular expression may be given to regcomp(), which takes memory by what
 * an expression stands for, not by its length: a+ is aa* to it, so that ((a+)+)+ and a{9}{9}{9}
 * multiply.
 */
#ifndef QUERY_REGEX_H
#define QUERY_REGEX_H

struct err;

enum {
	QUERY_REGEX_BYTES = 256, /* of an expression, at most; */
	QUERY_REGEX_DEPTH = 32,  /* groups in one another; */
	QUERY_REGEX_SIZE = 2000, /* letters, when what is repeated is written out */
};

/* Returns 0, or ERR_USAGE for one that is too large, has back references, which are not in POSIX
 * extended expressions, or repetitions in a row, which take glibc a time without bound. One that is
 * none at all is left to regcomp(). */
int query_regex_check(const char *text, struct err *err);

#endif
