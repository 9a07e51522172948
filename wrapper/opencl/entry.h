/*
 * entry - which way the application's calls come in.
 *
 * As OpenCL layer and as preloaded library at once, each call must be hooked
 * once: when the layer is active the preloaded symbols only forward.
 */
#ifndef ENTRY_H
#define ENTRY_H

#include <stdbool.h>

/* True once the ICD loader has taken this library as a layer. */
bool entry_is_layer(void);

#endif
