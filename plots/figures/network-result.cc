// SPDX-License-Identifier: GPL-2.0-only
#include <map>

#include "plots/figures/topology-figure.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/json-file.h"

namespace watershed {

NetworkResult NetworkResult::read(const std::string& file, const Scenario& scenario, const Network& network) {
    const auto expect = [&](const std::string& key, std::size_t found, std::size_t expected) {
        if (found != expected)
            throw InputError(file + ": " + key + ": found " + std::to_string(found) + ", expected the " +
                             std::to_string(expected) + " of the scenario");
    };
    NetworkResult result;
    const auto json = read_json<nlohmann::json>(file);
    read_members(file, "a run (JSON from watershed run)", [&] {
        const auto& switches = json.at("switches");
        expect("switches", switches.size(), network.switches().size());
        expect("links", json.at("links").size(), network.links().size());
        expect("lost_by_module", json.at("lost_by_module").size(),
               static_cast<std::size_t>(scenario.front_end.modules));
        std::map<std::string, std::string> reasons;
        for (const auto& loss : json.at("losses")) {
            std::string& text = reasons[member<std::string>(loss, "where")];
            text += (text.empty() ? "" : ", ") + member<std::string>(loss, "reason");
        }
        for (std::size_t i = 0; i < switches.size(); ++i) {
            const auto& each = switches[i];
            const Network::Switch& self = network.switches()[i];
            const auto name = member<std::string>(each, "name");
            if (name != self.name)
                throw InputError(file + ": switches: found \"" + name + "\", expected \"" + self.name +
                                 "\" as in the scenario");
            expect("switches." + name + ".modules", member<std::size_t>(each, "modules"),
                   static_cast<std::size_t>(self.modules));
            Switch seen;
            seen.frames_lost = member<std::int64_t>(each, "frames_lost");
            seen.reasons = reasons[name];
            seen.peak_frames = member<std::int64_t>(each, "peak_frames");
            if (self.modules > 0) {
                const auto& links = each.at("module_links");
                seen.module_links = member<double>(links, "utilisation");
                // A module sends what it was asked for, but for what its FIFO refuses.
                const auto frames = member<std::int64_t>(json.at("frames"), "sent") / scenario.front_end.modules;
                seen.refused_by_modules = frames * self.modules - member<std::int64_t>(links, "frames");
            }
            result.switches.push_back(seen);
        }
        for (const auto& link : json.at("links")) result.links.push_back(member<double>(link, "utilisation"));
        result.source = member<std::string>(json, "engine") + " engine, seed " +
                        std::to_string(member<std::uint64_t>(json, "seed"));
    });
    return result;
}

}  // namespace watershed
