/* text_options - the build options for OpenCL C output. */
#ifndef TEXT_OPTIONS_H
#define TEXT_OPTIONS_H

struct err;
struct str;

/*
 * Append to *out, as a line without its newline, those of the application's `options` that the
 * output is built with; *version is the language: 120, 200, 300. Returns 0, ERR_USAGE (an unclosed
 * quote), ERR_NOMEM or ERR_LIMIT.
 */
int text_options_append(struct str *out, const char *options, unsigned *version, struct err *err);

#endif
