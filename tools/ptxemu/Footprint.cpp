#include "tools/ptxemu/Footprint.h"

#include <algorithm>

namespace ptxemu {

Footprint::Page& Footprint::page(std::uint64_t number) {
  Page*& recent = recent_[number * 0x9e3779b97f4a7c15ULL >> 60];
  if (recent && recent->number == number)
    return *recent;
  std::unique_ptr<Page>& found = pages_[number];
  if (!found) {
    found = std::make_unique<Page>();
    found->number = number;
  }
  recent = found.get();
  return *recent;
}

std::vector<Footprint::Run> Footprint::runs() const {
  std::vector<const Page*> sorted;
  for (const auto& [number, page] : pages_)
    sorted.push_back(page.get());
  std::ranges::sort(sorted, {}, [](const Page* page) { return std::pair(page->number % kinds, page->number / kinds); });
  std::vector<Run> runs;
  for (const Page* page : sorted) {
    bool waited = page->number % kinds / 2, writes = page->number % 2;
    for (std::uint64_t i = 0; i < page_lines; ++i) {
      std::uint64_t bits = page->lines[i], address = (page->number / kinds * page_lines + i) * line_bytes;
      while (bits) {
        auto first = static_cast<unsigned>(std::countr_zero(bits));
        auto bytes = static_cast<unsigned>(std::countr_one(bits >> first));
        if (!runs.empty() && runs.back().address + runs.back().bytes == address + first && runs.back().writes == writes &&
            runs.back().waited == waited)
          runs.back().bytes += bytes;
        else
          runs.push_back({address + first, bytes, writes, waited});
        if (first + bytes == line_bytes)
          break;
        bits &= ~std::uint64_t(0) << (first + bytes);
      }
    }
  }
  return runs;
}

} // namespace ptxemu
