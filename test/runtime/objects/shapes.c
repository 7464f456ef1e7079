/* What objects consist of, for the loader's test: constants, constants that hold
 * addresses, writable and zeroed data, a jump table, a call to a function that
 * may be far away. Built in several code models and never linked. */
#include <stdint.h>

static const float factors[8] = {1, 2, 3, 5, 7, 11, 13, 17};
static const char *const names[] = {"first", "second"};
static int64_t counter = 40;
static int64_t zeroed[1000];

extern int64_t far_function(int64_t);

float factor_of(int64_t i) { return factors[i & 7]; }
const char *name_of(int64_t i) { return names[i & 1]; }
int64_t use_far(int64_t x) { return far_function(x) + 1; }
int64_t (*far_address(void))(int64_t) { return far_function; }

int64_t count(void) {
  ++zeroed[counter];
  int64_t result = counter + zeroed[counter];
  ++counter;
  return result;
}

int64_t choose(int64_t i, int64_t x) {
  switch (i) {
  case 0:
    return x + 1;
  case 1:
    return far_function(x);
  case 2:
    return x * x;
  case 3:
    return x / 3;
  case 4:
    return -x;
  case 5:
    return x ^ 21;
  default:
    return 0;
  }
}
