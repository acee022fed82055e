// SPDX-License-Identifier: GPL-2.0-only
// The program about itself: its examples, keys and manual, what it is validated by, and mistakes in its command line.
#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

#include "scenarios/catalogue/examples.h"
#include "scenarios/catalogue/scenario-folders.h"
#include "scenarios/commands/options.h"
#include "scenarios/keys/keys.h"
#include "scenarios/keys/system.h"
#include "scenarios/text/did-you-mean.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/json-text.h"
#include "scenarios/text/progress.h"
#include "scenarios/text/text-line.h"
#include "scenarios/validate/comparison-text.h"
#include "scenarios/validate/validate.h"

namespace watershed {

void add_example_command(CLI::App& app) {
    const auto name = std::make_shared<std::string>(), output = std::make_shared<std::string>();
    CommandTable(app, "example", "Copy a scenario that comes with the program, to start from, or list them all",
                 "Example: watershed example s60-figure4 -o mine.toml")
        .add("NAME", *name, "Scenario to copy; without it all are listed, a line each")
        .add("-o,--output", *output,
             "File to write, which must not exist; - is standard output [NAME.toml, in this folder]")
        .run([=] {
            const std::vector<Example> all = examples(scenario_folders());
            if (name->empty()) {
                std::vector<std::vector<std::string>> lines;
                for (const Example& each : all) lines.push_back({each.name, each.title});
                for (const std::string& line : aligned(lines, {true, true})) std::cout << line << '\n';
                return;
            }
            const Example& example = example_named(*name, all);
            const std::string own = std::filesystem::path(example.file).filename().string();
            const std::vector<std::string> written = copy_example(example, output->empty() ? own : *output);
            if (!written.empty()) std::cout << listed(written) << ": " << example.title << '\n';
        });
}

void add_keys_command(CLI::App& app) {
    CommandTable(app, "keys", "List every key of a scenario file with its kind, default and meaning",
                 "Example: watershed keys")
        .run([] {
            std::set<std::string> tables;  // tables whose keys are those of another one
            for (const ScenarioKey& key : scenario_keys()) {
                if (key.like.empty()) {
                    std::cout << std::left << std::setw(40) << key.name << std::setw(32) << key.kind
                              << "default: " << (key.default_value.empty() ? "none" : key.default_value) << "\n    "
                              << key.meaning << "\n";
                    continue;
                }
                const auto dot = key.like.find('.');
                const std::string of = key.like.substr(0, dot),
                                  table = key.name.substr(0, key.name.size() - (key.like.size() - dot));
                if (tables.insert(table + ", " + of).second)
                    std::cout << table << ".KEY\n    All keys of [" << of << "]"
                              << key.meaning.substr(key.meaning.find(", for ")) << "\n";
            }
        });
}

namespace {

/// Description of a command, for the manual and the completions.
struct Described {
    std::string name;
    std::string description;
    std::string footer;
    struct Option {
        std::string names;                 ///< "--set", "-o,--output", "SCENARIO"
        std::vector<std::string> flags;    ///< names with their dashes; empty for a positional argument
        std::vector<std::string> choices;  ///< possible values, if they are a list
        std::string value;                 ///< kind and range of the value; empty for a flag
        std::string default_value;
        std::string description;
        bool required = false;
    };
    std::vector<Option> options;
    std::vector<Described> kinds;  ///< kinds of a command whose first argument selects one

