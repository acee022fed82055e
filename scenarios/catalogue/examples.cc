// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/catalogue/examples.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <tuple>

#include "scenarios/text/did-you-mean.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/toml-value.h"

namespace watershed {
namespace {

namespace fs = std::filesystem;

std::string text_in(const fs::path& file) {
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) throw InputError(file.string() + ": cannot be read");
    return text.str();
}

std::string title_of(const fs::path& file) {
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    return begins_with(line, "# ") ? line.substr(2) : "";
}

/// Beside the scenarios lies the catalogue.
bool is_scenario(const fs::path& folder, const fs::path& file) {
    return file.extension() == ".toml" && *file.lexically_relative(folder).begin() != "switches";
}

/// Files in the scenario's folder, by the keys that name them.
std::vector<std::string> files_named_in(const std::string& file) {
    const toml::table scenario = read_toml(file);
    std::vector<std::string> files;
    for (const char* key : {"trigger.file", "frame.payload_file"})
        if (const auto* name = scenario.at_path(key).as_string()) files.push_back(name->get());
    return files;
}

/// Its comments say how it is run, where it lies in the source of the program.
std::string as_run_from(std::string text, const std::string& name, const std::string& file) {
    const std::string there = "scenarios/" + name + ".toml";
    for (auto at = text.find(there); at != std::string::npos; at = text.find(there, at + file.size()))
        text.replace(at, there.size(), file);
    return text;
}

struct Copy {
    fs::path to;
    std::string text;
};

void refuse_to_overwrite(const Copy& copy, bool unless_alike) {
    std::error_code ignored;
    if (!fs::exists(copy.to, ignored) || (unless_alike && text_in(copy.to) == copy.text)) return;
    throw InputError(copy.to.string() + ": exists already, expected a new file (-o FILE)");
}

}  // namespace

std::vector<Example> examples(const std::vector<std::string>& folders) {
    const auto found = std::find_if(folders.begin(), folders.end(), [](const std::string& folder) {
        std::error_code ignored;
        return fs::is_directory(folder, ignored);
    });
    if (found == folders.end())
        throw InputError("the scenarios that come with the program were not found, expected them in " +
                         listed(folders, " or "));
    std::vector<Example> all;
    for (const auto& entry : fs::recursive_directory_iterator(*found)) {
        const fs::path file = entry.path();
        if (!is_scenario(*found, file)) continue;
        all.push_back(
            {file.lexically_relative(*found).replace_extension().generic_string(), file.string(), title_of(file)});
    }
    std::sort(all.begin(), all.end(), [](const Example& a, const Example& b) {
        const auto in_folder = [](const Example& each) { return each.name.find('/') != std::string::npos; };
        return std::tuple(in_folder(a), a.name) < std::tuple(in_folder(b), b.name);
    });
    return all;
}

const Example& example_named(const std::string& name, const std::vector<Example>& all) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Example& each) { return each.name == name; });
    if (found != all.end()) return *found;
    std::vector<std::string> names;
    for (const Example& each : all) names.push_back(each.name);
    throw InputError("found \"" + name + "\", expected a scenario that `watershed example` lists" +
                     did_you_mean(name, names));
}

std::vector<std::string> copy_example(const Example& example, const std::string& output) {
    if (output == "-") {
        OutputFile(output).write(text_in(example.file));
        return {};
    }
    std::vector<Copy> copies{{output, as_run_from(text_in(example.file), example.name, output)}};
    for (const std::string& name : files_named_in(example.file))
        copies.push_back({fs::path(output).parent_path() / name, text_in(fs::path(example.file).parent_path() / name)});
    for (const Copy& copy : copies) refuse_to_overwrite(copy, &copy != &copies.front());
    OutputFile scenario(output);  // is refused before anything is written
    std::vector<std::string> written{output};
    for (auto copy = copies.begin() + 1; copy != copies.end(); ++copy) {
        fs::create_directories(fs::absolute(copy->to).parent_path());
        OutputFile(copy->to.string()).write(copy->text);
        written.push_back(copy->to.string());
    }
    scenario.write(copies.front().text);
    return written;
}

}  // namespace watershed
