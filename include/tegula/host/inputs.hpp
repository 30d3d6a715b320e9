// What a launch reads: a tensor or a view that is borrowed, or a shared one.
#pragma once
#include "tegula/host/shared.hpp"

namespace tegula::host {

/// An argument of an In<>. Second class, as a view is; a tensor turns into one by itself.
template <class T, int R> class TEGULA_BORROW Input {
public:
  Input(const View<T, R>& view) : view_(&view.data_) {}
  Input(const Shared<T, R>& shared) : view_(&shared.data_), shared_(true) {}
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

private:
  template <class, int> friend class tegula::Tensor;
  friend struct Handles;
  Input(Control* control, const Extents<R>& extents) : control_(control), extents_(extents.begin()) {}
  ViewData data() const { return view_ ? *view_ : whole_if_owned(control_, R, extents_); }
  const ViewData* view_ = nullptr; // else a whole tensor, which has no control block if it is empty
  Control* control_ = nullptr;
  const i64* extents_ = nullptr;
  bool shared_ = false;
};

} // namespace tegula::host
