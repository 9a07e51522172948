/*
 * query_regex - whether a regular expression is safe to give to regcomp(), whose memory grows with
 * the expanded expression, not with its length: a+ is aa* to it, so that ((a+)+)+ and a{9}{9}{9}
 * multiply.
 */
#ifndef QUERY_REGEX_H
#define QUERY_REGEX_H

struct err;

enum {
	QUERY_REGEX_BYTES = 256, /* of an expression, at most */
	QUERY_REGEX_DEPTH = 32,  /* nested groups */
	QUERY_REGEX_SIZE = 2000, /* letters of the expanded expression */
};

/* Returns 0, or ERR_USAGE for an expression that is too large, has back references, which POSIX
 * extended expressions lack, or repeats a repetition, which takes glibc unbounded time. What is not
 * a regular expression at all is left to regcomp(). */
int query_regex_check(const char *text, struct err *err);

#endif
