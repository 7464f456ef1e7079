// JsonEvents: see the header. Numbers go through formatJsonNumber so that they
// read back to the same bits.
#include "tools/blocks-run/JsonEvents.h"

#include <nlohmann/json.hpp>

#include <ostream>

namespace blocks::cli {

std::string quoteJson(const std::string &text) {
  return nlohmann::json(text).dump(-1, ' ', false,
                                   nlohmann::json::error_handler_t::replace);
}

static void writeValues(std::ostream &out, std::span<const NamedValue> values) {
  out << "\"values\":{";
  const char *separator = "";
  for (const NamedValue &value : values) {
    char number[40];
    size_t length = formatJsonNumber(value, number);
    out << separator << quoteJson(std::string(value.name)) << ":"
        << std::string_view(number, length);
    separator = ",";
  }
  out << "}";
}

void JsonEvents::epoch(const RowView &row) {
  out << "{\"event\":\"epoch\",\"epoch\":" << row.epoch
      << ",\"iterations\":" << row.iterations << ",";
  writeValues(out, row.values);
  out << "}" << std::endl;
}

void JsonEvents::eval(const std::string &split, int64_t examples,
                      std::span<const NamedValue> values) {
  out << "{\"event\":\"eval\",\"split\":" << quoteJson(split)
      << ",\"examples\":" << examples << ",";
  writeValues(out, values);
  out << "}" << std::endl;
}

void JsonEvents::checkpoint(const std::string &path, int64_t iterations) {
  out << "{\"event\":\"checkpoint\",\"path\":" << quoteJson(path)
      << ",\"iterations\":" << iterations << "}" << std::endl;
}

void JsonEvents::plan(const MemoryPlan &plan) {
  out << "{\"event\":\"plan\",\"entry\":" << quoteJson(plan.entry)
      << ",\"shapes\":" << nlohmann::json(plan.shapes).dump()
      << ",\"bytes\":" << plan.bytes << "}" << std::endl;
}

void JsonEvents::profile(const RunProfile &profile) {
  nlohmann::ordered_json event = {{"event", "profile"},
                                  {"batches", profile.batches},
                                  {"seconds", profile.seconds},
                                  {"waited", profile.waited},
                                  {"trained", profile.trained}};
  if (profile.data) {
    event["workers"] = profile.data->workers;
    event["waits"] = profile.data->waits;
    event["layers"] = nlohmann::ordered_json::array();
    for (const fuel::LayerTime &layer : profile.data->layers)
      event["layers"].push_back({{"name", layer.name},
                                 {"items", layer.items},
                                 {"seconds", layer.seconds}});
  }
  out << event.dump() << std::endl;
}

void JsonEvents::error(const std::string &message) {
  out << "{\"event\":\"error\",\"message\":" << quoteJson(message) << "}"
      << std::endl;
}

void JsonEvents::end(int status, int64_t iterations, double seconds) {
  out << "{\"event\":\"end\",\"status\":" << status
      << ",\"iterations\":" << iterations << ",\"seconds\":" << seconds << "}"
      << std::endl;
}

void JsonEvents::compiled(const std::string &entry, double seconds,
                          bool cached) {
  out << "{\"event\":\"compiled\",\"entry\":" << quoteJson(entry)
      << ",\"seconds\":" << seconds
      << ",\"cached\":" << (cached ? "true" : "false") << "}" << std::endl;
}

} // namespace blocks::cli
