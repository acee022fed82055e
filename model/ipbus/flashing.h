// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "model/base/quantities.h"
#include "model/base/server-pool.h"

/// A queue of firmware updates that workers on one server take in turn. A worker loads a programmer into a unit
/// (volatile), starts the unit's permanent flashing in the background and takes the next unit. Source: A. Serafini,
/// "Firmware flashing update", 18 January 2022, in R. Triozzi et al., "Rate and bandwidth measurements".
namespace watershed {

/// The whole of `system = "flashing"`.
struct Flashing {
    std::int64_t units = 250;
    std::vector<std::int64_t> workers{25};
    Time load_time{63'600'000'000'000};   ///< time of a worker that has the server alone
    Time flash_time{40'000'000'000'000};  ///< in the background, where it costs the server nothing
    Ratio threads_per_worker{195, 100};   ///< threads at work while a worker loads
    ServerPool::Processor processor{24, 2, {3, 10}};
    Ratio switching_loss{
        1, 1};  ///< twice the threads that the processor has make all slower by 1 + this, beside taking turns
};

/// Speed of each of `workers` workers, relative to one that has the server alone.
double worker_speed(const Flashing& flashing, std::int64_t workers);

/// Time that it took to flash all units.
struct FlashingResult {
    std::int64_t workers = 0;
    std::int64_t units = 0;              ///< flashed
    double duration_s = 0;               ///< time until the last unit is flashed
    double worker_seconds_per_unit = 0;  ///< workers times duration over units
    double units_per_minute = 0;
};

FlashingResult flash(const Flashing& flashing, std::int64_t workers);

}  // namespace watershed
