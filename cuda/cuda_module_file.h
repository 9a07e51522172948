/*
 * cuda_module_file - modules of what programs load while they run: PTX, bitcode or a fat binary,
 * from memory or a file.
 */
#ifndef CUDA_MODULE_FILE_H
#define CUDA_MODULE_FILE_H

struct cuda_function;
struct cuda_module;

/* Copy the image and compile it. Returns 0, or what cuda_module_load() does. */
int cuda_module_from_memory(const void *image, struct cuda_module **out);

/* The same of a file's contents. cudaErrorFileNotFound. */
int cuda_module_from_file(const char *path, struct cuda_module **out);

/* A kernel of a module, which is loaded. cudaErrorSymbolNotFound when it has none of this name. */
int cuda_module_find_function(struct cuda_module *m, const char *name, struct cuda_function **out);

#endif
