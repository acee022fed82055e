// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/report/fit-report.h"

#include <boost/range/algorithm_ext/push_back.hpp>

#include "calibrate/fit/report-text.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using nlohmann::json;

double bits_per_frame(const Fit& fit) { return 8 * double(largest_row(fit.bursts).wire); }

json curve_of(const Curve& curve) {
    json points = json::array();
    for (const CurvePoint& point : curve.points)
        points.push_back({{"separation_us", in_microseconds(point.separation)},
                          {"events", point.events},
                          {"events_low", point.events_low},
                          {"events_high", point.events_high}});
    return points;
}

json asymptote_of(const Curve& curve) { return curve.asymptote ? json(in_microseconds(*curve.asymptote)) : json(); }

/// Returns the bursts by row whose frames_sent is not that of one burst, so that only loss or no loss counts; none if
/// no counts are used.
std::vector<Burst> without_counts(const Fit& fit) {
    std::vector<Burst> bursts;
    if (fit.options.counts == CountUse::Flag) return bursts;
    std::copy_if(fit.bursts.begin(), fit.bursts.end(), std::back_inserter(bursts),
                 [](const Burst& burst) { return !burst.sent_once(); });
    boost::sort(bursts, [](const Burst& a, const Burst& b) { return a.row < b.row; });
    return bursts;
}

Notes note_on_counts(const Fit& fit) {
    const std::vector<Burst> bursts = without_counts(fit);
    if (bursts.empty()) return {};
    const Burst& first = bursts.front();
    return {{"flags", std::to_string(bursts.size()) + " of " + std::to_string(fit.bursts.size()) +
                          " rows only say whether frames were lost, because frames_sent is not that of one burst; the "
                          "first is row " +
                          std::to_string(first.row) + " (line " + std::to_string(first.line) + "): found " +
                          std::to_string(first.sent) + ", expected " + std::to_string(first.ports) + " ports x " +
                          std::to_string(first.events) + " events = " + std::to_string(first.fragments())}};
}

/// The lines of the mixes that the largest row is not of.
json other_mixes_of(const Fit& fit) {
    json others = json::array();
    const std::vector<Burst> mixes = mixes_of(fit);
    for (auto like = std::next(mixes.begin()); like != mixes.end(); ++like) {
        const Curve curve = fitted_curve(fit, *like);
        others.push_back({{"ports", like->ports},
                          {"payload_bytes", like->payload},
                          {"congested_uplinks", like->uplinks},
                          {"curve", curve_of(curve)},
                          {"asymptote_us", asymptote_of(curve)}});
    }
    return others;
}

Estimate told_depth(const Fit& fit, const ModelFit& one);

/// Returns why the estimate lies outside of the feasible region; empty unless it does.
std::string region_note(const Fit& fit) {
    const ModelFit& best = fit.best();
    const FeasibleRegion& region = best.region;
    if (!told_depth(fit, best).value || !region.feasible() ||
        (*best.depth.value >= double(region.depth_low) && *best.depth.value <= double(region.depth_high)))
        return "";
    const std::string without = best.violating.empty()
                                    ? "every burst"
                                    : "every burst but the violating " + how_many(best.violating.size(), "row");
    return "the estimate of " + number_text(in_known_digits(best.depth, best.error_of_ends).value.value_or(0)) + " " +
           unit_of(best.model) + " lies outside of the feasible region, which takes " + without + " at its word; " +
           (fit.handover > Time{0} ? "the estimate is less what leaves while the frames of a trigger come"
                                   : "the estimate weighs noise and disturbances");
}

