// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/fit-steps.h"
#include "calibrate/fit/report-text.h"
#include "calibrate/report/fit-report.h"
#include "scenarios/text/units.h"

namespace watershed {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Violation, row, margin_frames)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunsTest, order, residuals, runs, p_value)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FramingCheck, convention, overhead_bytes, bits_per_s, off_nominal, fits)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Indistinguishable, models, separated_by)

namespace {

using nlohmann::json;

std::string in_digits(double value, int digits = 3) { return text_line("%.*g", digits, value); }

/// "2 % of a burst's length", or "3 frames".
std::string amount_of_noise(double value, bool relative) {
    return in_digits(relative ? 100 * value : value) + (relative ? " % of a burst's length" : " frames");
}

/// Between neighbouring values, where nearly all weight lies.
double widest_gap(std::vector<std::pair<double, double>> values) {
    const double low = weighted_quantile(values, 0.01), high = weighted_quantile(values, 0.99);
    boost::sort(values);
    double widest = 0;
    for (std::size_t i = 1; i < values.size(); ++i)
        if (values[i - 1].first >= low && values[i].first <= high)
            widest = std::max(widest, values[i].first - values[i - 1].first);
    return widest;
}

/// A smooth density of weighted values on a grid over their range.
json density_of(std::vector<std::pair<double, double>> values) {
    constexpr int kGrid = 80;
    json density = json::array();
    if (values.empty()) return density;
    const double low = weighted_quantile(values, 0.0005), high = weighted_quantile(values, 0.9995);
    double total = 0;
    for (const auto& [value, weight] : values) total += weight;
    if (high <= low) return density;
    // Wide enough to close the gaps between the points: a grid, or whole frames, is not what was measured.
    constexpr double kWidths = 25, kGaps = 0.75;
    const double width = std::max((high - low) / kWidths, kGaps * widest_gap(values));
    for (int i = 0; i < kGrid; ++i) {
        const double at = low - width + (high - low + 2 * width) * i / (kGrid - 1);
        double sum = 0;
        for (const auto& [value, weight] : values)
            sum += weight * std::exp(-(at - value) * (at - value) / (2 * width * width));
        density.push_back({at, sum / total / (width * std::sqrt(2 * M_PI))});
    }
    return density;
}

/// The noise in words and as JSON: as it was given, or as it was estimated.
std::pair<std::string, json> noise_of(const Fit& fit) {
    const auto& noise = fit.best().noise;
    const auto& known = fit.options.noise;
    const auto both = [](const std::string& text, bool relative, const json& estimate, const json& limits,
                         double background, bool fixed) {
        return std::make_pair(text, json{{"kind", relative ? "relative" : "frames"},
                                         {"estimate", estimate},
                                         {"interval95", limits},
                                         {"background", background},
                                         {"fixed", fixed}});
    };
    if (known && known->none()) return both("none, as it was given", true, 0, {0, 0}, 0, true);
    if (known && known->low == known->high)
        return both(amount_of_noise(known->low, known->relative) + ", as it was given", known->relative, known->low,
                    {known->low, known->low}, noise ? noise->background : 0, true);
    if (!noise && fit.counts_used && !fit.best().scatter)
        return {std::string("none seen: every number of lost frames is explained to the frame") +
                    (fit.best().violating.empty() ? "" : ", but for the violating rows"),
                json()};
    if (!noise)
        return {
            "not estimated: the bursts contradict each other by more than noise, or limit the depth on one side "
            "only",
            json()};
    if (known && known->relative != noise->relative)
        return both(amount_of_noise(known->low, known->relative) + " to " +
                        amount_of_noise(known->high, known->relative) + ", as it was given",
                    known->relative, json(), {known->low, known->high}, noise->background, false);
    const double scale = noise->relative ? 100 : 1;
    const Interval& limits = noise->interval95;
    const std::string text =
        noise->value ? in_digits(scale * *noise->value) + " (95 %: " + in_digits(scale * *limits.low) + " to " +
                           in_digits(scale * *limits.high) + ") " +
                           (noise->relative ? "% of a burst's length" : "frames, beside the rounding to whole ones")
        : limits.high ? "none needed; at most " + amount_of_noise(*limits.high, noise->relative) + " (95 %)"
                      : "unknown";
    return both(text, noise->relative, noise->value, limits, noise->background, noise->known);
}

struct PeakTally {
    int lossless = 0, lossy = 0, doubtful = 0, by_peaks = 0;
    const Burst* largest = nullptr;
};

PeakTally tally_of(const Fit& fit) {
    PeakTally tally;
    for (const Burst& burst : fit.bursts) {
        if (!burst.peak) continue;
        ++(burst.lossy ? tally.lossy : tally.lossless);
        tally.by_peaks += burst.outcome == Burst::Outcome::ByPeaks;
        const std::int64_t all = burst.fragments() * counter_cost(fit.best().model, burst);
        tally.doubtful += burst.peak->amount - burst.peak->resolution > all;
        if (!tally.largest || burst.peak->amount > tally.largest->peak->amount) tally.largest = &burst;
    }
    return tally;
}

/// Returns the notes of the diagnosis.
Notes notes_of(const Fit& fit, const Diagnosis& diagnosis) {
    const ModelFit& best = fit.best();
    const std::string unit = unit_of(best.model);
    Notes notes;
    const auto note = [&](const std::string& topic, const std::string& text, Rank rank = kUseful) {
        notes.push_back({topic, text, rank});
    };
    constexpr std::size_t kMost = 12, kInText = 2;  // rows, and those that a short text names
    const auto rank_of = [](std::size_t i) { return i < kInText ? kWarning : kDetail; };
    const auto row = [](int number) {  // in a column
        std::string text = std::to_string(number);
        text.resize(std::max<std::size_t>(6, text.size()), ' ');
        return text;
    };
    note("noise", noise_of(fit).first);
    if (best.depth.value)
        note("correlation",
             in_digits(std::abs(best.correlation) < 1e-6 ? 0 : best.correlation) +
                 " of depth and rate; 1 % in the rate moves the depth by " +
                 in_digits(std::abs(diagnosis.sensitivity)) + " % at the shortest separation",
             kDetail);
    for (const LeaveOneOut& one : diagnosis.leave_one_out)
        note("without row", row(one.row) + "depth " + limits_text(one.depth) + ' ' + unit, kDetail);
    for (std::size_t i = 0; i < std::min(kMost, fit.suspects.size()); ++i) {
        const Suspect& one = fit.suspects[i];
        const Burst& burst = *boost::find_if(fit.bursts, [&](const Burst& each) { return each.row == one.row; });
        note("suspect",
             "row " + row(one.row) + how_many(burst.events, "event") + " of " + how_many(burst.ports, "port") + ", " +
                 to_text(burst.separation) + " apart, " + std::to_string(burst.payload) + " B: lost " +
                 std::to_string(burst.lost) + ", should have lost " + std::to_string(one.fewest) +
                 (one.most > one.fewest ? " to " + std::to_string(one.most) : ""),
             rank_of(i));
    }
    if (!fit.suspects.empty())
        note("", "Without the suspect rows every outcome is explained to the frame: look at how they were noted.",
             kWarning);
    for (std::size_t i = 0; i < (fit.suspects.empty() ? std::min(kMost, diagnosis.violations.size()) : 0); ++i) {
        const Violation& one = diagnosis.violations[i];
        note("violation",
             "row " + row(one.row) +
                 (one.margin_frames == 0
                      ? "the model loses as many frames, but other rows exclude this depth and rate"
                      : "the model loses " + in_digits(std::abs(one.margin_frames), 6) +
                            (one.margin_frames > 0 ? " frames more" : " frames fewer") + " than were lost"),
             rank_of(i));
    }
    if (diagnosis.contradiction)
        note("contradiction",
             (best.violating.size() > 1 ? "rows " : "row ") + rows_text(best.violating) + " alone: depth " +
                 limits_text(diagnosis.contradiction->depth_of_exceptions) + ' ' + unit + "; all others: " +
                 limits_text(diagnosis.contradiction->depth_of_rest) + ' ' + unit + "; no one depth meets both",
             kWarning);
    const Goodness& goodness = diagnosis.goodness;
    if (fit.goodness)
        note("goodness of fit",
             in_digits(100 * *fit.goodness) + " % of maps of the fitted switch look as unusual" +
                 (fit.unusual.empty() ? "" : ", this one by " + fit.unusual),
             fit.unusual.empty() ? kUseful : kBasis);
    else if (fit.counts_used && !best.scatter && best.feasible)
        note("goodness of fit", std::string("every number of lost frames") +
                                    (best.violating.empty() ? "" : " but those of the violating rows") +
                                    " is explained to the frame: nothing scatters that could look unusual");
    for (const RunsTest& one : goodness.runs)
        if (goodness.replicas > 0 && one.p_value < 0.01)
            note("trend",
                 "residuals in the order of " + one.order +
                     " keep their sign too long: p = " + in_digits(one.p_value, 2) +
                     (one.order == "row" ? ", the switch or the set-up drifted" : ", the curve has another shape"),
                 kWarning);
    if (diagnosis.nominal_rate > 0)
        note("framing",
             "a link of " + to_text(BitRate{std::llround(diagnosis.nominal_rate)}) + " would mean: " +
                 listed(
                     diagnosis.framing,
                     [](const FramingCheck& one) {
                         return one.convention + " (+" + std::to_string(one.overhead_bytes) + " B) " +
                                (one.off_nominal >= 0 ? "+" : "") + in_digits(100 * one.off_nominal, 2) + " %" +
                                (one.fits ? ", which fits" : "");
                     },
                     "; "),
             kDetail);
    for (const Indistinguishable& one : diagnosis.indistinguishable)
        note("indistinguishable:", listed(one.models) + "; they are told apart by " + one.separated_by,
             &one == &diagnosis.indistinguishable.front() ? kBasis : kUseful);
    return notes;
}

}  // namespace

