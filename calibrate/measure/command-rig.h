// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <memory>
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
/// measure() throws std::runtime_error where the program ends, says nothing in time, reports an error, or answers
/// something else.
/// @param command   for /bin/sh
/// @param patience  for an answer, beside the length of the burst
std::unique_ptr<Rig> command_rig(const std::string& command, Time patience);

/// The record that an answer stands for. @throws std::invalid_argument that says what was found and expected
BurstRecord record_of(const BurstSetting& setting, const std::string& answer);

}  // namespace watershed
