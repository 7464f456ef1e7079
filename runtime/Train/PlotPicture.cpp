// PlotPicture: see PlotPicture.h.
#include "runtime/Train/PlotPicture.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace blocks {

namespace {
constexpr double width = 720, height = 340, left = 70, right = 16, top = 16,
                 bottom = 44;
// Colours that people with any colour vision can tell apart (Okabe and Ito).
constexpr const char *colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                   "#e69f00", "#56b4e9", "#000000"};

std::string escape(const std::string &text) {
  std::string out;
  for (char c : text)
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  return out;
}

std::string format(const char *pattern, auto... values) {
  char buffer[256];
  int n = std::snprintf(buffer, sizeof(buffer), pattern, values...);
  return {buffer, size_t(std::clamp(n, 0, 255))};
}

/// A range of values, and where it lies on the picture.
struct Axis {
  double low = INFINITY, high = -INFINITY;
  double from = 0, to = 0; ///< Pixels of `low` and `high`.

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void widenIfEmpty() {
    if (!(low <= high))
      low = 0, high = 1;
    if (low == high) {
      double margin = low == 0 ? 1 : std::fabs(low) * 0.1;
      low -= margin, high += margin;
    }
  }
  double place(double value) const {
    return from + (value - low) / (high - low) * (to - from);
  }
  /// 1, 2 or 5 times a power of ten, for about six ticks.
  double step() const {
    double raw = (high - low) / 6,
           power = std::pow(10, std::floor(std::log10(raw)));
    for (double factor : {1.0, 2.0, 5.0})
      if (raw <= factor * power)
        return factor * power;
    return 10 * power;
  }
};

template <typename Function> void forTicks(const Axis &axis, Function draw) {
  double step = axis.step();
  for (int64_t i = int64_t(std::ceil(axis.low / step));
       double(i) * step <= axis.high * (1 + 1e-12) && i < INT64_MAX; ++i)
    draw(double(i) * step);
}

void drawAxes(std::string &svg, const Axis &x, const Axis &y) {
  forTicks(x, [&](double value) {
    double at = x.place(value);
    svg += format("<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>", at, y.from,
                  y.to);
    svg +=
        format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%g</text>\n",
               at, y.from + 18, value);
  });
  forTicks(y, [&](double value) {
    double at = y.place(value);
    svg += format("<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>", x.from, at,
                  x.to);
    svg += format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
                  x.from - 6, at + 4, value);
  });
  svg += format("<path class=\"axis\" d=\"M%.1f %.1fV%.1fH%.1f\"/>\n", x.from,
                y.to, y.from, x.to);
  svg += format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">batches"
                "</text>\n",
                (x.from + x.to) / 2, height - 6);
}

void drawCurve(std::string &svg, const Curve &curve, const char *colour,
               const Axis &x, const Axis &y) {
  svg += format("<polyline stroke=\"%s\" points=\"", colour);
  for (auto [a, b] : curve.points)
    svg += format("%.1f,%.1f ", x.place(a), y.place(b));
  svg += "\"/>\n";
  for (auto [a, b] : curve.points)
    if (curve.points.size() <= 60) // Dots only where they stand apart.
      svg += format("<circle fill=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>",
                    colour, x.place(a), y.place(b));
}

void drawLegend(std::string &svg, const Figure &figure) {
  double at = top + 14;
  for (size_t i = 0; i < figure.curves.size(); ++i, at += 17) {
    const Curve &curve = figure.curves[i];
    svg += format("<rect fill=\"%s\" x=\"%.0f\" y=\"%.0f\" width=\"12\" "
                  "height=\"4\"/><text x=\"%.0f\" y=\"%.0f\" "
                  "text-anchor=\"end\">",
                  colours[i % std::size(colours)], width - right - 14, at - 6,
                  width - right - 20, at);
    svg += escape(curve.name);
    if (!curve.points.empty())
      svg += format(" %.6g", curve.points.back().second);
    svg += "</text>\n";
  }
}

std::string drawFigure(const Figure &figure) {
  Axis x{.from = left, .to = width - right};
  Axis y{.from = height - bottom, .to = top};
  for (const Curve &curve : figure.curves)
    for (auto [a, b] : curve.points)
      x.include(a), y.include(b);
  x.widenIfEmpty();
  y.widenIfEmpty();
  std::string svg =
      "<h2>" + escape(figure.title) + "</h2>\n" +
      format("<svg viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
             "role=\"img\" aria-label=\"",
             width, height, width, height) +
      escape(figure.title) + "\">\n";
  drawAxes(svg, x, y);
  for (size_t i = 0; i < figure.curves.size(); ++i)
    drawCurve(svg, figure.curves[i], colours[i % std::size(colours)], x, y);
  drawLegend(svg, figure);
  return svg + "</svg>\n";
}
} // namespace

std::string drawPage(const std::string &title,
                     const std::vector<Figure> &figures) {
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<title>" +
      escape(title) +
      "</title>\n<style>body{font:14px sans-serif;margin:2em}"
      "svg text{font:12px sans-serif;fill:#333}.grid{stroke:#e4e4e4}"
      ".axis{stroke:#333;fill:none}polyline{fill:none;stroke-width:1.5}"
      "</style></head><body>\n<h1>" +
      escape(title) + "</h1>\n";
  if (figures.empty())
    page += "<p>The log has no rows yet.</p>\n";
  for (const Figure &figure : figures)
    page += drawFigure(figure);
  return page + "</body></html>\n";
}

} // namespace blocks
