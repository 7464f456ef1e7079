// PlotPicture: curves as SVG in a page of HTML.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace blocks {

struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points; ///< Batches done, value.
};

/// Curves that share axes.
struct Figure {
  std::string title;
  std::vector<Curve> curves;
};

std::string drawPage(const std::string &title,
                     const std::vector<Figure> &figures);

} // namespace blocks
