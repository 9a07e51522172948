/*
 * problem - the recorder's only word to the user while it runs: a line on stderr.
 */
#ifndef PROBLEM_H
#define PROBLEM_H

/* Write "warpline: " and the text as one line to stderr, with one write(2). */
void problem(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
