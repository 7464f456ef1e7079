// Formulas of extents: products, sums and differences in parentheses,
// quotients, rests, roots; what is none.
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
  CHECK_EQ(valueOf("(time - 1)"), 6);
  CHECK_EQ(valueOf("(batch - time)"), -3);
  CHECK_EQ(valueOf("(time+batch - 2*batch+1 - 3)*2"), 2);
  CHECK_EQ(valueOf("(time - (batch - 1))"), 4);
  CHECK_EQ(valueOf("(-1*batch+time)"), 3);
  CHECK_EQ(valueOf("4*(time/4)"), 4);
  CHECK_EQ(valueOf("-1*(time%4)"), -3);
  CHECK_EQ(valueOf("(time*batch%3*batch)"), 4);
  CHECK_EQ(valueOf("(root(time)+time%root(time))"), 3);
  CHECK_EQ(valueOf("root((time - 7))"), 1);
  for (const char *text :
       {"", "feature", "time*", "time**batch", "(time+)", "(time", "time)",
        "1.5", "()", "(time - )", "( - time)", "(time -1)", "(time%)", "root()",
        "root(time", "roots(time)", "(time%2%2)"})
    CHECK_EQ(valueOf(text), -1);
  CHECK_EQ(valueOf(std::string(5000, '(')), -1);
  return checkSummary();
}
