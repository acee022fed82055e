// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "test/calibrate/study/calibration-study.h"

/// The study of the fit's calibration as people read it, and as programs do.
namespace watershed::calibration {

/// The sum of cells that have something in common: one subject, one number of rows, one kind of noise, one placement,
/// laws kept or broken.
struct Margin {
    std::string name;
    Tally sum;
};
std::vector<Margin> margins(const std::vector<Tally>& cells);

/// Results of one cell, on one line; the heads of its columns.
void print_head(std::ostream& out);
void print(std::ostream& out, const Tally& cell);

/// All margins, then every cell.
void print(std::ostream& out, const std::vector<Tally>& cells);

/// All margins: campaigns by their goodness of fit, tenths from the lowest.
void print_goodness(std::ostream& out, const std::vector<Tally>& cells);

/// A row for each cell: shares, and numbers of campaigns by rank.
void write_csv(std::ostream& out, const std::vector<Tally>& cells);

}  // namespace watershed::calibration
