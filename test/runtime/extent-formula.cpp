// Formulas of extents: products, sums in parentheses, quotients; what is none.
#include "test/Check.h"

#include "runtime/Program/ExtentFormula.h"

#include <string>

using namespace blocks;

static int64_t axisOf(std::string_view name) {
  return name == "batch" ? 0 : name == "time" ? 1 : -1;
}

/// With batch = 4 and time = 7; -1 for no formula.
static int64_t valueOf(const std::string &text) {
  auto formula = ExtentFormula::parse(text, axisOf);
  return formula ? formula->evaluate({4, 7}) : -1;
}

int main() {
  CHECK_EQ(valueOf("batch"), 4);
  CHECK_EQ(valueOf("time*batch"), 28);
  CHECK_EQ(valueOf("3*batch"), 12);
  CHECK_EQ(valueOf("(time+1)"), 8);
  CHECK_EQ(valueOf("2*(time+batch+1)*batch"), 96);
  CHECK_EQ(valueOf("((time+1)+batch*2)"), 16);
  CHECK_EQ(valueOf("time*batch/2"), 14);
  CHECK_EQ(valueOf("time*batch/2*batch"), 3);
  for (const char *text : {"", "feature", "time*", "time**batch", "(time+)",
                           "(time", "time)", "1.5", "()"})
    CHECK_EQ(valueOf(text), -1);
  CHECK_EQ(valueOf(std::string(5000, '(')), -1);
  return checkSummary();
}
