// Random work of many threads on a few queues: tensors are made, changed, copied, lent, given up, split, read and dropped,
// positions are chosen and refilled, steps are recorded, stored and awaited, kernels fail, and memory runs out. Every thread knows
// what its tensors must hold, as if each step had been waited for.
//   stress [THREADS] [STEPS] [SEED] [short]
// `short`: the device has little more memory than tensors take, so that it must have run out.
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

std::atomic<i64> operations{0}, failures{0}, refusals{0}, shortages{0}, wrong{0};
constexpr i64 size = 3 * queues::tile + 5;
constexpr std::size_t per_thread = 6;

void complain(const std::string& text) {
  if (wrong.fetch_add(1) < 10)
    std::fprintf(stderr, "%s\n", text.c_str());
}

bool is_shortage(const Error& error) { return std::string(error.what()).find(" has no memory for ") != std::string::npos; }

/// Until others have dropped what they hold for a moment.
template <class F> auto insist(const F& make) {
  while (true) {
    try {
      return make();
    } catch (const Error& error) {
      if (!is_shortage(error))
        throw;
      ++shortages;
      std::this_thread::yield();
    }
  }
}

/// 8 + s.
Task<Tensor<i32, 1>> in_two_steps(Shared<i32, 1> seven, int s) {
  const auto more = co_await queues::add(fresh(size), seven, s);
  co_return co_await queues::add(fresh(size), more, 1);
}

/// One thread's tensors, and what is known of each: the number that it is full of, or that it is poisoned.
class Worker {
public:
  Worker(const Device& device, const std::vector<Queue>& queues, const Shared<i32, 1>& shared, unsigned seed)
      : device_(device), queues_(queues), shared_(shared), random_(seed), tensors_(count), numbers_(count),
        chosen_(insist([&] { return Certified<i32, 1>::from_host(device, {size}, std::vector<i32>(size, 1), bound); })) {
    for (std::size_t i = 0; i < count; ++i)
      insist([&] { renew(i, static_cast<int>(i)); });
  }

  /// Changes nothing if there is no memory.
  void step() {
    try {
      try_step();
    } catch (const Error& error) {
      if (!is_shortage(error))
        throw;
      ++shortages;
    }
  }
  void look_at_all() {
    for (std::size_t i = 0; i < count; ++i)
      look(i);
  }

private:
  static constexpr std::size_t count = per_thread;
  static constexpr int poisoned = -1;
  static constexpr i64 bound = 64;

  void try_step() {
    const std::size_t a = below(count), b = (a + 1 + below(count - 1)) % count;
    const int s = static_cast<int>(below(4));
    const Queue& queue = queues_[below(queues_.size())];
    ++operations;
    switch (below(20)) {
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
    case 13:
      return stored(queue, a, s);
    case 14:
      return awaited(a, b, s);
    case 15:
      return in_parts(queue, a, b, s);
    case 16:
      return rebind(queue, a, b, s);
    case 17:
      return positions(queue, a, b, s);
    default:
      look(a);
      return renew(a, s);
    }
  }

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
  void stored(const Queue& queue, std::size_t a, int s) {
    AnyOp job = queues::add(fresh(size), shared_, s).then([&](Tensor<i32, 1> made) { tensors_[a] = std::move(made); });
    std::move(job).start(queue);
    numbers_[a] = 7 + s;
  }
  /// Two coroutines at once.
  void awaited(std::size_t a, std::size_t b, int s) {
    auto one = in_two_steps(shared_, s).start(), other = in_two_steps(shared_, s + 1).start();
    auto made = std::move(one).sync();
    tensors_[b] = std::move(other).sync();
    tensors_[a] = std::move(made);
    numbers_[a] = 8 + s;
    numbers_[b] = 9 + s;
  }
  /// Each part by another queue, perhaps.
  void in_parts(const Queue& queue, std::size_t a, std::size_t b, int s) {
    const i64 cut = static_cast<i64>(below(size + 1));
    auto [low, high] = std::move(tensors_[a]).split<0>(cut);
    queues::add(out(low), tensors_[b].view().slice(0, 0, cut), s).start(queue);
    queues::add(out(high), tensors_[b].view().slice(0, cut, size), s).start(queues_[below(queues_.size())]);
    tensors_[a] = join(std::move(low), std::move(high));
    become(a, b, s);
  }
  /// A replay as it was recorded, and one that reads or writes another tensor.
  void rebind(const Queue& queue, std::size_t a, std::size_t b, int s) {
    std::size_t c = below(count);
    while (c == a || c == b)
      c = below(count);
    for (const std::size_t i : {a, b, c})
      if (numbers_[i] < 0)
        renew(i, 1);
    Recorder recorder(device_);
    queues::add(out(tensors_[a]), tensors_[b], frozen(s)).start(recorder);
    Graph graph = std::move(recorder).finish();
    graph.start(queue, 2);
    become(a, b, s);
    const bool output = below(2) == 0;
    graph.bind(tensors_[output ? a : b], tensors_[c]);
    graph.start(queues_[below(queues_.size())], 2);
    output ? become(c, b, s) : become(a, c, s);
  }
  /// Chosen by one launch for the next, in new memory or in that of those before.
  void positions(const Queue& queue, std::size_t a, std::size_t b, int s) {
    if (s == 0)
      chosen_ = queues::choose(fresh(size).below(bound), tensors_[b]).start(queue);
    else
      queues::choose(out(chosen_), tensors_[b]).start(queue);
    const int position = numbers_[b] < 0 ? poisoned : std::min(numbers_[b], static_cast<int>(bound) - 1);
    queues::chosen(out(tensors_[a]), chosen_, s).start(queues_[below(queues_.size())]);
    numbers_[a] = position < 0 ? poisoned : position + s;
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
  Certified<i32, 1> chosen_;
};

void stress(const Device& device, int threads, int steps, unsigned seed) {
  std::vector<Queue> all;
  for (const Priority priority : {Priority::low, Priority::normal, Priority::normal, Priority::high})
    all.emplace_back(device, priority);
  const auto shared = Tensor<i32, 1>::full(device, {size}, 7).share();
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
  const bool is_short = argc > 4 && std::string(argv[4]) == "short";
  const Device device = queues::open((per_thread + 1) * static_cast<std::size_t>(threads) * size * sizeof(i32));
  const auto start = std::chrono::steady_clock::now();
  stress(device, threads, steps, static_cast<unsigned>(number(3, 1)));
  settle(device);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (device.statistics().bytes_in_use != 0)
    complain(std::to_string(device.statistics().bytes_in_use) + " bytes are left");
  if (is_short && shortages == 0)
    complain("there was memory enough");
  std::printf("%s: %lld operations of %d threads in %.1f s, %lld failures seen, %lld refused, %lld without memory, %lld wrong\n",
              device.name(), static_cast<long long>(operations), threads, seconds, static_cast<long long>(failures),
              static_cast<long long>(refusals), static_cast<long long>(shortages), static_cast<long long>(wrong));
  return wrong == 0 ? 0 : 1;
}