json marginals_of(const Fit& fit, double bits_per_frame) {
    std::vector<std::pair<double, double>> depths, rates, values;
    for (const SupportPoint& point : fit.best().support) {
        depths.emplace_back(point.depth, point.weight);
        rates.emplace_back(point.rate / bits_per_frame, point.weight);
        if (fit.best().feature) values.emplace_back(point.value, point.weight);
    }
    return {{"depth", density_of(depths)}, {"frames_per_s", density_of(rates)}, {"feature", density_of(values)}};
}

json to_json(const Fit& fit, const Diagnosis& diagnosis) {
    json result = to_json(fit);
    result["seed"] = diagnosis.seed;
    result["sensitivity"] = diagnosis.sensitivity;
    result["noise"] = noise_of(fit).second;
    json left_out = json::array(), residuals = json::array();
    for (const LeaveOneOut& one : diagnosis.leave_one_out)
        left_out.push_back({{"row", one.row}, {"depth_hard", one.depth}});
    for (const Residual& one : diagnosis.goodness.residuals) {
        const LossMapRow& row = fit.map.rows.at(std::size_t(one.row) - 1);
        residuals.push_back({one.row, one.value, in_microseconds(row.separation), row.events, row.frames_lost()});
    }
    result["leave_one_out"] = left_out;
    result["violations"] = diagnosis.violations;
    result["residuals"] = residuals;
    result["contradiction"] = !diagnosis.contradiction
                                  ? json()
                                  : json{{"depth_of_rest", diagnosis.contradiction->depth_of_rest},
                                         {"depth_of_exceptions", diagnosis.contradiction->depth_of_exceptions}};
    result["runs_tests"] = diagnosis.goodness.runs;
    result["goodness_of_fit"] = {
        {"deviance", diagnosis.goodness.deviance},
        {"replicas", diagnosis.goodness.replicas},
        {"p_value", diagnosis.goodness.replicas > 0 ? json(diagnosis.goodness.p_value) : json()},
        {"most_unusual", diagnosis.goodness.replicas > 0 ? json(diagnosis.goodness.unusual) : json()}};
    result["framing_check"] = {
        {"nominal_bits_per_s", diagnosis.nominal_rate > 0 ? json(diagnosis.nominal_rate) : json()},
        {"conventions", diagnosis.framing}};
    result["indistinguishable"] = diagnosis.indistinguishable;
    result["notes"]["diagnosis"] = notes_of(fit, diagnosis);
    return result;
}

