#include "bench/gpu/Serve.h"
#include "bench/gpu/Card.h"
#include "tools/measure/Report.h"

#include <cstdio>
#include <iostream>
#include <optional>

namespace tegula::bench {
namespace {

std::string name_and_case(const Case& c) {
  return "{\"bench\": " + quoted(c.bench) + ", \"case\": " + quoted(c.what) + ", \"unit\": " + quoted(c.unit) + "}";
}

class Server {
public:
  Server(const Device& device, const std::vector<Case>& cases) : device_(device), cases_(cases) {}

  std::string answer(const std::string& request) {
    constexpr std::string_view prepare = "prepare ";
    if (request == "card") {
      const Card card = card_of(device_);
      return "{\"device\": " + quoted(card.name) + ", \"driver\": " + quoted(card.driver) + ", \"clocks\": " + quoted(card.clocks) +
             "}";
    }
    if (request == "cases")
      return list();
    if (request == "drop") {
      ready_.reset();
      return "{}";
    }
    if (request == "measure" && ready_)
      return measured();
    if (request.starts_with(prepare))
      return prepared(request.substr(prepare.size()));
    return "{\"error\": " + quoted("not understood: " + request) + "}";
  }

private:
  std::string list() const {
    std::string names;
    for (const Case& c : cases_)
      names += (names.empty() ? "" : ", ") + name_and_case(c);
    return "{\"cases\": [" + names + "]}";
  }
  std::string prepared(const std::string& name) {
    ready_.reset();
    for (const Case& c : cases_)
      if (c.name() == name) {
        case_ = &c;
        ready_ = c.prepare();
        return "{\"variant\": " + quoted(ready_->variant) + "}";
      }
    return "{\"error\": " + quoted("there is no case '" + name + "'") + "}";
  }
  std::string measured() const {
    char text[64];
    std::snprintf(text, sizeof text, "{\"value\": %.6g}", case_->value(median_seconds(*case_, *ready_)));
    return text;
  }

  Device device_;
  const std::vector<Case>& cases_;
  const Case* case_ = nullptr;
  std::optional<Ready> ready_;
};

} // namespace

int serve(const Device& device, const std::vector<Case>& cases) {
  Server server(device, cases);
  std::string request;
  while (std::getline(std::cin, request)) {
    std::string answer;
    bool lost = false;
    try {
      answer = server.answer(request);
    } catch (const Error& error) {
      answer = "{\"error\": " + quoted(error.what()) + "}";
      lost = dynamic_cast<const DriverError*>(&error) != nullptr;
    }
    std::cout << answer << std::endl;
    if (lost) // maybe the device: whoever asks starts another process
      return 1;
  }
  return 0;
}

} // namespace tegula::bench
