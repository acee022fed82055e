// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/server-bound.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "model/guarantee/arrival-train.h"
#include "model/guarantee/fifo-bound.h"
#include "model/guarantee/group-analysis.h"
#include "model/guarantee/switch-analysis.h"

namespace watershed {
namespace {

/// Whole picoseconds.
constexpr Ticks kPicoseconds{1};

/// Least distances of times from the first of them, made as far as they are asked for.
class Distances {
  public:
    /// @param next  returns the next distance; std::nullopt after the last
    explicit Distances(std::function<std::optional<Wide>()> next) : next_(std::move(next)) {}

    /// Returns the distance of time number k; std::nullopt if there are fewer.
    std::optional<Wide> at(std::size_t k) {
        while (known_.size() <= k) {
            const auto next = next_();
            if (!next) return std::nullopt;
            known_.push_back(*next);
        }
        return known_[k];
    }
    /// Returns how many times lie within a closed interval of this length, at most.
    std::int64_t within(Wide length) {
        std::size_t k = known_.size();
        while (k > 0 && known_[k - 1] > length) --k;
        if (k == known_.size())
            while (const auto next = at(k)) {
                if (*next > length) break;
                ++k;
            }
        return std::int64_t(k);
    }

  private:
    std::function<std::optional<Wide>()> next_;
    std::vector<Wide> known_;
};

/// Distances of triggers (`link` 0, one frame each) or of the frames of a module behind its link.
Distances distances_of(const AdmittedTriggers& admitted, std::int64_t each, Wide link, Wide jitter) {
    if (!admitted.are_many()) {
        std::vector<Wide> all = least_distances(behind_link(admitted.train, each, kPicoseconds, link));
        for (std::size_t k = 0; k < all.size(); ++k)
            all[k] = std::max(Wide(k) * link, std::max<Wide>(0, all[k] - jitter));
        return Distances([all, k = std::size_t{0}]() mutable {
            return k < all.size() ? std::make_optional(all[k++]) : std::nullopt;
        });
    }
    std::vector<ArrivalSpacing> spacings;
    for (const TriggerSpacing& of : admitted.spacings)
        spacings.push_back({of.triggers, Wide{of.apart.count()}, of.bucket ? 1 : 0});
    return Distances([frames = EarliestFrames(spacings, each, link, jitter)]() mutable {
        return std::make_optional(frames.next());
    });
}

/// Interface of the server, and the least distances of the frames that come to it.
struct Interface {
    std::int64_t modules;
    Wide slot;   ///< time of a frame on the uplink
    Wide delay;  ///< longest delay of a frame in the switches on its way
    Distances of_module;

    std::optional<Wide> distance(std::size_t frame) {
        const auto came = of_module.at(frame / std::size_t(modules));
        if (!came) return std::nullopt;
        return std::max({Wide(frame) * slot, *came - delay, Wide{0}});
    }
    std::int64_t within(Wide length) {
        const auto by_link = std::int64_t(length / slot) + 1;
        return std::min(by_link, modules * of_module.within(length + delay));
    }
};

/// Frames, or events, that a bound follows at most.
constexpr std::size_t kMost = 200'000;

/// Returns the longest delay of times with these distances in a queue that needs `slot` for each; std::nullopt if it
/// finds none. @param late  how much later each may come than its distance says
std::optional<Wide> longest_delay(const std::function<std::optional<Wide>(std::size_t)>& distance, Wide slot,
                                  Wide late) {
    Wide longest = 0;
    for (std::size_t k = 0; k < kMost; ++k) {
        const auto next = distance(k);
        if (!next) return longest;
        const Wide came = std::max<Wide>(0, *next - late), before = slot * Wide(k);
        if (k > 0 && before <= came) return longest;  // all others had left
        longest = std::max(longest, before + slot - came);
    }
    return std::nullopt;
}

class ServerBound {
  public:
    ServerBound(const NetworkScenario& scenario, const AdmittedTriggers& admitted, const Guarantee& guarantee)
        : receiver_(*scenario.server.receiver),
          costs_(costs_of(receiver_)),
          frame_(guarantee.frame),
          frames_(std::int64_t(frames_of_fragment(scenario.frame).size())),
          modules_(scenario.front_end.modules),
          triggers_(distances_of(admitted, 1, 0, 0)) {
        const Wide link = fast_and_slow(frame_, scenario.front_end).first.floor();
        const Network network(scenario);
        std::vector<Wide> delays(network.links().size());  // from a module's switch to the end of each link
        auto bounds = guarantee.switches.begin();
        for (const Network::Switch& each : network.switches()) {
            if (each.inputs() == 0) continue;
            Wide before = 0;
            for (const int feed : each.feeds) before = std::max(before, delays[std::size_t(feed)]);
            std::size_t number = std::size_t(each.first_link);
            for (const QueueGuarantee& queue : bounds++->queues) {
                const Network::Link& to = network.links()[number];
                const Wide delay = delays[number++] = before + Wide(std::ceil(queue.delay_s * 1e12)) + 1;
                if (queue.modules == 0 || to.to != Network::kServer) continue;
                longest_way_ = std::max(longest_way_, delay);
                interfaces_.push_back({queue.modules, TransmissionTime::of(frame_.wire, to.rate).floor(), delay,
                                       distances_of(admitted, frames_, link, Wide{scenario.front_end.jitter.count()})});
            }
        }
    }

