#include "llm/checkpoint/Checkpoint.h"
#include "llm/checkpoint/Quote.h"
#include "llm/checkpoint/ShardIndex.h"
#include "tegula/error.hpp"

#include <algorithm>
#include <set>

namespace tegula::llm {
namespace {

const std::string& path_of(const SafeTensors& file) { return file.file().path().native(); }

void check_distinct(const std::vector<SafeTensors>& files) {
  std::map<std::string_view, const SafeTensors*> owners;
  for (const SafeTensors& file : files)
    for (const StoredTensor& tensor : file.tensors())
      if (const auto [other, is_new] = owners.try_emplace(tensor.name, &file); !is_new)
        throw Error(path_of(file) + ": has the tensor " + in_quotes(tensor.name) + ", and so has " + path_of(*other->second) +
                    "; one file alone may have it. The files are of different checkpoints, or damaged");
}

} // namespace

Checkpoint Checkpoint::open(const std::filesystem::path& folder) {
  const std::filesystem::path single = folder / "model.safetensors", index = folder / "model.safetensors.index.json";
  const bool has_single = is_there(single), has_index = is_there(index);
  if (has_single && has_index)
    throw Error(folder.string() +
                ": has both model.safetensors and model.safetensors.index.json; remove the one that is not meant");
  if (!has_single && !has_index)
    throw Error(folder.string() + ": has neither model.safetensors nor model.safetensors.index.json; name the folder into which a "
                                  "model in the format safetensors was downloaded");
  Checkpoint checkpoint;
  if (has_single)
    checkpoint.open_single(single);
  else
    checkpoint.open_shards(index);
  return checkpoint;
}

void Checkpoint::open_single(const std::filesystem::path& path) {
  source_ = path.string();
  const SafeTensors& file = files_.emplace_back(path);
  for (const StoredTensor& tensor : file.tensors())
    places_.emplace(tensor.name, Place{&file, &tensor});
}

void Checkpoint::open_shards(const std::filesystem::path& index) {
  source_ = index.string();
  const std::map<std::string, std::string> file_of = read_weight_map(read_json(index, index_limits));
  std::map<std::string_view, std::size_t> opened; // names of files, and which they are
  for (const auto& [tensor, name] : file_of)
    if (const auto [place, is_new] = opened.try_emplace(name, files_.size()); is_new) {
      const std::filesystem::path path = index.parent_path() / name;
      if (!is_there(path))
        throw Error(path.string() + ": is missing; " + source_ + " says that it has " + in_quotes(tensor) +
                    ". Download the file, or the whole model again");
      files_.emplace_back(path);
    }
  check_distinct(files_);
  for (const auto& [name, file_name] : file_of) {
    const SafeTensors& file = files_[opened.at(file_name)];
    const StoredTensor* tensor = file.find(name);
    if (!tensor)
      throw Error(path_of(file) + ": lacks the tensor " + in_quotes(name) + ", which " + source_ +
                  " says it has. The files are of different checkpoints, or damaged");
    places_.emplace(name, Place{&file, tensor});
  }
}

Weight Checkpoint::find(std::string_view name, std::span<const std::int64_t> shape) const {
  const std::string expected = " of shape " + shape_text(shape) + " in F32, F16 or BF16";
  const auto found = places_.find(name);
  if (found == places_.end())
    throw Error(source_ + ": has no tensor " + in_quotes(name) + "; the model needs it" + expected +
                ". The weights are of another model than the configuration, or incomplete");
  const auto& [file, tensor] = found->second;
  if (!std::ranges::equal(tensor->shape, shape) || !tensor->type.is_weight())
    throw Error(path_of(*file) + ": the tensor " + in_quotes(name) + " is of shape " + shape_text(tensor->shape) + " in " +
                std::string(tensor->type.name) + "; the model needs it" + expected +
                ". The weights are of another model than the configuration, or were converted to a format that is not supported");
  return {*tensor->type.dtype, file->bytes(*tensor), &file->file()};
}

std::vector<std::string> Checkpoint::names_besides(std::span<const WeightShape> asked) const {
  std::set<std::string_view> names;
  for (const SafeTensors& file : files_)
    for (const StoredTensor& tensor : file.tensors())
      names.insert(tensor.name);
  for (const WeightShape& weight : asked)
    if (places_.contains(weight.name))
      names.erase(weight.name);
  return {names.begin(), names.end()};
}

} // namespace tegula::llm
