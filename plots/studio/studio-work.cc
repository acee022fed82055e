// SPDX-License-Identifier: GPL-2.0-only
#include "plots/studio/studio-work.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "model/base/quantities.h"
#include "model/exact/exact-engine.h"
#include "model/frontend/module-groups.h"
#include "model/frontend/trigger.h"
#include "plots/page/html.h"
#include "plots/studio/studio-request.h"
#include "scenarios/keys/system.h"
#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/list.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

constexpr const char* kScenario = "scenario.toml";
/// Frames that the exact engine follows in the time of a processor that a call gets, and that one browser draws.
constexpr double kMostFollowed = 1e9, kMostLogged = 1e6;

/// The values of an option, "--option=value".
std::vector<std::string> values_of(const std::vector<std::string>& words, const std::string& option) {
    std::vector<std::string> values;
    const std::string begin = option + "=";
    for (const std::string& word : words)
        if (word.compare(0, begin.size(), begin) == 0) values.push_back(word.substr(begin.size()));
    return values;
}

double triggers_of(const Trigger& trigger) {
    if (const auto count = trigger_count(trigger)) return static_cast<double>(*count);
    if (!trigger.profile.empty()) {
        const RateProfile profile(trigger.profile);
        return profile.expected(trigger.duration.value_or(profile.end()));
    }
    return static_cast<double>(trigger.rate.count) * 1e-6 * in_seconds(trigger.duration.value_or(Time{0}));
}

double frames_of_event(const Scenario& scenario) {
    double frames = 0;
    for (const Group& group : ModuleGroups(scenario).all())
        frames +=
            static_cast<double>(group.front_end.modules) * static_cast<double>(frames_of_fragment(group.frame).size());
    return frames;
}

bool has(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Whether each frame is told of.
bool is_logged(const std::vector<std::string>& words) { return has(words, "--frames") || has(words, "--occupancy"); }

void refuse_too_much(const std::vector<std::string>& words) {
    const double frames = frames_to_follow(words), most = is_logged(words) ? kMostLogged : kMostFollowed;
    if (frames > most)
        throw InputError(
            text_line("found about %.2g frames to follow, expected at most %.2g for a page: ask for fewer "
                      "events, modules or separations, or use the command line",
                      frames, most));
}

/// The scenario as a file that has what `set` says, and the values of all keys, unless some are left out.
std::string merged(const std::vector<std::string>& overrides, const std::vector<std::string>& without) {
    nlohmann::json values = nlohmann::json::object();
    std::istringstream lines(without.empty() ? scenario_values(kScenario, overrides) : std::string());
    for (std::string line; std::getline(lines, line);)  // "key = value"
        if (const auto equals = line.find(" = "); equals != std::string::npos)
            values[line.substr(0, equals)] = line.substr(equals + 3);
    return nlohmann::json{{"scenario", scenario_text(kScenario, without, overrides)}, {"values", values}}.dump(
        -1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Runs a command as main() does.
int run_command(Program program, std::vector<std::string> words) {
    words.insert(words.begin(), "watershed");
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    return program(static_cast<int>(words.size()), arguments.data());
}

/// Runs commands in turn that write files, and says nothing of what they print. @return status of the first that fails
int run_quietly(Program program, const std::vector<std::vector<std::string>>& commands) {
    std::cout.flush();
    const int shown = dup(1), nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nothing, 1);
    int status = 0;
    for (const std::vector<std::string>& words : commands)
        if ((status = run_command(program, words)) != 0) break;
    std::cout.flush();
    dup2(shown, 1);
    return status;
}

/// Draws the watershed of a scenario, with the loss map that was uploaded if there is one, and puts it on a page with
/// the answers of a run and the bound. @param whole  the page is wanted, else the figure alone
int draw(Program program, const std::vector<std::string>& words, bool whole) {
    std::vector<std::string> scenario{kScenario}, separations;
    for (const std::string& word : words) {
        if (word.compare(0, 6, "--set=") == 0) scenario.push_back(word);
        if (word.compare(0, 13, "--separation=") == 0) separations.push_back(word);
    }
    const auto command = [&](std::vector<std::string> first, const std::vector<std::string>& last) {
        first.insert(first.end(), scenario.begin(), scenario.end());
        first.insert(first.end(), last.begin(), last.end());
        return first;
    };
    std::vector<std::string> line{"-o", "boundary.csv"}, figure{"plot", "watershed", "boundary.csv"};
    line.insert(line.end(), separations.begin(), separations.end());
    if (has(words, "map.csv")) figure.emplace_back("map.csv");
    figure.insert(figure.end(), {"-o", "figure.svg"});
    std::vector<std::vector<std::string>> commands{command({"boundary"}, line), figure};
    if (whole)
        commands.insert(commands.end(), {command({"run", "--engine=exact"}, {"--json", "run.json"}),
                                         {"report", "run.json", "boundary.csv", "figure.svg", "-o", "report.html"}});
    const int status = run_quietly(program, commands);
    if (status == 0)
        std::cout << nlohmann::json{{whole ? "html" : "svg", contents(whole ? "report.html" : "figure.svg")}}.dump(
            -1, ' ', false, nlohmann::json::error_handler_t::replace);
    return status;
}

}  // namespace

double frames_to_follow(const std::vector<std::string>& words) {
    const std::string& command = words.front();
    const std::vector<std::string> overrides = values_of(words, "--set"), events = values_of(words, "--events");
    const bool sampled = command == "risk" && !events.empty();
    const bool runs = command == "run" || command == "report";
    if (!runs && command != "map" && !sampled) return 0;
    const Scope any = Scope::anything();
    const Scenario scenario = read_scenario(
        command == "map" ? Scope::own_bursts().with_streams().with_sequences().with_groups().with_failures() : any,
        kScenario, overrides);
    if (find_system(scenario.system)) return 0;
    const double each = is_logged(words) ? frames_of_event(scenario) : cost_of_event(scenario);
    if (sampled) return each * static_cast<double>(parse_count_list("--events", events.front()).front());
    if (runs) return each * triggers_of(scenario.trigger);
    const std::vector<std::string> separations = values_of(words, "--separation");
    if (events.empty() || separations.empty()) return 0;
    const std::vector<std::int64_t> lengths = parse_count_list("--events", events.front());
    return each * static_cast<double>(*std::max_element(lengths.begin(), lengths.end())) *
           static_cast<double>(parse_time_list("--separation", separations.front()).size());
}

void warm_up(const std::string& scenario) {
    const Scratch folder;
    const std::string file = folder.path(kScenario);
    OutputFile(file).write(scenario);
    try {
        read_scenario(Scope::anything(), file);
    } catch (const std::exception&) {
        return;  // the page says what is wrong
    }
}

Work studio_work(Program program) {
    return [program](const std::vector<std::string>& words) {
        constexpr int kWrongInput = 2;
        try {
            for (const char* file : {kScenario, "other.toml"})
                if (has(words, file)) refuse_files_of(file);
            if (words.front() == "scenario") {
                std::cout << merged(values_of(words, "--set"), values_of(words, "--without"));
                return 0;
            }
            refuse_too_much(words);
            if (words.front() == "figure" || words.front() == "report")
                return draw(program, words, words.front() == "report");
        } catch (const std::exception& error) {
            std::cerr << "error: " << error.what() << std::endl;
            return kWrongInput;
        }
        return run_command(program, words);
    };
}

}  // namespace watershed
