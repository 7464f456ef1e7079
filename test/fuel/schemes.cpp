// Schemes: every request sequence that genuine Fuel gave, the generator's
// draws, cross-validation, and exact resumption at every request of two epochs.
#include "test/fuel/Reference.h"

using namespace fuel;
using reference::Json;

static Json epochOf(IterationScheme &scheme, size_t limit) {
  scheme.startEpoch();
  Json requests = Json::array();
  std::vector<int64_t> request;
  while (requests.size() < limit && scheme.next(request))
    requests.push_back(reference::requestOf(scheme, request));
  return requests;
}

static void sequences(const Json &reference) {
  for (const Json &one : reference["schemes"]) {
    std::unique_ptr<IterationScheme> scheme =
        reference::makeScheme(one["scheme"]);
    CHECK_EQ(scheme->kind() == RequestKind::Example,
             one["requests_examples"].get<bool>());
    for (const Json &expected : one["epochs"]) {
      bool endless = !scheme->requestsPerEpoch();
      // Without an end, as many as the reference kept.
      size_t limit = endless ? expected.size() : expected.size() + 1;
      CHECK_EQ(epochOf(*scheme, limit), expected);
      if (!endless)
        CHECK(scheme->requestsPerEpoch() == int64_t(expected.size()));
    }
  }
}

static void crossValidationFolds(const Json &reference) {
  for (const Json &one : reference["cross_validation"]) {
    auto make = [&](Examples rows) {
      Json scheme = one["kwargs"];
      scheme["type"] = one["scheme_class"];
      scheme["examples"] = rows.rows;
      return reference::makeScheme(scheme);
    };
    std::vector<Fold> folds = crossValidation(make, one["num_examples"],
                                              one["num_folds"], one["strict"]);
    CHECK_EQ(folds.size(), one["folds"].size());
    for (size_t i = 0; i < folds.size(); ++i) {
      const Json &expected = one["folds"][i];
      CHECK_EQ(epochOf(*folds[i].train, 99), expected["train"]);
      CHECK_EQ(epochOf(*folds[i].valid, 99), expected["valid"]);
      if (expected.contains("valid_size"))
        CHECK_EQ(folds[i].validExamples, expected["valid_size"].get<int64_t>());
    }
  }
  auto sequential = [](Examples rows) {
    return std::make_unique<SequentialExampleScheme>(std::move(rows));
  };
  CHECK_THROWS(crossValidation(sequential, 10, 3), "do not divide into 3");
}

static void draws(const Json &reference) {
  Mt19937 raw(1);
  for (const Json &word : reference["mt19937_seed1_raw32"])
    CHECK_EQ(raw.next(), word.get<uint32_t>());
  Mt19937 sample(1);
  for (const Json &x : reference["random_sample_seed1"])
    CHECK_EQ(sample.randomSample(), x.get<double>());
  Mt19937 uniform(1);
  for (const Json &x : reference["uniform_-180_180_seed1"])
    CHECK_EQ(uniform.uniform(-180, 180), x.get<double>());
  Mt19937 integers(1);
  for (const Json &x : reference["random_integers_0_10_size12_seed1"])
    CHECK_EQ(integers.randomInteger(0, 10), x.get<int64_t>());
  for (const Json &x : reference["then_scalar_random_integers_0_4"])
    CHECK_EQ(integers.randomInteger(0, 4), x.get<int64_t>());

  const Json &big = reference["shuffle_range_100000_seed1"];
  std::vector<int64_t> rows = Examples(100000).rows;
  Mt19937 shuffle(1);
  shuffle.shuffle(rows);
  CHECK_EQ(blocks::Sha256::hexOf(Json(rows).dump()),
           big["sha256_of_json_compact"].get<std::string>());
}

// At every request of the first three epochs: a state taken there, restored
// into a scheme that was used otherwise, goes on with the same requests, also
// in the next epoch.
static void resumes(const Json &reference) {
  for (const Json &one : reference["schemes"]) {
    auto original = reference::makeScheme(one["scheme"]);
    if (!original->requestsPerEpoch())
      continue;
    for (int epoch = 0; epoch < 3; ++epoch) {
      original->startEpoch();
      int64_t total = *original->requestsPerEpoch();
      for (int64_t consumed = 0; consumed <= total; ++consumed) {
        auto resumed = reference::makeScheme(one["scheme"]);
        resumed->startEpoch();
        resumed->restoreEpoch(original->epochState());
        resumed->startEpoch();
        resumed->skip(consumed);
        auto expected = reference::makeScheme(one["scheme"]);
        for (int past = 0; past <= epoch; ++past)
          expected->startEpoch();
        expected->skip(consumed);
        std::vector<int64_t> found, wanted;
        bool more = expected->next(wanted);
        CHECK_EQ(resumed->next(found), more);
        if (more)
          CHECK(found == wanted);
        CHECK_EQ(epochOf(*resumed, 99), epochOf(*expected, 99));
      }
    }
  }
}

static void errors() {
  CHECK_THROWS(SequentialScheme(5, 0), "the batch size is 0");
  CHECK_THROWS(SequentialScheme(-1, 2), "of a scheme is -1");
  CHECK_THROWS(ConstantScheme(3, 7, 2), "not both");
  CHECK_THROWS(ConcatenatedScheme({}), "no scheme was given");
  std::vector<std::unique_ptr<IterationScheme>> mixed;
  mixed.push_back(std::make_unique<SequentialScheme>(5, 2));
  mixed.push_back(std::make_unique<SequentialExampleScheme>(5));
  CHECK_THROWS(ConcatenatedScheme(std::move(mixed)), "different kinds");
  ShuffledScheme shuffled(10, 3);
  CHECK_THROWS(shuffled.restoreEpoch("-"), "damaged");
  CHECK_THROWS(shuffled.restoreEpoch(std::string(5000, 'f')), "damaged");
  SequentialScheme sequential(10, 3);
  CHECK_THROWS(sequential.restoreEpoch(shuffled.epochState()), "has none");
}

int main(int, char **argv) {
  Json reference = reference::load(std::string(argv[2]) + "/schemes.json");
  sequences(reference);
  crossValidationFolds(reference);
  draws(reference);
  resumes(reference);
  errors();
  return checkSummary();
}
