// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "model/exact/frame-log.h"
#include "scenarios/reader/reader.h"

namespace watershed {

/// Table of the frames' events between two times, in the order of time.
class FrameTable {
  public:
    /// @param scenario  outlives the table
    FrameTable(const Scenario& scenario, Time from, Time until);

    /// Follows the scenario's frames. @param observer  may be null
    Outcome run(const Observer* observer);
    /// Writes the header and the rows: each tells that a link carries a frame, that a memory changes, or that a frame
    /// is lost.
    void write(std::ostream& out) const;

  private:
    enum class Step { Carried, Held, Lost };
    struct Row {
        Time time, until;
        Step step;
        int place = 0;  ///< index of a link as in FrameLog, of a switch in Network, of a loss in losses_
        FrameId frame{};
        std::int64_t frames = 0, bytes = 0;  ///< in the memory
    };

    void add(Row row);
    void write(std::ostream& out, const Row& row) const;

    const Scenario& scenario_;
    const Network network_;
    const Time from_, until_;
    std::vector<Row> rows_;
    std::vector<std::pair<std::string, std::string>> losses_;  ///< place and reason
};

}  // namespace watershed
