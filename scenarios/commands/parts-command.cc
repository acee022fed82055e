// SPDX-License-Identifier: GPL-2.0-only
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "scenarios/commands/commands.h"
#include "scenarios/sweep/workers.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/json-file.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

/// Share I of N, as "I/N". @throws InputError
WorkShare share_in(const std::string& text) {
    WorkShare share{0, 0};
    const char* const end = text.data() + text.size();
    const auto [slash, number] = std::from_chars(text.data(), end, share.number);
    const bool divided = number == std::errc() && slash != end && *slash == '/';
    const auto [rest, of] = divided ? std::from_chars(slash + 1, end, share.of) : std::from_chars(end, end, share.of);
    constexpr int kMost = 100'000;
    if (of != std::errc() || rest != end || share.number < 1 || share.number > share.of || share.of > kMost)
        throw InputError("--part: found \"" + text + "\", expected I/N, share I of N, such as 2/8");
    return share;
}

/// Takes an option and its value out of a command. @return the value that counts, the last; empty if there is none
std::string take_out(Words& words, const Words& names) {
    std::string value;
    for (auto word = words.begin(); word != words.end();) {
        const std::size_t equals = word->find('=');
        if (std::find(names.begin(), names.end(), word->substr(0, equals)) == names.end()) {
            ++word;
        } else if (equals != std::string::npos) {
            value = word->substr(equals + 1);
            word = words.erase(word);
        } else if (word + 1 == words.end()) {
            throw InputError(*word + ": found nothing, expected a value");
        } else {
            value = *(word + 1);
            word = words.erase(word, word + 2);
        }
    }
    return value;
}

std::string content_of(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

/// Contents of the files that a command names.
std::map<std::string, std::string> inputs_of(const Words& words) {
    std::map<std::string, std::string> inputs;
    for (const std::string& word : words) {
        std::error_code ignored;
        if (std::filesystem::is_regular_file(word, ignored)) inputs[word] = content_of(word);
    }
    return inputs;
}

/// Runs a command, which begins with this program as it was called, whose standard output goes to `text`.
int run(Words words, Program program, std::ostream& text) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    struct Restored {
        std::streambuf* const buffer;
        ~Restored() { std::cout.rdbuf(buffer); }
    } restored{std::cout.rdbuf(text.rdbuf())};
    return program(static_cast<int>(words.size()), arguments.data());
}

struct Parts {
    Words files;
    std::string output = "-";
};

/// The parts as one. @throws InputError if they are none of one command, or not all
Json whole_of(const Parts& parts) {
    Json whole;
    std::map<int, std::string> found;  // file of each part
    for (const std::string& file : parts.files) {
        Json part = read_json<Json>(file);
        const auto refuse = [&](const std::string& key, const std::string& why) {
            throw InputError(file + ": " + key + ": " + why);
        };
        try {
            const WorkShare share = share_in(member<std::string>(part, "part"));
            if (member<std::string>(part, "program") != Provenance::program())
                refuse("program", "found \"" + member<std::string>(part, "program") + "\", expected \"" +
                                      Provenance::program() + "\", which merges");
            part["of"] = share.of;
            if (whole.is_null()) whole = {{"results", Json::object()}, {"called", part.at("called")}};
            for (const char* key : {"command", "output_at", "inputs", "of", "pieces"}) {
                if (whole.contains(key) && whole.at(key) != part.at(key))
                    refuse(key, "found what differs from " + found.begin()->second + ", expected parts of one command");
                whole[key] = part.at(key);
            }
            whole["results"].update(part.at("results"));
            found[share.number] = file;
        } catch (const MemberError& error) {
            throw InputError(file + ": " + error.what() + ", expected a file that --part wrote");
        } catch (const nlohmann::json::exception&) {
            throw InputError(file + ": found no part, expected a file that --part wrote");
        }
    }
    const int of = whole.at("of");
    for (int number = 1; number <= of; ++number)
        if (found.count(number) == 0)
            throw InputError("merge: found no part " + std::to_string(number) + " of " + std::to_string(of) +
                             ", expected all: repeat its command");
    return whole;
}

