// Schedules: see Schedules.h.
#include "runtime/Train/Extensions/Schedules.h"

#include "blocks/Error.h"
#include "runtime/Train/Aggregator.h"
#include "runtime/Train/Hyperparameters.h"

namespace blocks {

/// One scalar of the state and what acts on it.
struct Schedules::Hyperparameter {
  std::string path;   ///< "/algorithm.learning_rate".
  std::string record; ///< "schedule/learning_rate".
  size_t index = 0;
  double base = 0;
  std::vector<std::unique_ptr<Schedule>> factors;

  double value(const LoopStatus &status) const {
    double result = base;
    for (const auto &schedule : factors)
      result *= schedule->factor(status);
    return result;
  }
};

Schedules::Schedules(const std::string &text, const ProgramSpec &spec,
                     const ProgramState &state, std::ostream &messages)
    : text(text), messages(messages) {
  for (NamedCall &call : parseNamedCalls(text)) {
    std::string name = "learning_rate";
    if (const CallArgument *of = call.find("for")) {
      name = of->text;
      std::erase_if(call.arguments,
                    [](const CallArgument &a) { return a.name == "for"; });
    }
    find(name, spec, state).factors.push_back(makeSchedule(call));
  }
}

Schedules::~Schedules() = default;

Schedules::Hyperparameter &Schedules::find(const std::string &name,
                                           const ProgramSpec &spec,
                                           const ProgramState &state) {
  size_t index = findHyperparameter(spec, name);
  for (auto &one : all)
    if (one->index == index)
      return *one;
  const std::string &path = spec.state[index].path;
  all.push_back(std::make_unique<Hyperparameter>(
      Hyperparameter{path,
                     "schedule/" + path.substr(path.rfind('.') + 1),
                     index,
                     scalarValue(state.arrays[index]),
                     {}}));
  return *all.back();
}

std::vector<std::string> Schedules::paths() const {
  std::vector<std::string> result;
  for (const auto &one : all)
    result.push_back(one->path);
  return result;
}

std::vector<std::string> Schedules::watched() const {
  std::vector<std::string> result;
  for (const auto &one : all)
    for (const auto &schedule : one->factors)
      if (std::string name = schedule->watched(); !name.empty())
        result.push_back(name);
  return result;
}

void Schedules::beforeBatch(MainLoop &loop) {
  ProgramState &state = loop.state();
  for (const auto &one : all)
    if (setScalar(state.arrays[one->index], one->value(loop.status())))
      state.changed(one->index);
}

void Schedules::afterEpoch(MainLoop &loop) {
  for (const auto &one : all) {
    for (const auto &schedule : one->factors)
      schedule->endEpoch(loop.row);
    const Array &array = loop.state().arrays[one->index];
    loop.row.push_back({one->record, scalarValue(array), array.dtype()});
  }
}

void Schedules::save(StateRecord &record) const {
  record.setText("text", text);
  for (const auto &one : all) {
    record.setReal(one->path, one->base);
    for (size_t i = 0; i < one->factors.size(); ++i)
      one->factors[i]->save(record, one->path + " " + std::to_string(i));
  }
}

void Schedules::restore(const StateRecord &record) {
  announceChanges(record);
  for (const auto &one : all)
    for (size_t i = 0; i < one->factors.size(); ++i)
      one->factors[i]->restore(record, one->path + " " + std::to_string(i));
}

void Schedules::announceChanges(const StateRecord &record) const {
  if (record.getText("text") != text)
    messages << "the schedule was '" << record.getText("text")
             << "' in the checkpoint; continuing with '" << text << "'"
             << std::endl;
  for (const auto &one : all)
    if (record.has(one->path) && record.getReal(one->path) != one->base)
      messages << "'" << one->path << "' had the schedule of "
               << record.getReal(one->path)
               << " in the checkpoint; continuing with that of " << one->base
               << std::endl;
}

} // namespace blocks
