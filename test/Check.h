// The whole test framework of runtime/ and fuel/: macros that print file, line
// and the failing expression, and count. A test program ends with
// `return checkSummary();`.
#pragma once

#include <cmath>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>

inline int &checkFailures() {
  static int count = 0;
  return count;
}

inline void checkFailed(const char *file, int line, const std::string &what) {
  std::fprintf(stderr, "%s:%d: %s\n", file, line, what.c_str());
  ++checkFailures();
}

inline int checkSummary() {
  if (checkFailures())
    std::fprintf(stderr, "%d checks failed\n", checkFailures());
  return checkFailures() ? 1 : 0;
}

/// The condition holds.
#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition))                                                          \
      checkFailed(__FILE__, __LINE__, "failed: " #condition);                  \
  } while (false)

/// Two values are equal; both are printed when not.
#define CHECK_EQ(found, expected)                                              \
  do {                                                                         \
    auto checkFound = (found);                                                 \
    auto checkExpected = (expected);                                           \
    if (!(checkFound == checkExpected)) {                                      \
      std::ostringstream checkText;                                            \
      checkText << #found " is '" << checkFound << "', expected '"             \
                << checkExpected << "'";                                       \
      checkFailed(__FILE__, __LINE__, checkText.str());                        \
    }                                                                          \
  } while (false)

/// |found - expected| <= tolerance.
#define CHECK_NEAR(found, expected, tolerance)                                 \
  do {                                                                         \
    double checkFound = double(found), checkExpected = double(expected);       \
    if (!(std::fabs(checkFound - checkExpected) <= (tolerance))) {             \
      std::ostringstream checkText;                                            \
      checkText.precision(17);                                                 \
      checkText << #found " is " << checkFound << ", expected "                \
                << checkExpected;                                              \
      checkFailed(__FILE__, __LINE__, checkText.str());                        \
    }                                                                          \
  } while (false)

/// `text` contains `part`.
#define CHECK_CONTAINS(text, part)                                             \
  do {                                                                         \
    std::string checkText = (text);                                            \
    if (checkText.find(part) == std::string::npos)                             \
      checkFailed(__FILE__, __LINE__,                                          \
                  "'" + checkText + "' does not contain '" +                   \
                      std::string(part) + "'");                                \
  } while (false)

/// The statement throws a std::exception whose message contains `part`.
#define CHECK_THROWS(statement, part)                                          \
  do {                                                                         \
    bool checkThrown = false;                                                  \
    try {                                                                      \
      statement;                                                               \
    } catch (const std::exception &checkError) {                               \
      checkThrown = true;                                                      \
      CHECK_CONTAINS(checkError.what(), part);                                 \
    }                                                                          \
    if (!checkThrown)                                                          \
      checkFailed(__FILE__, __LINE__, "no error from: " #statement);           \
  } while (false)
