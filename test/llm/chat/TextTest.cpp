// Strings that know where their bytes come from.
#include "llm/chat/Text.h"

#include <gtest/gtest.h>

namespace {

using tegula::llm::jinja::Text;

std::string marked(const Text& text) {
  std::string all;
  std::size_t start = 0;
  for (const Text::Run& run : text.runs()) {
    const std::string part = text.bytes().substr(start, run.end - start);
    all += run.from_template ? "[" + part + "]" : "(" + part + ")";
    start = run.end;
  }
  EXPECT_EQ(start, text.size());
  return all;
}

TEST(Text, JoinsNeighboursOfOneOrigin) {
  Text text = Text::of_template("ab");
  text.append(Text::of_template("c"));
  text.append_value("d");
  text.append(Text::of_value("e"));
  text.append(Text::of_template(""));
  text.append_value("f");
  EXPECT_EQ(marked(text), "[abc](def)");
  EXPECT_EQ(text.runs().size(), 2U);
  EXPECT_TRUE(Text().runs().empty());
  EXPECT_TRUE(Text::of_template("").runs().empty());
}

TEST(Text, SlicesKeepTheOrigin) {
  Text text = Text::of_template("abc");
  text.append_value("def");
  text.append(Text::of_template("ghi"));
  for (std::size_t from = 0; from <= text.size(); ++from)
    for (std::size_t to = from; to <= text.size(); ++to) {
      const Text slice = text.slice(from, to);
      EXPECT_EQ(slice.bytes(), text.bytes().substr(from, to - from));
      std::string origins;
      std::size_t start = 0;
      for (const Text::Run& run : slice.runs()) {
        origins.append(run.end - start, run.from_template ? 't' : 'v');
        start = run.end;
      }
      EXPECT_EQ(origins, std::string("tttvvvttt").substr(from, to - from));
    }
  EXPECT_EQ(marked(text.slice(2, 7)), "[c](def)[g]");
}

} // namespace
