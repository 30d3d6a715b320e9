/// \file
/// The mathematical functions of GPU code, by the names under which kernels call them. Special values as C99's.
#pragma once

extern "C" {

float tegula_expf(float x);
float tegula_exp2f(float x);
float tegula_expm1f(float x);
float tegula_logf(float x);
float tegula_log2f(float x);
float tegula_log1pf(float x);
float tegula_sinf(float x);
float tegula_cosf(float x);
float tegula_tanf(float x);
float tegula_sigmoidf(float x);
float tegula_tanhf(float x);
float tegula_erff(float x);
float tegula_rsqrtf(float x);
float tegula_powf(float x, float y);
float tegula_atan2f(float y, float x);
float tegula_fmodf(float x, float y);

double tegula_exp(double x);
double tegula_exp2(double x);
double tegula_expm1(double x);
double tegula_log(double x);
double tegula_log2(double x);
double tegula_log1p(double x);
double tegula_sin(double x);
double tegula_cos(double x);
double tegula_tan(double x);
double tegula_sigmoid(double x);
double tegula_tanh(double x);
double tegula_erf(double x);
double tegula_rsqrt(double x);
double tegula_pow(double x, double y);
double tegula_atan2(double y, double x);
double tegula_fmod(double x, double y);
}
