/* SPDX-License-Identifier: Apache-2.0 */
/* Empty: clang 14 includes it with a toolkit that has it no more (--cuda-path=DIR). */
