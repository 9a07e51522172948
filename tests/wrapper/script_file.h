/* script_file - a shell program that stands in for warpline-instrument in a test. */
#ifndef SCRIPT_FILE_H
#define SCRIPT_FILE_H

/* Write an executable file: "#!/bin/sh" and the text. Fails the running test when it cannot. */
void script_file_write(const char *path, const char *text);

#endif
