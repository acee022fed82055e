// SPDX-License-Identifier: GPL-2.0-only
#include "model/risk/loss-bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/base/frame.h"
#include "model/base/log-sum.h"
#include "model/frontend/front-end.h"
#include "model/frontend/uniform-senders.h"
#include "model/network/network-load.h"
#include "model/network/network.h"
#include "model/risk/camera-queue.h"
#include "model/risk/rates.h"
#include "model/switch/output-queued-switch.h"
#include "model/switch/switch-memory.h"
#include "model/switch/uplinks.h"

namespace watershed {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

/// Returns the first key of the camera and its triggers that the bound does not know.
UnsupportedKey obstacle_of(const NetworkScenario& scenario) {
    if (UnsupportedKey triggers = not_poisson(scenario)) return triggers;
    if (scenario.server.receiver) return {"server.path", "the server loses frames, too"};
    UnsupportedKey obstacle;
    Senders one = scenario;  // EventFrames knows the others, and the pauses between them
    one.frame.fragments = {};
    one.frame.payload = Bytes{1};
    one.frame.split = false;
    one.front_end.gap = Time{0};
    if (!UniformSenders::of(one, &obstacle)) return obstacle;
    if (!scenario.nodes.empty()) return {"node", "the switches are a free graph"};
    if (scenario.aggregation && scenario.network_switch.uplink_choice.rule == UplinkChoice::Rule::RoundRobin)
        return {"switch.uplink_selection", "frames take turns before a second tier"};
    return {};
}

/// The frames that a module sends for one event, counted in its largest frame.
class EventFrames {
  public:
    explicit EventFrames(const Senders& senders) : frames_(frames_of_fragment(senders.frame)) {
        const double gap = in_seconds(senders.front_end.gap);
        for (const FrameSizes& frame : frames_) {
            if (frame.wire > largest_.wire) largest_ = frame;
            apart_.push_back(seconds_of(frame.wire, senders.front_end.link_rate) + (apart_.empty() ? 0 : gap));
        }
        alike_ = gap == 0 && std::all_of(frames_.begin(), frames_.end(),
                                         [&](const FrameSizes& frame) { return frame.wire == largest_.wire; });
        fastest_ =
            1 + static_cast<double>(std::abs(module_timing(senders.front_end, senders.seed, 1).tolerance.count)) * 1e-9;
    }

    Bytes wire() const { return largest_.wire; }
    bool alike() const { return alike_; }  ///< frames have one size, and come one right after the other
    int number() const { return static_cast<int>(frames_.size()); }
    double sum() const {
        double sum = 0;
        for (const FrameSizes& frame : frames_) sum += part(frame);
        return sum;
    }
    /// Returns the least seconds on the module's link.
    double seconds() const {
        double sum = 0;
        for (const double each : apart_) sum += each / fastest_;
        return sum;
    }

    /// Returns how many of the largest frame need no less memory than as much work in any of these frames.
    double held_by(const MemoryUnits& units, std::int64_t pool) const {
        if (alike_) return std::floor(static_cast<double>(pool) / static_cast<double>(units.cost(largest_.buffer)));
        double dearest = 0;
        for (const FrameSizes& frame : frames_)
            dearest = std::max(dearest, static_cast<double>(units.cost(frame.buffer)) / part(frame));
        return static_cast<double>(pool) / dearest;
    }
    /// Returns how many of the largest frame are no more work than frames that fill the descriptors.
    double frames_of_descriptors(std::int64_t descriptors) const {
        double smallest = 1;
        for (const FrameSizes& frame : frames_) smallest = std::min(smallest, part(frame));
        return static_cast<double>(descriptors) * smallest;
    }

    /// Work that waits at an uplink, in the largest frames of all its modules, which last `step` seconds there.
    struct Waiting {
        double idle = 0;   ///< time that the uplink may be idle while an event comes
        double whole = 0;  ///< work that waits while an event comes, over what was there before it
        double later = 0;  ///< work of all but its first frame, where the uplink was idle meanwhile
    };
    Waiting waiting(double step) const {
        Waiting waiting;
        double work = 0, come = 0, latest = 0, later = 0;
        for (std::size_t k = 0; k < frames_.size(); ++k) {
            const double own = part(frames_[k]);
            if (k > 0) {
                const double after = apart_[k] / step;
                come += after / fastest_;
                latest += after / (2 - fastest_);
                waiting.idle = std::max(waiting.idle, latest - work);
                later = std::max(0.0, later - after / fastest_) + own;
                waiting.later = std::max(waiting.later, later);
            }
            work += own;
            waiting.whole = std::max(waiting.whole, work - come);
        }
        return waiting;
    }

