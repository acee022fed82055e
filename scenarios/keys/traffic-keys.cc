// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/traffic-keys.h"

#include "scenarios/keys/key-setters.h"

namespace watershed {

using namespace key_setters;

namespace {

constexpr const char* kTraffic = "traffic.";

TrafficStream& last_stream(Scenario& scenario) {
    if (scenario.traffic.empty()) scenario.traffic.emplace_back();
    return scenario.traffic.back();
}

TrafficStream::Rate parse_stream_rate(const std::string& value) {
    TrafficStream::Rate rate;
    const bool frequency = value.size() > 2 && value.compare(value.size() - 2, 2, "Hz") == 0;
    try {
        if (frequency)
            rate.frames = parse_frequency(value);
        else
            rate.bits = parse_bit_rate(value);
    } catch (const std::invalid_argument&) {
        throw std::invalid_argument("found \"" + value +
                                    "\", expected frames a second such as \"10 kHz\" or bits of the link such as \"2 "
                                    "Gb/s\", more than 0");
    }
    return rate;
}

#define WATERSHED_STREAM(member) \
    [](Scenario & scenario) -> auto& { return last_stream(scenario).member; }

}  // namespace

std::vector<ScenarioKey> traffic_keys() {
    using Pattern = TrafficStream::Pattern;
    return {
        {"traffic.NAME.pattern", "text", "constant",
         "How frames of this stream come, beside the camera's, by a link of their own or a module's, to the server. "
         "\"constant\": evenly spaced, at `rate`. \"bursts\": `burst` frames at once, every `period`. \"poisson\": at "
         "random, at `rate` on average. \"on-off\": evenly spaced at `rate` for random times of mean `on`, between "
         "random times of mean `off` without any. \"none\": there is no such stream, whatever its other keys say.",
         choice(WATERSHED_STREAM(pattern), {{"constant", Pattern::Constant},
                                            {"bursts", Pattern::Bursts},
                                            {"poisson", Pattern::Poisson},
                                            {"on-off", Pattern::OnOff},
                                            {kNoStream, Pattern::Constant}})},  // the reader leaves it out
        {"traffic.NAME.payload", "size \"1024 B\"", "1024 B",
         "UDP payload of each frame; frame.wire_overhead and frame.buffer_overhead come on top.",
         text(WATERSHED_STREAM(payload), between(parse_bytes, Bytes{1}, Bytes{65507}, "1 B to 65507 B"))},
        {"traffic.NAME.rate",
         "\"10 kHz\" or \"2 Gb/s\"",
         "",
         "Frames a second, or bits that they cost the link a second, preamble and gap included.",
         {text(WATERSHED_STREAM(rate), parse_stream_rate).set, "more than 0"}},
        {"traffic.NAME.burst", "integer", "1", "Number of frames in each burst of the pattern \"bursts\".",
         count(WATERSHED_STREAM(burst), 1, kMost)},
        {"traffic.NAME.period", "time \"1 ms\"", "", "Time from the beginning of one burst to that of the next.",
         text(WATERSHED_STREAM(period), parse_some_time)},
        {"traffic.NAME.on", "time \"1 ms\"", "", "Mean time for which a stream \"on-off\" sends, exponential.",
         text(WATERSHED_STREAM(on), parse_some_time)},
        {"traffic.NAME.off", "time \"10 ms\"", "", "Mean time for which it then is silent, exponential.",
         text(WATERSHED_STREAM(off), parse_some_time)},
        {"traffic.NAME.start", "time \"100 us\"", "0 us",
         "When the stream begins: with its first frame, burst or time on, or with the wait for a random frame.",
         text(WATERSHED_STREAM(start), parse_delay)},
        {"traffic.NAME.stop", "time \"10 ms\"", "",
         "Frames come before this. By default the stream ends with the camera: when the last fragment has left its "
         "module, if nothing holds it up but the module's link.",
         text(WATERSHED_STREAM(stop), parse_some_time)},
        {"traffic.NAME.clock", "deviation \"20 ppm\"", "0 ppm",
         "The stream has a clock of its own, which spaces its frames; its error is drawn from the seed, uniform from "
         "minus to plus this.",
         text(WATERSHED_STREAM(clock),
              between(parse_clock_tolerance, ClockTolerance{0}, ClockTolerance{100'000'000}, "0 ppm to 100000 ppm"))},
        {"traffic.NAME.phase", "time \"3 us\"", "",
         "Delay of all frames of the stream, on top of `start`; by default it is drawn from the seed, up to the time "
         "from one frame or burst to the next, and that of a `poisson` stream is none.",
         text(WATERSHED_STREAM(phase), parse_delay)},
        {"traffic.NAME.jitter", "time \"50 ns\"", "0 us",
         "Each frame, or burst, has a further delay, uniform from 0 to this; none overtakes another.",
         text(WATERSHED_STREAM(jitter), parse_delay)},
        {"traffic.NAME.class", "integer", "0", "Traffic class of the frames (IEEE 802.1p); 7 is the highest.",
         count(WATERSHED_STREAM(traffic_class), 0, kTrafficClasses - 1)},
        {"traffic.NAME.module", "integer", "",
         "The module over whose link the stream comes, from 1; by default it has a link of its own to a switch.",
         count(WATERSHED_STREAM(module), 1, 65535)},
        {"traffic.NAME.switch", "name", "",
         "The switch to which the stream's own link leads, by the name that `run` gives it: \"switch 2\", "
         "\"aggregation\" or that of a node; by default the first. From there the stream goes to the server by the "
         "uplinks that its inputs have.",
         text(WATERSHED_STREAM(at_switch), [](const std::string& value) { return value; })},
        {"traffic.NAME.link_rate", "bit rate \"1 Gb/s\"", "",
         "Bit rate of the stream's own link; front_end.link_rate by default.",
         text(WATERSHED_STREAM(link_rate), parse_bit_rate)},
        {"traffic.NAME.obeys_pause", "true or false", "true",
         "The stream stops when the switch tells its own link to pause.", flag(WATERSHED_STREAM(obeys_pause))},
    };
}

#undef WATERSHED_STREAM

std::string stream_of(const std::string& name) {
    const std::string start = kTraffic;
    if (name.compare(0, start.size(), start) != 0) return {};
    return name.substr(start.size(), name.find('.', start.size()) - start.size());
}

}  // namespace watershed
