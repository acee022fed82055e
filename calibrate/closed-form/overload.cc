// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/closed-form/overload.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "calibrate/closed-form/burst.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

constexpr Wide kBytePicoseconds = 8'000'000'000'000;  // ps, of a byte at one bit per second

/// Returns the bit rate of so many bytes in a time.
BitRate rate_of(std::int64_t bytes, Time time) { return {std::int64_t(kBytePicoseconds * bytes / time.count())}; }

/// Whether the depth differs between lower and higher rates by more than it scatters among each: then the interval
/// holds what both tell.
void compare_rates(OverloadFit& fit, std::vector<std::pair<BitRate, double>>& by_excess) {
    constexpr double kApart = 1.2;  // rates of one excess are the same
    boost::sort(by_excess);
    std::size_t lower = 0;
    double widest = kApart;
    for (std::size_t i = 1; i < by_excess.size(); ++i) {
        const double ratio = double(by_excess[i].first.count) / double(by_excess[i - 1].first.count);
        if (ratio > widest) widest = ratio, lower = i;
    }
    const std::size_t number = by_excess.size(), higher = number - lower;
    if (lower == 0 || number < 3) return;
    double mean[2] = {0, 0}, squares = 0;
    for (std::size_t i = 0; i < number; ++i)
        mean[i >= lower] += by_excess[i].second / double(i < lower ? lower : higher);
    for (std::size_t i = 0; i < number; ++i) squares += std::pow(by_excess[i].second - mean[i >= lower], 2);
    const auto freedom = double(number - 2);
    const double t = boost::math::quantile(boost::math::students_t(freedom), 0.975),
                 scatter = t * std::sqrt(squares / freedom * (1 / double(lower) + 1 / double(higher))),
                 differ = std::abs(mean[1] - mean[0]);
    if (differ <= scatter + fit.frame) return;
    fit.by_rate = {mean[0], mean[1]};
    fit.margin = std::max(*fit.margin, differ);
}

}  // namespace

Time time_to_leave(Bytes bytes, BitRate rate) {
    return Time{std::int64_t(kBytePicoseconds * bytes.count / rate.count)};
}

std::int64_t held(BitRate in, BitRate out, Time time) {
    return std::int64_t(Wide{(in - out).count} * time.count() / kBytePicoseconds);
}

const char* const kOverloadColumns = "offered_bps,output_bps,t_first_drop_us,payload_bytes,delay_us";

std::string cells_of(const Overload& overload) {
    return text_line("%lld,%lld,%s,%s,%s", overload.offered.count, overload.output.count,
                     microseconds(overload.first_drop), overload.payload ? std::to_string(overload.payload->count) : "",
                     overload.delay ? microseconds(*overload.delay) : "");
}

std::vector<Overload> overloads_from(const CsvTable& table) {
    const std::size_t offered = table.column("offered_bps"), output = table.column("output_bps"),
                      first = table.column("t_first_drop_us");
    const auto payload = table.find_column("payload_bytes"), delay = table.find_column("delay_us");
    std::vector<Overload> overloads;
    for (const CsvTable::Row& row : table.rows()) {
        Overload one{{table.integer(row, offered, 1)}, {table.integer(row, output, 1)}, Time{0}};
        if (one.offered <= one.output) table.refuse(row, offered, "more than output_bps");
        one.first_drop = table.microseconds(row, first, "microseconds");
        if (one.first_drop <= Time{0}) table.refuse(row, first, "more than 0");
        if (payload && !row.cells[*payload].empty()) {
            one.payload = Bytes{table.integer(row, *payload, 1)};
            constexpr std::int64_t kMost = 65'507;  // UDP over IPv4
            if (one.payload->count > kMost) table.refuse(row, *payload, "at most " + std::to_string(kMost) + " B");
        }
        if (delay && !row.cells[*delay].empty()) one.delay = table.microseconds(row, *delay, "microseconds");
        overloads.push_back(one);
    }
    return overloads;
}

