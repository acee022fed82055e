// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "model/base/outcome.h"
#include "model/base/ring.h"
#include "model/base/timestamp.h"
#include "model/exact/exact-run.h"
#include "model/exact/uniform-arrivals.h"
#include "model/exact/uniform-camera.h"
#include "model/frontend/ledger.h"
#include "model/network/network.h"
#include "model/server/camera-server.h"
#include "model/switch/switch-control.h"
#include "model/switch/switch-memory.h"
#include "model/switch/switch-report.h"
#include "model/switch/uplinks.h"

namespace watershed {
namespace {

/// A plain switch through which frames of one size go: it counts them, and knows the time as a number of ticks.
template <class Tick>
class UniformSwitch {
  public:
    /// @param number  of the switch in `network`, which must outlive this, as must the camera
    UniformSwitch(const UniformCamera& camera, const Network& network, int number, const NetworkScenario& scenario)
        : self_(network.switches()[static_cast<std::size_t>(number)]),
          number_(number),
          seed_(scenario.seed),
          memory_(camera.memories[static_cast<std::size_t>(number)]),
          frame_(camera.frame),
          ticks_(camera.grid.ticks),
          latency_(self_.settings.latency.count() * ticks_),
          last_(Tick{kLastDeparture.count()} * ticks_),
          by_pool_(memory_.pools != UniformCamera::Pools::All),
          by_input_(by_pool_ ? memory_.pools == UniformCamera::Pools::Input : memory_.by_input),
          has_shares_(memory_.has_rules || by_pool_ ||
                      (memory_.of_queue != 0 && (by_input_ || self_.settings.uplinks > 1))),
          sure_(surely_taken(memory_)),
          selector_(self_.settings, scenario.front_end, self_.inputs()),
          shares_(static_cast<std::size_t>(by_input_ ? self_.inputs() : self_.settings.uplinks)) {
        for (int i = 0; i < self_.settings.uplinks; ++i) {
            Uplink uplink;
            uplink.link = &network.links()[static_cast<std::size_t>(self_.first_link + i)];
            uplink.slot = static_cast<Tick>(slot_in_ticks(frame_.wire, uplink.link->rate, {}, camera.grid));
            if (self_.settings.buffer.release == Buffer::Release::Start) uplink.early = uplink.slot;
            uplinks_.push_back(std::move(uplink));
        }
        is_ordered_ = memory_.has_rules && uplinks_.size() > 1;
        if (memory_.has_rules)
            rules_ = make_switch_memory(self_.settings.buffer, self_.inputs(), self_.settings.uplinks);
    }

    /// A link that frames leave by, and those that have not left the memory yet.
    struct Uplink {
        const Network::Link* link = nullptr;
        Tick slot = 0;
        Tick early = 0;  ///< before a frame has left it gives its memory back
        Tick free = 0;
        std::int64_t sent = 0;
        Ring<Tick> releases;  ///< release times of the frames in memory, ascending
        Ring<int> inputs;     ///< inputs of these frames, where there are shares
    };

    /// A frame has arrived, now; call it in the order in which the switch decides.
    /// @param module  of the whole camera, from 1
    /// @return by which uplink it leaves and when, at which that is free again; null if it is lost
    const Uplink* arrive(std::int64_t event, int module, int input, Tick now) {
        if (first_release_ <= now) release_until(now);
        if (event != sequence_.latest()) sequence_.deciding(event, all_.held == 0 && now >= busy_until());
        const int output = selector_.next(input, module);
        const int number = by_input_ ? input : output;
        Share& share = has_shares_ ? shares_[static_cast<std::size_t>(number)] : all_;
        Share& pool = by_pool_ ? share : all_;
        if (pool.held >= sure_ && is_lost(pool, share.held, {event, module, 0}, input, output, now)) return nullptr;
        pool.taken_in = now;
        if (++all_.held >= peak_) {
            peak_ = all_.held;
            fullest_ = now;
            recovering_ = true;
        }
        Uplink& uplink = uplinks_[static_cast<std::size_t>(output)];
        uplink.free = std::max(uplink.free, now + latency_) + uplink.slot;
        if (uplink.free > last_) throw TimeExceeded(uplink.link->rate);
        const Tick release = uplink.free - uplink.early;
        uplink.releases.push(release);
        first_release_ = std::min(first_release_, release);
        if (has_shares_) {
            ++share.held;
            uplink.inputs.push(input);
        }
        ++uplink.sent;
        return &uplink;
    }

