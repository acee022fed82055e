// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

/// Exact clipping in the plane: every burst of a loss map allows one side of a line in (depth, service rate).
namespace watershed {

/// All (x, y) with a x + b y >= c.
struct HalfPlane {
    double a = 0;
    double b = 0;
    double c = 0;
    int source = -1;  ///< whose constraint it is; negative for a limit that no measurement set

    /// How far inside (x, y) lies, in the unit of c.
    double margin(double x, double y) const { return a * x + b * y - c; }
};

/// A convex polygon, corners counter-clockwise; no corners when it is empty.
class ConvexPolygon {
  public:
    struct Corner {
        double x = 0;
        double y = 0;
        int edge = -1;  ///< source of the half-plane that bounds the edge from here to the next corner
    };
    struct Range {
        double least = 0;
        double most = 0;
    };

    static ConvexPolygon rectangle(double x_low, double x_high, double y_low, double y_high);

    /// Keeps what lies inside the half-plane. Corners within `tolerance` (in the unit of c) of its line count as
    /// inside.
    void clip(const HalfPlane& side, double tolerance);

    /// Another unit for x.
    void scale_x(double factor);

    bool empty() const { return corners_.empty(); }
    const std::vector<Corner>& corners() const { return corners_; }
    /// Least and largest a x + b y over the polygon, which must not be empty.
    Range range(double a, double b) const;

  private:
    std::vector<Corner> corners_;
};

}  // namespace watershed