  private:
    double part(const FrameSizes& frame) const {
        return static_cast<double>(frame.wire.count) / static_cast<double>(largest_.wire.count);
    }

    std::vector<FrameSizes> frames_;
    std::vector<double> apart_;  ///< seconds from when a frame has arrived, by the module's own clock, to when this has
    FrameSizes largest_{};
    double fastest_ = 1;  ///< fastest rate that the module's clock may have
    bool alike_ = true;
};

UnsupportedKey obstacle_of(const Switch& network_switch, const EventFrames& frames) {
    UnsupportedKey obstacle;
    // Reserved memory of a queue only makes losses rarer.
    const auto plain = OutputQueuedSwitch::of(
        network_switch, &obstacle, [](const Buffer& whole, Buffer& copied) { copied.reserved = whole.reserved; });
    if (!plain) return obstacle;
    const Buffer& buffer = (*plain)->buffer;
    if (buffer.sharing != Sharing::Shared && buffer.accounting != Buffer::Accounting::Egress)
        return {"switch.buffer.accounting", "queues are not those of the uplinks alone"};
    if (!frames.alike() && buffer.sharing == Sharing::PerInput)
        return {"switch.buffer.sharing", "memories of inputs hold frames of several sizes, or with pauses"};
    if (!frames.alike() && network_switch.uplink_choice.rule == UplinkChoice::Rule::RoundRobin)
        return {"switch.uplink_selection", "frames of several sizes, or with pauses, take turns"};
    return {};
}

/// Returns whether frames of one link leave by several uplinks.
bool splits_links(const Switch& network_switch) {
    using Rule = UplinkChoice::Rule;
    return network_switch.uplink_choice.rule == Rule::Hash || network_switch.uplink_choice.rule == Rule::RoundRobin;
}

bool same(const BatchQueue& a, const BatchQueue& b) {
    return a.trigger_rate == b.trigger_rate && a.dead_time == b.dead_time && a.link_time == b.link_time &&
           a.modules == b.modules && a.room == b.room;
}

double most_of(const std::vector<double>& numbers) { return *std::max_element(numbers.begin(), numbers.end()); }

/// The links that lead to a switch.
struct UpstreamLinks {
    double slot = 0;                 ///< seconds that a frame lasts on one; 0 where there is none
    double fullest = 0;              ///< modules of the one that carries most
    bool level = true;               ///< all carry as many
    std::vector<double> per_uplink;  ///< links whose frames may leave by each uplink
    double at_once = 0;              ///< frames that one may have to deliver before another uplink's turn
};

UpstreamLinks upstream_links_of(const NetworkScenario& scenario, const Network& network,
                                const std::vector<double>& modules, const Network::Switch& self, Bytes wire) {
    UpstreamLinks feeds;
    if (self.feeds.empty()) return feeds;
    const auto modules_of = [&](int link) { return modules[static_cast<std::size_t>(link)]; };
    feeds.slot = seconds_of(wire, network.links()[static_cast<std::size_t>(self.feeds.front())].rate);
    for (const int link : self.feeds) {
        feeds.fullest = std::max(feeds.fullest, modules_of(link));
        feeds.level = feeds.level && modules_of(link) == modules_of(self.feeds.front());
    }
    const bool splits = splits_links(self.settings);
    feeds.per_uplink.assign(static_cast<std::size_t>(self.settings.uplinks), splits ? self.inputs() : 0);
    UplinkSelector selector(self.settings, scenario.front_end, self.inputs());
    for (int input = 0; input < self.inputs() && !splits; ++input)
        ++feeds.per_uplink[static_cast<std::size_t>(selector.next(input, 1))];
    feeds.at_once = self.settings.uplink_choice.rule == UplinkChoice::Rule::Hash ? feeds.fullest : 1;
    return feeds;
}

/// Returns what the queues of one switch may hold, in frames of the busiest: the largest room with which surely nothing
/// is refused.
/// @param slack   frames of each queue beside its work: the one on its way out, and what waits for the switch's latency
/// @param fragments  that a module sends for each event; 0 where the inputs are those of links
double room_of(const Switch& network_switch, int inputs, const EventFrames& frames, const std::vector<double>& events,
               double slack, int fragments, double latency, double event) {
    const SwitchMemory memory(network_switch.buffer, inputs, network_switch.uplinks);
    double pool = frames.held_by(memory.units(), memory.accounts().layout().pool_size);
    if (network_switch.buffer.descriptors)
        pool = std::min(pool, frames.frames_of_descriptors(*network_switch.buffer.descriptors));
    const double most = most_of(events);
    double all = 0, used = 0, least = most;
    for (const double each : events)
        if (each > 0) {
            all += each;
            ++used;
            least = std::min(least, each);
        }
    const double parts = all / most;  // frames of all queues over those of the fullest
    const double together = (pool - used * slack) / parts;
    const Sharing sharing = network_switch.buffer.sharing;
    if (sharing == Sharing::PerOutput) return pool - slack;
    if (sharing == Sharing::PerInput) {
        // A module's input holds the frames of the events that are not yet gone: those whose work waits, the one that
        // is leaving, and the last.
        if (fragments > 0) return most / fragments * (pool - 2 * fragments) - most * latency / least + event;
        return splits_links(network_switch) ? together : pool - slack;
    }
    if (sharing == Sharing::DynamicThreshold) {
        const double alpha = as_number(network_switch.buffer.alpha);
        return std::min(together, (alpha * pool - slack * (1 + alpha * used)) / (1 + alpha * parts));
    }
    return together;
}

}  // namespace

