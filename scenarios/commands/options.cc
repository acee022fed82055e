// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/commands/options.h"

#include <cmath>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "scenarios/sweep/workers.h"
#include "scenarios/text/json-text.h"
#include "scenarios/text/progress.h"
#include "scenarios/text/text-line.h"

namespace watershed {

nlohmann::ordered_json answer_of(const std::string& text) {
    auto sentences = nlohmann::ordered_json::array();
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (!line.empty() && line.front() != '#' && line != "In the scenario:" && line.find("  ") == std::string::npos)
            sentences.push_back(line);
    return sentences;
}

std::string plain_number(double log10, int digits, Rounded rounded) {
    constexpr double kLargest = 299;  // that a double can be multiplied
    if (std::isfinite(log10) && std::abs(log10) > kLargest)
        return text_line("10^%.1f", rounded == Rounded::Up     ? std::ceil(10 * log10) / 10
                                    : rounded == Rounded::Down ? std::floor(10 * log10) / 10
                                                               : log10);
    return text_line("%.*g", digits, std::pow(10, rounded_log10(log10, digits, rounded)));
}

OptionRule among(std::vector<std::string> choices) {
    return [=](CLI::Option* option) { option->check(CLI::IsMember(choices)); };
}

OptionRule shown_as(std::string text) {
    return [=](CLI::Option* option) { option->default_str(text); };
}

CommandTable::CommandTable(CLI::App& app, const std::string& name, const std::string& description,
                           const std::string& footer)
    : command_(app.add_subcommand(name, description)) {
    command_->footer(footer);
}

CommandTable& CommandTable::scenario(ScenarioAsked& asked, const std::string& more) {
    return add("SCENARIO", asked.scenario, "Scenario file (TOML)" + more, {kRequired}).overrides(asked.overrides);
}

CommandTable& CommandTable::overrides(std::vector<std::string>& values, const std::string& help) {
    return add("--set", values, help, {kOneEach});
}

CommandTable& CommandTable::engine(std::string& name) {
    return add("--engine", name, "exact or ns3", {among({"ns3", "exact"}), kShown});
}

CommandTable& CommandTable::jobs(int& number, const std::string& help) {
    add("--jobs", number, help, {from_to(1, 1024), shown_as("all processors")});
    limit_jobs(*command_, number);
    return *this;
}

CommandTable& CommandTable::parts() {
    share_with_jobs(*command_);
    return *this;
}

CommandTable& CommandTable::json(std::string& file, const std::string& what) {
    return add("--json", file, "Write " + what + "; - is standard output, which then gets nothing else");
}

void CommandTable::answer(std::function<Answer(const OutputNames&)> work, const DrawResult& draw) {
    run([names = names_, work = std::move(work), draw, command = command_->get_name()] {
        Outputs outputs(names->json, names->csv, names->figure);
        const auto answer = [&] {
            Progress progress(command, "", 1);
            return work(*names);
        };
        outputs.give(answer(), draw);
    });
}

nlohmann::ordered_json result_of(const ScenarioAsked& asked) {
    return {{"program", Provenance::program()}, {"command", Provenance::command()}, {"scenario", asked.scenario}};
}

void tell_assumed(Answer& answer, const std::vector<AssumedValue>& assumed) {
    add_assumed(answer.json, assumed);
    std::string lines;
    for (const AssumedValue& each : assumed) lines += "  " + to_text(each) + "\n";
    answer.text.insert(answer.text.find('\n') + 1, lines);
}

std::string folder_of(const std::string& scenario) {
    const std::string folder = std::filesystem::path(scenario).parent_path().string();
    return folder.empty() ? "." : folder;
}

Outputs::Outputs(const std::string& json, const std::string& csv, const std::string& figure)
    : quiet_(json == "-" || csv == "-"), figure_(figure), json_(file_if_named(json)), csv_(file_if_named(csv)) {
    OutputFile::expect_figure(figure);
}

void Outputs::give(const Answer& answer, const DrawResult& draw) {
    // A result without a figure is told in the other forms all the same.
    std::exception_ptr no_figure;
    if (!figure_.empty()) try {
            draw(answer.json, figure_);
        } catch (const InputError&) {
            no_figure = std::current_exception();
        }
    if (csv_) csv_->stream() << answer.csv;
    if (json_) json_->stream() << json_text(answer.json, answer.indent) << '\n';
    OutputFile::commit_all({csv_ ? &*csv_ : nullptr, json_ ? &*json_ : nullptr});
    if (no_figure) std::rethrow_exception(no_figure);
    if (!quiet_) std::cout << answer.text;
}

}  // namespace watershed
