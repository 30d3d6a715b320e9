// Files that show what becomes of kernels, for those who look into their own.
#pragma once
#include "lib/runtime/KernelCache.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tegula::runtime {

/// The stages of one kernel, as files in the folder that TEGULA_DUMP names. A file is there whole or not at all, whoever else
/// writes to the folder; a kernel's files have the same names in every process, and no other kernel's.
class Dump {
public:
  /// Of a kernel that nobody looks into.
  Dump() = default;
  /// As the environment says. Throws an Error for a folder in which no file can be made.
  Dump(const trace::Record&, bool checks_everything);

  explicit operator bool() const noexcept { return !folder_.empty(); }
  /// What the names of its files begin with: letters, digits and _ of the kernel's name, and what tells it from all others.
  const std::string& stem() const noexcept { return stem_; }

  /// Returns work(observer); what is observed is written, even if it throws.
  template <class Work> auto proving(const Work& work) const { return watch({*this, {}, {}, 0}, work); }
  /// As proving; of the plan there is a file of its own. Nothing is observed by a null observer.
  template <class Work> auto compiling(const std::string& target, const CodeKey& key, const Work& work) const {
    return *this ? watch({*this, "." + target + "." + facts_text(key), head(target, key), 2}, work) : work(Observer());
  }

private:
  /// Written when it goes.
  struct Stages {
    const Dump& dump;
    std::string part, plan; // of the names; before what is observed of the plan
    int first;              // number of the first stage
    std::vector<std::pair<std::string, std::string>> texts = {};
    ~Stages() { dump.write(*this); }
  };
  template <class Work> auto watch(Stages stages, const Work& work) const {
    if (!*this)
      return work(Observer());
    return work([&](std::string_view stage, std::string_view text) {
      if (stage == "plan")
        stages.plan += text;
      else
        stages.texts.emplace_back(stage, text);
    });
  }

  static std::string facts_text(const CodeKey&);
  std::string head(const std::string& target, const CodeKey&) const;
  void write(const Stages&) const noexcept;
  void write(const std::string& name, std::string_view text) const;

  std::string folder_, stem_, kernel_, place_;
};

/// As stem() begins for a kernel of this name.
std::string file_name_of(std::string_view kernel);

} // namespace tegula::runtime