Notes notes_on_peaks(const Fit& fit) {
    const PeakTally tally = tally_of(fit);
    if (!tally.largest) return {};
    std::string text;
    if (tally.lossless > 0)
        text = how_many(tally.lossless, "burst") +
               " without loss: the most in use tells the service rate, and what a frame takes";
    if (tally.lossy > 0)
        text += (tally.lossless > 0 ? "; " : "") + how_many(tally.lossy, "burst") +
                " with loss: it is the depth, to a frame";
    else
        text += "; the depth is no less than the largest, " + std::to_string(tally.largest->peak->amount) +
                (tally.largest->peak->cells ? " cells" : " B") + ": a burst that loses frames tells how much it is";
    if (tally.by_peaks > 0)
        text += "; of " + how_many(tally.by_peaks, "burst") +
                " nobody counted what arrived: the peaks alone tell which lost frames";
    Notes notes{{"peaks", text}};
    if (tally.doubtful > 0)
        notes.push_back({"doubtful",
                         how_many(tally.doubtful, "burst") + (tally.doubtful == 1 ? " has" : " have") +
                             " more in use than all of its frames take in this kind of memory: the counter "
                             "counts something else",
                         kWarning});
    return notes;
}

json json_of_peaks(const Fit& fit) {
    const PeakTally tally = tally_of(fit);
    if (!tally.largest) return nullptr;
    return {{"lossless", tally.lossless},
            {"lossy", tally.lossy},
            {"largest", tally.largest->peak->amount},
            {"unit", tally.largest->peak->cells ? "cells" : "bytes"},
            {"doubtful", tally.doubtful},
            {"told_by_peaks", tally.by_peaks}};
}

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

