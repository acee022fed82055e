// SPDX-License-Identifier: GPL-2.0-only
// Mistakes in a command line, in the words of the program.
#include <regex>
#include <sstream>

#include "scenarios/commands/options.h"
#include "scenarios/text/did-you-mean.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

std::string regex_replaced(const std::string& text, const char* what, const char* by) {
    return std::regex_replace(text, std::regex(what), by);
}

std::vector<std::string> parted(const std::string& list) {
    std::vector<std::string> parts;
    std::istringstream in(list);
    for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
    return parts;
}

/// "1.000000" as "1".
std::string without_zeros(const std::string& number) {
    return regex_replaced(number, "\\.0+$|(\\.\\d*[1-9])0+$", "$1");
}

std::vector<std::string> options_of(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

/// Words a surplus argument; the library names the last one first.
std::string refuse_surplus(const CLI::App& command, const std::string& words) {
    std::istringstream in(words);
    std::string first;
    for (std::string word; in >> word;) {
        if (word.size() > 1 && word.front() == '-') {
            const std::string name = word.substr(0, word.find('='));
            return word + ": unknown option" + did_you_mean(name, options_of(command));
        }
        first = word;
    }
    return "found \"" + first + "\", expected no further word";
}

std::string names_of_commands(const CLI::App& app) {
    return listed(app.get_subcommands({}), [](const CLI::App* command) { return command->get_name(); });
}

std::string in_our_words(const CLI::App& command, const std::string& complaint) {
    std::smatch words;
    const auto is = [&](const char* pattern) { return std::regex_match(complaint, words, std::regex(pattern)); };
    // "0 to 9", and "[0 - 9]" in CLI11 2.4.
    if (is("(.*): Value (.*) not in range \\[?([^\\[ ]+) (?:to|-) ([^\\] ]+)\\]?"))
        return words[1].str() + ": found \"" + words[2].str() + "\", expected a number from " +
               without_zeros(words[3]) + " to " + without_zeros(words[4]);
    if (is("(.*): (.*) not in \\{(.*)\\}")) {
        const std::vector<std::string> choices = parted(words[3]);
        return words[1].str() + ": found \"" + words[2].str() + "\", expected one of " + listed(choices) +
               did_you_mean(words[2], choices);
    }
    if (is("Could not convert: (\\S+) = (.*)"))
        return words[1].str() + ": found \"" + words[2].str() + "\", expected a number";
    if (is("(.*): 1 required .* missing")) return words[1].str() + ": found nothing, expected a value behind it";
    if (is("(.*): At Most 1 required but received (\\d+)"))
        return words[1].str() + ": found " + words[2].str() + " times, expected once";
    if (is("A subcommand is required")) return "found no command, expected one of " + names_of_commands(command);
    if (is("(\\S+) is required")) return words[1].str() + ": missing, expected a value";
    if (is("The following arguments? (?:was|were) not expected: (.*)")) return refuse_surplus(command, words[1]);
    return complaint;
}

}  // namespace

std::string command_line_error(const CLI::App& app, const CLI::ParseError& error, int argc, const char* const* argv) {
    const CLI::App* command = &app;
    std::string name = "watershed";
    for (int i = 1; i < argc; ++i) {
        const auto named = command->get_subcommands([&](const CLI::App* sub) { return sub->get_name() == argv[i]; });
        if (named.empty()) break;
        command = named.front();
        name += " " + command->get_name();
    }
    return in_our_words(*command, error.what()) + " (" + name + " --help lists the " +
           (command == &app ? "commands)" : "options)");
}

}  // namespace watershed
