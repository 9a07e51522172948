/*
 * interrupt - what is taken away when a signal ends the program: files that are half written, and
 * the line at the bottom of the terminal.
 *
 * SIGINT, SIGTERM, SIGHUP and SIGPIPE end the program as they would without us, so that who
 * started it sees 128 + the signal; before that, what was named here is removed. A signal that was
 * ignored when the program began stays so (nohup). This is the one object that a signal's handler
 * must find, and therefore the only one that is not handed from function to function. Names are
 * kept by the main thread only, and the handler runs in it.
 */
#ifndef INTERRUPT_H
#define INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* Begin to listen. Commands that run programs do not. */
void interrupt_begin(void);

enum interrupt_kind {
	INTERRUPT_FILE, /* unlinked */
	INTERRUPT_DIR,  /* removed with the files in it and in its folders */
};

/*
 * Remove `path`, which is there, when a signal comes. Returns a number for interrupt_forget(), or
 * 0 when it cannot be kept: too many (8) or too long a name (PATH_MAX); it then stays where it is.
 */
int interrupt_keep(const char *path, enum interrupt_kind kind);

/* It is to stay, or is gone. Accepts 0. */
void interrupt_forget(int number);

/* Whether there is a line of status_line.h on stderr. Any thread. */
void interrupt_line(bool is_up);

/* Hold signals back from this thread, and let them come again: between making a file and naming it
 * here. */
void interrupt_hold(sigset_t *before);
void interrupt_let(const sigset_t *before);

#endif