    /// Departures come before arrivals at equal times.
    void release_until(Tick now) {
        while (is_ordered_ && first_release_ < now) release_all(first_release_);
        release_all(now);
        if (all_.held > 0 || !recovering_) return;
        drained_ = 0;
        for (const Uplink& uplink : uplinks_) drained_ = std::max(drained_, uplink.free - uplink.early);
        recovering_ = false;
    }

    /// Rounded up.
    Time time_of(Tick tick) const { return Time{static_cast<std::int64_t>(ceil_div(tick, ticks_))}; }

    /// Adds what it saw.
    void report(Outcome& outcome) const {
        std::int64_t lost = 0;
        for (const Loss& loss : losses_) {
            outcome.losses.push_back({self_.name, std::string(loss.cause->reason), loss.frames});
            lost += loss.frames;
        }
        if (first_loss_ && (!outcome.first_loss || first_loss_->time < outcome.first_loss->time))
            outcome.first_loss = first_loss_;
        outcome.add({self_.name, lost, peak_, frame_.buffer * peak_,
                     MemoryUnits(self_.settings.buffer).cells(peak_, frame_.buffer), sequence_.first_idle(),
                     time_of(fullest_), time_of(drained_)});
        outcome.add_decided_by_ties({decided_by_ties_});
        if (rules_) outcome.frames_marked += rules_->frames_marked();
        outcome.simulated = std::max(outcome.simulated, time_of(std::max(busy_until(), last_loss_)));
        outcome.events_in_order = outcome.events_in_order && sequence_.in_order();
        for (const Uplink& uplink : uplinks_) outcome.uplinks.push_back({uplink.sent, frame_.wire * uplink.sent});
    }

  private:
    /// Share of an input or an output: a memory of its own, or a queue that a threshold limits.
    struct Share {
        std::int64_t held = 0;  ///< frames
        Tick taken_in = -1;     ///< time at which the last frame was taken in, if it is a memory
    };
    struct Loss {
        const LossCause* cause;
        std::int64_t frames;
    };

    /// With fewer frames than this in a pool another one has room there, whatever queues they are in.
    static std::int64_t surely_taken(const UniformCamera::Memory& memory) {
        if (memory.has_rules) return 0;
        const std::int64_t room = std::min(memory.room, memory.descriptors), of_both = memory.of_queue + memory.of_held;
        return of_both == 0 ? room : std::min(room, (memory.threshold - 1) / of_both + 1);
    }

    const LossCause* refusal(std::int64_t held, std::int64_t queued) const {
        if (held >= memory_.room) return &SwitchMemory::kBufferFull;
        if (queued * memory_.of_queue + held * memory_.of_held >= memory_.threshold) return &SwitchMemory::kThreshold;
        return held >= memory_.descriptors ? &SwitchMemory::kDescriptors : nullptr;
    }
    [[gnu::noinline]] bool is_lost(const Share& pool, std::int64_t queued, const FrameId& frame, int input, int output,
                                   Tick now) {
        const LossCause* const cause =
            rules_ ? rules_->admit(
                         {input, output, frame_.buffer, early_drop_lot(self_.settings.buffer, seed_, frame, number_)})
                   : refusal(pool.held, queued);
        if (!cause) return false;
        last_loss_ = now;
        if (memory_.pools != UniformCamera::Pools::Input && pool.taken_in == now && Ties::is_for_room(*cause))
            ++decided_by_ties_;
        if (!first_loss_) first_loss_ = FirstLoss{frame, time_of(now), self_.name};
        const auto known =
            std::find_if(losses_.begin(), losses_.end(), [&](const Loss& loss) { return loss.cause == cause; });
        if (known != losses_.end())
            ++known->frames;
        else
            losses_.push_back({cause, 1});
        return true;
    }