/// The outline of the slices, counter-clockwise: the lowest rates by rising depth, and the highest on the way back.
json polygon_of(const Fit& fit) {
    json vertices = json::array();
    const std::vector<DepthSlice>& slices = fit.best().region.slices;
    const double bits = bits_per_frame(fit);
    const auto add = [&](std::int64_t depth, double rate) { vertices.push_back({depth, rate / bits}); };
    for (const DepthSlice& slice : slices) {
        add(slice.first, slice.rate_low);
        if (slice.last > slice.first) add(slice.last, slice.rate_low);
    }
    for (auto slice = slices.rbegin(); slice != slices.rend(); ++slice) {
        if (slice->last > slice->first) add(slice->last, slice->rate_high);
        add(slice->first, slice->rate_high);
    }
    const std::string note = region_note(fit);
    return {{"depth_unit", unit_of(fit.best().model)},
            {"vertices", vertices},
            {"note", note.empty() ? json() : json(note)}};
}

/// The least service rate, or the most, with which a burst ends as it was measured, at two of the region's depths as
/// far apart as it has such a limit.
json limits_of(const Fit& fit, Burst burst) {
    const ModelFit& best = fit.best();
    if (best.scatter || !fit.counts_used) burst.counted = false;
    json least = json::array(), most = json::array();
    constexpr int kDepths = 9;
    for (int i = 0; i < kDepths; ++i) {
        const std::int64_t depth =
            best.region.depth_low + (best.region.depth_high - best.region.depth_low) / (kDepths - 1) * i;
        const auto range = drain_range(best.model, burst, best.model.room(burst, depth));
        if (!range || burst.drain() <= 0) continue;
        const double frames_per_s = 1 / (burst.drain() * bits_per_frame(fit));
        if (range->least > 0) least.push_back({depth, double(range->least) * frames_per_s});
        if (range->most != kNoLimit) most.push_back({depth, double(range->most + 1) * frames_per_s});
    }
    json limits = json::array();
    for (const json& line : {least, most})
        if (line.size() > 1) limits.push_back({line.front(), line.back()});
    return limits;
}

json half_planes_of(const Fit& fit) {
    json sides = json::array();
    const ModelFit& best = fit.best();
    for (const int row : best.region.binding) {
        const auto burst = boost::find_if(fit.bursts, [&](const Burst& b) { return b.row == row; });
        sides.push_back({{"row", row},
                         {"line", burst->line},
                         {"lossless", !burst->lossy},
                         {"ports", burst->ports},
                         {"payload_bytes", burst->payload},
                         {"separation_us", in_microseconds(burst->separation)},
                         {"events", burst->events},
                         {"frames_lost", burst->lost},
                         {"limits", limits_of(fit, *burst)}});
    }
    return sides;
}

/// Where lossy and lossless bursts overlap no limit is hard: what those in line with each other allow may leave out the
/// truth.
Estimate depth_of(const Fit& fit, const ModelFit& one) {
    Estimate depth = one.depth;
    if (fit.status == FitStatus::Overlap && !one.feasible && !fit.options.depth) depth.hard = {};
    return depth;
}

/// Its value as people are told it: none for the kind that is reported, where bursts contradict each other.
Estimate told_depth(const Fit& fit, const ModelFit& one) {
    Estimate depth = depth_of(fit, one);
    if (!has_estimates(fit) && !fit.options.depth && &one == &fit.best()) depth.value.reset();
    return depth;
}

/// A rate that was given is stated as it was given, not as the range of those that a simulation takes for the same.
Estimate rate_of(const Fit& fit) {
    Estimate rate = fit.best().rate;
    if (const auto& given = fit.options.service_rate; given && rate.value) {
        const auto value = double(given->count);
        return {value, {value, value}, {value, value}, {value, value}};
    }
    if (fit.status == FitStatus::Overlap && !fit.best().feasible) rate.hard = {};
    return rate;
}

/// Returns the name and the unit of a feature's value.
std::pair<std::string, std::string> meaning_of(Feature feature) {
    static const std::pair<const char*, const char*> kMeanings[] = {{"", ""},
                                                                    {"descriptors", "frames"},
                                                                    {"resume level", "of full"},
                                                                    {"threshold", "alpha"},
                                                                    {"fullest uplink", "share"}};
    return kMeanings[int(feature)];
}

json feature_of(const ModelFit& one) {
    if (!one.feature) return {};
    const Estimate value = in_known_digits(*one.feature, one.error_of_ends);
    return {{"name", to_text(one.model.feature)},
            {"unit", meaning_of(one.model.feature).second},
            {"estimate", value.value},
            {"interval68", value.interval68},
            {"interval95", value.interval95}};
}

