// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <queue>
#include <string>
#include <vector>

#include "model/base/frame.h"
#include "model/frontend/front-end.h"
#include "model/frontend/stream-train.h"
#include "model/frontend/trigger.h"
#include "scenarios/reader/reader.h"

// Loops for one kind of scenario each, which keep a frame's time and its place in memory and nothing else: their
// instructions are the least that a frame can cost. They print the frames that the switches lose, as many as the exact
// engine says. test/bench/instructions counts their instructions.
//
//     bench-bare-loops LOOP SCENARIO KEY=VALUE...

using namespace watershed;

namespace {

/// Times of departures from one link, oldest first.
class Departures {
  public:
    Departures() : times_(kSize) {}
    /// How many wait or are being sent at this time; what leaves at it has left.
    std::int64_t held(std::int64_t time) {
        while (first_ != last_ && times_[first_ & (kSize - 1)] <= time) ++first_;
        return static_cast<std::int64_t>(last_ - first_);
    }
    /// @return when it has left
    std::int64_t add(std::int64_t ready, std::int64_t slot) {
        free_ = std::max(free_, ready) + slot;
        times_[last_++ & (kSize - 1)] = free_;
        return free_;
    }

  private:
    static constexpr std::size_t kSize = 1 << 16;
    std::vector<std::int64_t> times_;
    std::size_t first_ = 0, last_ = 0;
    std::int64_t free_ = 0;
};

std::int64_t picoseconds(Bytes wire, BitRate rate) { return wire.count * 8 * 1'000'000'000'000 / rate.count; }

/// When the camera's frames come to their switches.
class Arrivals {
  public:
    explicit Arrivals(const Scenario& s)
        : train_(s.trigger, s.seed),
          slot_(picoseconds(frames_of_fragment(s.frame).front().wire, s.front_end.link_rate)),
          last_(static_cast<std::size_t>(s.front_end.modules)) {
        for (int module = 1; module <= s.front_end.modules; ++module) timing_.emplace_back(s.front_end, s.seed, module);
    }
    /// Frames of the next event, in order: the time, and in the lowest bits the module.
    static constexpr int kModuleBits = 9;
    bool next(std::vector<std::int64_t>& keys) {
        const auto trigger = train_.next();
        if (!trigger) return false;
        ++event_;
        keys.clear();
        for (std::size_t i = 0; i < last_.size(); ++i) {
            last_[i] = std::max(timing_[i].offer_time(event_, *trigger).count(), last_[i]) + slot_;
            keys.push_back(last_[i] << kModuleBits | static_cast<std::int64_t>(i));
        }
        std::sort(keys.begin(), keys.end());
        return true;
    }

