/*
 * ptx_integer - PTX's arithmetic on integers: the operations that other files use too.
 */
#ifndef PTX_INTEGER_H
#define PTX_INTEGER_H

#include "ptx_emit.h"

#endif
