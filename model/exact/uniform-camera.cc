// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/uniform-camera.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "model/base/ring.h"
#include "model/base/time-limit.h"
#include "model/frontend/uniform-senders.h"
#include "model/network/network.h"
#include "model/server/camera-server.h"
#include "model/switch/arrival-order.h"
#include "model/switch/plain-switch.h"
#include "model/switch/switch-report.h"
#include "model/switch/uplinks.h"

namespace watershed {
namespace {

using Pools = UniformCamera::Pools;

/// What a frame lasts on a link, in ticks. @throws TimeExceeded as span_of() does
Wide ticks_of(Bytes wire, BitRate rate, ClockTolerance tolerance, TimeGrid grid) {
    return grid.ticks_of(span_of(Slot::of(wire, rate, tolerance), rate, grid));
}

/// When frames arrive at the switch, one after the other. @tparam Tick  of the grid, counted from 0
template <class Tick>
class UniformArrivals {
  public:
    struct Arrival {
        Tick time;
        int input;
    };

    UniformArrivals(const UniformCamera& camera, const Incast& scenario, const Observer* observer)
        : ticks_(camera.grid.ticks),
          observer_(observer),
          rank_(scenario.network_switch.arrival_order, scenario.front_end.modules, scenario.seed,
                scenario.front_end.modules_before),
          train_(scenario.trigger, scenario.seed),
          link_(scenario.front_end.link_rate),
          last_(Tick{kLastDeparture.count()} * ticks_) {
        const FrontEnd& front_end = scenario.front_end;
        for (int number = 1; number <= front_end.modules; ++number) {
            const ClockTolerance tolerance = module_timing(front_end, scenario.seed, number).tolerance;
            ports_.push_back({FragmentTiming(front_end, scenario.seed, number),
                              static_cast<Tick>(ticks_of(camera.frame.wire, link_, tolerance, camera.grid)), 0});
        }
        trigger_ = train_.next();
        turn();
    }

    /// The next one; null after the last.
    const Arrival* next() const { return next_; }
    /// Whose it is.
    std::int64_t event() const { return now_.number; }
    /// Goes on to the one after that.
    void pop() {
        if (++next_ == now_.end || next_->time >= alone_until_) turn();
    }
    /// Triggers read so far; all of them after the last arrival.
    std::int64_t events() const { return events_; }

  private:
    struct Port {
        FragmentTiming timing;
        Tick slot;
        Tick free;
    };
    /// The arrivals of one event, in their order.
    struct Event {
        std::int64_t number = 0;
        std::vector<Arrival> arrivals;
        const Arrival* next = nullptr;
        const Arrival* end = nullptr;
    };

    /// @param event  whose arrivals they are
    bool precedes(const Arrival& a, std::int64_t event_of_a, const Arrival& b, std::int64_t event_of_b) const {
        if (a.time != b.time) return a.time < b.time;
        const std::uint64_t rank_of_a = rank_(event_of_a, a.input + 1), rank_of_b = rank_(event_of_b, b.input + 1);
        return rank_of_a != rank_of_b ? rank_of_a < rank_of_b : a.input < b.input;
    }
    /// A heap has the largest first.
    auto later() const {
        return [this](const Event& a, const Event& b) { return precedes(*b.next, b.number, *a.next, a.number); };
    }

    /// Turns to the event of the next arrival.
    void turn() {
        if (next_ != now_.end) {
            now_.next = next_;
            others_.push_back(std::move(now_));
            std::push_heap(others_.begin(), others_.end(), later());
        }
        while (trigger_ && (others_.empty() || others_.front().next->time >= unread_from_)) read();
        next_ = nullptr;
        if (others_.empty()) return;
        std::pop_heap(others_.begin(), others_.end(), later());
        std::swap(now_, others_.back());
        spare_ = std::move(others_.back().arrivals);
        others_.pop_back();
        next_ = now_.next;
        alone_until_ = trigger_ ? unread_from_ : last_ + 1;
        if (!others_.empty()) alone_until_ = std::min(alone_until_, others_.front().next->time);
    }

