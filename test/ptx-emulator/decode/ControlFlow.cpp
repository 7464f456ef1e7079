// Weak topological order and liveness; see ControlFlow.h.
#include "ControlFlow.h"

#include <algorithm>
#include <limits>
#include <list>

namespace ptxemu {
namespace {

class WeakOrder {
public:
  explicit WeakOrder(const Graph &successors)
      : successors(successors), number(successors.size(), 0) {}

  std::list<size_t> run() {
    std::list<size_t> order;
    visit(0, order);
    return order;
  }

private:
  static constexpr uint32_t done = std::numeric_limits<uint32_t>::max();
  const Graph &successors;
  std::vector<uint32_t> number;
  std::vector<size_t> stack;
  uint32_t count = 0;

  uint32_t visit(size_t block, std::list<size_t> &order) {
    stack.push_back(block);
    uint32_t head = number[block] = ++count;
    bool loop = false;
    for (size_t next : successors[block]) {
      uint32_t least = number[next] ? number[next] : visit(next, order);
      if (least <= head)
        head = least, loop = true;
    }
    if (head != number[block])
      return head;
    number[block] = done;
    size_t element = pop();
    if (!loop) {
      order.push_front(block);
      return head;
    }
    for (; element != block; element = pop())
      number[element] = 0;
    component(block, order);
    return head;
  }

  size_t pop() {
    size_t top = stack.back();
    stack.pop_back();
    return top;
  }

  void component(size_t head, std::list<size_t> &order) {
    std::list<size_t> body;
    for (size_t next : successors[head])
      if (!number[next])
        visit(next, body);
    body.push_front(head);
    order.splice(order.begin(), body);
  }
};

} // namespace

std::vector<uint32_t> rankBlocks(const Graph &successors) {
  std::vector<uint32_t> ranks(successors.size(), 0);
  uint32_t rank = 0;
  for (size_t block : WeakOrder(successors).run())
    ranks[block] = ++rank;
  for (uint32_t &r : ranks)
    if (r == 0)
      r = ++rank; // never reached
  return ranks;
}

std::vector<uint32_t>
liveAtEntry(const Graph &successors,
            const std::vector<std::vector<uint32_t>> &uses,
            const std::vector<std::vector<uint32_t>> &defs, size_t values) {
  size_t words = (values + 63) / 64, blocks = successors.size();
  auto sets = [&](const std::vector<std::vector<uint32_t>> &lists) {
    std::vector<std::vector<uint64_t>> result(blocks,
                                              std::vector<uint64_t>(words));
    for (size_t b = 0; b < blocks; ++b)
      for (uint32_t value : lists[b])
        result[b][value / 64] |= 1ull << value % 64;
    return result;
  };
  auto live = sets(uses), killed = sets(defs);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = blocks; b-- > 0;)
      for (size_t next : successors[b])
        for (size_t w = 0; w < words; ++w) {
          uint64_t more = live[next][w] & ~killed[b][w] & ~live[b][w];
          live[b][w] |= more;
          changed |= more != 0;
        }
  }
  std::vector<uint32_t> result;
  for (uint32_t value = 0; value < values; ++value)
    if (live[0][value / 64] >> value % 64 & 1)
      result.push_back(value);
  return result;
}

} // namespace ptxemu
