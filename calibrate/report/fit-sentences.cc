// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <boost/range/algorithm_ext/push_back.hpp>

#include "calibrate/fit/rate-doubt.h"
#include "calibrate/fit/report-text.h"
#include "calibrate/report/fit-report-parts.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

Notes note_on_counts(const Fit& fit) {
    const std::vector<Burst> bursts = without_counts(fit);
    if (bursts.empty()) return {};
    const Burst& first = bursts.front();
    return {{"flags",
             std::to_string(bursts.size()) + " of " + std::to_string(fit.bursts.size()) +
                 " rows only say whether frames were lost, because frames_sent is not that of one burst; the "
                 "first is row " +
                 std::to_string(first.row) + " (line " + std::to_string(first.line) + "): found " +
                 std::to_string(first.sent) + ", expected " + std::to_string(first.ports) + " ports x " +
                 std::to_string(first.events) + " events = " + std::to_string(first.fragments()),
             kWarning}};
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

/// "a plain memory explains every count but that of row 8"
std::string without_suspects(const Fit& fit) {
    return std::string("a plain memory explains every count but ") +
           (fit.suspects.size() == 1 ? "that of row " : "those of rows ") +
           rows_text(transformed_values(fit.suspects, &Suspect::row));
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
                       : fit.losses_begin_early || (fit.suspects.empty() && !loss_beside(best).empty())
                           ? "no plain memory but frames lost at random or dropped early, "
                       : contradicted(fit)
                           ? to_text(fit.status) + (fit.outdone.empty() ? "" : " by " + fit.outdone) + ", "
                           : "") +
           (fit.suspects.empty() ? "" : without_suspects(fit) + "; ") +
           (contradicted(fit) ? "" : nuisances_in_headline(best) + feature_doubt(fit)) +
           (best.model.ring_port > 0 && !contradicted(fit) ? "the server loses, not the switch: its ring fills, "
                                                           : "") +
           (fit.queued && !contradicted(fit) ? "a queue behind a token bucket, " : "") + doubt.off +
           (doubt.off.empty() ? "" : ", ");
}

/// "4160 cells, 865280 bytes, 3991.2 frames of 1024 B (95 %: 4100 to 4200 cells)"; a rate in Mb/s alone
std::string in_words(const std::vector<ReportedNumber>& all, const std::string& name) {
    std::string estimates, interval;
    for (const ReportedNumber& one : all) {
        if (one.name != name || begins_with(one.unit, "frames/s") || !one.value.value) continue;
        estimates += (estimates.empty() ? "" : ", ") + number_text(*one.value.value) + " " + one.unit;
        const Interval& limits = one.value.interval95;
        if (interval.empty()) interval = limits_text(limits) + (limits.low || limits.high ? " " + one.unit : "");
    }
    return estimates.empty() ? "" : estimates + " (95 %: " + interval + ")";
}

}  // namespace

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

bool contradicted(const Fit& fit) { return fit.status == FitStatus::Misfit || fit.status == FitStatus::Inconsistent; }