    /// Reads the next event.
    void read() {
        const std::int64_t number = ++events_;
        if (observer_ && observer_->progress && number % 1024 == 0) observer_->progress(number);
        Event event;
        event.number = number;
        event.arrivals = std::move(spare_);
        event.arrivals.resize(ports_.size());
        Arrival* arrival = event.arrivals.data();
        Tick all_free = last_;  // the links of all modules, from then on
        int input = 0;
        for (Port& port : ports_) {
            const Tick offered = port.timing.offer_time(number, *trigger_).count() * ticks_;
            port.free = std::max(offered, port.free) + port.slot;
            *arrival++ = {port.free, input++};
            all_free = std::min(all_free, port.free);
            if (port.free > last_) throw TimeExceeded(link_);
        }
        trigger_ = train_.next();
        if (trigger_) unread_from_ = std::max(trigger_->count() * ticks_, all_free);
        const auto in_order = [this, number](const Arrival& a, const Arrival& b) {
            return precedes(a, number, b, number);
        };
        if (!std::is_sorted(event.arrivals.begin(), event.arrivals.end(), in_order))
            std::sort(event.arrivals.begin(), event.arrivals.end(), in_order);
        event.next = event.arrivals.data();
        event.end = event.next + event.arrivals.size();
        others_.push_back(std::move(event));
        std::push_heap(others_.begin(), others_.end(), later());
    }

    const Tick ticks_;  ///< of a picosecond
    const Observer* observer_;
    ArrivalRank rank_;
    TriggerTrain train_;
    BitRate link_;
    const Tick last_;
    std::vector<Port> ports_;
    std::optional<Time> trigger_;  ///< the next one, unread
    Tick unread_from_ = 0;         ///< no arrival of an event that is yet to be read is earlier
    std::int64_t events_ = 0;
    Event now_;
    std::vector<Event> others_;  ///< that have arrivals left: a heap
    std::vector<Arrival> spare_;
    Tick alone_until_ = 0;  ///< nor is one of theirs earlier than this
    const Arrival* next_ = nullptr;
};

template <class Tick>
class UniformRun {
  public:
    UniformRun(const UniformCamera& camera, const Incast& scenario, const Observer* observer)
        : camera_(camera),
          scenario_(scenario),
          observer_(observer),
          ticks_(camera.grid.ticks),
          latency_(scenario.network_switch.latency.count() * ticks_),
          last_(Tick{kLastDeparture.count()} * ticks_),
          never_(last_ + 1),
          arrivals_(camera, scenario, observer),
          selector_(scenario.network_switch, scenario.front_end),
          ledger_(observer),
          server_(scenario.front_end.modules, FragmentSizes(scenario.frame, scenario.seed), scenario.trigger),
          uplinks_(static_cast<std::size_t>(scenario.network_switch.uplinks)),
          pools_(camera.pools == Pools::Input    ? static_cast<std::size_t>(scenario.front_end.modules)
                 : camera.pools == Pools::Output ? uplinks_.size()
                                                 : 1),
          queues_(camera.by_input ? static_cast<std::size_t>(scenario.front_end.modules) : uplinks_.size()) {
        const BitRate rate = scenario.network_switch.uplink_rate;
        slot_ = static_cast<Tick>(ticks_of(camera.frame.wire, rate, {}, camera.grid));
    }

    Outcome run() {
        while (const auto* arrival = arrivals_.next()) {
            decide(arrivals_.event(), *arrival);
            arrivals_.pop();
        }
        release_until(never_);
        return outcome();
    }

  private:
    struct Release {
        Tick time;
        int input;
    };
    struct Uplink {
        Tick free = 0;
        Ring<Release> releases;  ///< of the frames in memory, by time
        std::int64_t sent = 0;
    };
    struct Pool {
        std::int64_t held = 0;  ///< frames
        Tick taken_in = -1;     ///< when the last one was
    };

