/*
 * browser - a headless Chromium, driven through ChromeDriver (W3C WebDriver over a local socket).
 *
 * Not part of the program. One browser at a time, with a profile of its own that is removed again.
 * What fails says so on stderr.
 */
#ifndef BROWSER_H
#define BROWSER_H

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

struct browser {
	pid_t driver;
	int port;
	char folder[64];  /* for the profile, and for pages */
	char session[80]; /* of the driver */
};

/* Whether Chromium and ChromeDriver are installed. */
bool browser_is_there(void);

/* Start. Returns 0 or -1. Close in every case. */
int browser_open(struct browser *b);
void browser_close(struct browser *b);

/* Load a file. Returns 0 or -1. */
int browser_load(struct browser *b, const char *path);

/* What a function body returns, in the page; NULL when it throws. Freed by the caller. */
json_t *browser_run(struct browser *b, const char *body);

/* Whether it returns true; what else it does is printed. */
bool browser_holds(struct browser *b, const char *body);

/* Press and release a key: a character, or a code of WebDriver in UTF-8. */
int browser_press(struct browser *b, const char *key);
#define BROWSER_TAB   "\xee\x80\x84"
#define BROWSER_ENTER "\xee\x80\x87"

/* A command of the DevTools with its parameters as JSON; its result, freed by the caller. */
json_t *browser_tell(struct browser *b, const char *command, const char *parameters);

/* What the console got since the last call, a list; freed by the caller. */
json_t *browser_console(struct browser *b);

/* Keep a picture of the whole page as FOLDER/NAME.png, if the variable HTML_SHOTS names a folder.
 */
void browser_shoot(struct browser *b, const char *name);

#endif