    /// @param module  longest time from a trigger to the last bit of a frame at its switch
    ServerGuarantee run(Wide module) {
        ServerGuarantee server;
        const auto in_ring = longest_in_ring();
        if (!in_ring) return server;
        Wide event = module + longest_way_ + *in_ring;
        server.complete_s = seconds(event);
        server.in_time = !receiver_.timeout || event <= Wide{receiver_.timeout->count()};
        const Bytes payload = frame_.payload * (frames_ * modules_);
        if (receiver_.output_rate) {
            const Wide slot = TransmissionTime::of(payload, *receiver_.output_rate).ceil();
            const auto waits = longest_delay([&](std::size_t k) { return triggers_.at(k); }, slot, event);
            if (!waits) return server;
            event += *waits;
        }
        server.bounded = true;
        server.delay_s = seconds(*in_ring);
        for (Interface& each : interfaces_) server.frames = std::max(server.frames, each.within(*in_ring));
        server.ring = costs_.ring;
        if (costs_.ring)
            server.ring_fits = costs_.ring->unit == MemorySize::Unit::Byte
                                   ? server.frames * frame_.buffer.count <= costs_.ring->amount
                                   : server.frames <= costs_.ring->amount;
        server.bytes = payload.count * triggers_.within(event);
        server.memory = receiver_.memory;
        return server;
    }

  private:
    static double seconds(Wide picoseconds) { return seconds_of_picoseconds(double(picoseconds)); }

    /// Returns the longest time of a frame in its ring; std::nullopt if no bound is found.
    std::optional<Wide> longest_in_ring() {
        Wide by_dma = 0;
        if (costs_.dma_rate) {
            const Wide slot = TransmissionTime::of(frame_.buffer, *costs_.dma_rate).ceil();
            for (Interface& each : interfaces_) {
                const auto delay = longest_delay([&](std::size_t k) { return each.distance(k); }, slot, 0);
                if (!delay) return std::nullopt;
                by_dma = std::max(by_dma, *delay);
            }
        }
        const Wide apart{receiver_.polling ? receiver_.poll_period.count() : costs_.interrupt_delay.count()},
            before = by_dma + apart, frame = (costs_.frame + costs_.byte * frame_.payload.count).count(),
            wake_up = costs_.wake_up.count(), cores = receiver_.cores, rest = (cores - 1) * (frame + wake_up);
        // Frames of all interfaces in the order of their least distances.
        std::vector<std::size_t> next(interfaces_.size());
        const auto earliest = [&]() -> std::optional<std::pair<Wide, std::size_t>> {
            std::optional<std::pair<Wide, std::size_t>> first;
            for (std::size_t i = 0; i < interfaces_.size(); ++i)
                if (const auto distance = interfaces_[i].distance(next[i]);
                    distance && (!first || *distance < first->first))
                    first = {*distance, i};
            return first;
        };
        const auto busy_from = [&](Wide distance) { return std::max<Wide>(0, distance - before); };
        Wide longest = 0;
        auto now = earliest();
        for (std::size_t frames = 1; now && frames < kMost; ++frames) {
            ++next[now->second];
            const Wide since = busy_from(now->first);
            const auto after = earliest();
            const Wide until = after ? busy_from(after->first) : since;
            const Wide work = frame * Wide(frames) + wake_up * wake_ups(std::int64_t(frames), until, apart) + rest;
            longest = std::max(longest, ceil_div(work, cores) - since);
            if (!after || work <= cores * until) return before + longest + (cores > 1 ? frame + wake_up : 0);
            now = after;
        }
        return now ? std::nullopt : std::make_optional(before + longest);
    }
    /// Returns the most wake-ups that hand on so many frames within this time.
    Wide wake_ups(std::int64_t frames, Wide time, Wide apart) const {
        const std::int64_t by_number =
            receiver_.polling || !receiver_.interrupt_frames ? 0 : frames / *receiver_.interrupt_frames;
        // A poll may be followed by another at once, for a frame that came at its instant.
        const Wide at_once = receiver_.polling && !costs_.dma_rate ? 2 : 1;
        const Wide each = apart > 0 ? at_once * (time / apart + 1) : Wide{frames};
        return std::min<Wide>(frames, each * Wide(interfaces_.size()) + 2 * by_number);
    }

    const Receiver receiver_;
    const ReceiveCosts costs_;
    const FrameSizes frame_;
    const std::int64_t frames_;  ///< frames of a module and trigger
    const std::int64_t modules_;
    Distances triggers_;
    std::vector<Interface> interfaces_;
    Wide longest_way_ = 0;
};

}  // namespace

std::optional<ServerGuarantee> bound_server(const NetworkScenario& scenario, const AdmittedTriggers& admitted,
                                            const Guarantee& guarantee, UnsupportedKey* why) {
    const bool on_links = std::any_of(scenario.traffic.begin(), scenario.traffic.end(),
                                      [](const TrafficStream& each) { return each.module.has_value(); });
    if (has_kinds(scenario) || has_unlike_frames(scenario) || guarantee.pauses || on_links)
        return refused(why, {"server",
                             "bound covers a server with limits behind switches without flow control, of a camera "
                             "whose frames are of one kind and have the modules' links for themselves"});
    if (!guarantee.bounded) return ServerGuarantee{};
    NetworkScenario waiting = scenario;
    waiting.front_end.fifo = INT64_MAX;
    const auto fifo = bound_fifo(waiting, admitted, why);
    if (!fifo) return std::nullopt;
    if (!fifo->bounded) return ServerGuarantee{};
    const FrontEnd& front_end = scenario.front_end;
    const auto latest = std::max_element(front_end.skew.begin(), front_end.skew.end());
    const Time skew = front_end.skew_spread + front_end.jitter + (latest == front_end.skew.end() ? Time{0} : *latest);
    const Wide slot = fast_and_slow(guarantee.frame, front_end).second.ceil();
    return ServerBound(scenario, admitted, guarantee).run(slot * fifo->frames + skew.count());
}

}  // namespace watershed
