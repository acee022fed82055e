// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <memory>
#include <string>

#include "calibrate/advice/generator.h"
#include "scenarios/text/loss-map.h"

/// What sends bursts through a switch and counts what arrives: two ports of this machine, or a program that drives a
/// rig of one's own; and the map that it fills.
namespace watershed {

/// What came of one burst.
struct BurstRecord {
    LossMapRow row;
    std::optional<Time> median_trigger_lateness{};  ///< where every trigger's was looked at
    std::string host_loss{};      ///< why the machine itself lost frames, so that the row does not tell of the switch
    std::vector<bool> missing{};  ///< which frames, as they were sent; empty where nobody knows
    std::vector<Time> trigger_times{};  ///< when each was handed over, held up as it may have been; empty likewise
};

class Rig {
  public:
    virtual ~Rig() = default;
    /// Sends one burst into a switch that is empty, and counts until nothing more arrives.
    /// @throws std::runtime_error where it cannot be sent, or the rig has failed
    virtual BurstRecord measure(const BurstSetting& setting) = 0;
};

/// A rig of one's own behind a program that is started once and asked in lines of JSON: "With a rig of your own" in
/// calibrate/README.md. Where it sent fewer frames than were asked for the burst is set aside; more are another
/// burst's. measure() throws std::runtime_error where the program ends, says nothing in time, reports an error, or
/// answers something else.
/// @param command   for /bin/sh
/// @param patience  for an answer, beside the length of the burst
std::unique_ptr<Rig> command_rig(const std::string& command, Time patience);

/// The record that an answer stands for. @throws std::invalid_argument that says what was found and expected
BurstRecord record_of(const BurstSetting& setting, const std::string& answer);

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