    /// Its own options and those of its kinds, each once.
    std::vector<Option> all_options() const {
        std::vector<Option> all = options;
        for (const Described& kind : kinds)
            for (const Option& option : kind.options)
                if (std::none_of(all.begin(), all.end(),
                                 [&](const Option& other) { return other.names == option.names; }))
                    all.push_back(option);
        return all;
    }
};

std::vector<std::string> choices_of(const std::string& type) {
    std::vector<std::string> choices;
    const auto open = type.find('{'), close = type.find('}');
    if (open == std::string::npos || close == std::string::npos) return choices;
    std::istringstream list(type.substr(open + 1, close - open - 1));
    for (std::string choice; std::getline(list, choice, ',');) choices.push_back(choice);
    return choices;
}

Described::Option describe(const CLI::Option& option) {
    Described::Option described;
    const bool positional = option.nonpositional() == false;
    described.names = positional ? option.get_name(true) : option.get_name(false, true);
    for (const std::string& name : option.get_snames()) described.flags.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) described.flags.push_back("--" + name);
    if (option.get_items_expected_max() > 0) described.value = option.get_type_name();
    described.choices = choices_of(described.value);
    described.default_value = option.get_default_str();
    described.description = option.get_description();
    described.required = option.get_required();
    return described;
}

std::vector<Described> commands_of(const CLI::App& app) {
    std::vector<Described> commands;
    for (const CLI::App* sub : app.get_subcommands({})) {
        Described command{sub->get_name(), sub->get_description(), sub->get_footer(), {}, commands_of(*sub)};
        for (const CLI::Option* option : sub->get_options())
            if (option != sub->get_help_ptr()) command.options.push_back(describe(*option));
        commands.push_back(command);
    }
    return commands;
}

/// The kind of a key's value and its limits, or its choices.
std::string expected_of(const ScenarioKey& key) {
    if (!key.choices.empty()) return one_of(key.choices);
    if (key.kind == "integer") return "an integer from " + key.limits;
    if (key.kind == "list of integers") return "a list of integers from " + key.limits;
    return key.kind + (key.limits.empty() ? "" : ", " + key.limits);
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
        text.replace(at, what.size(), by);
    return text;
}

std::string without_last_newline(const std::string& text) { return text.substr(0, text.find_last_not_of('\n') + 1); }

std::string markdown_cell(const std::string& text) {
    return replaced(replaced(one_line(text), "|", "\\|"), "<", "&lt;");
}

void write_options(std::ostream& out, const Described& command) {
    if (!command.options.empty()) out << "| option | value | default | meaning |\n|---|---|---|---|\n";
    for (const Described::Option& option : command.options)
        out << "| `" << markdown_cell(option.names) << "` | " << markdown_cell(option.value)
            << (option.required ? " (required)" : "") << " | " << markdown_cell(option.default_value) << " | "
            << markdown_cell(option.description) << " |\n";
}

void write_markdown(std::ostream& out, const std::vector<Described>& commands) {
    out << "# Reference\n\nWritten by `watershed manual --format markdown` of " << Provenance::program()
        << ".\n\n## Commands\n";
    for (const Described& command : commands) {
        out << "\n### watershed " << command.name << "\n\n" << command.description << ".\n\n";
        write_options(out, command);
        if (!command.footer.empty())
            out << "\n    " << replaced(without_last_newline(command.footer), "\n", "\n    ") << "\n";
        for (const Described& kind : command.kinds) {
            out << "\n#### watershed " << command.name << " " << kind.name << "\n\n" << kind.description << ".\n\n";
            write_options(out, kind);
        }
    }
    out << "\n## Keys of a scenario\n\nEvery quantity with a unit is a string: \"8.72 us\", \"1 Gb/s\", \"330 MB\", "
           "\"512 MiB\"; b is bit, B is byte.\n\n"
        << "| key | expected | default | meaning |\n|---|---|---|---|\n";
    for (const ScenarioKey& key : scenario_keys())
        out << "| `" << key.name << "` | " << markdown_cell(expected_of(key)) << " | "
            << (key.default_value.empty() ? "none" : markdown_cell(key.default_value)) << " | "
            << markdown_cell(key.meaning) << " |\n";
}

/// man(7): a line may not begin with a control character, and a dash to be typed is written \-.
void write_man(std::ostream& out, const std::vector<Described>& commands) {
    const auto text = [](const std::string& s) {
        std::string line = replaced(replaced(one_line(s), "\\", "\\e"), "-", "\\-");
        if (!line.empty() && (line.front() == '.' || line.front() == '\'')) line.insert(0, "\\&");
        return line;
    };
    out << ".\\\" Written by watershed manual --format man\n.TH WATERSHED 1 \"\" \"" << Provenance::program()
        << "\" \"User Commands\"\n"
        << ".SH NAME\nwatershed \\- will this Ethernet switch lose events, and how deep is its buffer?\n"
        << ".SH SYNOPSIS\n.B watershed\n.I COMMAND\n[\\fIOPTION\\fR]... [\\fIFILE\\fR]...\n"
        << ".SH DESCRIPTION\nPredicts from scenario files which bursts of events an Ethernet switch loses, fits the "
           "depth of its memory to measured losses,\n"
        << "says what to measure next, and draws the figures.\n.SH COMMANDS\n";
    const auto write_options = [&](const Described& command) {
        for (const Described::Option& option : command.options) {
            out << ".TP\n\\fB" << text(option.names) << "\\fR"
                << (option.value.empty() ? "" : " \\fI" + text(option.value) + "\\fR") << "\n"
                << text(option.description);
            out << (option.default_value.empty() ? "" : " [" + text(option.default_value) + "]")
                << (option.required ? " (required)" : "") << "\n";
        }
    };
    for (const Described& command : commands) {
        out << ".SS " << text(command.name) << "\n" << text(command.description) << ".\n";
        write_options(command);
        if (!command.footer.empty()) {
            out << ".PP\n.nf\n";
            std::istringstream lines(command.footer);
            for (std::string line; std::getline(lines, line);) out << text(line) << "\n";
            out << ".fi\n";
        }
        for (const Described& kind : command.kinds) {
            out << ".SS " << text(command.name + " " + kind.name) << "\n" << text(kind.description) << ".\n";
            write_options(kind);
        }
    }
    out << ".SH SCENARIO KEYS\n";
    for (const ScenarioKey& key : scenario_keys())
        out << ".TP\n\\fB" << text(key.name) << "\\fR = " << text(expected_of(key)) << "\n"
            << text(key.meaning) << " [" << text(key.default_value.empty() ? "none" : key.default_value) << "]\n";
    out << ".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nit failed\n.TP\n2\nthe input or the command line is wrong\n";
}

void write_bash(std::ostream& out, const std::vector<Described>& commands) {
    out << "# bash completion for watershed, written by watershed manual --format bash\n_watershed() {\n    local "
           "word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
        << "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W '";
    for (const Described& command : commands) out << command.name << ' ';
    out << "--help --version' -- \"$word\")); return\n    fi\n    case \"${COMP_WORDS[1]} $before\" in\n";
    for (const Described& command : commands) {
        if (command.kinds.empty()) continue;
        out << "        '" << command.name << ' ' << command.name << "') COMPREPLY=($(compgen -W '";
        for (const Described& kind : command.kinds) out << kind.name << ' ';
        out << "--help' -- \"$word\")); return ;;\n";
    }
    for (const Described& command : commands)
        for (const Described::Option& option : command.all_options()) {
            if (option.choices.empty() || option.flags.empty()) continue;
            out << "        ";
            for (std::size_t i = 0; i < option.flags.size(); ++i)
                out << (i ? " | " : "") << "'" << command.name << ' ' << option.flags[i] << "'";
            out << ") COMPREPLY=($(compgen -W '";
            for (const std::string& choice : option.choices) out << choice << ' ';
            out << "' -- \"$word\")); return ;;\n";
        }
    out << "    esac\n    case \"$word\" in -*) ;; *) COMPREPLY=($(compgen -f -- \"$word\")); return ;; esac\n    case "
           "\"${COMP_WORDS[1]}\" in\n";
    for (const Described& command : commands) {
        out << "        " << command.name << ") COMPREPLY=($(compgen -W '--help";
        for (const Described::Option& option : command.all_options())
            for (const std::string& flag : option.flags) out << ' ' << flag;
        out << "' -- \"$word\")) ;;\n";
    }
    out << "    esac\n}\ncomplete -o filenames -F _watershed watershed\n";
}

void write_zsh(std::ostream& out, const std::vector<Described>& commands) {
    const auto text = [](const std::string& s) {
        return replaced(replaced(replaced(replaced(one_line(s), "'", "'\\''"), "[", "("), "]", ")"), ":", "\\:");
    };
    out << "#compdef watershed\n# zsh completion, written by watershed manual --format zsh\nlocal -a "
           "commands\ncommands=(\n";
    for (const Described& command : commands)
        out << "    '" << command.name << ":" << text(command.description) << "'\n";
    out << ")\nif (( CURRENT == 2 )); then\n    _describe command commands\n    return\nfi\ncase $words[2] in\n";
    for (const Described& command : commands) {
        out << "    " << command.name << ") _arguments";
        if (!command.kinds.empty()) {
            out << " \\\n        '2:kind:(";
            for (const Described& kind : command.kinds) out << kind.name << ' ';
            out << ")'";
        }
        for (const Described::Option& option : command.all_options())
            for (const std::string& flag : option.flags) {
                out << " \\\n        '" << flag << "[" << text(option.description) << "]";
                if (!option.choices.empty()) {
                    out << ":value:(";
                    for (const std::string& choice : option.choices) out << choice << ' ';
                    out << ")";
                } else if (!option.value.empty()) {
                    out << ":value:_files";
                }
                out << "'";
            }
        out << " \\\n        '*:file:_files' ;;\n";
    }
    out << "esac\n";
}

}  // namespace

