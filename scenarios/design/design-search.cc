// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/design-search.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "scenarios/design/explore-result.h"
#include "scenarios/design/ranking.h"
#include "scenarios/reader/network-reader.h"
#include "scenarios/reader/reader.h"
#include "scenarios/reader/switch-check.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/list.h"
#include "scenarios/text/members.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/progress.h"
#include "scenarios/text/text-line.h"

namespace watershed {

using Json = nlohmann::ordered_json;

namespace {

std::vector<std::string> words(const std::string& text) {
    std::vector<std::string> all;
    std::istringstream in(text);
    for (std::string word; std::getline(in, word, ',');)
        if (!word.empty()) all.push_back(word);
    return all;
}

/// Checks, before the work begins, that some design without a second tier has a requested number of interfaces.
void check_interfaces(const DesignSpace& asked, const std::vector<CandidateDesign>& all) {
    if (asked.interfaces.empty() || !asked.aggregations.empty()) return;
    const auto wanted = parse_count_list("--interfaces", asked.interfaces);
    std::set<int> links;
    for (const CandidateDesign& stacking : all) links.insert(stacking.links());
    for (const std::int64_t count : wanted)
        if (links.count(int(count)) > 0) return;
    throw InputError("--interfaces: found \"" + asked.interfaces +
                     "\", expected --aggregation with it: without a second tier a server needs an " +
                     "interface for each uplink, here " + std::to_string(*links.begin()) + " to " +
                     std::to_string(*links.rbegin()));
}

/// Returns the ratings of all pieces, computed in `jobs` processes. @param explore_piece  returns designs
/// @param loss  wanted loss, if of designs that are not feasible only the reason is returned
template <typename Explore>
std::vector<std::vector<RatedDesign>> in_processes(int jobs, const std::string& unit, std::size_t pieces,
                                                   std::optional<double> loss, const Explore& explore_piece) {
    std::vector<std::vector<RatedDesign>> all(pieces);
    Progress progress("explore", unit, std::int64_t(pieces));
    std::int64_t done = 0;
    do_in_processes(
        jobs, pieces,
        [&](std::size_t i) {
            Json ways = Json::array();
            for (const RatedDesign& way : explore_piece(i))
                ways.push_back(!loss || feasible(way, *loss) ? to_json(explored_members(), way, kToProcesses)
                                                             : Json(reason_of(way, *loss)));
            return ways.dump();
        },
        [&](std::size_t i, const std::string& text) {
            for (const Json& way : Json::parse(text)) {
                RatedDesign& to = all[i].emplace_back();
                if (way.is_string())
                    to.reason = way;
                else
                    read(explored_members(), to, way, kToProcesses);
            }
            progress.done(++done);
        });
    return all;
}

const std::string kBehind = "with a second tier ";

void leave_out(DesignSearchResult& found, const std::string& model, const std::string& reason, std::int64_t ways = 1) {
    found.left_out[reason] += ways;
    found.left_out_of[model][reason] += ways;
}

/// Adds designs with a second tier: each first tier that is feasible alone, and whose modules keep to their uplinks,
/// before each second tier.
void add_second_tiers(const DesignSpace& asked, const PlainCamera& camera,
                      const std::vector<CatalogueSwitch>& catalogue, DesignSearchResult& found) {
    const double loss = camera.wanted.loss;
    std::vector<RatedDesign>& ways = found.ways;
    const std::vector<CatalogueSwitch> seconds = switches_named("--aggregation", asked.aggregations, catalogue);
    const auto interfaces =
        parse_count_list("--interfaces", asked.interfaces.empty() ? "1,2,3,4,5,6" : asked.interfaces);
    /// First tiers with the same links, and a number of interfaces.
    struct Group {
        int interfaces;
        std::vector<const RatedDesign*> firsts{};
        std::vector<const CatalogueSwitch*> entries{};
    };
    std::vector<Group> groups;
    /// Place of a first tier in its group.
    struct Place {
        std::size_t group, number;
    };
    std::vector<std::pair<const RatedDesign*, std::vector<Place>>> places;  // by number of interfaces
    // With one interface per link, a second tier helps only if it changes the rate.
    const bool same_rate = camera.second_tier_rate == camera.scenario.network_switch.uplink_rate;
    const std::vector<RatedDesign> alone = ways;
    for (const RatedDesign& first : alone) {
        if (first.stacking.selection == "round-robin") continue;
        if (!feasible(first, loss) && first.obstacle != kLeadsToFewBuilders) {
            leave_out(found, first.stacking.model,
                      kBehind + "have a first tier that is not feasible alone: such ways " + reason_of(first, loss),
                      std::int64_t(seconds.size() * interfaces.size()));
            continue;
        }
        const CatalogueSwitch& entry = entry_of(catalogue, first.stacking.model);
        places.push_back({&first, {}});
        for (const std::int64_t count : interfaces) {
            if (same_rate && first.stacking.links() <= count) {
                leave_out(found, first.stacking.model, kBehind + "have as many server interfaces as links lead to it",
                          std::int64_t(seconds.size()));
                continue;
            }
            auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& each) {
                return each.interfaces == count &&
                       same_links(each.firsts.front()->stacking, *each.entries.front(), first.stacking, entry);
            });
            if (group == groups.end()) group = groups.insert(group, Group{int(count)});
            places.back().second.push_back({std::size_t(group - groups.begin()), group->firsts.size()});
            group->firsts.push_back(&first);
            group->entries.push_back(&entry);
        }
    }
    const auto explore_groups = [&](std::optional<double> keep_feasible) {
        return in_processes(
            asked.jobs, "first tiers with second ones", groups.size(), keep_feasible, [&](std::size_t i) {
                const Group& group = groups[i];
                return explore_behind(camera, group.firsts, group.entries, group.interfaces, seconds, !keep_feasible);
            });
    };
    std::vector<std::vector<RatedDesign>> behind = explore_groups(loss);
    const auto is_feasible = [&](const RatedDesign& way) { return feasible(way, loss); };
    // If some designs are feasible, drop the many others.
    const bool some = std::any_of(behind.begin(), behind.end(), [&](const std::vector<RatedDesign>& of_group) {
        return std::any_of(of_group.begin(), of_group.end(), is_feasible);
    });
    if (!some) behind = explore_groups(std::nullopt);
    constexpr std::size_t kMost = 1000;
    std::size_t others = 0;
    for (const auto& [first, of_first] : places)
        for (std::size_t second = 0; second < seconds.size(); ++second)
            for (const Place& place : of_first) {
                RatedDesign& way = behind[place.group][place.number * seconds.size() + second];
                if (is_feasible(way) || (!some && others++ < kMost))
                    ways.push_back(std::move(way));
                else
                    leave_out(found, first->stacking.model, kBehind + (some ? way.reason : reason_of(way, loss)));
            }
}

