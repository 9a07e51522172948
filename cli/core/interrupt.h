/*
 * interrupt - clean-up when a signal kills the program: removes files that are half written, and
 * the line at the bottom of the terminal.
 *
 * SIGINT, SIGTERM, SIGHUP and SIGPIPE still kill the program, so its parent sees 128 + the signal;
 * before that, the paths kept here are removed. A signal that was ignored when the program began
 * stays ignored (nohup). A signal handler can only find global state, so this is the one module
 * that has some. Only the main thread keeps paths, and the handler runs in it.
 */
#ifndef INTERRUPT_H
#define INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* Install the handlers. Not for commands that run programs. */
void interrupt_begin(void);

enum interrupt_kind {
	INTERRUPT_FILE, /* unlinked */
	INTERRUPT_DIR,  /* removed with the files in it and in its folders */
};

/*
 * Remove the existing `path` when a signal comes. Returns a number for interrupt_forget(), or 0 if
 * there are too many (8) or the name is too long (PATH_MAX); it is not removed then.
 */
int interrupt_keep(const char *path, enum interrupt_kind kind);

/* Do not remove it any more. Accepts 0. */
void interrupt_forget(int number);

/* Note whether a line of status_line.h is shown on stderr. From any thread. */
void interrupt_line(bool is_up);

/* Mask these signals in this thread, and unmask them: between creating a file and keeping its
 * name here. */
void interrupt_hold(sigset_t *before);
void interrupt_let(const sigset_t *before);

#endif
