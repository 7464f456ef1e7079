// Plot: reads a log and writes one HTML page with an inline SVG picture for
// each group of curves (those whose names end alike: train/cost, test/cost).
// No scripts, no other files: the page can be mailed.
#include "blocks/Training.h"

#include "blocks/Error.h"
#include "runtime/Base/AtomicFile.h"
#include "runtime/Train/PlotPicture.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

namespace blocks {

namespace {
using Json = nlohmann::json;

Curve &findCurve(std::vector<Figure> &figures, const std::string &name) {
  size_t slash = name.rfind('/');
  std::string title =
      slash == std::string::npos ? name : name.substr(slash + 1);
  auto figure = std::find_if(figures.begin(), figures.end(),
                             [&](auto &f) { return f.title == title; });
  if (figure == figures.end())
    figure = figures.insert(figures.end(), Figure{title, {}});
  auto &curves = figure->curves;
  auto curve = std::find_if(curves.begin(), curves.end(),
                            [&](auto &c) { return c.name == name; });
  if (curve == curves.end())
    curve = curves.insert(curves.end(), Curve{name, {}});
  return *curve;
}

void addRow(std::vector<Figure> &figures, const Json &row) {
  double x = row.at("iterations").get<double>();
  for (const auto &[name, value] : row.at("values").items())
    if (value.is_number()) // NaN and infinity leave a gap.
      findCurve(figures, name).points.push_back({x, value.get<double>()});
}

std::vector<Figure> readLog(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    throw IoError("cannot read the log '" + path + "'; does it exist?");
  std::vector<Figure> figures;
  std::string line;
  for (int64_t number = 1; std::getline(file, line); ++number)
    try {
      if (!line.empty())
        addRow(figures, Json::parse(line));
    } catch (const Json::exception &error) {
      if (file.peek() == EOF)
        break; // A row that is being written.
      throw InputError("'" + path + "', line " + std::to_string(number) +
                       " is no row of a log: " + error.what());
    }
  return figures;
}
} // namespace

void plotLog(const std::string &logPath, const std::string &htmlPath) {
  std::vector<Figure> figures = readLog(logPath);
  AtomicFile page(htmlPath);
  page.write(drawPage(logPath, figures));
  page.commit();
}

} // namespace blocks
