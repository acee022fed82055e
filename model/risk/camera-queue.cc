// SPDX-License-Identifier: GPL-2.0-only
#include "model/risk/camera-queue.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "model/base/frame.h"
#include "model/base/log-sum.h"
#include "model/exact/engine.h"
#include "model/exact/exact-run.h"
#include "model/exact/uniform-camera.h"
#include "model/frontend/sender-fields.h"
#include "model/network/network.h"
#include "model/switch/output-queued-switch.h"
#include "model/switch/switch-memory.h"

namespace watershed {
namespace {

constexpr double kRounding = 1e-9;  // rounding of levels, in frames

double picoseconds(TransmissionTime slot) {
    return static_cast<double>(slot.numerator) / static_cast<double>(slot.denominator);
}

/// A memory with a dynamic threshold, in frames.
struct Threshold {
    double alpha;
    double pool;
    std::int64_t alone;  ///< largest length of a single queue
};

Threshold threshold_of(const NetworkScenario& scenario) {
    const Buffer& buffer = scenario.network_switch.buffer;
    const SwitchMemory memory(buffer, scenario.front_end.modules, scenario.network_switch.uplinks);
    const std::int64_t pool = memory.accounts().layout().pool_size,
                       cost = memory.units().cost(frames_of_fragment(scenario.frame).front().buffer);
    // A queue of q may grow while q < alpha (pool - q).
    const Wide share = Wide{buffer.alpha.numerator} * pool,
               whole = Wide{buffer.alpha.numerator + buffer.alpha.denominator} * cost;
    return {as_number(buffer.alpha), static_cast<double>(pool) / static_cast<double>(cost),
            std::min(static_cast<std::int64_t>(ceil_div(share, whole)), pool / cost)};
}

/// The memory that frames find at a switch, uplink by uplink.
class Uplinks {
  public:
    Uplinks(const SynchronousCamera& camera, const std::optional<Threshold>& threshold, double latency,
            double least_latency)
        : camera_(camera),
          threshold_(threshold),
          latency_(latency),
          least_latency_(least_latency),
          leaving_(camera.release_at_start ? 1 : 0) {
        for (const std::int64_t modules : camera.modules_of_uplink)
            if (modules > 0) modules_.push_back(modules);
        std::sort(modules_.begin(), modules_.end(), std::greater<>());
    }

    std::int64_t most() const { return modules_.front(); }
    const std::vector<std::int64_t>& modules() const { return modules_; }

    /// Whether all uplinks hold the same at any time, whatever is lost.
    bool move_in_step(const NetworkScenario& scenario) const {
        return modules_.size() == 1 ||
               (modules_.back() == most() && scenario.network_switch.uplink_choice.rule == UplinkChoice::Rule::Modulo &&
                scenario.network_switch.arrival_order != ArrivalOrder::Random && !threshold_ &&
                camera_.room % static_cast<std::int64_t>(modules_.size()) == 0);
    }

    /// The most work that an event may find waiting for the fullest uplink, of which `own` frames of the memory are,
    /// and surely lose nothing.
    double harmless(bool shared, double own) const {
        if (!shared) return own + leaving_ - static_cast<double>(most()) - latency_;
        if (crowded(0)) return -1;
        double fits = 0, loses = 1;
        while (!crowded(loses)) loses *= 2;
        for (int i = 0; i < 100; ++i) {
            const double middle = (fits + loses) / 2;
            (crowded(middle) ? loses : fits) = middle;
        }
        return std::abs(fits - std::round(fits)) < kRounding ? std::round(fits) : fits;
    }

    /// The most work that an event may find waiting for each of the `count` fullest uplinks, if none of its frames is
    /// to be lost.
    double tolerable(bool shared, double own, std::size_t count) const {
        double level = own + leaving_ - static_cast<double>(most());
        const auto n = static_cast<double>(modules_[count - 1]), k = static_cast<double>(count);
        const auto sum = static_cast<double>(
            std::accumulate(modules_.begin(), modules_.begin() + static_cast<std::ptrdiff_t>(count), std::int64_t{0}));
        if (shared && threshold_)  // the last of these frames of the event comes upon all others
            level = std::ceil((threshold_->alpha * (threshold_->pool - sum + 1) - n + 1) / (1 + threshold_->alpha * k) +
                              kRounding) -
                    1 + leaving_;
        else if (shared)
            level = std::floor((static_cast<double>(camera_.room - camera_.modules) +
                                leaving_ * static_cast<double>(modules_.size())) /
                               k);
        return level < 0 ? level : std::max(level - least_latency_, 0.0);
    }

