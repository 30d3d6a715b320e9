// Sets of a graph's nodes, by their numbers.
#pragma once
#include "tegula/dtype.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tegula::host {

class NodeSet {
public:
  /// So that the node can be inserted whatever happens.
  void make_room(int node) { words_.resize(std::max(words_.size(), static_cast<std::size_t>(node) / 64 + 1)); }
  void insert(int node) {
    make_room(node);
    words_[static_cast<std::size_t>(node) / 64] |= u64{1} << (node % 64);
  }
  void insert(const NodeSet& other) {
    words_.resize(std::max(words_.size(), other.words_.size()));
    for (std::size_t i = 0; i < other.words_.size(); ++i)
      words_[i] |= other.words_[i];
  }
  /// Keeps its room.
  void clear() { std::ranges::fill(words_, 0); }
  void remove(int node) {
    if (const auto word = static_cast<std::size_t>(node) / 64; word < words_.size())
      words_[word] &= ~(u64{1} << (node % 64));
  }
  void remove(const NodeSet& other) {
    for (std::size_t i = 0; i < std::min(words_.size(), other.words_.size()); ++i)
      words_[i] &= ~other.words_[i];
  }
  bool contains(const NodeSet& other) const {
    for (std::size_t i = 0; i < other.words_.size(); ++i)
      if (other.words_[i] & ~(i < words_.size() ? words_[i] : 0))
        return false;
    return true;
  }
  /// In order.
  std::vector<int> list() const {
    std::vector<int> nodes;
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (u64 rest = words_[i]; rest != 0; rest &= rest - 1)
        nodes.push_back(static_cast<int>(i) * 64 + __builtin_ctzll(rest));
    return nodes;
  }

private:
  std::vector<u64> words_;
};

} // namespace tegula::host