    Pool& pool_of(int input, int output) {
        const int pool = camera_.pools == Pools::Input ? input : camera_.pools == Pools::Output ? output : 0;
        return pools_[static_cast<std::size_t>(pool)];
    }
    std::int64_t& queue_of(int input, int output) {
        return queues_[static_cast<std::size_t>(camera_.by_input ? input : output)];
    }

    const LossCause* refusal(const Pool& pool, std::int64_t queued) const {
        if (pool.held >= camera_.room) return &SwitchMemory::kBufferFull;
        if (queued * camera_.of_queue + pool.held * camera_.of_held >= camera_.threshold)
            return &SwitchMemory::kThreshold;
        return pool.held >= camera_.descriptors ? &SwitchMemory::kDescriptors : nullptr;
    }

    void decide(std::int64_t event, const typename UniformArrivals<Tick>::Arrival& arrival) {
        const Tick now = arrival.time;
        if (first_release_ <= now) release_until(now);
        sequence_.deciding(event, held_ == 0 && now >= busy_until_);
        const int output = selector_.next(arrival.input, arrival.input + 1);
        last_decision_ = now;
        Pool& pool = pool_of(arrival.input, output);
        std::int64_t& queued = queue_of(arrival.input, output);
        if (const LossCause* cause = refusal(pool, queued)) {
            if (camera_.pools != Pools::Input && pool.taken_in == now) ++decided_by_ties_;
            ledger_.lost({event, arrival.input + 1, 0}, time_of(now), *cause);
            return;
        }
        pool.taken_in = now;
        ++pool.held;
        ++queued;
        if (++held_ >= peak_) {
            peak_ = held_;
            fullest_ = now;
            recovering_ = true;
        }
        Uplink& uplink = uplinks_[static_cast<std::size_t>(output)];
        const Tick begin = std::max(uplink.free, now + latency_);
        uplink.free = begin + slot_;
        if (uplink.free > last_) throw TimeExceeded(scenario_.network_switch.uplink_rate);
        busy_until_ = std::max(busy_until_, uplink.free);
        const bool at_start = scenario_.network_switch.buffer.release == Buffer::Release::Start;
        const Tick release = at_start ? begin : uplink.free;
        uplink.releases.push({release, arrival.input});
        first_release_ = std::min(first_release_, release);
        ++uplink.sent;
        server_.receive({event, arrival.input + 1, 0});
    }

    /// Departures come before arrivals at equal times.
    void release_until(Tick now) {
        Tick last = 0;
        first_release_ = never_;
        for (int output = 0; output < static_cast<int>(uplinks_.size()); ++output) {
            Ring<Release>& releases = uplinks_[static_cast<std::size_t>(output)].releases;
            for (; !releases.empty() && releases.front().time <= now; --held_) {
                const Release release = releases.pop();
                --pool_of(release.input, output).held;
                --queue_of(release.input, output);
                last = std::max(last, release.time);
            }
            if (!releases.empty()) first_release_ = std::min(first_release_, releases.front().time);
        }
        if (held_ > 0 || !recovering_) return;
        drained_ = last;
        recovering_ = false;
    }

    /// Rounded up.
    Time time_of(Tick tick) const { return Time{static_cast<std::int64_t>(ceil_div(tick, ticks_))}; }

    Outcome outcome() {
        Outcome outcome = close_books(arrivals_.events(), server_, ledger_, observer_);
        outcome.module_links = module_links(scenario_, arrivals_.events(), ledger_);
        outcome.add({"switch", ledger_.frames_lost(), peak_, camera_.frame.buffer * peak_, sequence_.first_idle(),
                     time_of(fullest_), time_of(drained_)});
        outcome.add_decided_by_ties({decided_by_ties_});
        outcome.simulated = time_of(std::max(busy_until_, last_decision_));
        outcome.events_in_order = sequence_.in_order();
        for (const Uplink& uplink : uplinks_)
            outcome.uplinks.push_back({uplink.sent, camera_.frame.wire * uplink.sent});
        return outcome;
    }

