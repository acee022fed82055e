// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/port-check.h"

#include <algorithm>
#include <stdexcept>

#include "model/network/network.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {

NeededPorts needed_ports(const Scenario& scenario, const Network& network, int number) {
    const SwitchPlace self = switch_places(network, scenario)[static_cast<std::size_t>(number)];
    NeededPorts needed;
    for (const SwitchPlace::Input& input : self.inputs) ++needed.speeds[input.rate].inputs;
    for (const BitRate uplink : self.uplinks) ++needed.speeds[uplink].uplinks;
    return needed;
}

PortFit fit_ports(const std::vector<PortGroup>& ports, const NeededPorts& needed) {
    using Fit = PortFit::Fit;
    if (ports.empty()) return {Fit::Unknown, BitRate{0}, 0, "its ports are unknown"};
    std::map<BitRate, int> have;
    for (const PortGroup& group : ports) have[group.speed] += group.count;
    for (const auto& [speed, wanted] : needed.speeds) have.try_emplace(speed, 0);
    PortFit fit;
    int spare = 0;  // faster ones
    for (auto group = have.rbegin(); group != have.rend(); ++group) {
        const auto wanted = needed.speeds.find(group->first);
        const int missing = (wanted == needed.speeds.end() ? 0 : wanted->second.all()) - group->second;
        if (missing <= 0) {
            spare -= missing;
            continue;
        }
        const bool hopeless = missing > spare;
        spare = std::max(0, spare - missing);
        if (fit.fits == Fit::No || (fit.fits == Fit::Unknown && !hopeless)) continue;
        fit = {hopeless ? Fit::No : Fit::Unknown, group->first, group->second,
               "it has " + (group->second == 0 ? std::string("no") : std::to_string(group->second)) +
                   (group->second <= 1 ? " port of " : " ports of ") + to_text(group->first) + ", " +
                   std::to_string(missing + group->second) +
                   (missing + group->second == 1 ? " is needed" : " are needed") +
                   (hopeless ? "" : "; whether its faster ports run at that speed is unknown")};
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
