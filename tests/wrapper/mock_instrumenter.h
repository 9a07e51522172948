/*
 * mock_instrumenter - a stand-in for warpline-instrument that makes kernel `update` of the mock.
 */
#ifndef MOCK_INSTRUMENTER_H
#define MOCK_INSTRUMENTER_H

/* Write the program and its table into `dir`; `path` becomes the program's. Fails the test. */
void mock_instrumenter_write(const char *dir, char path[128]);

#endif
