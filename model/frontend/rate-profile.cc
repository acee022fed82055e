// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/rate-profile.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace watershed {
RateProfile::RateProfile(const std::vector<RatePoint>& rows) {
    if (rows.size() < 2 || rows.front().time != Time{0})
        throw std::invalid_argument("a rate profile has two rows or more, the first at 0");
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
        if (rows[i + 1].time <= rows[i].time) throw std::invalid_argument("the rows of a rate profile ascend");
        const double length = in_seconds(rows[i + 1].time - rows[i].time), from = in_hertz(rows[i].rate),
                     to = in_hertz(rows[i + 1].rate);
        pieces_.push_back({rows[i].time, all_, from, (to - from) / length});
        all_ += length * (from + to) / 2;
    }
    end_ = rows.back().time;
}

double RateProfile::expected(Time time) const {
    if (time >= end_) return all_;
    const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), time,
                                        [](Time t, const Piece& piece) { return t < piece.begin; });
    if (after == pieces_.begin()) return 0;
    const Piece& piece = *std::prev(after);
    const double x = in_seconds(time - piece.begin);
    return piece.before + x * (piece.rate + x * piece.slope / 2);
}

std::optional<Time> RateProfile::when(double triggers) const {
    if (!(triggers < all_)) return std::nullopt;
    const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), triggers,
                                        [](double n, const Piece& piece) { return n < piece.before; });
    const Piece& piece = *std::prev(after);
    const double more = triggers - piece.before;
    if (more <= 0) return piece.begin;
    // The root of rate x + slope x^2 / 2 = more, in the form that loses no digits where the slope is small.
    const double x =
        2 * more / (piece.rate + std::sqrt(std::max(0.0, piece.rate * piece.rate + 2 * piece.slope * more)));
    return std::min(end_, piece.begin + time_of_seconds(x));
}

}  // namespace watershed