double LossBound::log_probability(std::optional<double> precision) const {
    const double of_queue = precision && behind_links ? log_loss_upper_bound(*behind_links, *precision) : 0;
    if (room < event || decay <= 0) return of_queue;
    const double tail = decay * (room - event);
    return std::isinf(decay) ? -kUnbounded : std::min(of_queue, (level ? 0 : std::log1p(tail)) - tail);
}

std::optional<std::int64_t> LossBound::lossless_events(double separation) const {
    if (room < event) return 0;
    const double late = step - std::max(separation, spacing);
    if (late <= 0) return std::nullopt;
    return static_cast<std::int64_t>(std::min(1e15, std::floor((room - event) / (per_trigger * late / step)))) + 1;
}

double LossBounds::log_probability(std::optional<double> precision) const {
    double sum = -kUnbounded;
    std::vector<BatchQueue> counted;
    for (const LossBound& each : switches) {
        const double log = each.log_probability(precision);
        if (precision && log < each.log_probability()) {
            // Events that its queue loses are lost already where another switch has the same.
            if (std::any_of(counted.begin(), counted.end(),
                            [&](const BatchQueue& of) { return same(of, *each.behind_links); }))
                continue;
            counted.push_back(*each.behind_links);
        }
        sum = log_sum(sum, log);
    }
    return std::min(0.0, sum);
}

