// The f64 functions of StepABI.h, from the C library: gradient checks and
// counters want its accuracy, and no vectorized loop calls them.
#include "blocks/abi/StepABI.h"

#include <cmath>

double blocks_rt_acos_f64(double x) { return std::acos(x); }
double blocks_rt_asin_f64(double x) { return std::asin(x); }
double blocks_rt_atan_f64(double x) { return std::atan(x); }
double blocks_rt_cbrt_f64(double x) { return std::cbrt(x); }
double blocks_rt_cos_f64(double x) { return std::cos(x); }
double blocks_rt_erf_f64(double x) { return std::erf(x); }
double blocks_rt_erfc_f64(double x) { return std::erfc(x); }
double blocks_rt_exp_f64(double x) { return std::exp(x); }
double blocks_rt_expm1_f64(double x) { return std::expm1(x); }
double blocks_rt_log_f64(double x) { return std::log(x); }
double blocks_rt_log10_f64(double x) { return std::log10(x); }
double blocks_rt_log1p_f64(double x) { return std::log1p(x); }
double blocks_rt_log2_f64(double x) { return std::log2(x); }
double blocks_rt_round_f64(double x) { return std::round(x); }
double blocks_rt_sin_f64(double x) { return std::sin(x); }
double blocks_rt_tanh_f64(double x) { return std::tanh(x); }
double blocks_rt_atan2_f64(double y, double x) { return std::atan2(y, x); }
double blocks_rt_pow_f64(double x, double y) { return std::pow(x, y); }
double blocks_rt_rem_f64(double x, double y) { return std::fmod(x, y); }
