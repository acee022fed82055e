// SPDX-License-Identifier: GPL-2.0-only
// J. Cullen, NEXPReS, 2012, "Jitter": the intervals between packets on the local light path. One direction was used to
// choose the parameters, the other one is predicted by the same ones.
#include <algorithm>
#include <cmath>

#include "scenarios/validate/udpmon-sample.h"

namespace watershed {
namespace {

const std::string kSpacedFpga = "nexpres/light-path-fpga", kFpgaJitter = "nexpres/jitter-fpga",
                  kSpacedPc = "nexpres/light-path-pc";

struct Jitter {
    double least, most, mode, mean, deviation;  // us
};

/// Full width at half maximum: from the first to the last bin that has at least half of the highest one's packets.
double half_width_us(const UdpmonResult& result, double bin_us) {
    std::int64_t highest = 0, first = 0, last = 0;
    for (const auto& [bin, packets] : result.histogram) highest = std::max(highest, packets);
    bool begun = false;
    for (const auto& [bin, packets] : result.histogram) {
        if (2 * packets < highest) continue;
        if (!begun) first = bin;
        begun = true;
        last = bin;
    }
    return static_cast<double>(last - first + 1) * bin_us;
}

void compare_pc(Comparisons& compare, const Validation& validation) {
    compare.from("Jitter (3), PC - PC");
    const auto results = udpmon_sample(validation, kSpacedPc, "0us,50us", 100'000, {kLocalPayload});
    const auto& at0 = results[0].intervals;
    const auto& at50 = results[1].intervals;
    const std::string period = "udpmon.receiver.interrupt_period", handling = "udpmon.receiver.interrupt_handling",
                      reading = "udpmon.receiver.read_jitter", hiccup = "udpmon.receiver.hiccup";
    const Tolerance bin{1, {}}, quarter_bin{0.25, {}};
    const auto of = [](double value, const std::string& key) { return Simulated{value, kSpacedPc, {key}}; };

    compare.calibrated({"interval mode, PC, 0 us requested", "us"}, 11, {at0.mode_us, kSpacedPc, {handling, period}},
                       bin, "the tolerance is a bin");
    compare.calibrated({"interval deviation, PC, 0 us requested", "us"}, 4.104,
                       {at0.deviation_us, kSpacedPc, {reading, "udpmon.receiver.read_cost"}}, five_per_cent(4.104));
    compare.calibrated({"interval mode, PC, 50 us requested", "us"}, 52, {at50.mode_us, kSpacedPc, {period}}, bin,
                       "the tolerance is a bin");
    compare.calibrated({"interval deviation, PC, 50 us requested", "us"}, 2.573,
                       {at50.deviation_us, kSpacedPc, {period, "udpmon.receiver.wakeup_jitter"}}, five_per_cent(2.573));
    compare.calibrated({"interval most, PC, 50 us requested", "us"}, 89,
                       {at50.most_us, kSpacedPc, {hiccup, "udpmon.receiver.hiccup_one_in"}}, {8.9, {}},
                       "an extreme value of 100000");

    const char* kMean = "bins of 1 us count as their lower edge; the tolerance is a quarter of one";
    compare.predicted({"interval mean, PC, 0 us requested", "us"}, 6.060, of(at0.mean_us, "udpmon.path.rate"),
                      quarter_bin, kMean);
    const char* kHandedOn =
        "50 us requested less half a bin of 1 us, for bins count as their lower edge; the tolerance is a quarter of "
        "one";
    compare.arithmetic({"interval mean, PC, 50 us requested", "us"}, 49.438, 50 - 0.5, quarter_bin, kHandedOn);
    compare.predicted({"interval most, PC, 0 us requested", "us"}, 83, of(at0.most_us, hiccup), {8.3, {}},
                      limit_of_model(54,
                                     "a process that is late by up to 45 us finds the next packets waiting; that it is "
                                     "late for longer when the link is full is not in the model"));
    compare.predicted(
        {"interval least, PC, 50 us requested", "us"}, 3, of(at50.least_us, hiccup), {1, "a bin of the histogram"},
        limit_of_model(
            8, "the shortest interval follows the longest; the processes that kept the PC busy are not in the model"));
    compare.from("Jitter, figures, PC - PC");
    compare.predicted({"width at half maximum, PC, 0 us requested", "us"}, 8,
                      of(half_width_us(results[0], 1), handling), {0.8, {}},
                      limit_of_model(10,
                                     "the model's histogram has two peaks, packets of one interrupt and of the next; "
                                     "how the published width was taken is not said"));
    compare.predicted(
        {"width at half maximum, PC, 50 us requested", "us"}, 8, of(half_width_us(results[1], 1), period), {0.8, {}},
        limit_of_model(6, "the model's intervals fall into two bins, 5 us apart; the published histogram is wider"));

    compare.from("Jitter (3), PC - PC, the other direction");
    compare.predicted({"interval mean, PC, 0 us requested, other direction", "us"}, 6.061,
                      of(at0.mean_us, "udpmon.path.rate"), quarter_bin, kMean);
    compare.predicted({"interval mode, PC, 0 us requested, other direction", "us"}, 9, of(at0.mode_us, handling),
                      {1, "a bin of the histogram"});
    compare.predicted({"interval deviation, PC, 0 us requested, other direction", "us"}, 3.615,
                      of(at0.deviation_us, reading), five_per_cent(3.615),
                      limit_of_model(4.007,
                                     "the parameters are those of the PC that receives in the first direction; the two "
                                     "differ, and what the other one's are is not published"));
    compare.predicted({"interval most, PC, 0 us requested, other direction", "us"}, 50, of(at0.most_us, hiccup),
                      {5, {}});
    compare.arithmetic({"interval mean, PC, 50 us requested, other direction", "us"}, 49.453, 50 - 0.5, quarter_bin,
                       kHandedOn);
    compare.predicted({"interval mode, PC, 50 us requested, other direction", "us"}, 47, of(at50.mode_us, period), bin,
                      limit_of_model(52,
                                     "47 is the lower of the two peaks that interrupts every 5.25 us give, 52 the "
                                     "upper one; a period of 5.27 us would turn the scale"));
    compare.predicted({"interval deviation, PC, 50 us requested, other direction", "us"}, 2.565,
                      of(at50.deviation_us, period), five_per_cent(2.565));
    compare.predicted(
        {"interval most, PC, 50 us requested, other direction", "us"}, 83, of(at50.most_us, hiccup), {8.3, {}},
        limit_of_model(96,
                       "an extreme value of 100000, of rare moments whose length was chosen by the other direction"));
}

void compare_fpga_full(Comparisons& compare, const Validation& validation) {
    compare.from("Jitter (3), IBOB - IBOB");
    const auto intervals = udpmon_sample(validation, kSpacedFpga, "0us", 100'000, {kLocalPayload})[0].intervals;
    const auto of = [](double value, const char* key) { return Simulated{value, kSpacedFpga, {key}}; };
    compare.predicted(
        {"interval mean, FPGA, 0 us requested", "us"}, 6.633, of(intervals.mean_us, "udpmon.path.rate"), {0.005, {}},
        contradiction(6.6431,
                      "the table of rates says 6643.13 ns for the same packets; the tolerance is a bin of 5 ns"));
    compare.predicted({"interval mode, FPGA, 0 us requested", "us"}, 6.625, of(intervals.mode_us, "udpmon.path.rate"),
                      {0.005, {}},
                      limit_of_model(6.645,
                                     "evenly spaced packets fall into the two bins beside 6.643 us; what made the "
                                     "FPGA's spacing jitter on a full link is not in the model"));
    const double widest = std::sqrt((6.805 + 0.005 - 6.633) * (6.633 - 6.620 + 0.005));
    char text[240];
    std::snprintf(text, sizeof text,
                  "evenly spaced packets, stamped every 5 ns; the published number is impossible: between 6.620 and "
                  "6.805 us with mean 6.633 us no deviation exceeds "
                  "sqrt((max - mean)(mean - min)) = %.3f us, a bin allowed for",
                  widest);
    compare.predicted({"interval deviation, FPGA, 0 us requested", "us"}, 0.076,
                      of(intervals.deviation_us, "udpmon.sender.slot_multiple"), five_per_cent(0.076),
                      contradiction(0.005 * std::sqrt(0.64 * 0.36), text));
}

void compare_fpga_spaced(Comparisons& compare, const Validation& validation) {
    constexpr double kBin = 0.005;
    const UdpmonResult result = udpmon_sample(validation, kFpgaJitter, "50us", 100'000)[0];
    const auto& found = result.intervals;
    const std::string offset = "udpmon.sender.pacing_offset", jitter = "udpmon.sender.jitter",
                      limit = "udpmon.sender.jitter_limit";
    const auto of = [](double value, const std::string& key) { return Simulated{value, kFpgaJitter, {key}}; };
    const Jitter there{48.370, 48.775, 48.565, 48.585, 0.077}, back{48.365, 48.805, 48.565, 48.585, 0.080};
    const char* kMode =
        "delays of one kind have their likeliest difference at the mean; the published histogram peaks 20 ns below it";
    compare.from("Jitter (3), IBOB - IBOB");
    compare.calibrated({"interval mean, FPGA, 50 us requested", "us"}, there.mean, of(found.mean_us, offset),
                       {kBin, {}});
    compare.calibrated({"interval deviation, FPGA, 50 us requested", "us"}, there.deviation,
                       of(found.deviation_us, jitter), {0.02 * there.deviation, {}});
    compare.calibrated({"interval most, FPGA, 50 us requested", "us"}, there.most, of(found.most_us, limit),
                       {4 * kBin, {}});
    compare.predicted({"interval least, FPGA, 50 us requested", "us"}, there.least, of(found.least_us, limit),
                      {4 * kBin, {}}, "the tolerance is four bins");
    compare.predicted({"interval mode, FPGA, 50 us requested", "us"}, there.mode, of(found.mode_us, offset),
                      {2 * kBin, {}}, limit_of_model(48.585, kMode), "the tolerance is two bins");
    compare.from("Jitter, figures, IBOB - IBOB");
    compare.predicted({"width at half maximum, FPGA, 50 us requested", "us"}, 0.080,
                      of(half_width_us(result, kBin), jitter), {0.008, {}},
                      limit_of_model(0.140,
                                     "differences of exponential delays; the published histogram has the same "
                                     "deviation and half the width, and so longer tails"));
    compare.from("Jitter (3), IBOB - IBOB, the other direction");
    compare.predicted({"interval mean, FPGA, 50 us requested, other direction", "us"}, back.mean,
                      of(found.mean_us, offset), {kBin, {}});
    compare.predicted({"interval mode, FPGA, 50 us requested, other direction", "us"}, back.mode,
                      of(found.mode_us, offset), {2 * kBin, {}}, limit_of_model(48.585, kMode),
                      "the tolerance is two bins");
    compare.predicted({"interval deviation, FPGA, 50 us requested, other direction", "us"}, back.deviation,
                      of(found.deviation_us, jitter), five_per_cent(back.deviation));
    compare.predicted({"interval least, FPGA, 50 us requested, other direction", "us"}, back.least,
                      of(found.least_us, limit), {4 * kBin, {}}, "the tolerance is four bins");
    compare.predicted({"interval most, FPGA, 50 us requested, other direction", "us"}, back.most,
                      of(found.most_us, limit), {4 * kBin, {}}, "the tolerance is four bins");
    compare.from("Received Wire Rate (3) against Jitter (3)");
    const UdpmonResult other = udpmon_sample(validation, kSpacedFpga, "50us", 100'000, {kLocalPayload})[0];
    compare.predicted({"interval mean, FPGA, 50 us requested, paced as in the table of rates", "us"}, there.mean,
                      {other.intervals.mean_us, kSpacedFpga, {offset}}, {0.01, {}},
                      contradiction(47.97,
                                    "the table of rates says 2.030 us sooner than requested (9 us: 6.970 us, 10 us: "
                                    "7.970 us), this one 1.415 us"));
}

}  // namespace

void compare_nexpres_jitter(Comparisons& compare, const Validation& validation) {
    compare_pc(compare, validation);
    compare_fpga_full(compare, validation);
    compare_fpga_spaced(compare, validation);
}

}  // namespace watershed