/// Drops designs whose number of server interfaces is not in the list. @throws InputError if none is left
void keep_interfaces(const std::string& list, DesignSearchResult& found) {
    if (list.empty()) return;
    const auto wanted = parse_count_list("--interfaces", list);
    std::vector<RatedDesign> kept;
    for (RatedDesign& way : found.ways)
        if (std::find(wanted.begin(), wanted.end(), way.stacking.interfaces()) != wanted.end())
            kept.push_back(std::move(way));
        else
            leave_out(found, way.stacking.model, "have another number of server interfaces");
    found.ways = std::move(kept);
    if (found.ways.empty())
        throw InputError("--count, --uplinks, --interfaces: no combination is left: " + counted(found.left_out));
}

}  // namespace

std::string counted(const Reasons& reasons) {
    static const std::pair<std::string, std::string> kOfOne[] = {{"do ", "does "},    {"have ", "has "},
                                                                 {"are ", "is "},     {"lose ", "loses "},
                                                                 {"cost ", "costs "}, {"draw ", "draws "}};
    return listed(reasons, [](const auto& each) {
        std::string what = each.first;
        const std::size_t verb = begins_with(what, kBehind) ? kBehind.size() : 0;
        if (each.second == 1)
            for (const auto& [many, one] : kOfOne)
                if (what.compare(verb, many.size(), many) == 0) what.replace(verb, many.size(), one);
        return std::to_string(each.second) + " " + what;
    });
}

void add_switch_files(DesignSpace& asked) {
    for (std::string* names : {&asked.models, &asked.aggregations}) {
        std::string known;
        for (const std::string& name : words(*names)) {
            const bool is_file = ends_with(name, ".toml");
            known += (known.empty() ? "" : ",") + (is_file ? add_catalogue_file(name) : name);
            Switch any;
            if (is_file)
                set_values(any,
                           read_catalogue_switch(name, "."));  // an error in the file must not just drop its designs
        }
        *names = known;
    }
}

std::vector<CatalogueSwitch> switches_named(const std::string& option, const std::string& names,
                                            const std::vector<CatalogueSwitch>& catalogue) {
    const std::vector<std::string> named = words(names);
    if (named.empty() || std::find(named.begin(), named.end(), "all") != named.end()) return catalogue;
    std::vector<CatalogueSwitch> list;
    for (const std::string& name : named) {
        const auto entry =
            std::find_if(catalogue.begin(), catalogue.end(), [&](const auto& each) { return each.id == name; });
        if (entry == catalogue.end())
            throw InputError(
                option + ": found \"" + name +
                "\", expected switches that `watershed switches` lists, files that end in .toml, or \"all\", with "
                "commas" +
                did_you_mean(name, catalogue));
        list.push_back(*entry);
    }
    return list;
}

const CatalogueSwitch& entry_of(const std::vector<CatalogueSwitch>& catalogue, const std::string& model) {
    return *std::find_if(catalogue.begin(), catalogue.end(), [&](const auto& each) { return each.id == model; });
}