    /// Uplink by uplink.
    void release_all(Tick until) {
        first_release_ = last_ + 1;
        for (std::size_t i = 0; i < uplinks_.size(); ++i) {
            Ring<Tick>& releases = uplinks_[i].releases;
            const std::int64_t before = releases.size();
            while (!releases.empty() && releases.front() <= until) releases.drop();
            const std::int64_t gone = before - releases.size();
            all_.held -= gone;
            if (has_shares_) give_back(i, gone);
            if (!releases.empty()) first_release_ = std::min(first_release_, releases.front());
        }
    }
    /// The shares of so many frames that leave by an uplink.
    [[gnu::noinline]] void give_back(std::size_t uplink, std::int64_t frames) {
        for (; frames > 0; --frames) {
            const int input = uplinks_[uplink].inputs.pop();
            --shares_[by_input_ ? static_cast<std::size_t>(input) : uplink].held;
            if (rules_) rules_->release({input, static_cast<int>(uplink), frame_.buffer});
        }
    }

    /// The last of the uplinks sends.
    Tick busy_until() const {
        Tick until = 0;
        for (const Uplink& uplink : uplinks_) until = std::max(until, uplink.free);
        return until;
    }

    const Network::Switch& self_;
    const int number_;
    const std::uint64_t seed_;
    const UniformCamera::Memory memory_;
    std::unique_ptr<SwitchMemory> rules_;
    bool is_ordered_;  ///< these may ask in which order uplinks give memory back
    const FrameSizes frame_;
    const Tick ticks_;  ///< ticks of a picosecond
    const Tick latency_;
    const Tick last_;
    const bool by_pool_;       ///< each share is a memory of its own
    const bool by_input_;      ///< shares are of inputs, else of outputs
    const bool has_shares_;    ///< else the sum tells all
    const std::int64_t sure_;  ///< see surely_taken()
    UplinkSelector selector_;
    std::vector<Uplink> uplinks_;
    Tick first_release_ = last_ + 1;
    std::vector<Share> shares_;
    Share all_;  ///< sum of all shares
    std::int64_t peak_ = 0;
    Tick fullest_ = 0;
    Tick drained_ = 0;
    bool recovering_ = false;
    EventSequence sequence_;
    std::int64_t decided_by_ties_ = 0;
    std::vector<Loss> losses_;
    std::optional<FirstLoss> first_loss_;
    Tick last_loss_ = 0;
};

/// A switch, and what is on its way to it: the frames of its modules, and those on each link from another switch.
template <class Tick>
class UniformStage {
  public:
    struct Frame {
        Tick time;
        std::int64_t event;
        int module;
        int input;
    };

    UniformStage(const UniformCamera& camera, const Network& network, int number, const NetworkScenario& scenario,
                 const Observer* observer)
        : self_(network.switches()[static_cast<std::size_t>(number)]),
          switch_(camera, network, number, scenario),
          rank_(self_.settings.arrival_order, self_.inputs(), scenario.seed, self_.inputs_before),
          never_(Tick{kLastDeparture.count()} * Tick(camera.grid.ticks) + 1),
          due_(1 + self_.feeds.size(), never_),
          feeds_(self_.feeds.size()) {
        if (self_.modules == 0) return;
        modules_.emplace(network.part(scenario, number), camera.frame.wire, rank_, camera.grid, observer);
    }

    /// No links from other switches lead to it. Then modules() are all that it sees.
    bool sees_modules_alone() const { return feeds_.empty(); }
    UniformArrivals<Tick>& modules() { return *modules_; }
    Frame of_module(std::int64_t event, const typename UniformArrivals<Tick>::Arrival& arrival) const {
        return {arrival.time, event, self_.modules_before + arrival.input + 1, arrival.input};
    }

    /// Finds the next of all frames, after expect() was called.
    void look() {
        due_[0] = due_of_modules();
        for (std::size_t i = 0; i < feeds_.size(); ++i) due_[i + 1] = due_of(feeds_[i]);
        choose();
    }
    /// Time of the next arrival; later than any can be if there is none.
    Tick next_time() const { return due_[first_]; }
    /// Takes the next frame off the links.
    Frame take() {
        const std::size_t first = first_;
        if (first == 0) {
            const Frame frame = of_module(modules_->event(), *modules_->next());
            modules_->pop();
            due_[0] = due_of_modules();
            choose();
            return frame;
        }
        Ring<Frame>& feed = feeds_[first - 1];
        const Frame frame = feed.pop();
        due_[first] = due_of(feed);
        choose();
        return frame;
    }
    /// A frame is on its way by a link from another switch.
    void expect(const Frame& frame) { feeds_[static_cast<std::size_t>(frame.input - self_.modules)].push(frame); }

