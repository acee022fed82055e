// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "calibrate/fit/fit.h"
#include "test/calibrate/study/true-queue.h"

/// Campaigns of measuring switches whose truth is known, for the study of the fit's calibration.
namespace watershed::calibration {

/// A size that is nothing with some probability and else equally likely per factor; or, from 0 on, its square root is.
struct OneOrNone {
    double none = 1;
    double low = 0, high = 0;
    double draw(std::mt19937_64& random) const;
    static OneOrNone exactly(double value) { return {0, value, value}; }
};

/// Causes that move a burst's outcome beside the memory, and that a fit's model does not know.
struct Disturbances {
    OneOrNone noise_length;  ///< standard deviation of ln(burst length) at which a burst begins to lose
    OneOrNone noise_frames;  ///< of the number of frames lost, where it is counted
    OneOrNone loss;          ///< share of frames lost at random behind the memory
    OneOrNone bucket;        ///< bytes of wire
    OneOrNone traffic;       ///< part of the uplink
    double late = 0;         ///< share of bursts with a late trigger, whose lateness is recorded
    OneOrNone stray;     ///< share of bursts that lose anything: nothing (2 in 10), any number (3), or about what they
                         ///< should, by any factor
    double at_once = 0;  ///< probability that frames give their room back when they begin to leave
    double constant =
        0;  ///< standard deviation of the frames that bursts of one mix of ports and payload lose more, a constant
    double no_constant = 1;    ///< probability that a mix has none
    bool one_noise = false;    ///< of counts or of lengths, either as likely, not both
    bool heavy_tails = false;  ///< the noise is Student's t of two degrees of freedom
    int overhead = 0;          ///< bytes that each frame has on links and in memory beyond what the fit is told
    double drift = 0;          ///< of the service rate, relative, from the first burst to the last
    OneOrNone depth_drift;     ///< by which part the memory grows from the first burst to the last
    bool uneven = false;       ///< three quarters of the modules share one of two uplinks
    bool bad_row = false;      ///< one burst, any but the first, loses 10 to 100 frames for another reason
};

struct Draws {
    std::vector<std::string> kinds;               ///< one of these, each as likely
    double depth_low = 300, depth_high = 20'000;  ///< frames of the first payload in the whole switch, equally likely
                                                  ///< per factor; at least 10 a module
    double load_low = 1.5, load_high = 5;         ///< of the uplink by the modules' links, the same
    double depth_off = 0.15,
           rate_off = 0.03;  ///< how far, by up to which factors, the truth is from what the experimenter believes
    double two_mixes = 0.5;  ///< share of campaigns that alternate between two payloads and numbers of modules
    bool counts = true;
    bool rate_known = false;  ///< the fit is told of the rate that the experimenter believes in
    Disturbances disturbances;
};

enum class Placement { Grid, Bisection, Advised };
/// Bursts after which an advised campaign ends in any case.
inline constexpr int kMostAdvised = 40;

/// True values, which nobody is told.
struct Truth {
    std::string kind;  ///< "shared-frames", "per-input-bytes", ...
    TrueQueue queue;
    double noise_length = 0, noise_frames = 0, loss = 0, stray = 0, depth_drift = 0;
    std::vector<double> constants;  ///< frames by mix
    double rate() const;            ///< bit/s that the uplink has for the modules, in the fit's framing
    std::int64_t first_payload = 0;
};

struct Campaign {
    Truth truth;
    Conditions conditions;
    LossMap map;
    /// Frames that fill it, in the memory's unit: the memory and, in frames of the largest payload, the bucket ahead of
    /// it.
    double depth() const;
    /// As it was after so many bursts; whole where it has no more.
    Campaign after(std::size_t rows) const;
};

/// Plays one campaign.
/// @param rows bursts; with Placement::Advised the most there can be
/// @param options that the fit which advises is given
Campaign play(const Draws& draws, Placement placement, int rows, std::uint64_t seed, const FitOptions& options);

/// A comment that says what is true, for a map that is kept.
std::string description(const Truth& truth);

}  // namespace watershed::calibration
