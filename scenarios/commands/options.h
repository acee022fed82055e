// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <functional>
#include <initializer_list>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/commands/answers.h"
#include "scenarios/commands/commands.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/readable.h"

namespace watershed {

// Options that several commands have.

/// The sentences of a command's text, for "answer" of its JSON: lines without tables, comments and code.
nlohmann::ordered_json answer_of(const std::string& text);
/// A probability or a rate, given by its decimal logarithm: "0.2452", "1.49e-15", "10^-6769.4".
std::string plain_number(double log10, int digits, Rounded rounded);

constexpr auto kJobsOfRanksHelp =
    "Number of processes; the result does not depend on it. Under mpirun each rank is one process";

// A command is a table of its options.

/// Constraint of an option, or a part of its help.
using OptionRule = std::function<void(CLI::Option*)>;
inline const OptionRule kShown = [](CLI::Option* option) { option->capture_default_str(); };
inline const OptionRule kRequired = [](CLI::Option* option) { option->required(); };
inline const OptionRule kOneEach = [](CLI::Option* option) { option->allow_extra_args(false); };
OptionRule among(std::vector<std::string> choices);
OptionRule shown_as(std::string text);
template <class Value>
OptionRule from_to(Value low, Value high) {
    return [=](CLI::Option* option) { option->check(CLI::Range(low, high)); };
}

/// The files that a command writes its answer to; empty where they are not asked for.
struct OutputNames {
    std::string json, csv, figure;
};

class CommandTable {
  public:
    CommandTable(CLI::App& app, const std::string& name, const std::string& description, const std::string& footer);

    template <class Value>
    CommandTable& add(const std::string& names, Value& value, const std::string& meaning,
                      std::initializer_list<OptionRule> rules = {}) {
        return with(command_->add_option(names, value, meaning), rules);
    }
    CommandTable& flag(const std::string& names, bool& value, const std::string& meaning,
                       std::initializer_list<OptionRule> rules = {}) {
        return with(command_->add_flag(names, value, meaning), rules);
    }
    /// The scenario, and --set for it. @param more  about the scenario
    CommandTable& scenario(ScenarioAsked& asked, const std::string& more = "");
    CommandTable& overrides(std::vector<std::string>& values,
                            const std::string& help = "KEY=VALUE: override a key of the scenario (repeatable)");
    CommandTable& engine(std::string& name);
    CommandTable& jobs(int& number, const std::string& help = "Number of processes; the result does not depend on it");
    CommandTable& parts();
    /// @param what  is written
    CommandTable& json(std::string& file, const std::string& what = "the result as JSON to FILE");
    CommandTable& json(const std::string& what = "the result as JSON to FILE") { return json(names_->json, what); }
    CommandTable& csv(const std::string& help) { return add("-o,--output", names_->csv, help); }
    CommandTable& figure(const std::string& help) { return add("-o,--output", names_->figure, help); }
    void run(std::function<void()> work) { command_->callback(std::move(work)); }
    /// Gives the answer in the forms that are asked for.
    void answer(std::function<Answer(const OutputNames&)> work, const DrawResult& draw = {});

  private:
    CommandTable& with(CLI::Option* option, std::initializer_list<OptionRule> rules) {
        for (const OptionRule& rule : rules) rule(option);
        return *this;
    }
    CLI::App* command_;
    std::shared_ptr<OutputNames> names_ = std::make_shared<OutputNames>();
};

/// The files of one call: refused before the work begins if they cannot be written, and written after it.
class Outputs {
  public:
    explicit Outputs(const std::string& json, const std::string& csv = "", const std::string& figure = "");
    /// Writes the forms of an answer that are asked for, and prints its text unless something else goes to standard
    /// output.
    void give(const Answer& answer, const DrawResult& draw = {});

  private:
    bool quiet_;
    std::string figure_;
    std::optional<OutputFile> json_, csv_;
};

}  // namespace watershed
