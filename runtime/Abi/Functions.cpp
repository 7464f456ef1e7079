// The f64 functions of StepABI.h, from the C library: gradient checks and
// counters want its accuracy, and no vectorized loop calls them.
#include "blocks/abi/StepABI.h"

#include <cmath>

double blocks_rt_exp_f64(double x) { return std::exp(x); }
double blocks_rt_log_f64(double x) { return std::log(x); }
double blocks_rt_log1p_f64(double x) { return std::log1p(x); }
double blocks_rt_expm1_f64(double x) { return std::expm1(x); }
double blocks_rt_tanh_f64(double x) { return std::tanh(x); }
double blocks_rt_erf_f64(double x) { return std::erf(x); }
double blocks_rt_sin_f64(double x) { return std::sin(x); }
double blocks_rt_cos_f64(double x) { return std::cos(x); }
double blocks_rt_pow_f64(double x, double y) { return std::pow(x, y); }
