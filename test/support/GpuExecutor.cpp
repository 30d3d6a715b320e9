#include "lib/compile/Compile.h"
#include "lib/runtime/gpu/Event.h"
#include "lib/runtime/gpu/Speech.h"
#include "lib/runtime/gpu/Transfers.h"
#include "tegula/error.hpp"
#include "test/support/Executors.h"
#include "test/support/Launching.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>

namespace tegula::test {

namespace {

/// The tile of each parameter, empty for a scalar. What tests write is of the form "(%p0: !tile.view<out, 4x8xf32>, %p1: f32) {".
std::vector<Shape> tiles_of(const std::string& text) {
  std::vector<Shape> tiles;
  const std::string head = text.substr(0, text.find('{'));
  const std::string view = "!tile.view<";
  for (std::size_t at = head.find('%'); at != std::string::npos; at = head.find('%', at + 1)) {
    Shape& tile = tiles.emplace_back();
    const std::size_t type = head.find(": ", at) + 2;
    if (head.compare(type, view.size(), view) != 0)
      continue;
    const char* extent = head.c_str() + head.find(", ", type) + 2;
    char* end = nullptr;
    for (std::int64_t value = std::strtoll(extent, &end, 10); end != extent && *end == 'x';
         value = std::strtoll(extent, &end, 10)) {
      tile.push_back(value);
      extent = end + 1;
    }
  }
  return tiles;
}

/// Of a tensor that starts at a multiple of 16 bytes, as ViewFacts says.
bool is_aligned(const Tensor& tensor) {
  const std::int64_t size = size_of(tensor.dtype);
  for (std::size_t axis = 0; axis < tensor.extents.size(); ++axis) {
    const std::int64_t stride = tensor.strides[axis], counted = stride == 1 ? tensor.extents[axis] : stride;
    if (counted * size % 16 != 0 || tensor.extents[axis] == 0)
      return false;
  }
  return true;
}

Specialisation specialise(const std::vector<Argument>& arguments, const std::vector<Shape>& tiles) {
  Specialisation result = strides_of(arguments);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    Tensor* const* tensor = std::get_if<Tensor*>(&arguments[i]);
    if (!tensor)
      continue;
    result[i].aligned = is_aligned(**tensor);
    result[i].whole = true;
    for (std::size_t axis = 0; axis < tiles.at(i).size(); ++axis)
      result[i].whole &= (*tensor)->extents[axis] % tiles[i][axis] == 0;
  }
  return result;
}

/// Tensors' storage on the device, gaps between strided elements included.
class Storage {
  using Kind = host::Transfer::Kind;

public:
  explicit Storage(gpu::GpuDevice& device) : device_(device) {}

  std::int64_t upload(Tensor& tensor) {
    const auto known = addresses_.find(&tensor);
    if (known != addresses_.end())
      return static_cast<std::int64_t>(known->second);
    const gpu::cuda::Address address =
        blocks_.emplace_back(device_.pool(), device_.context().stream(), tensor.bytes.size()).address();
    if (address != 0)
      device_.copy_now(queue(), {Kind::from_host, reinterpret_cast<void*>(address), tensor.bytes.data(), tensor.bytes.size()});
    addresses_[&tensor] = address;
    return static_cast<std::int64_t>(address);
  }
  void download() {
    for (const auto& [tensor, address] : addresses_)
      if (address != 0)
        device_.copy_now(queue(),
                         {Kind::to_host, tensor->bytes.data(), reinterpret_cast<const void*>(address), tensor->bytes.size()});
  }

private:
  host::QueueState& queue() { return device_.own_queue(Priority::normal); }

  gpu::GpuDevice& device_;
  std::vector<gpu::Block> blocks_;
  std::map<Tensor*, gpu::cuda::Address> addresses_;
};

class GpuExecutable : public Executable {
public:
  GpuExecutable(std::string text, CodeOptions options)
      : text_(std::move(text)), ir_(kernel_of(text_, options.checks)), warps_(options.warps), tiles_(tiles_of(text_)),
        device_(gpu::gpu_of(handle_)), context_(device_.share_context()) {}

  Outcome run(const std::vector<Argument>& arguments, std::int64_t programs) override {
    const std::shared_ptr<const gpu::LoadedKernel> kernel = specialised(specialise(arguments, tiles_));
    Outcome outcome;
    PrintCollector collector(outcome.prints);
    Storage storage(device_);
    const std::vector<std::int64_t> words = pack_words(arguments, [&](Tensor& tensor) { return storage.upload(tensor); });
    gpu::Launch launch{name_, *kernel, programs};
    std::vector<std::vector<std::int64_t>> claimed;
    for (const int parameter : kernel->code().claimed)
      claimed.push_back(std::get<Tensor*>(arguments[static_cast<std::size_t>(parameter)])->extents);
    // One after the other where their order shows: in sums of floats, in which of equal positions is left, in who claims first and
    // in what is printed.
    const char* ordered[] = {"tile.accumulate", "tile.scatter", "tile.claim", "tile.print"};
    if (std::any_of(std::begin(ordered), std::end(ordered), [&](const char* op) { return text_.find(op) != std::string::npos; }))
      launch.grid = 1;
    try {
      launch_and_listen(launch, words, kernel, std::move(claimed));
    } catch (const LaunchError& error) {
      outcome.failure = error.what();
    }
    storage.download();
    return outcome;
  }

private:
  void launch_and_listen(const gpu::Launch& launch, const std::vector<std::int64_t>& words,
                         const std::shared_ptr<const gpu::LoadedKernel>& kernel, std::vector<std::vector<std::int64_t>> claimed) {
    const gpu::Context::Use use(*context_);
    gpu::Ring ring(*context_);
    gpu::Speech speech(*context_, device_.pool(), context_->stream(), &ring, launch, kernel, std::move(claimed));
    for (const host::Transfer& preparation : speech.preparations())
      gpu::enqueue(*context_, context_->stream(), preparation);
    gpu::Parameters parameters(*context_, launch, words, speech.records(), speech.owners());
    gpu::start(*context_, context_->stream(), launch, parameters);
    context_->wait([&] { return launch.purpose(); }, context_->stream());
    speech.read();
  }
  std::shared_ptr<const gpu::LoadedKernel> specialised(const Specialisation& specialisation) {
    std::shared_ptr<const gpu::LoadedKernel>& kernel = kernels_[specialisation];
    if (!kernel) {
      const auto code = compile_for_gpu(*ir_, specialisation, {.target = context_->target(), .warps = warps_});
      kernel = std::make_shared<const gpu::LoadedKernel>(context_, name_, *code, gpu::assemble(*context_, name_, *code));
    }
    return kernel;
  }

  const std::string name_ = "kernel", text_;
  const std::shared_ptr<const KernelIr> ir_;
  const int warps_;
  const std::vector<Shape> tiles_;
  const Device handle_ = Device::gpu();
  gpu::GpuDevice& device_;
  std::shared_ptr<const gpu::Context> context_;
  std::map<Specialisation, std::shared_ptr<const gpu::LoadedKernel>> kernels_;
};

} // namespace

std::unique_ptr<Executable> prepare_gpu(const std::string& text, CodeOptions options) {
  return std::make_unique<GpuExecutable>(text, options);
}

} // namespace tegula::test
