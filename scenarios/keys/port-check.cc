// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/port-check.h"

#include <algorithm>
#include <stdexcept>

#include "model/network/network.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {

std::vector<NeededPorts> needed_ports(const Scenario& scenario, const Network& network) {
    std::vector<NeededPorts> all;
    for (const SwitchPlace& place : switch_places(network, scenario)) {
        NeededPorts& needed = all.emplace_back();
        for (const SwitchPlace::Input& input : place.inputs) ++needed.speeds[input.rate].inputs;
        for (const BitRate uplink : place.uplinks) ++needed.speeds[uplink].uplinks;
    }
    return all;
}

namespace {

/// Ports that are left for slower links.
struct SparePorts {
    BitRate speed;
    int count;
    const std::map<BitRate, int>* breakout;  ///< as in Breakouts; null: unknown

    /// Returns the number of ports of a speed that one of these certainly splits into; 0 if none.
    int stated(BitRate slower) const { return breakout && breakout->count(slower) > 0 ? breakout->at(slower) : 0; }
    /// Returns the number that it may do.
    int possible(BitRate slower) const {
        constexpr BitRate k10{10'000'000'000}, k25{25'000'000'000}, k40{40'000'000'000}, k100{100'000'000'000};
        const bool usual = (speed == k100 && (slower == k25 || slower == k10)) || (speed == k40 && slower == k10);
        return usual && !breakout ? 4 : 1;
    }
};

/// Takes ports for links. @param ports_of  links that one port serves @return links that are left without one
template <class PortsOf>
int take_ports(std::vector<SparePorts>& spare, int links, const PortsOf& ports_of) {
    for (auto each = spare.rbegin(); each != spare.rend() && links > 0; ++each) {  // the slowest first
        const int many = ports_of(*each);
        if (many == 0) continue;
        const int taken = std::min(each->count, (links + many - 1) / many);
        each->count -= taken;
        links -= taken * many;
    }
    return std::max(0, links);
}

}  // namespace

PortFit fit_ports(const std::vector<PortGroup>& ports, const NeededPorts& needed, const Breakouts& breakouts) {
    using Fit = PortFit::Fit;
    if (ports.empty()) return {Fit::Unknown, BitRate{0}, 0, "its ports are unknown"};
    std::map<BitRate, int> have;
    for (const PortGroup& group : ports) have[group.speed] += group.count;
    for (const auto& [speed, wanted] : needed.speeds) have.try_emplace(speed, 0);
    PortFit fit;
    std::vector<SparePorts> spare;  // faster ones, the fastest first
    for (auto at = have.rbegin(); at != have.rend(); ++at) {
        const BitRate speed = at->first;
        const int count = at->second;
        const auto wanted = needed.speeds.find(speed);
        const int all = wanted == needed.speeds.end() ? 0 : wanted->second.all();
        if (all <= count) {
            const auto breakout = breakouts.find(speed);
            spare.push_back({speed, count - all, breakout == breakouts.end() ? nullptr : &breakout->second});
            continue;
        }
        const int missing = take_ports(spare, all - count, [&](const SparePorts& of) { return of.stated(speed); });
        if (missing == 0) continue;
        int whole = 0;
        for (const SparePorts& each : spare) whole += each.count;
        const bool split = missing > whole;
        const bool hopeless =
            take_ports(spare, missing, [&](const SparePorts& of) { return split ? of.possible(speed) : 1; }) > 0;
        if (fit.fits == Fit::No || (fit.fits == Fit::Unknown && !hopeless)) continue;
        fit = {hopeless ? Fit::No : Fit::Unknown, speed, count,
               "it has " + (count == 0 ? std::string("no") : std::to_string(count)) +
                   (count <= 1 ? " port of " : " ports of ") + to_text(speed) + ", " + std::to_string(all) +
                   (all == 1 ? " is needed" : " are needed") +
                   (hopeless ? ""
                    : split  ? "; whether its faster ports can be split into four of that speed is unknown (breakout)"
                             : "; whether its faster ports run at that speed is unknown")};
    }
    return fit;
}

std::vector<PortGroup> parse_ports(const std::string& text) {
    const auto refuse = [&] {
        throw std::invalid_argument("found \"" + text + "\", expected ports such as \"48 x 1 Gb/s + 4 x 10 Gb/s\"");
    };
    std::vector<PortGroup> ports;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('+', begin), text.size());
        const std::string group = text.substr(begin, end - begin);
        const std::size_t times = group.find(" x ");
        std::size_t digits = 0;
        int count = 0;
        try {
            if (times == std::string::npos) refuse();
            count = std::stoi(group, &digits);
        } catch (const std::logic_error&) {
            refuse();
        }
        if (group.find_first_not_of(' ', digits) != times + 1 || count < 1 || count > 65535) refuse();
        try {
            const std::string speed = group.substr(times + 3);
            ports.push_back({parse_bit_rate(speed.substr(0, speed.find_last_not_of(' ') + 1)), count});
        } catch (const std::invalid_argument&) {
            refuse();
        }
        begin = end + 1;
    }
    return ports;
}

std::string to_text(const std::vector<PortGroup>& ports) {
    return listed(
        ports, [](const PortGroup& group) { return std::to_string(group.count) + " x " + to_text(group.speed); },
        " + ");
}

}  // namespace watershed
