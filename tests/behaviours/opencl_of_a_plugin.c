/* SPDX-License-Identifier: Apache-2.0 */
/* Only a plugin, loaded for itself alone as modules of Python are, is linked to OpenCL: its loader
 * is in no other library's search order. */
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
	void *plugin = dlopen(PLUGIN, RTLD_NOW | RTLD_LOCAL);
	int (*run)(void) = NULL;

	if (plugin)
		*(void **)(void *)&run = dlsym(plugin, "plugin_run");
	if (!run) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	return run();
}