/// By its own bursts: what is said of a memory holds for none.
bool contradicted(const Fit& fit) { return fit.status == FitStatus::Misfit || fit.status == FitStatus::Inconsistent; }

std::string meaning(const Fit& fit) {
    switch (fit.status) {
        case FitStatus::Separated: return "one threshold tells lossy from lossless bursts";
        case FitStatus::Overlap:
            return std::string("no threshold tells all bursts apart, but the exceptions lie close to it") +
                   (loss_beside(fit.best()).empty() ? "" : ", or lost frames at random");
        case FitStatus::Inconsistent: return "some bursts contradict the others grossly";
        case FitStatus::Misfit:
            return "no kind of memory explains the bursts" +
                   (fit.misfit.empty() ? "" : ", which are unusual by " + fit.misfit) +
                   "; do not trust what is said below";
        case FitStatus::Unbounded:
            if (!fit.bursts.front().lossy) return "no burst lost frames: the depth has a lower limit only";
            // Flags alone are taken at their word.
            return std::string("every burst lost frames") +
                   (fit.best().parameters.empty() ? ": the depth has an upper limit only, if full memories lost them"
                                                  : "");
    }
    return "";
}

/// Returns the prior probability of each model.
std::vector<double> priors_of(const Fit& fit) {
    double most = largest(fit.models, &ModelFit::log_prior, -HUGE_VAL), sum = 0;
    std::vector<double> priors;
    for (const ModelFit& one : fit.models) sum += priors.emplace_back(std::exp(one.log_prior - most));
    for (double& prior : priors) prior /= sum;
    return priors;
}

bool plain(const QueueModel& model) { return model.feature == Feature::None && !model.per_packet; }

/// The odds that the kind which the scenario names has beside another plain one; empty where there is nothing to
/// compare.
std::string prior_text(const Fit& fit) {
    const ModelFit *own = nullptr, *other = nullptr;
    for (const ModelFit& one : fit.models) {
        if (!plain(one.model)) continue;
        if (one.model.sharing == fit.conditions.sharing && one.model.unit == fit.conditions.unit)
            own = &one;
        else if (!other || one.log_prior > other->log_prior)
            other = &one;
    }
    if (!own || !other) return "";
    const double odds = std::exp(own->log_prior - other->log_prior);
    const std::string times =
        std::abs(odds - 1) < 1e-6 ? "as likely as" : number_text(std::round(odds * 100) / 100) + " times as likely as";
    return "before any burst " + own->model.name() +
           (fit.conditions.scenario.empty() ? ", the kind taken where no scenario names one, is "
                                            : ", the kind that the scenario names, is ") +
           times + " another plain memory";
}

/// A probability of a kind, as well as samples tell it: to one hundredth.
std::string share_text(double probability) {
    constexpr double kNone = 5e-5, kLeast = 5e-3;
    if (probability < kNone || probability > 1 - kNone) return number_text(std::round(probability));
    if (probability < kLeast) return "< 0.01";
    return probability > 1 - kLeast ? "> 0.99" : number_text(std::round(100 * probability) / 100);
}

/// The depth of a kind: fewer digits where it is not the one chosen, none where no sample tells it.
/// @param told  as told_depth() has it
std::string depth_text(const ModelFit& fit, const Estimate& told, bool chosen) {
    if (!told.value || (!chosen && share_text(fit.probability) == "0")) return "-";
    constexpr double kDigits = 4;
    const double step = std::pow(10, std::floor(std::log10(std::max(*fit.depth.value, 1.0))) - kDigits + 1);
    return number_text(chosen ? *in_known_digits(fit.depth, fit.error_of_ends).value
                              : step * std::round(*fit.depth.value / step)) +
           " " + unit_of(fit.model);
}

/// One number of the result with its intervals. The same rows make the table of the text, the JSON and the page.
struct ReportedNumber {
    std::string name, unit;
    Estimate value;
};

