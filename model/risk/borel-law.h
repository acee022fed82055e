// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <vector>

namespace watershed {

/// How many customers a queue with Poisson arrivals and a constant service time serves without pause, if its load is
/// `load`: P(j) = exp(-load j) (load j)^(j-1) / j!  (Borel 1942). With load 0 it is always one.
class BorelLaw {
  public:
    /// @param load  at least 0 and below 1
    explicit BorelLaw(double load);

    /// P(J = j), for j >= 1.
    double equal(std::int64_t j) const { return at(equal_, j); }
    /// The logarithm of P(J = j), however small.
    double log_equal(double j) const;
    /// P(J > j), for j >= 0, accurate relative to itself however small it is.
    double above(std::int64_t j) const { return at(above_, j); }
    /// E[max(J - j, 0)], for j >= 0, likewise.
    double excess(std::int64_t j) const { return at(excess_, j); }

  private:
    static double at(const std::vector<double>& table, std::int64_t j) {
        return j < static_cast<std::int64_t>(table.size()) ? table[static_cast<std::size_t>(j)] : 0;
    }

    double load_;
    std::vector<double> equal_, above_, excess_;  ///< by j
};

}  // namespace watershed
