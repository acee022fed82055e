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
#include "model/exact/uniform-switch.h"
#include "model/frontend/ledger.h"
#include "model/network/network.h"
#include "model/server/camera-server.h"

namespace watershed {
namespace {

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
          by_number_(rank_.is_by_number()),
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
            if (due[i] > least || (due[i] == least && (by_number_ || least == never_ || !precedes(i, first)))) continue;
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
    const bool by_number_;  ///< then the first of equal ones precedes: modules have the lowest inputs
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
