// Expecting an Error with a certain text.
#pragma once
#include "tegula/error.hpp"

#include <gtest/gtest.h>
#include <string>

template <class E, class Action> std::string message_of(const Action& action) {
  try {
    action();
  } catch (const E& error) {
    return error.what();
  }
  return "no error";
}

#define EXPECT_ERROR(kind, action, part)                                                                                           \
  do {                                                                                                                             \
    const std::string text = message_of<tegula::kind>([&] { action; });                                                            \
    EXPECT_NE(text.find(part), std::string::npos) << text;                                                                         \
  } while (false)
#define EXPECT_MESSAGE(action, part) EXPECT_ERROR(Error, action, part)
