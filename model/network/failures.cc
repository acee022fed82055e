// SPDX-License-Identifier: GPL-2.0-only
#include "model/network/failures.h"

#include <algorithm>
#include <string>

namespace watershed {
namespace {

/// The key by which frames of a switch wait elsewhere than in a queue of their uplink; empty if there is none.
std::string obstacle_of(const Switch& of) {
    return of.input_fifo                                 ? "input_fifo"
           : of.fabric_rate                              ? "fabric_rate"
           : of.queueing == Queueing::InputFifo          ? "queueing \"input-fifo\""
           : of.cut_through                              ? "cut_through"
           : of.buffer.dram                              ? "buffer.dram"
           : of.buffer.release == Buffer::Release::Start ? "buffer.release \"start\""
                                                         : "";
}

}  // namespace

NetworkFailures::NetworkFailures(const Network& network, const Senders& senders)
    : network_(network), builders_(senders.builders.count) {
    const std::vector<Failure>& failures = network.failures();
    if (failures.empty()) return;
    const std::string first = "failure." + failures.front().name;
    if (senders.builders.receiving() > 1) throw KeyError(first, "conflicts with server.copies \"all\"");
    for (const Network::Switch& each : network.switches())
        if (const std::string key = obstacle_of(each.settings); !key.empty())
            throw KeyError(first, "conflicts with " + key + " of " + each.name);
    links_.resize(network.links().size());
    ports_.resize(entry_points(network).size());
    for (const Failure& failure : failures) {
        const std::string key = "failure." + failure.name;
        failure.link.empty() ? fail_switch(failure, key + ".switch") : fail_link(failure, key + ".link");
        times_.push_back(failure.at);
        if (failure.until) times_.push_back(*failure.until);
    }
    std::sort(times_.begin(), times_.end());
    times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
}

void NetworkFailures::fail_link(const Failure& failure, const std::string& key) {
    bool found = false;
    const auto fail = [&](DownTimes& link) {
        link.add(failure.at, failure.until.value_or(Time::max()));
        found = true;
    };
    const std::vector<Network::Switch>& switches = network_.switches();
    for (std::size_t i = 0; i < links_.size(); ++i) {
        const Network::Link& link = network_.links()[i];
        const std::string to =
            link.to == Network::kServer ? "server" : switches[static_cast<std::size_t>(link.to)].name;
        if (failure.link == network_.name(link) ||
            failure.link == switches[static_cast<std::size_t>(link.from)].name + " to " + to)
            fail(links_[i]);
    }
    for (const Network::Switch& each : switches)
        for (int module = each.modules_before; module < each.modules_before + each.modules && !found; ++module)
            if (failure.link == "module " + std::to_string(module + 1) + " to " + each.name)
                fail(ports_[static_cast<std::size_t>(module)]);
    if (found) return;
    const Network::Link& last = network_.links().back();  // leads to the server
    const auto first_with_modules =
        std::find_if(switches.begin(), switches.end(), [](const Network::Switch& each) { return each.modules > 0; });
    throw KeyError(key, "found \"" + failure.link + "\", expected a link such as \"" + network_.name(last) + "\", \"" +
                            switches[static_cast<std::size_t>(last.from)].name + " to server\" or \"module 1 to " +
                            first_with_modules->name + "\"");
}

void NetworkFailures::fail_switch(const Failure& failure, const std::string& key) {
    const std::vector<Network::Switch>& switches = network_.switches();
    const auto self = std::find_if(switches.begin(), switches.end(),
                                   [&](const Network::Switch& each) { return each.name == failure.at_switch; });
    if (self == switches.end())
        throw KeyError(key, "found \"" + failure.at_switch + "\", expected the name of a switch, such as \"" +
                                switches.front().name + "\"");
    const auto fail = [&](DownTimes& link) { link.add(failure.at, failure.until.value_or(Time::max())); };
    for (int uplink = 0; uplink < self->settings.uplinks; ++uplink)
        fail(links_[static_cast<std::size_t>(self->first_link + uplink)]);
    for (const int feed : self->feeds) fail(links_[static_cast<std::size_t>(feed)]);
    for (int module = 0; module < self->modules; ++module)
        fail(ports_[static_cast<std::size_t>(self->modules_before + module)]);
    for (const int port : self->stream_ports) fail(ports_[static_cast<std::size_t>(port)]);
}

std::vector<std::vector<bool>> NetworkFailures::reached(Time time) const {
    const std::size_t switches = network_.switches().size();
    std::vector<std::vector<bool>> reached(switches, std::vector<bool>(static_cast<std::size_t>(builders_)));
    for (std::size_t i = network_.links().size(); i-- > 0;) {  // none is fed by a later switch
        const Network::Link& link = network_.links()[i];
        if (links_[i].hold(time)) continue;
        std::vector<bool>& from = reached[static_cast<std::size_t>(link.from)];
        if (link.to == Network::kServer)
            from[static_cast<std::size_t>(link.builder)] = true;
        else
            for (std::size_t builder = 0; builder < from.size(); ++builder)
                if (reached[static_cast<std::size_t>(link.to)][builder]) from[builder] = true;
    }
    return reached;
}

std::vector<UplinkChange> NetworkFailures::changes(int number) const {
    std::vector<UplinkChange> changes;
    if (!any()) return changes;
    const Network::Switch& self = network_.switches()[static_cast<std::size_t>(number)];
    std::vector<bool> was_down(static_cast<std::size_t>(self.settings.uplinks));
    for (const Time time : times_) {
        const auto reached = this->reached(time);
        UplinkChange change{time, {}, std::vector<std::vector<int>>(static_cast<std::size_t>(builders_) + 1)};
        for (int uplink = 0; uplink < self.settings.uplinks; ++uplink) {
            const int of_link = self.first_link + uplink;
            const Network::Link& link = network_.links()[static_cast<std::size_t>(of_link)];
            const bool down = links_[static_cast<std::size_t>(of_link)].hold(time);
            if (down && !was_down[static_cast<std::size_t>(uplink)]) change.failing.push_back(uplink);
            was_down[static_cast<std::size_t>(uplink)] = down;
            if (down) continue;
            bool any = false;
            for (int builder = 0; builder < builders_; ++builder) {
                if (link.to == Network::kServer
                        ? link.builder != builder
                        : !reached[static_cast<std::size_t>(link.to)][static_cast<std::size_t>(builder)])
                    continue;
                change.towards[static_cast<std::size_t>(builder)].push_back(uplink);
                any = true;
            }
            if (any) change.towards.back().push_back(uplink);
        }
        if (!change.failing.empty() || changes.empty() || change.towards != changes.back().towards)
            changes.push_back(std::move(change));
    }
    return changes;
}

}  // namespace watershed