std::vector<ReportedNumber> quantities_of(const Fit& fit) {
    const ModelFit& best = fit.best();
    const Burst& first = largest_row(fit.bursts);
    const Estimate depth = told_depth(fit, best);
    Estimate rate = rate_of(fit);
    if (!has_estimates(fit) && !fit.options.service_rate) rate.value.reset();
    std::vector<ReportedNumber> all;
    const auto add = [&](const std::string& name, const std::string& unit, const Estimate& value, double scale = 1) {
        all.push_back({name, unit, in_known_digits(scaled(value, scale), best.error_of_ends)});
    };
    add("depth", unit_of(best.model), depth);
    if (best.model.unit == MemorySize::Unit::Cell) add("depth", "bytes", depth, double(best.model.cell));
    if (best.model.unit != MemorySize::Unit::Frame)
        add("depth", "frames of " + std::to_string(first.payload) + " B", depth, 1 / double(best.model.cost(first)));
    add("service rate", "frames/s", rate, 1 / bits_per_frame(fit));
    add("service rate", "Mb/s", rate, 1e-6);
    if (best.feature) add(meaning_of(best.model.feature).first, meaning_of(best.model.feature).second, *best.feature);
    return all;
}

/// Returns what the first line says before the number of bursts: all that keeps the fit from being that of a plain
/// memory; ends in ", " or "; " unless empty.
std::string caveats(const Fit& fit) {
    const ModelFit& best = fit.best();
    const RateMismatch doubt = rate_doubt(fit);
    return std::string(fit.drops == Drops::Waiting
                           ? "a queue that drops single frames while they wait too long, as CoDel does, "
                       : fit.status == FitStatus::Inconsistent ? "no estimate, because bursts contradict each other; "
                       : fit.policed                           ? "no queue but a policer, "
                       : fit.delays                            ? "several queues in a row, or early drop, "
                       : fit.drops == Drops::Oldest ? "a full queue drops its oldest frames, not the new ones, "
                       : fit.losses_begin_early || !loss_beside(best).empty()
                           ? "no plain memory but frames lost at random or dropped early, "
                       : contradicted(fit) ? to_text(fit.status) + ", "
                                           : "") +
           (contradicted(fit) ? "" : further_laws_in_headline(best) + feature_doubt(fit)) +
           (fit.queued && !contradicted(fit) ? "a queue behind a token bucket, " : "") + doubt.off +
           (doubt.off.empty() ? "" : ", ");
}

std::string headline(const Fit& fit) {
    return "Fit of " + fit.map.source + ": " + caveats(fit) + how_many(fit.bursts.size(), "burst") + " used, " +
           std::to_string(fit.set_aside.size()) + " set aside";
}

/// "4160 cells, 865280 bytes, 3991.2 frames of 1024 B (95 %: 4100 to 4200 cells)"; a rate in Mb/s alone
std::string in_words(const std::vector<ReportedNumber>& all, const std::string& name) {
    std::string estimates, interval;
    for (const ReportedNumber& one : all) {
        if (one.name != name || one.unit == "frames/s" || !one.value.value) continue;
        estimates += (estimates.empty() ? "" : ", ") + number_text(*one.value.value) + " " + one.unit;
        const Interval& limits = one.value.interval95;
        if (interval.empty()) interval = limits_text(limits) + (limits.low || limits.high ? " " + one.unit : "");
    }
    return estimates.empty() ? "" : estimates + " (95 %: " + interval + ")";
}

/// Returns what was found, in sentences; empty where the bursts contradict each other or every kind of memory.
std::string answer(const Fit& fit, const std::vector<ReportedNumber>& all) {
    if (contradicted(fit)) return "";
    const ReportedNumber& depth = all.front();
    const std::string found = in_words(all, "depth"), rate = in_words(all, "service rate"),
                      beside = loss_beside(fit.best());
    std::string text =
        !found.empty()
            ? "The buffer holds " + found + ": " + fit.best().model.words()
            : "The bursts do not tell how much the buffer holds: " + limits_text(depth.value.hard) + " " + depth.unit;
    if (!rate.empty()) text += ". It drains at " + rate;
    if (!beside.empty()) text += ". The depth is a conclusion, provided that " + beside;
    if (fit.options.depth) text += ". The depth was given and not fitted";
    if (fit.options.service_rate) text += ". The service rate was given and not fitted";
    return text + ".";
}