void add_manual_command(CLI::App& app) {
    const auto format = std::make_shared<std::string>("markdown");
    CommandTable(app, "manual", "Print the reference of all commands and keys, the manual page, or shell completions",
                 "Example: watershed manual --format man > watershed.1")
        .add("--format", *format, "markdown: the reference; man: the manual page; bash, zsh: completions",
             {among({"markdown", "man", "bash", "zsh"}), kShown})
        .run([&app, format] {
            const auto write = *format == "man"    ? write_man
                               : *format == "bash" ? write_bash
                               : *format == "zsh"  ? write_zsh
                                                   : write_markdown;
            write(std::cout, commands_of(app));
        });
}

namespace {

/// The camera first, then the other systems, then single switches.
std::vector<PublishedSystem> published_systems() {
    std::vector<PublishedSystem> all{{"nectarcam", validate_nectarcam}};
    for (const System& system : all_systems())
        if (system.validate) all.push_back({system.published, system.validate});
    all.push_back({"miercom", validate_miercom});
    all.push_back({"event-building", validate_event_building});
    all.push_back({"thresholds", validate_thresholds});
    all.push_back({"sonic", validate_sonic});
    all.push_back({"mmu-probe", validate_mmu_probe});
    all.push_back({"mlxsw", validate_mlxsw});
    return all;
}

struct ValidateOptions {
    std::string system;
    std::string json;
    std::string scenarios;
    bool quick = false;
    int jobs = default_jobs();
};

std::string scenario_folder(const std::string& given) {
    if (!given.empty()) {
        if (std::error_code ignored; std::filesystem::is_directory(given, ignored)) return given;
        throw InputError("--scenarios: found \"" + given + "\", expected a folder of scenarios");
    }
    for (const std::string& folder : scenario_folders())
        if (std::filesystem::is_directory(folder)) return folder;
    throw InputError("no folder of scenarios was found, expected one with --scenarios");
}

void validate(const ValidateOptions& options, const std::vector<PublishedSystem>& systems,
              const Simulators& simulators) {
    const Validation validation{simulators, scenario_folder(options.scenarios), options.quick, options.jobs};
    auto json = file_if_named(options.json);

    std::vector<Comparison> all;
    Progress progress("validate", "systems", static_cast<std::int64_t>(systems.size()));
    for (const PublishedSystem& system : systems) {
        if (options.system.empty() || options.system == system.name) {
            const std::vector<Comparison> comparisons = system.validate(validation);
            all.insert(all.end(), comparisons.begin(), comparisons.end());
        }
        progress.done(1);
    }
    if (json) json->write(json_text(to_json(all)) + "\n");
    if (options.json != "-") {
        std::cout << "Every scenario runs with its own seed, 1 where it states none.\n\n";
        print(std::cout, all);
    }
    if (const int differing = Tally(all).unexplained(); differing > 0)
        throw std::runtime_error(std::to_string(differing) + " of " + std::to_string(all.size()) +
                                 " numbers differ from what they are compared with, and no explanation names them");
}

}  // namespace

