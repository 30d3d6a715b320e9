// Random work of many threads on a few queues: tensors are made, changed, copied, lent, given up, read and dropped, kernels fail,
// and memory runs out. Every thread knows what its tensors must hold, as if each step had been waited for.
//   stress [THREADS] [STEPS] [SEED]
#include "kernels.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace tegula;

namespace {

std::atomic<i64> operations{0}, failures{0}, refusals{0}, wrong{0};

void complain(const std::string& text) {
  if (wrong.fetch_add(1) < 10)
    std::fprintf(stderr, "%s\n", text.c_str());
}

/// One thread's tensors, and what is known of each: the number that it is full of, or that it is poisoned.
class Worker {
public:
  Worker(const Device& device, const std::vector<Queue>& queues, const Shared<i32, 1>& shared, unsigned seed)
      : device_(device), queues_(queues), shared_(shared), random_(seed), tensors_(count), numbers_(count) {
    for (std::size_t i = 0; i < count; ++i)
      renew(i, static_cast<int>(i));
  }

  void step() {
    const std::size_t a = below(count), b = (a + 1 + below(count - 1)) % count;
    const int s = static_cast<int>(below(4));
    const Queue& queue = queues_[below(queues_.size())];
    ++operations;
    switch (below(15)) {
    case 0:
      tensors_[a] = queues::add(std::move(tensors_[a]), tensors_[b], s).start(queue);
      return become(a, b, s);
    case 1:
      queues::add(out(tensors_[a]), tensors_[b], s).start(queue);
      return become(a, b, s);
    case 2:
      tensors_[a] = queues::add(fresh(size), tensors_[b], s).start(queue);
      return become(a, b, s);
    case 3:
      queues::add_to(out(tensors_[a]), tensors_[b], s).start(queue);
      numbers_[a] = numbers_[a] < 0 || numbers_[b] < 0 ? poisoned : (numbers_[a] + numbers_[b] + s) & 1023;
      return;
    case 4:
      tensors_[a] = queues::deal_out(std::move(tensors_[a]), tensors_[b]).programs(1 + s).start(queue);
      return become(a, b, 1);
    case 5:
      queues::check(out(tensors_[a]), tensors_[b], s == 3 ? 1 : 0).start(queue);
      become(a, b, 0);
      if (s == 3)
        numbers_[a] = poisoned;
      return;
    case 6:
      tensors_[a] = tensors_[b].copy();
      return become(a, b, 0);
    case 7:
      tensors_[a] = queues::add(fresh(size), shared_, s).start(queue);
      numbers_[a] = 7 + s;
      return;
    case 8:
      return refuse(queue, a, b);
    case 9:
      return fail_at_once(a, b);
    case 10:
      return replay(queue);
    case 11:
      tensors_[a].copy_from(tensors_[b]).start(queue);
      return become(a, b, 0);
    case 12:
      return by_way_of_host(queue, a, b);
    default:
      look(a);
      return renew(a, s);
    }
  }
  void look_at_all() {
    for (std::size_t i = 0; i < count; ++i)
      look(i);
  }

private:
  static constexpr std::size_t count = 6;
  static constexpr int poisoned = -1;
  static constexpr i64 size = 3 * queues::tile + 5;

  std::size_t below(std::size_t n) { return random_() % n; }
  void renew(std::size_t i, int number) {
    tensors_[i] = Tensor<i32, 1>::full(device_, {size}, number);
    numbers_[i] = number;
  }
  void become(std::size_t a, std::size_t b, int more) { numbers_[a] = numbers_[b] < 0 ? poisoned : numbers_[b] + more; }

