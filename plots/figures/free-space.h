// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
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
    void mark(double x, double y) {
        if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1)) return;
        const auto cell = [](double position) {
            return static_cast<std::size_t>(std::min(position * kCells, kCells - 1.0));
        };
        taken_[cell(y)][cell(x)] = true;
    }
    void mark_line(double x0, double y0, double x1, double y1) {
        // Clipped first (Liang and Barsky), since a curve near its asymptote has segments that go far beyond the panel.
        double begin = 0, end = 1;
        const double dx = x1 - x0, dy = y1 - y0;
        for (const auto& [step, room] :
             {std::pair{-dx, x0}, std::pair{dx, 1 - x0}, std::pair{-dy, y0}, std::pair{dy, 1 - y0}}) {
            if (step == 0 && room < 0) return;
            if (step < 0) begin = std::max(begin, room / step);
            if (step > 0) end = std::min(end, room / step);
        }
        constexpr int kSteps = 2 * kCells;
        for (int i = 0; begin <= end && i <= kSteps; ++i) {
            const double part = begin + (end - begin) * i / kSteps;
            mark(x0 + part * dx, y0 + part * dy);
        }
    }

    bool is_free(const Box& box) const {
        const auto first = [](double position) {
            return static_cast<std::size_t>(std::clamp(std::floor(position * kCells), 0.0, kCells - 1.0));
        };
        for (std::size_t y = first(box.bottom); y <= first(box.top); ++y)
            for (std::size_t x = first(box.left); x <= first(box.right); ++x)
                if (taken_[y][x]) return false;
        return true;
    }
    /// The place for a box of this size that is nearest to the upper left corner, without touching the axes.
    std::optional<Box> find(double width, double height) const {
        std::optional<Box> best;
        double best_distance = 4;
        for (int row = 1; row < kCells; ++row)
            for (int column = 1; column < kCells; ++column) {
                const double left = static_cast<double>(column) / kCells, top = 1 - static_cast<double>(row) / kCells;
                const Box box{left, top - height, left + width, top};
                const double distance = left + (1 - top);
                if (box.bottom > 0 && box.right < 1 && distance < best_distance && is_free(box))
                    best = box, best_distance = distance;
            }
        return best;
    }

  private:
    static constexpr int kCells = 64;
    std::array<std::array<bool, kCells>, kCells> taken_{};
};

}  // namespace watershed
