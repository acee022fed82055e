// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/fit-steps.h"
#include "calibrate/fit/report-text.h"
#include "calibrate/report/fit-report.h"

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

/// Of the name that a disturbance has in JSON: its line in a report, a few words for a table, and what it says where it
/// is likely, of the depth above all.
struct Words {
    std::string name, title, what, meaning;
};

const std::vector<Words>& all_words() {
    static const std::vector<Words> all = [] {
        std::vector<Words> words{
            {"noise-frames", "count scatter", "scatter of the number of frames lost",
             "how many frames a burst loses scatters by as much; the depth is that of the mean"},
            {"noise-length", "length scatter", "scatter of the length at which loss begins",
             "the length at which bursts begin to lose scatters by as much; the depth is that of the middle"},
            {"loss", "random loss", "random loss",
             "losses begin long before the memory is full and grow with length; the depth is what is left when these "
             "are taken off"},
            {"bucket", "token bucket", "token bucket: what an idle uplink sends ahead of its rate",
             "an idle uplink sends so much at once, ahead of its rate: a burst finds it as room beside the memory"},
            {"other-traffic", "other traffic", "other traffic: the part of the uplink that it takes",
             "others take this part of the uplink, and room in the memory with it: the rate is what they leave free, "
             "the depth is the whole memory"},
            {"stray-bursts", "stray bursts", "stray bursts: the part that loses for reasons of its own",
             "single bursts lose frames for reasons of their own, and tell nothing of the depth"}};
        for (const DisturbanceLaw& law : further_laws()) words.push_back({law.name, law.name, law.what, law.meaning});
        return words;
    }();
    return all;
}

Words words_of(const std::string& name) {
    const auto found = boost::find_if(all_words(), [&](const Words& words) { return words.name == name; });
    return found == all_words().end() ? Words{name, name, name, ""} : *found;
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

std::string further_laws_in_headline(const ModelFit& one) {
    std::string all;
    for (const DisturbanceLaw& law : further_laws())
        for (const Disturbance& there : one.disturbances)
            if (law.headline && there.name == law.name && there.value && there.probability >= kLikely)
                all += law.headline(amount(there, std::abs(*there.value)) + (is_share(there) ? " %" : " " + there.unit),
                                    *there.value) +
                       ", ";
    return all;
}

nlohmann::json to_json(const std::vector<Disturbance>& disturbances) {
    nlohmann::json all = nlohmann::json::array();
    for (const Disturbance& one : disturbances)
        all.push_back({{"name", one.name},
                       {"what", words_of(one.name).what},
                       {"unit", one.unit},
                       {"probability", one.probability},
                       {"estimate", one.value},
                       {"interval95", one.interval95},
                       {"known", one.known}});
    return all;
}

Notes notes_on(const std::vector<Disturbance>& disturbances) {
    Notes notes;
    std::string unseen;
    for (const Disturbance& one : disturbances) {
        const Words words = words_of(one.name);
        if (!one.known && (one.probability < kWorthALine || !one.value)) {
            unseen +=
                (unseen.empty() ? "" : "; ") + words.title +
                (one.interval95.high.value_or(0) > 0 ? ", at most " + amount(one, *one.interval95.high) + unit(one)
                                                     : "");
            continue;
        }
        const bool means = one.probability >= kLikely && one.value.value_or(0) != 0 && !words.meaning.empty();
        notes.push_back({words.title, (one.value ? amount(one, *one.value) + unit(one) : "none") +
                                          (one.known ? ", as it was given"
                                                     : " (95 %: " + limits(one) + "), there with a probability of " +
                                                           number_text(std::round(1e3 * one.probability) / 10) + " %") +
                                          (means ? ": " + words.meaning : "")});
    }
    if (!unseen.empty()) notes.push_back({"not seen", unseen + " (95 %)"});
    return notes;
}

}  // namespace watershed
