// Families of models: which there are, and what is known of a model before its weights are loaded.
#pragma once
#include "llm/checkpoint/Checkpoint.h"
#include "llm/models/Model.h"

#include <filesystem>
#include <functional>
#include <memory>

namespace tegula::llm {

/// Is told how many bytes of the files are on the device, and how many there are.
using Progress = std::function<void(std::uint64_t done, std::uint64_t all)>;

/// A model as its config.json describes it.
class ModelDescription {
public:
  virtual ~ModelDescription() = default;
  // As of the model.
  virtual i64 vocabulary() const = 0;
  virtual i64 positions() const = 0;
  /// Throws an Error that names the file and the tensor, if one is missing or wrong, or has no place in the model.
  virtual std::unique_ptr<const Model> load(const Device&, const Checkpoint&, const Progress&) const = 0;
};

/// The model of a folder, by the family that its config.json names. Throws an Error that names the file and the field.
std::unique_ptr<const ModelDescription> describe_model(const std::filesystem::path& folder);

} // namespace tegula::llm
