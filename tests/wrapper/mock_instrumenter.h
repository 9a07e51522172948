/*
 * mock_instrumenter - a stand-in for warpline-instrument that makes kernel `update` of the mock.
 */
#ifndef MOCK_INSTRUMENTER_H
#define MOCK_INSTRUMENTER_H

struct kernel_argument;

/* Write the program and its table into `dir`; `path` becomes the program's. Fails the test. */
void mock_instrumenter_write(const char *dir, char path[128]);

/* The same for a kernel of that name with this one argument. */
void mock_instrumenter_write_for(const char *dir, char path[128], const char *name,
                                 const struct kernel_argument *argument);

/* A program in `dir` that gives out the table that `dir`/table.json is when it runs. */
void mock_instrumenter_write_script(const char *dir, char path[128]);

#endif
