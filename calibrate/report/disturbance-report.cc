// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/report/disturbance-report.h"

#include <cmath>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <ostream>

#include "calibrate/fit/posterior-summary.h"
#include "calibrate/fit/report-text.h"

namespace watershed {
namespace {

/// Below this a disturbance is listed with those that were not seen.
constexpr double kWorthALine = 0.05;
/// From this on it is said what it means.
constexpr double kLikely = 0.5;

bool is_share(const Disturbance& one) { return one.unit.rfind("of ", 0) == 0; }

/// Shares are written as per cents.
std::string amount(const Disturbance& one, double value) {
    constexpr int kDigits = 4;
    const double scaled = is_share(one) ? 100 * value : value;
    const double step = scaled == 0 ? 1 : std::pow(10, std::floor(std::log10(std::abs(scaled))) - kDigits + 1);
    return number_text(std::round(scaled / step) * step);
}

std::string unit(const Disturbance& one) { return (is_share(one) ? " % " : " ") + one.unit; }

std::string title(const std::string& name) {
    if (name == "noise-frames") return "count scatter";
    if (name == "noise-length") return "length scatter";
    if (name == "loss") return "random loss";
    if (name == "bucket") return "token bucket";
    if (name == "other-traffic") return "other traffic";
    if (name == "drift") return "drift";
    if (name == "stray-bursts") return "stray bursts";
    return name;
}

/// In words, for the depth above all.
std::string meaning_of_noise(const std::string& name) {
    if (name == "noise-frames")
        return "how many frames a burst loses scatters by as much; the depth is that of the mean";
    if (name == "noise-length")
        return "the length at which bursts begin to lose scatters by as much; the depth is that of the middle";
    if (name == "loss")
        return "losses begin long before the memory is full and grow with length; the depth is what is left when these "
               "are taken off";
    if (name == "bucket")
        return "an idle uplink sends so much at once, ahead of its rate: a burst finds it as room beside the memory";
    if (name == "other-traffic")
        return "others take this part of the uplink, and room in the memory with it: the rate is what they leave free, "
               "the depth is the whole memory";
    if (name == "drift")
        return "the depth grows by so much of itself from the first row to the last (shrinks, if negative); the depth "
               "is "
               "that of the middle";
    if (name == "stray-bursts")
        return "single bursts lose frames for reasons of their own, and tell nothing of the depth";
    return "";
}

std::string limits(const Disturbance& one) {
    const auto end = [&](const std::optional<double>& value) {
        return value ? amount(one, *value) : std::string("any");
    };
    return end(one.interval95.low) + " to " + end(one.interval95.high);
}

}  // namespace

std::string loss_beside(const ModelFit& one) {
    const Disturbance* const loss = likely_loss(one);
    return loss ? amount(*loss, *loss->value) + " % of the frames are lost at random (" +
                      (loss->known ? "as it was given" : "95 %: " + limits(*loss)) + ")"
                : "";
}

std::string drift_of(const ModelFit& one) {
    for (const Disturbance& drift : one.disturbances)
        if (drift.name == "drift" && drift.value && drift.probability >= kLikely)
            return std::string("the depth ") + (*drift.value > 0 ? "grows" : "shrinks") + " by " +
                   amount(drift, std::abs(*drift.value)) + " % from the first row to the last";
    return "";
}

nlohmann::json to_json(const std::vector<Disturbance>& disturbances) {
    nlohmann::json all = nlohmann::json::array();
    for (const Disturbance& one : disturbances)
        all.push_back({{"name", one.name},
                       {"unit", one.unit},
                       {"probability", one.probability},
                       {"estimate", json_number(one.value)},
                       {"interval95", json_limits(one.interval95)},
                       {"known", one.known}});
    return all;
}

void print(std::ostream& out, const std::vector<Disturbance>& disturbances) {
    constexpr int kTitle = 17;
    std::string unseen;
    for (const Disturbance& one : disturbances) {
        if (!one.known && (one.probability < kWorthALine || !one.value)) {
            unseen +=
                (unseen.empty() ? "" : "; ") + title(one.name) +
                (one.interval95.high.value_or(0) > 0 ? ", at most " + amount(one, *one.interval95.high) + unit(one)
                                                     : "");
            continue;
        }
        out << "  " << std::left << std::setw(kTitle) << title(one.name)
            << (one.value ? amount(one, *one.value) + unit(one) : "none");
        if (one.known)
            out << ", as it was given";
        else
            out << " (95 %: " << limits(one) << "), there with a probability of "
                << number_text(std::round(1e3 * one.probability) / 10) << " %";
        if (one.probability >= kLikely && one.value.value_or(0) != 0 && !meaning_of_noise(one.name).empty())
            out << ": " << meaning_of_noise(one.name);
        out << '\n';
    }
    if (!unseen.empty()) out << "  " << std::left << std::setw(kTitle) << "not seen" << unseen << " (95 %)\n";
}

}  // namespace watershed
