#include "llm/models/qwen3/Family.h"
#include "llm/models/qwen3/Model.h"

namespace tegula::llm::qwen3 {
namespace {

class Description final : public ModelDescription {
public:
  explicit Description(const Config& config) : config_(config) {}
  i64 vocabulary() const override { return config_.vocab_size; }
  i64 positions() const override { return config_.max_position_embeddings; }
  std::unique_ptr<const llm::Model> load(const Device& device, const Checkpoint& checkpoint,
                                         const Progress& progress) const override {
    return std::make_unique<const Model>(device, config_, load_weights(device, config_, checkpoint, progress));
  }

private:
  Config config_;
};

} // namespace

std::unique_ptr<const ModelDescription> describe(const JsonValue& config) {
  return std::make_unique<const Description>(parse_config(config));
}

} // namespace tegula::llm::qwen3
