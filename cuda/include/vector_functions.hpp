/* SPDX-License-Identifier: Apache-2.0 */
/* vector_functions.hpp - the toolkit has a part of vector_functions.h in it; here it is all there. */
#ifndef WARPLINE_VECTOR_FUNCTIONS_HPP
#define WARPLINE_VECTOR_FUNCTIONS_HPP

#include "vector_functions.h"

#endif