  private:
    /// Whether an event may lose frames that finds so much work waiting for the fullest uplink.
    bool crowded(double work) const {
        double frames = 0, fullest = 0;
        for (const std::int64_t modules : modules_) {
            const double waiting =
                std::ceil(work * static_cast<double>(modules) / static_cast<double>(most()) + latency_ - kRounding);
            if (frames == 0) fullest = waiting + static_cast<double>(modules);
            frames += waiting + static_cast<double>(modules);
        }
        if (!threshold_)
            return frames > static_cast<double>(camera_.room) + leaving_ * static_cast<double>(modules_.size());
        return fullest - 1 + threshold_->alpha * (frames - 1) >= threshold_->alpha * threshold_->pool - kRounding ||
               frames > std::floor(threshold_->pool);
    }

    const SynchronousCamera& camera_;
    std::optional<Threshold> threshold_;
    double latency_;
    double least_latency_;               ///< least time for which a frame is held beyond its turn, if any waits
    double leaving_;                     ///< frame on its way out of each uplink
    std::vector<std::int64_t> modules_;  ///< modules of the uplinks that have any, most first
};

}  // namespace

double accepted_rate(const Trigger& trigger) {
    if (!trigger.rules.empty())
        throw UnsupportedScenario("trigger.rules",
                                  "how many triggers they let pass is not known without a run; dead time is");
    const double period = 1e6 / static_cast<double>(trigger.rate.count), dead_time = in_seconds(trigger.dead_time);
    // Evenly spaced triggers: every k-th is accepted, the first that is not within the dead time.
    if (trigger.pattern == Trigger::Pattern::Periodic)
        return 1 / (period * std::max(1.0, std::ceil(dead_time / period)));
    return 1 / (static_cast<double>(trigger.dead_time.count()) * 1e-12 + period);
}

UnsupportedKey not_poisson(const Senders& senders) {
    const Trigger& from = senders.trigger;
    if (from.pattern != Trigger::Pattern::Poisson) return {"trigger.pattern", "the triggers are not \"poisson\""};
    if (!senders.groups.empty()) return {"group", "modules are of several kinds"};
    if (senders.builders.count > 1) return {"server.builders", "events go to several builders"};
    Senders copied = senders;
    copied.trigger = {};
    copied.trigger.pattern = from.pattern;
    copied.trigger.rate = from.rate;
    copied.trigger.dead_time = from.dead_time;
    copied.trigger.events = from.events;  // how long it lasts does not change the chance
    copied.trigger.duration = from.duration;
    const SenderField* field = first_left_out(sender_fields(), senders, copied);
    return field ? UnsupportedKey{field->name, "the triggers are not at random at one rate alone"} : UnsupportedKey{};
}

CameraQueue CameraQueue::of(const NetworkScenario& scenario) {
    if (UnsupportedKey obstacle = not_poisson(scenario)) return {std::nullopt, obstacle};
    UnsupportedKey obstacle;
    std::optional<Threshold> threshold;
    NetworkScenario plain = scenario;
    if (const Buffer& buffer = scenario.network_switch.buffer; buffer.sharing == Sharing::DynamicThreshold) {
        if (!OutputQueuedSwitch::of(scenario.network_switch, &obstacle)) return {std::nullopt, obstacle};
        if (buffer.accounting != Buffer::Accounting::Egress || buffer.descriptors)
            return {std::nullopt,
                    {buffer.descriptors ? "switch.buffer.descriptors" : "switch.buffer.accounting",
                     "the thresholds are not those of the uplinks alone"}};
        threshold = threshold_of(scenario);
        plain.network_switch.buffer = Buffer{};
        plain.network_switch.buffer.release = buffer.release;
        plain.network_switch.buffer.size = {std::max<std::int64_t>(threshold->alone, 1), MemorySize::Unit::Frame};
    }
    plain.frame.fragments.number = 1;  // a list of payloads is left, and refused
    const auto camera = SynchronousCamera::of(plain, &obstacle);
    if (!camera) return {std::nullopt, obstacle};
    if (camera->takes_turns) return {std::nullopt, {"switch.uplink_selection", "frames take turns"}};

    const double slot = picoseconds(camera->uplink_slot);
    BatchQueue queue;
    queue.trigger_rate = static_cast<double>(scenario.trigger.rate.count) * 1e-18 * slot;
    queue.dead_time = static_cast<double>(scenario.trigger.dead_time.count()) / slot;
    const int fragments = scenario.frame.fragments.number;
    const double on_link = picoseconds(camera->link) / slot;
    queue.link_time = fragments * on_link;
    const double latency = static_cast<double>(scenario.network_switch.latency.count()) / slot;
    const Uplinks uplinks(*camera, threshold, latency, std::min(latency, fragments > 1 ? on_link : queue.pace()));
    const bool in_step = uplinks.move_in_step(plain), by_input = camera->pools == SynchronousCamera::Pools::Input;
    if (by_input && fragments > 1)
        return {std::nullopt,
                {"front_end.fragments", "a module sends several for each event, into a memory of its own"}};
    const bool shared = camera->pools == SynchronousCamera::Pools::All && !in_step;
    const auto room = static_cast<double>(camera->room), sharers = static_cast<double>(uplinks.modules().size());
    const double own = by_input                                         ? room * static_cast<double>(uplinks.most())
                       : camera->pools == SynchronousCamera::Pools::All ? room / sharers
                                                                        : room;

    Queues queues{queue, {}, !shared && (!by_input || (camera->room == 1 && !camera->release_at_start))};
    // All fragments of an event are taken to come with the first. When the last does, the uplink has sent so many
    // frames meanwhile.
    const auto fill = [&](BatchQueue& uplink, std::int64_t modules, double waiting) {
        const auto frames = static_cast<double>(modules);
        uplink.modules = fragments * modules;
        uplink.room = waiting + frames + (fragments - 1) * std::min(frames, on_link);
    };
    fill(queues.upper_bound_queue, uplinks.most(), uplinks.harmless(shared, own));
    for (std::size_t count = 1; count <= (shared ? uplinks.modules().size() : 1); ++count)
        fill(queues.lower_bound_queue.emplace_back(queue), uplinks.modules()[count - 1],
             uplinks.tolerable(shared, own, count));
    if (queues.lower_bound_queue.front().room != queues.upper_bound_queue.room) queues.exact = false;
    if (const double growth = queues.upper_bound_queue.growth(); growth > 0 && growth < 1)
        return {std::nullopt, {"front_end.modules", "an event adds less than a frame to what waits"}};
    return {queues, {}};
}

Enclosure log_loss_probability(const CameraQueue& camera, double precision) {
    const auto& [upper_bound_queue, lower_bound_queue, exact] = *camera.queues;
    constexpr double kApart = 0.1;  // bounds that are apart need not be known more closely
    if (!exact) precision = std::max(precision, kApart);
    Enclosure log = log_loss_probability(upper_bound_queue, precision);
    if (exact) return log;
    log.lower = -std::numeric_limits<double>::infinity();
    for (const BatchQueue& each : lower_bound_queue)
        log.lower = std::max(log.lower, log_loss_lower_bound(each, upper_bound_queue, precision));
    log.upper = log_loss_upper_bound(upper_bound_queue, precision);
    log.estimate = std::clamp(log.estimate, log.lower, log.upper);
    return log;
}

EquivalentQueues EquivalentQueues::of(const NetworkScenario& scenario) {
    EquivalentQueues chains;
    std::vector<NetworkScenario> parts{scenario};
    if (!has_one_switch(scenario)) {
        if (UnsupportedKey obstacle = needs_events(scenario)) return {{}, obstacle};
        const Network network(scenario);
        if (!is_separable(scenario, network))
            return {{}, {"switch", "there are several, in more than one tier or not all alike"}};
        const std::vector<int> alike = representative_switch(scenario, network);
        parts.clear();
        for (int i = 0; i < static_cast<int>(alike.size()); ++i)
            if (alike[static_cast<std::size_t>(i)] == i) parts.push_back(network.part(scenario, i));
        // A queue that gets more frames of each event is never the shorter one.
        chains.nested = scenario.nodes.empty() && scenario.network_switch.uplinks == 1 &&
                        scenario.network_switch.buffer.sharing == Buffer::Sharing::Shared;
    }
    for (const NetworkScenario& part : parts) {
        chains.cameras.push_back(CameraQueue::of(part));
        if (!chains.cameras.back().queues) return {{}, chains.cameras.back().obstacle};
    }
    return chains;
}

bool EquivalentQueues::exact() const {
    return (nested || cameras.size() == 1) &&
           std::all_of(cameras.begin(), cameras.end(), [](const CameraQueue& camera) { return camera.queues->exact; });
}

Enclosure EquivalentQueues::log_loss(double precision) const {
    Enclosure log = log_loss_probability(cameras.front(), precision);
    for (std::size_t i = 1; i < cameras.size(); ++i) {
        const Enclosure other = log_loss_probability(cameras[i], precision);
        log.lower = std::max(log.lower, other.lower);
        log.estimate = std::max(log.estimate, other.estimate);
        log.upper = nested ? std::max(log.upper, other.upper) : std::min(0.0, log_sum(log.upper, other.upper));
    }
    return log;
}

std::string EquivalentQueues::remark() const {
    std::string text = "what the queue settles to, from trigger to trigger";
    if (cameras.size() > 1)
        text += nested ? " of the fullest switch, which loses whenever another does"
                       : " of each switch; the upper bound is the sum of theirs";
    if (!exact()) text += "; the bounds are those of the first loss and of a memory without limit";
    return text;
}

}  // namespace watershed
