// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "calibrate/measure/rig.h"

namespace watershed {

/// The cells of a record under these columns, with commas between them; columns that are not this program's stay empty.
std::string cells_of(const BurstRecord& record, const std::vector<std::string>& columns);

/// A loss map that grows burst by burst. After each burst the file is replaced as a whole, so that whatever ends the
/// program leaves a map.
class MeasuredMap {
  public:
    /// Goes on with the rows of the file, if there is one. @throws InputError for a file that is no loss map, or cannot
    /// be written
    /// @param peaks  a new map gets columns for these
    explicit MeasuredMap(std::string file, bool peaks = false);

    /// A row of the map, or a comment that says why it is none. @throws std::runtime_error if the file cannot be
    /// written, which then stays as it was
    void add(const BurstRecord& record, const std::string& why_not = "");

    const LossMap& map() const { return map_; }

  private:
    /// Columns for what was in use at most, empty in the rows that are there.
    void add_peak_columns(bool cells);

    std::string file_;
    std::string text_;  ///< of the file
    std::vector<std::string> columns_;
    LossMap map_;
};

}  // namespace watershed
