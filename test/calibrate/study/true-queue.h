// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>
#include <random>

#include "model/base/quantities.h"

/// A switch to put the fit to the test with: the contract's rules and what may disturb a laboratory, frame by frame in
/// whole femtoseconds. It shares no code with the closed forms of the fit, nor with the engines.
namespace watershed::calibration {

/// Between 0 and 1, neither included.
double uniform(std::mt19937_64& random);
double between(std::mt19937_64& random, double low, double high);
/// Equally likely per factor.
double log_between(std::mt19937_64& random, double low, double high);
/// Standard normal.
double normal(std::mt19937_64& random);
/// Student's t of two degrees of freedom, which has no variance: F(t) = 1/2 + t / 2 sqrt(2 + t^2).
double student_of_two(std::mt19937_64& random);

struct TrueQueue {
    bool per_input = false;  ///< `depth` is each input's own, else the whole memory
    MemorySize::Unit unit = MemorySize::Unit::Frame;
    std::int64_t depth = 1;
    std::int64_t cell = 0;                ///< bytes, where depth is in cells
    std::int64_t wire_overhead = 66;      ///< bytes that a frame costs a link beside its payload
    std::int64_t buffer_overhead = 46;    ///< and a memory
    std::int64_t link_ticks = 8'000'000;  ///< femtoseconds that an input takes for a byte
    std::int64_t uplink_ticks = 800'000;  ///< and the uplink
    bool leaves_at_once = false;          ///< a frame gives its room back when it begins to leave, not when it has left
    std::int64_t bucket = 0;              ///< bytes of wire that an idle uplink sends at once
    double traffic = 0;  ///< part of the uplink that frames of others take, which come at random (Poisson) and share
                         ///< memory and queue
    std::int64_t traffic_payload = 1024;
    bool uneven = false;  ///< there are two such uplinks, and the second has every fourth module only

    std::int64_t cost(std::int64_t payload) const;                            ///< of a frame, in units of depth
    double rate() const { return 8e15 / static_cast<double>(uplink_ticks); }  ///< bit/s
};

/// One trigger comes late, and those that should have come meanwhile follow it as fast as the links allow.
struct LateTrigger {
    std::int64_t event = 0;  ///< from 0
    Time by{0};
};

struct TrueBurst {
    int ports = 1;
    std::int64_t payload = 1024;
    Time separation{0};
    std::int64_t events = 1;
    std::optional<LateTrigger> late{};
};

/// Frames of the burst that found no room; where there is none, minus the frames that the memory had room for at its
/// fullest (that each input's memory had, in all).
/// @param random draws the frames of others
std::int64_t overflow_of(const TrueQueue& queue, const TrueBurst& burst, std::mt19937_64& random);

}  // namespace watershed::calibration