void merge(const Parts& parts, Program program) {
    OutputFile file(parts.output);  // none of the parts, also where the command writes it
    const Json whole = whole_of(parts);
    Words words = whole.at("command");
    const std::string command = words.front();
    for (const auto& [input, content] : whole.at("inputs").items())
        if (content_of(input) != content)
            throw InputError(input + ": has changed since the parts were made, expected what they saw");
    WorkDone done{whole.at("pieces"), {}};
    for (const auto& [piece, result] : whole.at("results").items()) done.results[std::stoul(piece)] = result;
    if (done.pieces > 0) take_next_work(std::move(done));
    const auto json = std::find(words.begin(), words.end(), "--json");
    const bool prints_json = std::find(words.begin(), words.end(), "--json=-") != words.end() ||
                             (json != words.end() && json + 1 != words.end() && *(json + 1) == "-");
    const std::string& to = parts.output;
    const Words tables{"map", "boundary", "explore", "size", "campaign-simulate"};
    const bool has_table = std::find(tables.begin(), tables.end(), command) != tables.end();
    const bool as_json =
        to.size() > 5 && to.substr(to.size() - 5) == ".json" && command != "map" && command != "boundary";
    const auto run_it = [&](std::ostream& text) {
        words.insert(words.begin(), whole.at("called"));
        return run(words, program, text);
    };
    if (!prints_json && (as_json || has_table)) {
        words.insert(words.begin() + whole.at("output_at").get<int>(), {as_json ? "--json" : "-o", to});
        throw ProgramEnded{run_it(std::cout)};
    }
    const int status = run_it(file.stream());
    if (status == 0) file.commit();
    throw ProgramEnded{status};
}

}  // namespace

void do_part(int argc, const char* const* argv, Program program) {
    Words words(argv + 1, argv + argc);
    const WorkShare share = share_in(take_out(words, {"--part"}));
    const auto output = std::find_if(words.begin(), words.end(), [](const std::string& word) {
        return word == "-o" || begins_with(word + "=", "--output=");
    });
    const auto place = output - words.begin();  // place of the whole's own
    const std::string to = take_out(words, {"-o", "--output"});
    if (to.empty()) throw InputError("--part: expected -o PART with it, the file of this share");
    Words here = words;  // without other outputs
    take_out(here, {"--json"});
    here.insert(here.begin(), argv[0]);
    OutputFile file(to);
    Json part{{"program", Provenance::program()},
              {"called", argv[0]},
              {"command", words},
              {"output_at", place},
              {"part", std::to_string(share.number) + "/" + std::to_string(share.of)},
              {"inputs", inputs_of(words)},
              {"pieces", 0},
              {"results", Json::object()}};
    do_next_work(share);
    try {
        std::ostringstream unseen;
        if (const int status = words.front() == "fit" ? 0 : run(here, program, unseen); status != 0)
            throw ProgramEnded{status};
    } catch (const WorkDone& done) {
        part["pieces"] = done.pieces;
        for (const auto& [piece, result] : done.results) part["results"][std::to_string(piece)] = result;
    }
    file.write(part.dump(1) + "\n");
    throw ProgramEnded{0};
}

void add_merge_command(CLI::App& app, Program program) {
    auto parts = std::make_shared<Parts>();
    CLI::App* command = app.add_subcommand(
        "merge", "Put together what several jobs did with --part, to the bytes that one run would have given");
    command->add_option("PART", parts->files, "Files that --part wrote, of all shares")->required();
    command
        ->add_option(
            "-o,--output", parts->output,
            "File of the answer: the table that -o names in the command, its JSON if the name ends in .json, or "
            "else what it prints; - is standard output")
        ->capture_default_str();
    command->footer(
        "A job does a share of the pieces of work that --jobs would share among processes. What follows from them is "
        "done "
        "here: all of fit and of a calculated risk, the second tiers of explore. A job that was killed left no file: "
        "repeat "
        "it. The inputs must be as the jobs saw them.\n"
        "Example: for i in 1 2 3; do watershed map scenarios/s60-figure4.toml --separation 9us:38us:10 --events "
        "1000:40000:10 "
        "--part $i/3 -o part-$i.json; done; watershed merge part-1.json part-2.json part-3.json -o map.csv");
    command->callback([parts, program] { merge(*parts, program); });
}

}  // namespace watershed
