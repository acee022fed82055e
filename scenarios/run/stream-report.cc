// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/run/stream-report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "scenarios/run/losses.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

/// Of the frames that reached the server; a camera's server with limits may lose some of these.
double mean_latency_us(const Outcome::Stream& stream) {
    return stream.frames_arrived == 0 ? 0
                                      : in_microseconds(stream.latency) / static_cast<double>(stream.frames_arrived);
}

/// Of each switch.
nlohmann::ordered_json peaks_json(const Outcome::Stream& stream, const std::vector<Outcome::Switch>& switches) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < stream.peaks.size(); ++i)
        json.push_back({{"name", switches[i].name},
                        {"peak_frames", stream.peaks[i].frames},
                        {"peak_bytes", stream.peaks[i].bytes.count}});
    return json;
}

}  // namespace

void add_streams(nlohmann::ordered_json& json, const Outcome& outcome) {
    if (outcome.streams.empty()) return;
    json["streams"] = nlohmann::ordered_json::array();
    for (const Outcome::Stream& stream : outcome.streams) {
        nlohmann::ordered_json entry{{"name", stream.name},
                                     {"class", stream.traffic_class},
                                     {"sent", stream.frames_sent},
                                     {"received", stream.frames_received},
                                     {"lost", stream.frames_sent - stream.frames_received},
                                     {"losses", losses_json(stream.losses)},
                                     {"latency", nullptr},
                                     {"peak_frames", stream.peak().frames},
                                     {"peak_bytes", stream.peak().bytes.count}};
        if (stream.peaks.size() > 1) entry["switches"] = peaks_json(stream, outcome.switches);
        if (stream.frames_arrived > 0)
            entry["latency"] = {{"mean_us", mean_latency_us(stream)}, {"max_us", in_microseconds(stream.latency_most)}};
        json["streams"].push_back(std::move(entry));
    }
}

void print_streams(std::ostream& out, const Outcome& outcome) {
    if (outcome.streams.empty()) return;
    std::size_t width = 10;
    for (const Outcome::Stream& stream : outcome.streams) width = std::max(width, stream.name.size());
    const int name = static_cast<int>(width);
    out << text_line("\n  %-*s  %5s  %12s  %12s  %12s  %24s  %12s\n", name, "stream", "class", "sent", "received",
                     "lost", "latency, us: mean, max", "peak, frames");
    for (const Outcome::Stream& stream : outcome.streams) {
        const std::string latency = stream.frames_arrived == 0 ? "none arrived"
                                                               : text_line("%.4g, %.4g", mean_latency_us(stream),
                                                                           in_microseconds(stream.latency_most));
        out << text_line("  %-*s  %5d  %12lld  %12lld  %12lld  %24s  %12lld\n", name, stream.name.c_str(),
                         stream.traffic_class, static_cast<long long>(stream.frames_sent),
                         static_cast<long long>(stream.frames_received),
                         static_cast<long long>(stream.frames_sent - stream.frames_received), latency.c_str(),
                         static_cast<long long>(stream.peak().frames));
        for (const Outcome::Loss& loss : stream.losses)
            if (stream.name != "camera")
                out << text_line("  %-*s  %33s  %12lld  %s: %s\n", name, "", "", static_cast<long long>(loss.frames),
                                 loss.where.c_str(), loss.reason.c_str());
    }
}

}  // namespace watershed