/// Returns what the fit rests on.
Notes basis_of(const Fit& fit) {
    const ModelFit& best = fit.best();
    const Conditions& known = fit.conditions;
    const std::string beside = loss_beside(best), prior = prior_text(fit);
    const RateMismatch doubt = rate_doubt(fit);
    Notes notes;
    const auto note = [&](const std::string& topic, const std::string& text) { notes.push_back({topic, text}); };
    if (!contradicted(fit) && !beside.empty())
        note("not plain", beside +
                              ", however short the burst: early drop or random loss. The depth below holds for a "
                              "memory beside such a loss, and is wrong if losses depend on how full the memory is");
    if (!doubt.off.empty()) note("rate off", "usually by " + doubt.reasons);
    note("known", "a frame costs payload + " + std::to_string(known.frame.wire_overhead.count) +
                      " B on a link and payload + " + std::to_string(known.frame.buffer_overhead.count) +
                      " B in a buffer; inputs " + to_text(known.link_rate) + "; " + how_many(known.uplinks, "uplink") +
                      (known.scenario.empty() ? " (defaults, no scenario given)" : " (from " + known.scenario + ")"));
    if (!prior.empty()) note("prior", prior);
    note("counts", !fit.counts_used  ? "not used: lossy or lossless is all that is taken from a burst"
                   : !beside.empty() ? "used, beside losses at random"
                   : best.scatter    ? "used; they scatter by " + number_text(*best.scatter) + " frames about the model"
                   : best.violating.empty() ? "used: every number of lost frames is explained to the frame"
                                            : "used: all but those of the violating rows are explained to the frame");
    boost::push_back(notes, note_on_counts(fit));
    boost::push_back(notes, notes_on_peaks(fit));
    if (fit.handover > Time{0})
        note("handover", "the frames of a trigger come within " + rounded(fit.handover) +
                             ": what leaves meanwhile is taken off the depth");
    note("model", best.model.name() +
                      (best.model.feature == Feature::UnevenUplinks
                           ? ", depth of the whole memory, or of the fullest uplink's part if each has its own"
                       : best.model.sharing == Buffer::Sharing::Shared   ? ", depth of the whole memory"
                       : best.model.sharing == Buffer::Sharing::PerInput ? ", depth of one input's own memory"
                                                                         : ", depth of one output's own memory"));
    return notes;
}

/// Returns what there is to know of the numbers and of single rows; sentences about the numbers have no topic.
Notes data_of(const Fit& fit, const Estimate& depth) {
    const ModelFit& best = fit.best();
    Notes notes;
    const auto note = [&](const std::string& topic, const std::string& text) { notes.push_back({topic, text}); };
    if (best.model.unit == MemorySize::Unit::Cell)
        note("", "cells of " + std::to_string(best.model.cell) + " B, with " + std::to_string(best.model.header) +
                     " B stored beside each frame");
    if (fit.queued && depth.value)
        note("", text_line("%.2g", 100 * *fit.queued) +
                     " % of the depth is a queue, as the delay of last frames tells; the rest is what a token bucket "
                     "lets pass at once.");
    if (best.error_of_ends > 0 && depth.value)
        note("", "The sampler knows the ends of the 95 % intervals to " + text_line("%.2g", 100 * best.error_of_ends) +
                     " % of their width; digits beyond are not printed.");
    if (const std::string text = region_note(fit); !text.empty()) note("region", text);
    note("binding rows", rows_text(best.region.binding));
    note("violating rows", rows_text(best.violating));
    boost::push_back(notes, notes_on(best.disturbances));
    for (const RowSetAside& row : fit.set_aside)
        note("set aside", "row " + std::to_string(row.row) + " (line " + std::to_string(row.line) + "): " + row.reason);
    return notes;
}