Entries entries_of(const CandidateDesign& stacking, const std::vector<CatalogueSwitch>& catalogue) {
    return {entry_of(catalogue, stacking.model),
            stacking.aggregation.empty() ? nullptr : &entry_of(catalogue, stacking.aggregation)};
}

std::vector<CandidateDesign> candidate_designs(const DesignSpace& asked, const std::vector<CatalogueSwitch>& catalogue,
                                               int modules) {
    constexpr int kUsual = 48;  // usual number of ports of a switch
    const int fewest = (modules + kUsual - 1) / kUsual;
    const auto counts = asked.counts.empty() ? std::vector<std::int64_t>{fewest, fewest + 1, fewest + 2}
                                             : parse_count_list("--count", asked.counts);
    const auto uplinks = parse_count_list("--uplinks", asked.uplinks);
    const std::vector<std::string> selections = words(asked.selections);
    for (const std::string& selection : selections)
        if (selection != "modulo" && selection != "hash" && selection != "round-robin")
            throw InputError("--selection: found \"" + selection +
                             "\", expected modulo, hash or round-robin, with commas");
    std::vector<CandidateDesign> all;
    Reasons reasons;
    for (const CatalogueSwitch& entry : catalogue)
        for (const std::int64_t count : counts)
            for (const std::int64_t links : uplinks) {
                if (count > modules) {
                    ++reasons["have more switches than the " + std::to_string(modules) + " modules"];
                    continue;
                }
                if (links > (modules + count - 1) / count) {
                    ++reasons["have more uplinks than a switch has modules"];
                    continue;
                }
                for (const std::string& selection : selections)
                    if (links > 1 || selection == selections.front())
                        all.push_back({entry.id, modules, int(count), int(links), links == 1 ? "modulo" : selection});
            }
    if (all.empty()) throw InputError("--count, --uplinks: no combination is left: " + counted(reasons));
    check_interfaces(asked, all);
    return all;
}

DesignSearchResult find_ways(const DesignSpace& asked, const PlainCamera& camera,
                             const std::vector<CandidateDesign>& all, const std::vector<CatalogueSwitch>& catalogue,
                             Engine& engine) {
    DesignSearchResult found;
    const auto ways = in_processes(asked.jobs, "ways", all.size(), std::nullopt, [&](std::size_t i) {
        return std::vector{explore(camera, all[i], entry_of(catalogue, all[i].model), engine)};
    });
    for (const std::vector<RatedDesign>& each : ways) found.ways.push_back(each.front());
    if (!asked.aggregations.empty()) add_second_tiers(asked, camera, catalogue, found);
    keep_interfaces(asked.interfaces, found);
    return found;
}

namespace {

/// Returns the rank in the name of a file that write_scenarios() wrote in any call; 0 for any other file.
int rank_of_earlier_call(const std::filesystem::path& file) {
    int rank = 0;
    const std::string name = file.filename().string();
    if (std::sscanf(name.c_str(), "rank-%d.toml", &rank) != 1 || name != text_line("rank-%03d.toml", rank)) return 0;
    std::ifstream in(file);
    std::string program, command;
    std::getline(in, program), std::getline(in, command);
    const bool own = begins_with(program, "# watershed ") && begins_with(command, "# command: ") &&
                     command.find(" explore ") != std::string::npos;
    return own ? rank : 0;
}

}  // namespace

void write_scenarios(const std::string& path, int most, const PlainCamera& camera, const std::vector<RatedDesign>& ways,
                     const std::vector<CatalogueSwitch>& catalogue) {
    namespace fs = std::filesystem;
    const fs::path folder(path), switches = folder / "switches";
    std::error_code error;
    fs::create_directories(switches, error);
    std::set<std::string> written;
    const auto write_switch = [&](const CatalogueSwitch& entry) {
        if (!written.insert(entry.id).second) return;
        std::ostringstream text;
        if (!(text << std::ifstream(entry.file).rdbuf()))
            throw InputError(entry.file + ": cannot be read any more, expected the switch that was explored");
        OutputFile((switches / (entry.id + ".toml")).string()).write(text.str());
    };
    int last = 0;
    for (const RatedDesign& way : ways) {
        if (way.rank == 0 || way.rank > most) break;
        last = way.rank;
        const auto [first, second] = entries_of(way.stacking, catalogue);
        const DesignKeys keys = keys_of(camera, way.stacking, first, second);
        write_switch(first);
        if (second) write_switch(*second);
        OutputFile((folder / text_line("rank-%03d.toml", way.rank)).string())
            .write(Provenance::comment() + scenario_text(camera.wanted.scenario, keys.left_out, keys.overrides));
    }
    for (const auto& file : fs::directory_iterator(folder))
        if (rank_of_earlier_call(file.path()) > last) fs::remove(file.path());
}

}  // namespace watershed