LossBounds LossBounds::of(const NetworkScenario& scenario, int first) {
    LossBounds bounds;
    bounds.obstacle = obstacle_of(scenario);
    if (bounds.obstacle) return bounds;
    const Network network(scenario);
    const std::vector<double> modules = modules_per_link(scenario, network);
    const EventFrames frames(scenario);
    const double trigger_rate = static_cast<double>(scenario.trigger.rate.count) * 1e-6,
                 dead_time = static_cast<double>(scenario.trigger.dead_time.count()) * 1e-12;
    for (int number = first; number < static_cast<int>(network.switches().size()); ++number) {
        const Network::Switch& self = network.switches()[static_cast<std::size_t>(number)];
        if (bounds.obstacle = obstacle_of(self.settings, frames); bounds.obstacle) return {{}, bounds.obstacle};
        const std::vector<double> carried(modules.begin() + self.first_link,
                                          modules.begin() + self.first_link + self.settings.uplinks);
        const double most = most_of(carried);
        if (most == 0) continue;
        const bool of_modules = self.feeds.empty();

        LossBound bound;
        bound.slot = seconds_of(frames.wire(), self.settings.uplink_rate);
        bound.per_trigger = most * frames.sum();
        bound.spacing = frames.seconds();
        bound.load = bound.per_trigger * bound.slot / (dead_time + 1 / trigger_rate);
        const UpstreamLinks feeds = upstream_links_of(scenario, network, modules, self, frames.wire());
        bound.level = feeds.level;
        const double largest = std::max(most * bound.slot, feeds.fullest * feeds.slot);
        bound.step = frames.sum() * largest;
        const bool builds_up = bound.step > bound.spacing;
        const EventFrames::Waiting waiting = frames.waiting(largest);
        // Links bring an event's frames when they do: behind them none counts as gone while it comes.
        const double whole = of_modules || !builds_up ? waiting.whole : frames.sum(),
                     before = builds_up ? waiting.idle
                                        : std::max(0.0, waiting.idle - (bound.spacing - bound.step) / largest);
        bound.event = most * (builds_up ? before + whole : std::max(before + whole, waiting.later));
        const double root =
            builds_up ? decay_rate({trigger_rate * bound.step, dead_time / bound.step, 0, 1, 0}) : kUnbounded;
        bound.decay = root / bound.per_trigger;
        const double latency = static_cast<double>(self.settings.latency.count()) * 1e-12 / bound.slot;
        const bool turns = self.settings.uplink_choice.rule == UplinkChoice::Rule::RoundRobin;
        // The frame on its way out; where frames take turns, one more; behind links, one for which the uplink waits.
        double slack = 1 + latency + (turns ? 1 : 0) + (of_modules ? 0 : 1);
        std::vector<double> held = carried;
        if (!of_modules && most_of(feeds.per_uplink) * bound.slot <= feeds.slot) {
            held = feeds.per_uplink;
            bound.event = most_of(held);
            bound.step = 0;
            bound.decay = kUnbounded;
        } else {
            slack += feeds.at_once * feeds.slot * bound.per_trigger / bound.step;
        }
        bound.room = room_of(self.settings, self.inputs(), frames, held, slack, of_modules ? frames.number() : 0,
                             latency, bound.event);
        if (!of_modules && builds_up && bound.step > 0 && frames.alike()) {
            // A queue whose events of `event` frames last `step` seconds, and no less than `link` on the way to it.
            const auto queue = [&](double event, double step, double link, double room) {
                const double whole = std::max(1.0, std::round(event)), unit = step / whole;
                const BatchQueue made{trigger_rate * unit, dead_time / unit, link / unit, std::llround(whole),
                                      room * whole / event};
                return made.growth() >= 1 ? std::make_optional(made) : std::nullopt;
            };
            const double on_link = frames.sum() * feeds.fullest * feeds.slot;
            if (on_link >= bound.spacing && !splits_links(self.settings)) {
                std::vector<double> fullest = feeds.per_uplink;
                for (double& each : fullest) each *= feeds.fullest;
                const double event = most_of(fullest) * frames.sum();
                const double room = room_of(self.settings, self.inputs(), frames, fullest,
                                            2 + latency + most_of(feeds.per_uplink), 0, latency, event);
                bound.behind_links = queue(event, event * bound.slot, on_link, room + on_link / bound.slot);
            } else if (feeds.level || on_link + feeds.at_once * feeds.slot <= bound.spacing) {
                bound.behind_links = queue(bound.per_trigger, bound.step, bound.spacing, bound.room);
            }
        }
        const auto known = [&](const LossBound& other) {
            return other.event == bound.event && other.room == bound.room && other.slot == bound.slot &&
                   other.step == bound.step && other.level == bound.level &&
                   other.behind_links.has_value() == bound.behind_links.has_value() &&
                   (!bound.behind_links || same(*other.behind_links, *bound.behind_links));
        };
        if (std::none_of(bounds.switches.begin(), bounds.switches.end(), known)) bounds.switches.push_back(bound);
    }
    return bounds;
}

}  // namespace watershed
