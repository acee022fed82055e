// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <sys/types.h>

#include <string>

#include "calibrate/measure/rig.h"

namespace watershed {

/// A rig of one's own behind a program that is started once. It is told each burst in a line of JSON, and answers in
/// one:
///
///     {"separation_us": 8.72, "events": 85, "ports": 28, "payload_bytes": 1024}
///     {"frames_sent": 2380, "frames_received": 1207}
///
/// It may add "worst_trigger_lateness_us", "peak_bytes" or "peak_cells" with "peak_resolution", and "host_loss": why
/// frames were lost elsewhere than in the switch.
/// {"error": "…"} ends the campaign.
class CommandRig final : public Rig {
  public:
    /// @param command   for /bin/sh
    /// @param patience  for an answer, beside the length of the burst
    CommandRig(const std::string& command, Time patience);
    /// Closes the program's standard input; what has not ended a second later is terminated.
    ~CommandRig() override;
    CommandRig(const CommandRig&) = delete;
    CommandRig& operator=(const CommandRig&) = delete;

    /// @throws std::runtime_error where the program ends, says nothing in time, reports an error, or answers something
    /// else
    BurstRecord measure(const BurstSetting& setting) override;

  private:
    std::string answer(Time patience);

    std::string command_;
    Time patience_;
    pid_t process_ = -1;
    int file_ = -1;     ///< its standard input and output
    std::string read_;  ///< beyond the last answer
};

/// The record that an answer stands for. @throws std::invalid_argument that says what was found and expected
BurstRecord record_of(const BurstSetting& setting, const std::string& answer);

}  // namespace watershed