OverloadOutcome outcome_of(const OverloadTrace& trace) {
    constexpr std::int64_t kFewest = 200, kTimes = 5,
                           kLonger = 4;  // as often as the first drop; than one without a loss
    const std::string early = ": frames are lost at random, or before the queue is full";
    const std::vector<bool>& missing = trace.missing;
    const auto frames = std::int64_t(missing.size()), ports = frames / std::int64_t(trace.sent.size()),
               wire = trace.wire.count;
    const auto at = [&](std::int64_t frame) { return trace.sent[std::size_t(frame / ports)] - trace.sent.front(); };
    const std::int64_t first = boost::range::find(missing, true) - missing.begin();
    if (first == frames) return {std::nullopt, kLonger * frames, ""};
    const std::int64_t enough = std::max(kFewest, kTimes * first);
    if (at(first) == Time{0}) return {std::nullopt, frames, "the first frames are missing" + early};
    if (frames * kLonger < enough * (kLonger - 1)) return {std::nullopt, enough, ""};
    // From the first drop to the last the queue is full, and so it is in the middle.
    std::int64_t last = std::min(frames, enough) - 1, accepted = 0, until_middle = 0;
    while (!missing[std::size_t(last)]) --last;
    std::int64_t middle = first + (last - first) / 2;
    while (!missing[std::size_t(middle)]) ++middle;
    for (std::int64_t i = first; i < last; ++i) {
        if (i == middle) until_middle = accepted;
        accepted += !missing[std::size_t(i)];
    }
    if (at(middle) == at(last) || accepted == 0) return {std::nullopt, frames, "few frames are missing" + early};
    Overload one{rate_of(first * wire, at(first)), rate_of(accepted * wire, at(last) - at(first)), at(first)};
    one.payload = trace.payload;
    one.delay = trace.delay;
    const std::int64_t depth = held(one.offered, one.output, one.first_drop);
    // The line through the later drops meets the first frame where the depth is.
    const std::int64_t kept_last = std::find(missing.rbegin(), missing.rend(), true) - missing.rbegin();
    constexpr std::int64_t kPeriods = 10;
    const std::int64_t full = last - first, lost = full - accepted;
    if (kept_last > kPeriods * (full / lost + ports)) {
        constexpr double kUnlikely = -14;  // log of the probability that losses at random spare the last frames
        if (-double(lost) * std::log1p(double(kept_last) / double(full)) > kUnlikely)
            return {std::nullopt, frames, "few frames are missing" + early};
        return {std::nullopt, enough,
                "the last " + std::to_string(kept_last) +
                    " frames all arrive: a full queue drops its oldest frames, and bursts tell its depth"};
    }
    const BitRate later = rate_of((accepted - until_middle) * wire, at(last) - at(middle));
    const std::int64_t told = (first + until_middle) * wire - held(later, BitRate{0}, at(middle));
    constexpr std::int64_t kPart = 10, kSlack = 4;  // a part of the depth; frames
    if (depth <= 0 || std::abs(told - depth) > depth / kPart + kSlack * wire)
        return {std::nullopt, enough,
                "the first drop tells " + to_text(Bytes{std::max<std::int64_t>(0, depth)}) + ", the later ones " +
                    to_text(Bytes{std::max<std::int64_t>(0, told)}) + early};
    // A pause costs a hundredth of the depth at most.
    constexpr std::int64_t kLittle = 100;
    std::int64_t taken = 0;
    for (std::int64_t i = 1; i < frames; ++i) {
        taken += wire * !missing[std::size_t(i - 1)];
        if (held(one.output, BitRate{0}, at(i)) > taken + depth / kLittle + 2 * wire ||
            held(one.output, BitRate{0}, at(i) - at(i - 1)) > depth / 2 + wire)
            return {std::nullopt, enough, "the sender was held up, and the queue ran empty", true};
    }
    return {one, enough, ""};
}

OverloadFit fit_overloads(const std::vector<Overload>& overloads, const FrameFormat& format, bool in_frames) {
    OverloadFit fit;
    fit.overloads = overloads;
    fit.frames =
        in_frames && boost::algorithm::all_of(overloads, [](const Overload& o) { return o.payload.has_value(); });
    const auto number = double(overloads.size());
    double squares = 0, delayed = 0;
    std::vector<std::pair<BitRate, double>> by_excess;
    bool delays = true;
    for (const Overload& one : overloads) {
        // In a memory a frame takes another number of bytes than on a link.
        const double wire = one.payload ? double((*one.payload + format.wire_overhead).count) : 1,
                     cost = !one.payload || fit.frames ? 1 : double((*one.payload + format.buffer_overhead).count),
                     frame = one.payload ? cost : 0,
                     // A frame leaves when it has left as a whole: half of one is held beside what came too much.
            depth = double(held(one.offered, one.output, one.first_drop)) / wire * cost + frame / 2;
        by_excess.emplace_back(one.offered - one.output, depth);
        fit.depth += depth / number;
        squares += depth * depth / number;
        fit.output += double(one.output.count) / number;
        fit.frame = std::max(fit.frame, frame);
        delays &= one.delay.has_value();
        if (one.delay) delayed += double(held(one.output, BitRate{0}, *one.delay)) / wire * cost / number;
    }
    if (overloads.size() > 1) {
        const double t = boost::math::quantile(boost::math::students_t(number - 1), 0.975);
        // One frame either way is left, however often it is measured.
        fit.margin = fit.frame + t * std::sqrt(std::max(0.0, squares - fit.depth * fit.depth) / (number - 1));
        compare_rates(fit, by_excess);
    }
    if (!delays) return fit;
    fit.delayed = delayed;
    constexpr double kNone = 0.1, kLess = 0.1;  // fraction of the depth
    if (delayed < kNone * fit.depth)
        fit.kind = OverloadFit::Kind::Policer;
    else if (fit.depth - delayed > kLess * fit.depth + 2 * fit.frame)
        fit.kind = OverloadFit::Kind::Bucket;
    return fit;
}

}  // namespace watershed
