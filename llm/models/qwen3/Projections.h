// The products of activations with weights, by kernels that suit the number of rows and the device.
#pragma once
#include "llm/models/qwen3/DeviceWeights.h"

namespace tegula::llm::qwen3 {

/// By which kernels. Sums of rows are in one order with each of the two, whatever else is in x, so that what becomes of a row does
/// not depend on other rows.
enum class By { vectors, matrices };

/// W · RMSNorm(x), for each row of x.
Matrix norm_project(const Queue&, By, const Matrix& x, const Vector& norm, const Matrix& w, double epsilon);
Tensor<f32, 2> norm_project_f32(const Queue&, By, const Matrix& x, const Vector& norm, const Matrix& w, double epsilon);
/// silu(W_gate · n) ⊙ (W_up · n) with n = RMSNorm(x).
Matrix norm_gate_up(const Queue&, By, const Matrix& x, const Vector& norm, const Matrix& gate, const Matrix& up, double epsilon);
/// x + W · a, in the memory of x.
Matrix project_add(const Queue&, By, Matrix x, const Matrix& w, const Matrix& a);

} // namespace tegula::llm::qwen3
