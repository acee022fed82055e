// SPDX-License-Identifier: GPL-2.0-only

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "model/base/outcome.h"
#include "model/exact/exact-run.h"
#include "model/frontend/front-end.h"

namespace watershed {
namespace {

/// Whether switches with equally many modules see the same: nothing about a module depends on its number in the whole
/// camera.
bool parts_are_alike(const NetworkScenario& scenario) {
    return scenario.nodes.empty() && is_synchronous(scenario.front_end) && scenario.frame.payloads.empty() &&
           scenario.network_switch.arrival_order != ArrivalOrder::Random &&
           scenario.network_switch.uplink_choice.rule != UplinkChoice::Rule::Hash;
}

/// Outcomes of parts, put together one after the other.
class Sum {
  public:
    void add(const Outcome& part, const Network::Switch& network_switch) {
        sum_.frames_sent += part.frames_sent;
        sum_.frames_received += part.frames_received;
        sum_.events_sent = part.events_sent;  // every switch's modules see every trigger
        sum_.add_decided_by_ties(part.decided_by_ties);
        sum_.frames_marked += part.frames_marked;
        sum_.frames_to_dram += part.frames_to_dram;
        sum_.simulated = std::max(sum_.simulated, part.simulated);
        sum_.events_in_order = sum_.events_in_order && part.events_in_order;
        Outcome::Switch seen = part.switches.front();
        const std::string only = seen.name;
        seen.name = network_switch.name;
        sum_.add(std::move(seen));
        for (const auto& loss : part.losses)
            losses_[{loss.where == only ? network_switch.name : loss.where, loss.reason}] += loss.frames;
        for (auto [sum, links] :
             {std::pair(&sum_.uplinks, &part.uplinks), std::pair(&sum_.module_links, &part.module_links)})
            sum->insert(sum->end(), links->begin(), links->end());
        sum_.lost_by_module.insert(sum_.lost_by_module.end(), part.lost_by_module.begin(), part.lost_by_module.end());
        if (!part.first_loss) return;
        FirstLoss first = *part.first_loss;
        const bool at_front_end = first.where == FrontEndPort::kFifoFull.where;
        first.frame.module += network_switch.modules_before;
        if (!at_front_end) first.where = network_switch.name;
        if (!sum_.first_loss || precedes(first, *sum_.first_loss)) sum_.first_loss = first;
    }

    Outcome result(IncompleteEvents incomplete) {
        incomplete.report(sum_);
        for (const auto& [cause, frames] : losses_) sum_.losses.push_back({cause.first, cause.second, frames});
        return std::move(sum_);
    }

  private:
    /// In the order of Ledger; `b` is of a switch before that of `a`.
    static bool precedes(const FirstLoss& a, const FirstLoss& b) {
        const auto place = [](const FirstLoss& loss) { return loss.where == FrontEndPort::kFifoFull.where ? 0 : 1; };
        return std::make_tuple(a.time, place(a)) < std::make_tuple(b.time, place(b));
    }

    Outcome sum_;
    std::map<std::pair<std::string, std::string>, std::int64_t> losses_;
};

}  // namespace

std::string key_for_one_switch(const NetworkScenario& scenario) {
    const bool one = has_one_switch(scenario) || scenario.trigger.pattern != Trigger::Pattern::LineRatePlusBurst;
    return one ? "" : "trigger.pattern";
}

bool is_separable(const NetworkScenario& scenario, const Network& network) {
    const auto& switches = network.switches();
    if (scenario.server.receiver) return false;
    // Early drops draw lots by the number of the switch.
    return network.is_one_tier() &&
           std::all_of(switches.begin(), switches.end(),
                       [](const auto& s) { return !s.settings.buffer.drops_early(); }) &&
           !needs_events(scenario) && key_for_one_switch(scenario).empty();
}

std::vector<int> representative_switch(const NetworkScenario& scenario, const Network& network) {
    std::vector<int> first;
    std::map<int, int> of_modules;
    const bool alike = parts_are_alike(scenario);
    for (int i = 0; i < static_cast<int>(network.switches().size()); ++i)
        first.push_back(
            alike ? of_modules.emplace(network.switches()[static_cast<std::size_t>(i)].modules, i).first->second : i);
    return first;
}

Outcome run_per_switch(const NetworkScenario& scenario, const Network& network, const Observer* observer,
                       const std::function<Outcome(const NetworkScenario&, const Observer*)>& run) {
    const auto& switches = network.switches();
    const std::vector<int> first = representative_switch(scenario, network);
    const auto runs = static_cast<std::int64_t>(std::set<int>(first.begin(), first.end()).size());
    std::map<int, Outcome> known;
    std::int64_t done = 0;
    Observer each_part;
    if (observer && observer->progress)
        each_part.progress = [&](std::int64_t events) { observer->progress(done + events / runs); };
    // An event may be incomplete for several switches, which are run one after the other.
    std::vector<std::uint32_t> missing;
    std::int64_t times = 0;
    each_part.incomplete_kept = 0;
    each_part.incomplete = [&](const Outcome::IncompleteEvent& event) {
        if (static_cast<std::int64_t>(missing.size()) < event.event)
            missing.resize(static_cast<std::size_t>(event.event + event.event / 4));
        missing[static_cast<std::size_t>(event.event - 1)] += static_cast<std::uint32_t>(event.missing * times);
    };
    Sum sum;
    for (int i = 0; i < static_cast<int>(switches.size()); ++i) {
        const Network::Switch& each = switches[static_cast<std::size_t>(i)];
        const int same = first[static_cast<std::size_t>(i)];
        if (same == i) {
            times = std::count(first.begin(), first.end(), i);
            known[i] = run(network.part(scenario, i), &each_part);
            done += known[i].events_sent / runs;
        }
        sum.add(known[same], each);
    }
    IncompleteEvents incomplete(observer);
    for (std::size_t i = 0; i < missing.size(); ++i)
        if (missing[i] != 0) incomplete.add(static_cast<std::int64_t>(i) + 1, missing[i]);
    return sum.result(std::move(incomplete));
}

}  // namespace watershed
