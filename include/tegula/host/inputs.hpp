// What a launch reads: a tensor or a view that is borrowed, or a shared one.
#pragma once
#include "tegula/host/shared.hpp"

namespace tegula::host {

/// An argument of an In<>. Second class, as a view is; a tensor turns into one by itself.
template <class T, int R> class TEGULA_BORROW Input {
public:
  Input(const View<T, R>& view) : data_(view.data_) {}
  Input(const Shared<T, R>& shared) : data_(shared.data_), shared_(true) {}
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

private:
  template <class, int> friend class tegula::Tensor;
  friend struct Handles;
  Input(Control* control, const Extents<R>& extents) : data_(whole_if_owned(control, R, extents.begin())) {}
  ViewData data_; // without a control block, if the argument is empty
  bool shared_ = false;
};

} // namespace tegula::host