    UniformSwitch<Tick>& network_switch() { return switch_; }
    const UniformSwitch<Tick>& network_switch() const { return switch_; }
    const Network::Switch& self() const { return self_; }
    std::int64_t events() const { return modules_ ? modules_->events() : 0; }
    void end_at(std::int64_t events) {
        if (modules_) modules_->end_at(events);
    }

  private:
    Tick due_of_modules() const { return modules_ && modules_->next() ? modules_->next()->time : never_; }
    Tick due_of(const Ring<Frame>& feed) const { return feed.empty() ? never_ : feed.front().time; }
    void choose() {
        const Tick* const due = due_.data();
        const std::size_t count = due_.size();
        std::size_t first = 0;
        Tick least = due[0];
        for (std::size_t i = 1; i < count; ++i) {
            if (due[i] > least || (due[i] == least && (least == never_ || !precedes(i, first)))) continue;
            first = i;
            least = due[i];
        }
        first_ = first;
    }
    /// Returns true if source `a` precedes source `b`, whose frames arrive at one instant.
    [[gnu::noinline]] bool precedes(std::size_t a, std::size_t b) const {
        const auto rank_at = [this](std::size_t i) {
            return i == 0 ? rank_(modules_->event(), modules_->next()->input + 1)
                          : rank_(feeds_[i - 1].front().event, feeds_[i - 1].front().input + 1);
        };
        const std::uint64_t rank_of_a = rank_at(a), rank_of_b = rank_at(b);
        return rank_of_a != rank_of_b ? rank_of_a < rank_of_b : a < b;  // modules have the lowest inputs
    }

    const Network::Switch& self_;
    UniformSwitch<Tick> switch_;
    ArrivalRank rank_;
    const Tick never_;
    std::size_t first_ = 0;
    std::vector<Tick> due_;  ///< the next of the modules, and of each link
    std::optional<UniformArrivals<Tick>> modules_;
    std::vector<Ring<Frame>> feeds_;
};

template <class Tick>
class UniformRun {
  public:
    UniformRun(const UniformCamera& camera, const NetworkScenario& scenario, const Observer* observer)
        : network_(scenario),
          observer_(observer),
          last_(Tick{kLastDeparture.count()} * Tick(camera.grid.ticks)),
          slice_(Tick{kSlice.count()} * Tick(camera.grid.ticks)),
          wire_(camera.frame.wire) {
        outcome_.lost_by_module.resize(static_cast<std::size_t>(scenario.front_end.modules));
        if (scenario.server.receiver)
            server_.emplace(scenario, scenario.server, network_.builders_of_interfaces(),
                            CameraServer::Reports{[this](const FrameId& frame, Time time, const LossCause& cause) {
                                                      lost(frame.event, frame.module);
                                                      lost_by_server_.lost(frame, time, cause);
                                                  },
                                                  {}});
        stages_.reserve(network_.switches().size());
        for (int i = 0; i < static_cast<int>(network_.switches().size()); ++i)
            stages_.emplace_back(camera, network_, i, scenario, observer);
    }

    Outcome run() {
        for (;;) {
            Tick first = last_ + 1;
            for (Stage& stage : stages_) {
                stage.look();
                first = std::min(first, stage.next_time());
            }
            if (first > last_) break;
            const Tick until = std::min(first + slice_, last_);
            if (server_) server_->advance(stages_.front().network_switch().time_of(first));  // departures are later
            for (Stage& stage : stages_)  // none is fed by a later one
                follow(stage, until);
            if (observer_ && observer_->may_end_at_loss && !missing_.empty())
                for (Stage& stage : stages_) stage.end_at(events());
        }
        for (Stage& stage : stages_) stage.network_switch().release_until(last_ + 1);
        if (server_) server_->finish();
        return outcome();
    }

  private:
    using Stage = UniformStage<Tick>;

