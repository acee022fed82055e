// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>
#include <optional>

namespace watershed {

/// A rectangle in fractions of a panel, 0 0 at the lower left.
struct Box {
    double left = 0, bottom = 0, right = 0, top = 0;
};

/// Which parts of a panel are still empty, on a raster fine enough to place an inset.
class FreeSpace {
  public:
    /// Marks a point, in fractions of the panel; outside of it nothing happens.
    void mark(double x, double y);
    void mark_line(double x0, double y0, double x1, double y1);

    bool is_free(const Box& box) const;
    /// The place for a box of this size that is nearest to the upper left corner, without touching the axes.
    std::optional<Box> find(double width, double height) const;

  private:
    static constexpr int kCells = 64;
    std::array<std::array<bool, kCells>, kCells> taken_{};
};

}  // namespace watershed
