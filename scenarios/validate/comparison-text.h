// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>
#include <iosfwd>
#include <string>
#include <vector>

#include "scenarios/validate/comparison.h"

namespace watershed {

/// Numbers of rows of each basis, by verdict.
class Tally {
  public:
    explicit Tally(const std::vector<Comparison>& comparisons);
    Tally() = default;

    void add(Basis basis, Verdict verdict) {
        ++counts_[static_cast<std::size_t>(basis)][static_cast<std::size_t>(verdict)];
    }
    int rows(Basis basis) const;
    int rows(Basis basis, Verdict verdict) const {
        return counts_[static_cast<std::size_t>(basis)][static_cast<std::size_t>(verdict)];
    }
    /// Rows of any basis that differ without explanation.
    int unexplained() const;
    /// "20 of 30 predicted numbers agree. …", and a line for each other basis that there is.
    std::string text() const;

  private:
    std::array<std::array<int, 4>, std::size(kBasisTexts)> counts_{};  ///< by basis and verdict
};

/// Tables for people, one for each system and basis, and the tally of all.
void print(std::ostream& out, const std::vector<Comparison>& comparisons);

}  // namespace watershed