/// Writes the notes with their topics in a column. @param before  a blank line stands before the first topic
void print_notes(std::ostream& out, const json& notes, std::size_t width, bool before = false) {
    for (const json& note : notes) {
        std::string topic = note["topic"];
        if (!topic.empty()) {
            if (before) out << '\n';
            before = false;
            topic.resize(std::max(width, topic.size() + 1), ' ');
        }
        out << "  " << topic << note["text"].get<std::string>() << '\n';
    }
}

}  // namespace

json to_json(const Fit& fit) {
    const ModelFit& best = fit.best();
    const Curve curve = fitted_curve(fit, largest_row(fit.bursts));
    const double bits = bits_per_frame(fit);
    const auto known = [&](const Estimate& estimate, double scale) {
        return in_known_digits(scaled(estimate, scale), best.error_of_ends);
    };
    const Estimate depth = known(depth_of(fit, best), 1), rate = known(rate_of(fit), 1),
                   frames_per_s = known(rate_of(fit), 1 / bits);
    const std::string beside = loss_beside(best);
    json models = json::array(), quantities = json::array();
    const std::vector<double> priors = priors_of(fit);
    for (const ModelFit& one : fit.models)
        models.push_back({{"name", one.model.name()},
                          {"words", one.model.words()},
                          {"feasible", one.feasible},
                          {"probability", one.probability},
                          {"prior", priors[models.size()]},
                          {"depth",
                           {{"unit", unit_of(one.model)},
                            {"estimate", in_known_digits(one.depth, one.error_of_ends).value},
                            {"hard", depth_of(fit, one).hard}}},
                          {"depth_text", depth_text(one, told_depth(fit, one), &one == &best)},
                          {"probability_text", share_text(one.probability)},
                          {"feature", feature_of(one)},
                          {"violating_rows", one.violating}});
    const std::vector<ReportedNumber> all = quantities_of(fit);
    for (const ReportedNumber& one : all) {
        quantities.push_back(estimate_json(one.unit, one.value));
        quantities.back()["name"] = one.name;
    }
    json told_depth = estimate_json(unit_of(best.model), depth), flags = json::array();
    told_depth["fixed"] = fit.options.depth.has_value();
    told_depth["provided_that"] = beside.empty() ? json() : json(beside);
    if (best.model.unit == MemorySize::Unit::Cell)
        told_depth["bytes"] = estimate_json("bytes", known(depth_of(fit, best), double(best.model.cell)));
    for (const Burst& burst : without_counts(fit))
        flags.push_back(
            {{"row", burst.row}, {"line", burst.line}, {"frames_sent", burst.sent}, {"expected", burst.fragments()}});
    return {{"program", Provenance::program()},
            {"command", Provenance::command()},
            {"headline", headline(fit)},
            {"answer", answer(fit, all)},
            {"standing", meaning(fit)},
            {"quantities", quantities},
            {"notes", {{"basis", basis_of(fit)}, {"data", data_of(fit, all.front().value)}}},
            {"map", fit.map.source},
            {"scenario", fit.conditions.scenario.empty() ? json() : json(fit.conditions.scenario)},
            {"status", to_text(fit.status)},
            {"model", best.model.name()},
            {"queue", fit.drops == Drops::Waiting  ? "drops-waiting"
                      : fit.policed                ? "policer"
                      : fit.delays                 ? "several"
                      : fit.drops == Drops::Oldest ? "drops-oldest"
                      : fit.queued                 ? "queue-and-bucket"
                                                   : "queue"},
            {"queued", fit.queued},
            {"plain_memory", !contradicted(fit) && beside.empty() && fit.drops == Drops::New},
            {"depth", told_depth},
            {"service_rate",
             {{"frames_per_s", frames_per_s.value},
              {"bits_per_s", rate.value},
              {"hard", frames_per_s.hard},
              {"interval68", frames_per_s.interval68},
              {"interval95", frames_per_s.interval95},
              {"interval95_bits_per_s", rate.interval95},
              {"fixed", fit.options.service_rate.has_value()}}},
            {"sampling_error", best.error_of_ends},
            {"rate_off_nominal", rate_off_nominal(fit)},
            {"cell", best.model.unit == MemorySize::Unit::Cell
                         ? json{{"bytes", best.model.cell}, {"header_bytes", best.model.header}}
                         : json()},
            {"feature", feature_of(best)},
            {"disturbances", to_json(best.disturbances)},
            {"goodness", fit.goodness},
            {"unusual", !fit.misfit.empty()   ? json(fit.misfit)
                        : fit.unusual.empty() ? json()
                                              : json(fit.unusual)},
            {"correlation", best.correlation},
            {"peaks", json_of_peaks(fit)},
            {"models", models},
            {"binding_rows", best.region.binding},
            {"violating_rows", best.violating},
            {"rows_set_aside", fit.set_aside},
            {"rows_without_counts", flags},
            {"rows_used", fit.bursts.size()},
            {"counts_used", fit.counts_used},
            {"scatter_frames", best.scatter},
            {"ports", largest_row(fit.bursts).ports},
            {"handover_us", in_microseconds(fit.handover)},
            {"payload_bytes", largest_row(fit.bursts).payload},
            {"congested_uplinks", largest_row(fit.bursts).uplinks},
            {"uplinks", fit.conditions.uplinks},
            {"framing",
             {{"wire_overhead_bytes", fit.conditions.frame.wire_overhead.count},
              {"buffer_overhead_bytes", fit.conditions.frame.buffer_overhead.count},
              {"link_rate_bits_per_s", fit.conditions.link_rate.count}}},
            {"polygon", polygon_of(fit)},
            {"posterior", marginals_of(fit, bits)},
            {"half_planes", half_planes_of(fit)},
            {"curve", curve_of(curve)},
            {"asymptote_us", asymptote_of(curve)},
            {"other_mixes", other_mixes_of(fit)}};
}

