// 26: a pool of threads that works on whatever it is given.
//
// An operation that owns all it uses, its inputs shared and its outputs given up or fresh, can be stored: then(function) makes it
// an AnyOp, whatever its kernel. Whoever runs it need not know what it computes; the function says what becomes of the outputs.
#include "check.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <tegula/tegula.hpp>
#include <thread>

using namespace tegula;

class Pool {
public:
  explicit Pool(int threads) {
    for (int i = 0; i < threads; ++i)
      threads_.emplace_back([this] { work(); });
  }
  ~Pool() { // when all is done
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_)
      thread.join();
  }
  void add(AnyOp job) {
    {
      const std::lock_guard lock(mutex_);
      jobs_.push_back(std::move(job));
    }
    changed_.notify_one();
  }

private:
  void work() {
    while (true) {
      AnyOp job;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return ending_ || !jobs_.empty(); });
        if (jobs_.empty())
          return;
        job = std::move(jobs_.front());
        jobs_.pop_front();
      }
      std::move(job).sync();
    }
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<AnyOp> jobs_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

template <int N> void halved(Out<f32, N> y, In<f32, N> x) { y.store(x[y] * 0.5); }
template <int N> void shifted(Out<f32, N> y, In<f32, N> x, Scalar<f32> by) { y.store(x[y] + by); }

int main() {
  constexpr i64 size = 5000;
  constexpr int jobs = 20;
  const std::vector<f32> numbers = some_numbers(size, 91);
  Device device = Device::best();
  const Shared<f32, 1> x = Tensor<f32, 1>::from_host(device, {size}, numbers).share();
  const auto halve = kernel<halved<256>>();
  const auto shift = kernel<shifted<256>>();

  std::vector<Tensor<f32, 1>> results(jobs);
  {
    Pool pool(3);
    for (int i = 0; i < jobs; ++i) {
      auto keep = [&result = results[i]](Tensor<f32, 1> y) { result = std::move(y); };
      pool.add(i % 2 ? shift(fresh(size), x, i).then(keep) : halve(fresh(size), x).then(keep));
    }
  }

  int failed = 0;
  for (int i = 0; i < jobs; ++i) {
    std::vector<f32> expected;
    for (f32 number : numbers)
      expected.push_back(i % 2 ? number + static_cast<f32>(i) : number * 0.5f);
    failed |= compare("threads", results[i].to_host(), expected);
  }
  return failed;
}