  private:
    TriggerTrain train_;
    std::int64_t slot_, event_ = 0;
    std::vector<FragmentTiming> timing_;
    std::vector<std::int64_t> last_;
};

/// One switch, one uplink, a dynamic threshold of alpha times what is free.
std::int64_t threshold(const Scenario& s) {
    const std::int64_t room = s.network_switch.buffer.size.amount, alpha = s.network_switch.buffer.alpha.numerator;
    const std::int64_t slot = picoseconds(frames_of_fragment(s.frame).front().wire, s.network_switch.uplink_rate);
    Arrivals arrivals(s);
    Departures uplink;
    std::vector<std::int64_t> keys;
    std::int64_t lost = 0;
    while (arrivals.next(keys))
        for (const std::int64_t key : keys) {
            const std::int64_t time = key >> Arrivals::kModuleBits, held = uplink.held(time);
            if (held < room && held < alpha * (room - held))
                uplink.add(time, slot);
            else
                ++lost;
        }
    return lost;
}

/// Two tiers of shared memories; a switch's modules are dealt out to its uplinks in turn, and links in blocks.
std::int64_t two_tiers(const Scenario& s) {
    const Switch &near = s.network_switch, &far = *s.aggregation;
    const FrameSizes frame = frames_of_fragment(s.frame).front();
    const std::int64_t slot = picoseconds(frame.wire, near.uplink_rate),
                       far_slot = picoseconds(frame.wire, far.uplink_rate);
    const auto room = [&](const Switch& each) {
        const MemorySize& size = each.buffer.size;
        return size.unit == MemorySize::Unit::Frame ? size.amount : size.amount / frame.buffer.count;
    };
    const std::int64_t latency = far.latency.count();
    std::vector<std::size_t> link_of;
    for (int i = 0; i < near.count; ++i) {
        const int modules = s.front_end.modules / near.count + (i < s.front_end.modules % near.count);
        for (int module = 0; module < modules; ++module)
            link_of.push_back(static_cast<std::size_t>(i * near.uplinks) +
                              link_of.size() % static_cast<std::size_t>(near.uplinks));
    }
    std::vector<Departures> links(static_cast<std::size_t>(near.count * near.uplinks)),
        last(static_cast<std::size_t>(far.count));
    Arrivals arrivals(s);
    std::vector<std::int64_t> keys, on_their_way, later;
    std::int64_t lost = 0;
    const auto arrive = [&](std::int64_t until) {
        std::sort(on_their_way.begin(), on_their_way.end());
        later.clear();
        for (const std::int64_t key : on_their_way) {
            const std::int64_t time = key >> Arrivals::kModuleBits;
            if (time > until) {
                later.push_back(key);
                continue;
            }
            const auto link = static_cast<std::size_t>(key & ((1 << Arrivals::kModuleBits) - 1));
            Departures& uplink = last[link * last.size() / links.size()];
            if (uplink.held(time) < room(far))
                uplink.add(time + latency, far_slot);
            else
                ++lost;
        }
        on_their_way.swap(later);
    };
    while (arrivals.next(keys)) {
        arrive(keys.front() >> Arrivals::kModuleBits);
        for (const std::int64_t key : keys) {
            const std::int64_t time = key >> Arrivals::kModuleBits;
            const std::size_t link = link_of[static_cast<std::size_t>(key & ((1 << Arrivals::kModuleBits) - 1))];
            const std::size_t of_switch = link - link % static_cast<std::size_t>(near.uplinks);
            std::int64_t held = 0;
            for (int i = 0; i < near.uplinks; ++i) held += links[of_switch + static_cast<std::size_t>(i)].held(time);
            if (held < room(near))
                on_their_way.push_back(links[link].add(time, slot) << Arrivals::kModuleBits |
                                       static_cast<std::int64_t>(link));
            else
                ++lost;
        }
    }
    arrive(std::int64_t{1} << 53);
    return lost;
}

/// A heap of events, one for each arrival and one for each departure: the camera's frames before those of a stream.
std::int64_t heap(const Scenario& s) {
    struct Event {
        std::int64_t time;
        enum Kind { Departure, OfCamera, OfStream } kind;
        bool operator<(const Event& other) const { return time != other.time ? time > other.time : kind > other.kind; }
    };
    const Bytes wire = frames_of_fragment(s.frame).front().wire;
    const std::int64_t slot = picoseconds(wire, s.network_switch.uplink_rate),
                       room = s.network_switch.buffer.size.amount;
    Arrivals arrivals(s);
    const TrafficStream& stream = s.traffic.front();
    StreamTrain train(stream, s.frame, Time{s.trigger.separation.count() * *s.trigger.events}, s.seed);
    const std::int64_t stream_slot = picoseconds(wire, *stream.link_rate);
    std::priority_queue<Event> events;
    std::vector<std::int64_t> keys;
    std::int64_t stream_free = 0, lost = 0, urgent = 0, other = 0;
    bool sending = false;
    const auto next_event = [&] {
        if (!arrivals.next(keys)) return;
        for (const std::int64_t key : keys) events.push({key >> Arrivals::kModuleBits, Event::OfCamera});
    };
    const auto next_of_stream = [&] {
        const auto ready = train.next();
        if (!ready) return;
        stream_free = std::max(stream_free, ready->count()) + stream_slot;
        events.push({stream_free, Event::OfStream});
    };
    const auto send = [&](std::int64_t now) {
        sending = true;
        events.push({now + slot, Event::Departure});
    };
    std::int64_t held = 0, of_event = 0;
    next_event();
    next_of_stream();
    while (!events.empty()) {
        const Event event = events.top();
        events.pop();
        if (event.kind == Event::Departure) {
            --held;
            sending = false;
            if (urgent > 0 || other > 0) {
                --(urgent > 0 ? urgent : other);
                send(event.time);
            }
            continue;
        }
        if (event.kind == Event::OfStream) next_of_stream();
        if (event.kind == Event::OfCamera && ++of_event % s.front_end.modules == 0) next_event();
        if (held == room) {
            ++lost;
            continue;
        }
        ++held;
        if (sending)
            ++(event.kind == Event::OfCamera ? urgent : other);
        else
            send(event.time);
    }
    return lost;
}

const std::map<std::string, std::int64_t (*)(const Scenario&)> kLoops{
    {"threshold", threshold}, {"two-tiers", two_tiers}, {"heap", heap}};

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc < 3) throw std::runtime_error("expected LOOP SCENARIO KEY=VALUE...");
        std::printf("%lld\n", static_cast<long long>(kLoops.at(argv[1])(
                                  read_scenario(Scope::anything(), argv[2], {argv + 3, argv + argc}))));
    } catch (const std::exception& error) {
        std::cerr << "error: " << error.what() << std::endl;
        return 1;
    }
    return 0;
}