void print_report(std::ostream& out, const json& fit) {
    const auto text = [](const json& value) { return value.get<std::string>(); };
    // Two blanks at least, however long the numbers are.
    const auto row = [&](const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) {
        out << "  ";
        for (std::size_t i = 0; i < cells.size(); ++i)
            out << cells[i]
                << std::string(i + 1 < cells.size() ? std::max(widths[i], cells[i].size() + 2) - cells[i].size() : 0,
                               ' ');
        out << '\n';
    };
    out << text(fit["headline"]) << "\n  status    " << text(fit["status"]) << ": " << text(fit["standing"]) << '\n';
    if (!text(fit["answer"]).empty()) out << "  answer    " << text(fit["answer"]) << '\n';
    print_notes(out, fit["notes"]["basis"], 10);
    out << '\n';
    const std::vector<std::size_t> of_quantities{24, 14, 28, 28}, of_models{36, 12, 14};
    row({"", "estimate", "68 %", "95 %", "hard limits"}, of_quantities);
    for (const json& one : fit["quantities"]) {
        const auto limits = [&](const char* name) { return limits_text(one[name].get<Interval>()); };
        const bool open = one["hard"][0].is_null() && one["hard"][1].is_null() && !one["estimate"].is_null();
        row({text(one["name"]) + ", " + text(one["unit"]),
             one["estimate"].is_null() ? "-" : number_text(one["estimate"]), limits("interval68"), limits("interval95"),
             open ? "-" : limits("hard")},
            of_quantities);
    }
    print_notes(out, fit["notes"]["data"], 17, true);
    out << '\n';
    row({"model", "feasible", "probability", "depth"}, of_models);
    for (const json& one : fit["models"])
        row({text(one["name"]), one["feasible"] == true ? "yes" : "no", text(one["probability_text"]),
             text(one["depth_text"])},
            of_models);
    if (!fit["notes"].contains("diagnosis")) return;
    out << '\n';
    print_notes(out, fit["notes"]["diagnosis"], 17);
}

}  // namespace watershed