std::string standing_of(const Fit& fit) {
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

std::string headline_of(const Fit& fit) {
    return "Fit of " + fit.map.source + ": " + caveats(fit) + how_many(fit.bursts.size(), "burst") + " used, " +
           std::to_string(fit.set_aside.size()) + " set aside";
}

std::string answer_of(const Fit& fit, const std::vector<ReportedNumber>& all) {
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

Notes basis_of(const Fit& fit) {
    const ModelFit& best = fit.best();
    const Conditions& known = fit.conditions;
    const std::string beside = loss_beside(best), prior = prior_text(fit);
    const RateMismatch doubt = rate_doubt(fit);
    Notes notes;
    const auto note = [&](const std::string& topic, const std::string& text, Rank rank = kUseful) {
        notes.push_back({topic, text, rank});
    };
    if (!contradicted(fit) && !beside.empty())
        note("not plain",
             beside +
                 ", however short the burst: early drop or random loss. The depth below holds for a "
                 "memory beside such a loss, and is wrong if losses depend on how full the memory is",
             kWarning);
    if (!doubt.off.empty()) note("rate off", "usually by " + doubt.reasons, kWarning);
    if (best.model.ring_port > 0) {
        // A row that the ring does not explain may be one that the switch lost.
        const auto held = [&](const Burst& burst) {
            const bool told = std::count(best.violating.begin(), best.violating.end(), burst.row) == 0;
            return told ? burst.held_before_ring.value_or(0) : 0;
        };
        note("switch",
             "its memory holds " + number_text(std::floor(largest(fit.bursts, held, 0.0))) +
                 " frames at least, for it lost none" +
                 (best.violating.empty() ? "" : " in the rows that the ring explains") +
                 "; the depth below is that of the ring, the rate that of its reader",
             kWarning);
    }
    note("known",
         "a frame costs payload + " + std::to_string(known.frame.wire_overhead.count) + " B on a link and payload + " +
             std::to_string(known.frame.buffer_overhead.count) + " B in a buffer; inputs " + to_text(known.link_rate) +
             "; " + how_many(known.uplinks, "uplink") +
             (known.scenario.empty() ? " (defaults, no scenario given)" : " (from " + known.scenario + ")"),
         kBasis);
    if (!prior.empty()) note("prior", prior);
    if (!fit.options.priors.empty()) note("prior", "as it was given: " + listed(fit.options.priors, "; "), kWarning);
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
    note("model",
         best.model.name() + (best.model.ring_port > 0 ? ", depth of the receiver's ring"
                              : best.model.has_reserve()
                                  ? ", depth of what " + std::to_string(best.model.owners) +
                                        (best.model.feature == Feature::Reserve ? " inputs" : " outputs") +
                                        " may fill, with their reserves of " +
                                        number_text(std::round(10 * best.model.value * best.depth.value.value_or(0) /
                                                               double(best.model.owners)) /
                                                    10) +
                                        " " + unit_of(best.model) + " each"
                              : best.model.feature == Feature::UnevenUplinks
                                  ? ", depth of the whole memory, or of the fullest uplink's part if each has its own"
                              : best.model.sharing == Buffer::Sharing::Shared   ? ", depth of the whole memory"
                              : best.model.sharing == Buffer::Sharing::PerInput ? ", depth of one input's own memory"
                                                                                : ", depth of one output's own memory"),
         kBasis);
    return notes;
}

Notes data_of(const Fit& fit, const Estimate& depth) {
    const ModelFit& best = fit.best();
    Notes notes;
    const auto note = [&](const std::string& topic, const std::string& text, Rank rank = kUseful) {
        notes.push_back({topic, text, rank});
    };
    if (best.model.unit == MemorySize::Unit::Cell)
        note("", "cells of " + std::to_string(best.model.cell) + " B, with " + std::to_string(best.model.header) +
                     " B stored beside each frame");
    if (fit.queued && depth.value)
        note("", text_line("%.2g", 100 * *fit.queued) +
                     " % of the depth is a queue, as the delay of last frames tells; the rest is what a token bucket "
                     "lets pass at once.");
    if (best.error_of_ends > 0 && depth.value)
        note("",
             "The sampler knows the ends of the 95 % intervals to " + text_line("%.2g", 100 * best.error_of_ends) +
                 " % of their width.",
             kDetail);
    if (best.samples > 0 && depth.value)
        note("",
             text_line("The %d samples of %s tell the mean of the depth as well as %.0f independent ones, that of the "
                       "rate as %.0f.",
                       int(best.samples), best.model.name(), best.effective.depth, best.effective.rate),
             kDetail);
    if (!fit.shifts.empty()) {
        const double digit = std::max(1.0, double(fit.map.separation_step.count()) / 10);
        std::vector<std::string> shifts;
        for (const auto& [separation, shift] : fit.shifts)
            if (const Time whole{std::llround(std::round(double(shift.count()) / digit) * digit)}; whole != Time{0})
                shifts.push_back(to_text(separation) + " as " + to_text(separation + whole));
        note("", "All counts agree with separations within their rounding: " + listed(shifts) + ".");
    }
    if (fit.rounding)
        note("", "Separations are written to " + to_text(fit.map.separation_step) +
                     ": the intervals allow for an error of " + text_line("%.2g", 100 * *fit.rounding) +
                     " % of the rate.");
    if (const std::string text = region_note(fit); !text.empty()) note("region", text);
    note("binding rows", rows_text(best.region.binding));
    note("violating rows", rows_text(best.violating), best.violating.empty() ? kDetail : kWarning);
    boost::push_back(notes, notes_on(best.disturbances));
    for (const RowSetAside& row : fit.set_aside)
        note("set aside", "row " + std::to_string(row.row) + " (line " + std::to_string(row.line) + "): " + row.reason,
             &row == &fit.set_aside.front() ? kWarning : kDetail);
    return notes;
}

}  // namespace watershed