  void look(std::size_t i) {
    try {
      const std::vector<i32> host = tensors_[i].to_host();
      if (numbers_[i] < 0)
        return complain("a poisoned tensor was read");
      for (const i32 element : host)
        if (element != numbers_[i])
          return complain("expected " + std::to_string(numbers_[i]) + ", found " + std::to_string(element));
    } catch (const LaunchError& error) {
      ++failures;
      if (numbers_[i] >= 0 || std::string(error.what()).find("require failed: s is 0") == std::string::npos)
        complain(error.what());
    }
  }
  /// A few steps as a graph, replayed a few times and dropped, perhaps while it runs. Poison is the others' business.
  void replay(const Queue& queue) {
    for (std::size_t i = 0; i < count; ++i)
      if (numbers_[i] < 0)
        renew(i, 1);
    const std::size_t times = 1 + below(3);
    std::vector<std::array<std::size_t, 4>> steps;
    Recorder recorder(device_);
    for (std::size_t i = 0; i < 2 + below(8); ++i) {
      const std::size_t kind = below(4), a = below(count), b = (a + 1 + below(count - 1)) % count, s = below(4);
      const auto more = frozen(static_cast<int>(s));
      steps.push_back({kind, a, b, s});
      if (kind == 0) {
        queues::add(out(tensors_[a]), tensors_[b], more).start(recorder);
      } else if (kind == 1) {
        queues::add_to(out(tensors_[a]), tensors_[b], more).start(recorder);
      } else if (kind == 2) {
        const auto between = queues::add(fresh(size), tensors_[b], more).start(recorder);
        queues::add_to(out(tensors_[a]), between, frozen(0)).start(recorder);
      } else {
        tensors_[a].copy_from(tensors_[b]).start(recorder);
      }
    }
    const Graph graph = std::move(recorder).finish();
    graph.start(queue, static_cast<int>(times));
    for (std::size_t i = 0; i < times; ++i)
      for (const auto& [kind, a, b, s] : steps) {
        const int read = numbers_[b] + (kind == 3 ? 0 : static_cast<int>(s));
        numbers_[a] = kind == 0 || kind == 3 ? read : (numbers_[a] + read) & 1023;
      }
  }
  void by_way_of_host(const Queue& queue, std::size_t a, std::size_t b) {
    Pinned<i32> pinned(device_, size);
    tensors_[b].copy_to(pinned).start(queue);
    tensors_[a].copy_from(pinned).start(queues_[below(queues_.size())]);
    become(a, b, 0);
  }
  /// There is no memory for so much: nothing changes.
  void refuse(const Queue& queue, std::size_t a, std::size_t b) {
    try {
      tensors_[a] = queues::add(fresh(i64{1} << 46), tensors_[b], 1).start(queue);
      complain("memory without an end");
    } catch (const Error&) {
      ++refusals;
    }
  }
  /// A launch that is waited for, and fails: the tensor that it was given is poisoned, and well again when it is written.
  void fail_at_once(std::size_t a, std::size_t b) {
    if (numbers_[b] < 0)
      return;
    try {
      queues::check(out(tensors_[a]), tensors_[b], 1).sync();
      complain("a kernel did not fail");
    } catch (const LaunchError&) {
      ++failures;
    }
    queues::add(out(tensors_[a]), tensors_[b], 2).sync();
    numbers_[a] = numbers_[b] + 2;
  }

  const Device& device_;
  const std::vector<Queue>& queues_;
  const Shared<i32, 1>& shared_;
  std::mt19937 random_;
  std::vector<Tensor<i32, 1>> tensors_;
  std::vector<int> numbers_;
};

void stress(const Device& device, int threads, int steps, unsigned seed) {
  std::vector<Queue> all;
  for (const Priority priority : {Priority::low, Priority::normal, Priority::normal, Priority::high})
    all.emplace_back(device, priority);
  const auto shared = Tensor<i32, 1>::full(device, {3 * queues::tile + 5}, 7).share();
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i)
    running.emplace_back([&, i] {
      try {
        Worker worker(device, all, shared, seed + static_cast<unsigned>(i));
        for (int step = 0; step < steps; ++step)
          worker.step();
        worker.look_at_all();
      } catch (const std::exception& error) {
        complain(error.what());
      }
    });
  for (std::thread& thread : running)
    thread.join();
}

/// Until there is no error left that nobody has seen.
void settle(const Device& device) {
  while (true) {
    try {
      return device.synchronize();
    } catch (const LaunchError&) {
      ++failures;
    }
  }
}

} // namespace

int main(int argc, char** argv) {
  const auto number = [&](int i, int otherwise) { return argc > i ? std::atoi(argv[i]) : otherwise; };
  const int threads = number(1, 8), steps = number(2, 200);
  const Device device = Device::best();
  const auto start = std::chrono::steady_clock::now();
  stress(device, threads, steps, static_cast<unsigned>(number(3, 1)));
  settle(device);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (device.statistics().bytes_in_use != 0)
    complain(std::to_string(device.statistics().bytes_in_use) + " bytes are left");
  std::printf("%s: %lld operations of %d threads in %.1f s, %lld failures seen, %lld refused, %lld wrong\n", device.name(),
              static_cast<long long>(operations), threads, seconds, static_cast<long long>(failures),
              static_cast<long long>(refusals), static_cast<long long>(wrong));
  return wrong == 0 ? 0 : 1;
}