    /// Time by which one switch after the other is advanced.
    static constexpr Time kSlice{100'000'000};

    [[gnu::flatten]] void follow(Stage& stage, Tick until) {
        if (stage.sees_modules_alone())
            stage.modules().pop_until(until, [&](std::int64_t event, const auto& arrival) {
                decide(stage, stage.of_module(event, arrival));
            });
        else
            for (stage.look(); stage.next_time() <= until;) decide(stage, stage.take());
    }

    void decide(Stage& stage, const typename Stage::Frame& frame) {
        const auto* const uplink = stage.network_switch().arrive(frame.event, frame.module, frame.input, frame.time);
        if (!uplink) return lost(frame.event, frame.module);
        const Network::Link& link = *uplink->link;
        if (link.to != Network::kServer)
            stages_[static_cast<std::size_t>(link.to)].expect({uplink->free, frame.event, frame.module, link.input});
        else if (server_)
            arrive_at_server({frame.event, frame.module, 0}, link.input, stage.network_switch().time_of(uplink->free));
    }
    [[gnu::noinline]] void arrive_at_server(const FrameId& frame, int interface, Time time) {
        server_->arrive(frame, interface, time);
    }

    void lost(std::int64_t event, int module) {
        ++outcome_.lost_by_module[static_cast<std::size_t>(module - 1)];
        const auto index = static_cast<std::size_t>(event - 1);
        if (index >= missing_.size()) missing_.resize(index + 1);
        ++missing_[index];
    }

    std::int64_t events() const {
        std::int64_t events = 0;
        for (const Stage& stage : stages_) events = std::max(events, stage.events());
        return events;
    }

    Outcome outcome() {
        const std::int64_t events = outcome_.events_sent = this->events();
        const auto modules = static_cast<std::int64_t>(outcome_.lost_by_module.size());
        IncompleteEvents incomplete(observer_);
        for (std::size_t i = 0; i < missing_.size(); ++i)
            if (missing_[i] != 0) incomplete.add(static_cast<std::int64_t>(i) + 1, missing_[i]);
        incomplete.report(outcome_);
        outcome_.module_links.assign(outcome_.lost_by_module.size(), {events, wire_ * events});
        outcome_.frames_sent = modules * events;
        for (const Stage& stage : stages_) stage.network_switch().report(outcome_);
        if (server_) report_server();
        std::sort(outcome_.losses.begin(), outcome_.losses.end(), [](const auto& a, const auto& b) {
            return std::tie(a.where, a.reason) < std::tie(b.where, b.reason);
        });
        for (std::size_t i = 0; i < outcome_.uplinks.size(); ++i)
            if (network_.links()[i].to == Network::kServer) outcome_.frames_received += outcome_.uplinks[i].frames;
        outcome_.frames_received -= lost_by_server_.frames_lost();
        const std::int64_t lost =
            std::accumulate(outcome_.lost_by_module.begin(), outcome_.lost_by_module.end(), std::int64_t{0});
        if (outcome_.frames_lost() != lost) throw std::logic_error("the books do not balance");
        return std::move(outcome_);
    }

    void report_server() {
        outcome_.server = server_->seen();
        outcome_.events_in_order = false;  // frames of later events may fill what an earlier one waits for
        for (const Outcome::Loss& loss : lost_by_server_.losses()) outcome_.losses.push_back(loss);
        const auto& first = lost_by_server_.first_loss();
        if (first && (!outcome_.first_loss || first->time < outcome_.first_loss->time)) outcome_.first_loss = first;
    }

    const Network network_;
    const Observer* observer_;
    std::optional<CameraServer> server_;  ///< one with limits
    Ledger lost_by_server_{nullptr};
    const Tick last_;
    const Tick slice_;
    const Bytes wire_;
    std::vector<Stage> stages_;
    std::vector<std::uint32_t> missing_;  ///< frames, by event
    Outcome outcome_;
};

}  // namespace

Outcome run_uniform(const UniformCamera& camera, const NetworkScenario& scenario, const Observer* observer) {
    if (camera.grid.ticks == 1) return UniformRun<std::int64_t>(camera, scenario, observer).run();
    return UniformRun<Wide>(camera, scenario, observer).run();
}

}  // namespace watershed
