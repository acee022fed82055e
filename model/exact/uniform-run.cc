// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <optional>
#include <vector>

#include "model/exact/uniform-switch.h"
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

    UniformStage(const UniformCamera& camera, const Network& network, int number, const Incast& scenario,
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

    /// No links from other switches lead to it. Then these three are all that is needed.
    bool sees_modules_alone() const { return feeds_.empty(); }
    /// When the next frame of its modules arrives; later than any can if there is none.
    Tick time_of_module() const { return modules_->next() ? modules_->next()->time : never_; }
    Frame of_module() const {
        const auto& arrival = *modules_->next();
        return {arrival.time, modules_->event(), self_.modules_before + arrival.input + 1, arrival.input};
    }
    void pop_module() { modules_->pop(); }

    /// When the next of all frames arrives; later than any can if there is none.
    Tick next_time() {
        if (modules_) due_[0] = time_of_module();
        return due_[first_ = first()];
    }
    /// That frame, after next_time(), which is on its way no more.
    Frame take() {
        if (first_ == 0) {
            const Frame frame = of_module();
            pop_module();
            return frame;
        }
        Ring<Frame>& feed = feeds_[first_ - 1];
        const Frame frame = feed.pop();
        due_[first_] = feed.empty() ? never_ : feed.front().time;
        return frame;
    }
    /// A frame is on its way by a link from another switch.
    void expect(const Frame& frame) {
        const auto feed = static_cast<std::size_t>(frame.input - self_.modules);
        if (feeds_[feed].empty()) due_[feed + 1] = frame.time;
        feeds_[feed].push(frame);
    }

    UniformSwitch<Tick>& network_switch() { return switch_; }
    const UniformSwitch<Tick>& network_switch() const { return switch_; }
    const Network::Switch& self() const { return self_; }
    std::int64_t events() const { return modules_ ? modules_->events() : 0; }

  private:
    std::size_t first() const {
        std::size_t first = 0;
        Tick least = due_[0];
        for (std::size_t i = 1; i < due_.size(); ++i) {
            if (due_[i] > least || (due_[i] == least && (least == never_ || !precedes(i, first)))) continue;
            first = i;
            least = due_[i];
        }
        return first;
    }
    /// Of two that arrive at one instant.
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
    UniformRun(const UniformCamera& camera, const Incast& scenario, const Observer* observer)
        : scenario_(scenario),
          network_(scenario),
          observer_(observer),
          last_(Tick{kLastDeparture.count()} * Tick(camera.grid.ticks)),
          slice_(Tick{kSlice.count()} * Tick(camera.grid.ticks)),
          ledger_(observer),
          server_(scenario.front_end.modules, FragmentSizes(scenario.frame, scenario.seed), scenario.trigger) {
        stages_.reserve(network_.switches().size());
        for (int i = 0; i < static_cast<int>(network_.switches().size()); ++i)
            stages_.emplace_back(camera, network_, i, scenario, observer);
    }

    Outcome run() {
        for (;;) {
            Tick first = last_ + 1;
            for (Stage& stage : stages_) first = std::min(first, stage.next_time());
            if (first > last_) break;
            const Tick until = std::min(first + slice_, last_);
            for (Stage& stage : stages_)  // none is fed by a later one
                follow(stage, until);
        }
        for (Stage& stage : stages_) stage.network_switch().release_until(last_ + 1);
        return outcome();
    }

  private:
    using Stage = UniformStage<Tick>;

    /// So much time passes at one switch after the other.
    static constexpr Time kSlice{100'000'000};

    [[gnu::flatten]] void follow(Stage& stage, Tick until) {
        const Network::Link* const links = network_.links().data() + stage.self().first_link;
        if (stage.sees_modules_alone())
            for (; stage.time_of_module() <= until; stage.pop_module()) decide(stage, links, stage.of_module());
        else
            while (stage.next_time() <= until) decide(stage, links, stage.take());
    }

    void decide(Stage& stage, const Network::Link* links, const typename Stage::Frame& frame) {
        typename UniformSwitch<Tick>::Departure departure;
        if (const LossCause* cause =
                stage.network_switch().arrive(frame.event, frame.module, frame.input, frame.time, departure))
            return lost(stage, frame, *cause);
        const Network::Link& link = links[departure.uplink];
        if (link.to == Network::kServer)
            server_.receive({frame.event, frame.module, 0});
        else
            stages_[static_cast<std::size_t>(link.to)].expect({departure.time, frame.event, frame.module, link.input});
    }

    /// @param frame  by value, so that whoever calls it need not have one in memory
    [[gnu::noinline]] void lost(const Stage& stage, typename Stage::Frame frame, const LossCause& cause) {
        ledger_.lost({frame.event, frame.module, 0}, stage.network_switch().time_of(frame.time),
                     {stage.self().name, cause.reason}, static_cast<int>(&stage - stages_.data()));
    }

    Outcome outcome() const {
        std::int64_t events = 0;
        for (const Stage& stage : stages_) events = std::max(events, stage.events());
        Outcome outcome = close_books(events, server_, ledger_, observer_);
        outcome.module_links = module_links(scenario_, events, ledger_);
        for (const Stage& stage : stages_) stage.network_switch().report(outcome);
        return outcome;
    }

    const Incast& scenario_;
    const Network network_;
    const Observer* observer_;
    const Tick last_;
    const Tick slice_;
    Ledger ledger_;
    CameraServer server_;
    std::vector<Stage> stages_;
};

}  // namespace

Outcome run_uniform(const UniformCamera& camera, const Incast& scenario, const Observer* observer) {
    if (camera.grid.ticks == 1) return UniformRun<std::int64_t>(camera, scenario, observer).run();
    return UniformRun<Wide>(camera, scenario, observer).run();
}

}  // namespace watershed
