/* SPDX-License-Identifier: Apache-2.0 */
/* math_constants.h - CUDART_PI, CUDART_INF_F and their kind. */
#ifndef WARPLINE_MATH_CONSTANTS_H
#define WARPLINE_MATH_CONSTANTS_H

#define CUDART_INF_F            __builtin_inff()
#define CUDART_NAN_F            __builtin_nanf("")
#define CUDART_INF              __builtin_inf()
#define CUDART_NAN              __builtin_nan("")
#define CUDART_MIN_DENORM_F     1.401298464e-45f
#define CUDART_MAX_NORMAL_F     3.402823466e+38f
#define CUDART_MIN_DENORM       4.9406564584124654e-324
#define CUDART_MAX_NORMAL       1.7976931348623157e+308
#define CUDART_ZERO_F           0.000000000e+00f
#define CUDART_ZERO             0.00000000000000000e+00
#define CUDART_NEG_ZERO_F       -0.000000000e+00f
#define CUDART_NEG_ZERO         -0.00000000000000000e+00
#define CUDART_ONE_F            1.000000000e+00f
#define CUDART_ONE              1.00000000000000000e+00
#define CUDART_SQRT_HALF_F      7.071067812e-01f
#define CUDART_SQRT_HALF        7.07106781186547573e-01
#define CUDART_SQRT_TWO_F       1.414213562e+00f
#define CUDART_SQRT_TWO         1.41421356237309515e+00
#define CUDART_THIRD_F          3.333333333e-01f
#define CUDART_THIRD            3.33333333333333315e-01
#define CUDART_PIO4_F           7.853981634e-01f
#define CUDART_PIO4             7.85398163397448279e-01
#define CUDART_PIO2_F           1.570796327e+00f
#define CUDART_PIO2             1.57079632679489656e+00
#define CUDART_3PIO4_F          2.356194490e+00f
#define CUDART_3PIO4            2.35619449019234484e+00
#define CUDART_2_OVER_PI_F      6.366197724e-01f
#define CUDART_2_OVER_PI        6.36619772367581382e-01
#define CUDART_SQRT_2_OVER_PI_F 7.978845608e-01f
#define CUDART_SQRT_2_OVER_PI   7.97884560802865406e-01
#define CUDART_PI_F             3.141592654e+00f
#define CUDART_PI               3.14159265358979312e+00
#define CUDART_L2E_F            1.442695041e+00f
#define CUDART_L2E              1.44269504088896339e+00
#define CUDART_L2T_F            3.321928095e+00f
#define CUDART_L2T              3.32192809488736218e+00
#define CUDART_LG2_F            3.010299957e-01f
#define CUDART_LG2              3.01029995663981198e-01
#define CUDART_LGE_F            4.342944819e-01f
#define CUDART_LGE              4.34294481903251817e-01
#define CUDART_LN2_F            6.931471806e-01f
#define CUDART_LN2              6.93147180559945286e-01
#define CUDART_LNT_F            2.302585093e+00f
#define CUDART_LNT              2.30258509299404590e+00
#define CUDART_LNPI_F           1.144729886e+00f
#define CUDART_LNPI             1.14472988584940016e+00
#define CUDART_TWO_TO_23_F      8.388608000e+06f
#define CUDART_TWO_TO_23        8.38860800000000000e+06
#define CUDART_TWO_TO_24_F      1.677721600e+07f
#define CUDART_TWO_TO_24        1.67772160000000000e+07
#define CUDART_TWO_TO_52        4.50359962737049600e+15
#define CUDART_TWO_TO_53        9.00719925474099200e+15

#endif