    const UniformCamera camera_;
    const Incast& scenario_;
    const Observer* observer_;
    const Tick ticks_;  ///< of a picosecond
    const Tick latency_;
    const Tick last_;
    const Tick never_;
    Tick slot_;
    UniformArrivals<Tick> arrivals_;
    UplinkSelector selector_;
    Ledger ledger_;
    CameraServer server_;
    std::vector<Uplink> uplinks_;
    Tick first_release_ = never_;
    std::vector<Pool> pools_;
    std::vector<std::int64_t> queues_;  ///< frames of each
    std::int64_t held_ = 0;
    std::int64_t peak_ = 0;
    Tick fullest_ = 0;
    Tick drained_ = 0;
    bool recovering_ = false;
    EventSequence sequence_;
    std::int64_t decided_by_ties_ = 0;
    Tick busy_until_ = 0;
    Tick last_decision_ = 0;
};

}  // namespace

std::optional<UniformCamera> UniformCamera::of(const Incast& scenario, Obstacle* why) {
    if (Obstacle several = several_switches(scenario)) return refused(why, std::move(several));
    if (scenario.server.receiver) return refused(why, {"server.path", "the server has limits of its own"});
    const auto senders = UniformSenders::of(scenario, why, UniformSenders::Times::Own);
    if (!senders) return std::nullopt;
    const auto plain = PlainSwitch::of(scenario.network_switch, why);
    if (!plain) return std::nullopt;
    const Buffer& buffer = (*plain)->buffer;
    if (buffer.accounting == Buffer::Accounting::Both && buffer.sharing != Buffer::Sharing::Shared)
        return refused(why, {"switch.buffer.accounting", "queues of both sides decide"});
    const ExactTimes times = exact_times(scenario);
    if (!times.whole) return refused(why, {"front_end.clock", "no grid holds all times"});

    const SwitchMemory memory(buffer, (*senders)->front_end.modules, (*plain)->uplinks);
    UniformCamera camera{};
    camera.frame = frames_of_fragment((*senders)->frame).front();
    camera.pools = buffer.sharing == Buffer::Sharing::PerInput    ? Pools::Input
                   : buffer.sharing == Buffer::Sharing::PerOutput ? Pools::Output
                                                                  : Pools::All;
    camera.by_input = buffer.accounting == Buffer::Accounting::Ingress;
    const Wide size = memory.accounts().layout().pool_size, cost = memory.units().cost(camera.frame.buffer);
    camera.room = static_cast<std::int64_t>(size / cost);
    camera.descriptors = buffer.descriptors.value_or(std::numeric_limits<std::int64_t>::max());
    camera.threshold = 1;
    if (buffer.sharing == Buffer::Sharing::DynamicThreshold) {
        constexpr Wide kMost = std::numeric_limits<std::int64_t>::max() / 2;
        const Wide of_queue = cost * buffer.alpha.denominator, of_held = cost * buffer.alpha.numerator;
        const Wide frames = camera.room + 1;
        if (of_queue > kMost / frames || of_held > kMost / frames || size > kMost / buffer.alpha.numerator)
            return refused(why, {"switch.buffer.alpha", "too many digits"});
        camera.of_queue = static_cast<std::int64_t>(of_queue);
        camera.of_held = static_cast<std::int64_t>(of_held);
        camera.threshold = static_cast<std::int64_t>(size * buffer.alpha.numerator);
    }
    camera.grid = times.grid;
    return camera;
}

Outcome run_uniform(const UniformCamera& camera, const Incast& scenario, const Observer* observer) {
    if (camera.grid.ticks == 1) return UniformRun<std::int64_t>(camera, scenario, observer).run();
    return UniformRun<Wide>(camera, scenario, observer).run();
}

}  // namespace watershed
