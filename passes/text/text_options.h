/* text_options - the build options of the text door's text. */
#ifndef TEXT_OPTIONS_H
#define TEXT_OPTIONS_H

struct err;
struct str;

/*
 * Append to *out (one line without its end) what of the application's `options` the text is built
 * with; *version gets the language: 120, 200, 300. Returns 0, ERR_USAGE (a quote not closed),
 * ERR_NOMEM, ERR_LIMIT.
 */
int text_options_append(struct str *out, const char *options, unsigned *version, struct err *err);

#endif
