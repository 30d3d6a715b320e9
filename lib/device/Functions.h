/// \file
/// The mathematical functions of GPU code, by the names under which kernels call them. Special values as C99's.
#pragma once

extern "C" {

// Those of one argument, but for sqrt, which is an instruction.
#define TEGULA_FUNCTION(NAME)                                                                                                      \
  float tegula_##NAME##f(float x);                                                                                                 \
  double tegula_##NAME(double x);
#include "tegula/functions.def"

float tegula_powf(float x, float y);
float tegula_atan2f(float y, float x);
float tegula_fmodf(float x, float y);
double tegula_pow(double x, double y);
double tegula_atan2(double y, double x);
double tegula_fmod(double x, double y);
}