/// Words of a disturbance by its name in JSON: title of its line, a few words for a table, and what it means for the
/// depth.
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
            {"loss-ahead", "loss ahead", "random loss ahead of the memory, not behind it",
             "this random loss is ahead of the memory, as on links to the switch: it leaves room for other frames"},
            {"bucket", "token bucket", "token bucket: what an idle uplink sends ahead of its rate",
             "an idle uplink sends so much at once, ahead of its rate: a burst finds it as room beside the memory"},
            {"other-traffic", "other traffic", "other traffic: the part of the uplink that it takes",
             "others take this part of the uplink, and room in the memory with it: the rate is what they leave free, "
             "the depth is the whole memory"},
            {"stray-bursts", "stray bursts", "stray bursts: the part that loses for reasons of its own",
             "single bursts lose frames for reasons of their own, and tell nothing of the depth"}};
        for (const NuisanceModel& model : nuisance_models())
            words.push_back({model.name, model.name, model.what, model.meaning});
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

std::string nuisances_in_headline(const ModelFit& one) {
    std::string all;
    for (const NuisanceModel& model : nuisance_models())
        for (const Disturbance& there : one.disturbances)
            if (model.headline && there.name == model.name && there.value && there.probability >= kLikely)
                all +=
                    model.headline(amount(there, std::abs(*there.value)) + (is_share(there) ? " %" : " " + there.unit),
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
        notes.push_back({words.title,
                         (one.value ? amount(one, *one.value) + unit(one) : "none") +
                             (one.known ? ", as it was given"
                                        : " (95 %: " + limits(one) + "), there with a probability of " +
                                              number_text(std::round(1e3 * one.probability) / 10) + " %") +
                             (means ? ": " + words.meaning : ""),
                         means ? kWarning : kUseful});
    }
    if (!unseen.empty()) notes.push_back({"not seen", unseen + " (95 %)", kDetail});
    return notes;
}

}  // namespace watershed
