// SPDX-License-Identifier: GPL-2.0-only
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "plots/topology-figure.h"
#include "scenarios/input-error.h"

namespace watershed {

NetworkResult NetworkResult::read(const std::string& file, const Scenario& scenario, const Network& network) {
    std::ifstream in(file);
    if (!in) throw InputError(file + ": cannot be read: " + std::strerror(errno));
    const auto expect = [&](const std::string& key, std::size_t found, std::size_t expected) {
        if (found != expected) throw InputError(file + ": " + key + ": found " + std::to_string(found) + ", expected the " + std::to_string(expected) + " of the scenario");
    };
    NetworkResult result;
    try {
        const auto json = nlohmann::json::parse(in);
        const auto& switches = json.at("switches");
        expect("switches", switches.size(), network.switches().size());
        expect("links", json.at("links").size(), network.links().size());
        expect("lost_by_module", json.at("lost_by_module").size(), static_cast<std::size_t>(scenario.front_end.modules));
        std::map<std::string, std::string> reasons;
        for (const auto& loss : json.at("losses")) {
            std::string& text = reasons[loss.at("where").get<std::string>()];
            text += (text.empty() ? "" : ", ") + loss.at("reason").get<std::string>();
        }
        for (std::size_t i = 0; i < switches.size(); ++i) {
            const auto& each = switches[i];
            const Network::Switch& self = network.switches()[i];
            const auto name = each.at("name").get<std::string>();
            if (name != self.name) throw InputError(file + ": switches: found \"" + name + "\", expected \"" + self.name + "\" as in the scenario");
            expect("switches." + name + ".modules", each.at("modules").get<std::size_t>(), static_cast<std::size_t>(self.modules));
            Switch seen;
            seen.frames_lost = each.at("frames_lost").get<std::int64_t>();
            seen.reasons = reasons[name];
            seen.peak_frames = each.at("peak_frames").get<std::int64_t>();
            if (self.modules > 0) {
                const auto& links = each.at("module_links");
                seen.module_links = links.at("utilisation").get<double>();
                // A module sends what it was asked for, but for what its FIFO refuses.
                const auto frames = json.at("frames").at("sent").get<std::int64_t>() / scenario.front_end.modules;
                seen.refused_by_modules = frames * self.modules - links.at("frames").get<std::int64_t>();
            }
            result.switches.push_back(seen);
        }
        for (const auto& link : json.at("links")) result.links.push_back(link.at("utilisation").get<double>());
        result.source = json.at("engine").get<std::string>() + " engine, seed " + std::to_string(json.at("seed").get<std::uint64_t>());
    } catch (const nlohmann::json::exception& error) {
        throw InputError(file + ": is no result of watershed run --json: " + error.what());
    }
    return result;
}

}  // namespace watershed
