// SPDX-License-Identifier: GPL-2.0-only
// The manual of the program, for a page, a terminal and shells that complete words.
#include <algorithm>
#include <iostream>
#include <sstream>

#include "scenarios/commands/options.h"
#include "scenarios/keys/keys.h"

namespace watershed {
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

}  // namespace watershed