void add_validate_command(CLI::App& app, const Simulators& simulators, const std::vector<PublishedSystem>& further) {
    std::vector<PublishedSystem> systems = published_systems();
    systems.insert(systems.end(), further.begin(), further.end());
    std::vector<std::string> names;
    for (const PublishedSystem& system : systems) names.emplace_back(system.name);
    const auto options = std::make_shared<ValidateOptions>();
    CommandTable(
        app, "validate",
        "Simulate the published systems and compare their numbers with what is published, calibrated or calculated",
        "Each number has a basis: predicted (nothing of it went into the parameters), calibrated (it chose a "
        "parameter), configured (it repeats\n"
        "one), theory (a formula stands in the place of a publication) or arithmetic (nothing is simulated). Only"
        " predicted numbers can agree. An\n"
        "explanation names the number that it explains. Exit status 1: a number differs, and no explanation names"
        " it.\n"
        "Example: watershed validate nectarcam --json nectarcam.json")
        .add("SYSTEM", options->system, "One of the systems [all]", {among(names)})
        .json(options->json, "the comparisons as JSON to FILE")
        .add("--scenarios", options->scenarios, "Folder of the scenarios [the one that came with the program]")
        .flag("--quick", options->quick,
              "Only a fifth of the packets of nexpres, for a quick look; the tolerances are meant for all packets")
        .jobs(options->jobs, "Number of processes or threads; the result does not depend on it")
        .run([=] { validate(*options, systems, simulators); });
}

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
