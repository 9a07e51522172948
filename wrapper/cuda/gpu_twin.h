/*
 * gpu_twin - makes, loads and unloads the instrumented twin of a module.
 */
#ifndef GPU_TWIN_H
#define GPU_TWIN_H

struct gpu_module;
struct session;

/* Write the module's program line, instrument its PTX and load that with the driver. Where one of
 * these fails, m->reason says why. By one thread. */
void gpu_twin_make(struct gpu_module *m, struct session *s);

/* Let the driver unload it, if there is one. */
void gpu_twin_unload(struct gpu_module *m);

#endif
