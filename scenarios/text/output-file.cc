// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/output-file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>

#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

std::vector<std::string>& command_words() {
    static std::vector<std::string> words;
    return words;
}

std::string& command_line() {
    static std::string line;
    return line;
}

/// Files that a scenario names.
std::set<std::string>& noted_inputs() {
    static std::set<std::string> files;
    return files;
}

/// Returns one name for all spellings of a file's name, whether the file exists or not.
std::string place_of(const std::string& path) {
    std::error_code none;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, none), none).string();
}

bool same_file(const std::string& a, const std::string& b) {
    std::error_code none;
    return std::filesystem::equivalent(a, b, none) || place_of(a) == place_of(b);
}

/// Words of the command line that name a file for which this holds: where there is such a file any word may name it,
/// else options alone do.
template <class Test>
int words_that_name(Test is_it) {
    int named = 0;
    bool is_value = false;  // value of the option before it
    for (std::size_t i = 1; i < command_words().size(); ++i) {
        const std::string& word = command_words()[i];
        const bool is_option = word.size() > 1 && word.front() == '-';
        const bool is_short = is_option && word[1] != '-';  // -oFILE
        std::error_code none;
        bool names = false;
        for (const std::string& value :
             {is_short ? word.substr(2) : word, word.substr(word.find('=') + 1), word.substr(word.rfind('=') + 1)})
            names = names || (!value.empty() && (i > 1 || is_option) &&
                              (is_option || is_value || std::filesystem::is_regular_file(value, none)) && is_it(value));
        if (names) ++named;
        is_value = is_option;
    }
    for (const std::string& file : noted_inputs())
        if (is_it(file)) ++named;
    return named;
}

/// An output would take the place of an input, or of another output.
/// @param own  words that name it rightly: none for one that is written beside another
void refuse_if_named(const std::string& path, int own) {
    using Type = std::filesystem::file_type;
    std::error_code none;
    const Type type = path == "-" ? Type::not_found : std::filesystem::status(path, none).type();
    if (type != Type::regular && type != Type::not_found) return;  // such as /dev/null
    if (words_that_name([&](const std::string& value) { return same_file(value, path); }) <= own) return;
    throw InputError("found " + path + (own > 0 ? " twice" : ", which is written, too") +
                     ", expected an output of its own");
}

/// As a shell needs it; words of harmless characters stay bare.
std::string quoted(const std::string& word) {
    constexpr auto kHarmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
    if (!word.empty() && word.find_first_not_of(kHarmless) == std::string::npos) return word;
    std::string result = "'";
    for (const char c : one_line(word)) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

std::string joined(const std::vector<std::string>& words) { return listed(words, quoted, " "); }

std::string comment_of(const std::string& command) {
    return "# " + Provenance::program() + "\n# command: " + command + "\n";
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
    refuse_if_named(path_, 1);
    if (path_ == "-") return;
    const std::filesystem::path target(path_);
    const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
    std::error_code problem;
    const std::filesystem::file_type type = std::filesystem::status(target, problem).type();
    if (path_.empty() || type == std::filesystem::file_type::directory)
        throw InputError("\"" + path_ + "\": expected the name of a file to write");
    if (type == std::filesystem::file_type::none) throw InputError(path_ + ": cannot be written: " + problem.message());
    if (access(folder.c_str(), W_OK) != 0)
        throw InputError(path_ + ": cannot be written: " + folder.string() + ": " + std::strerror(errno));
}

void OutputFile::expect_own(const std::string& path) { refuse_if_named(path, 0); }

void OutputFile::expect_own(const std::string& beginning, const std::string& ending) {
    std::string found;
    words_that_name([&](const std::string& value) {
        const std::string place = place_of(value), start = place_of(beginning);
        const bool is_it =
            place.size() >= start.size() + ending.size() && begins_with(place, start) && ends_with(place, ending);
        if (is_it) found = value;
        return is_it;
    });
    if (!found.empty()) throw InputError("found " + found + ", which is written, too, expected an output of its own");
}

void OutputFile::expect_figure(const std::string& path, const char* script) {
    if (path.empty()) return;
    const std::string kind = std::filesystem::path(path).extension().string();
    if (kind != ".svg" && kind != ".pdf" && kind != ".png")
        throw InputError("\"" + path + "\": expected a figure's name that ends in .svg, .pdf or .png");
    OutputFile{path};
    expect_own(std::filesystem::path(path).replace_extension(script).string());
}

void OutputFile::note_input(const std::string& path) { noted_inputs().insert(path); }

std::optional<OutputFile> file_if_named(const std::string& path) {
    return path.empty() ? std::nullopt : std::optional<OutputFile>(std::in_place, path);
}

void OutputFile::write(const std::string& text) {
    stream() << text;
    commit();
}

bool OutputFile::renamed() const {
    return path_ != "-" && (!std::filesystem::exists(path_) || std::filesystem::is_regular_file(path_));
}

std::string OutputFile::part() const { return path_ + ".part-" + std::to_string(getpid()); }

void OutputFile::refuse() const {
    throw std::runtime_error((path_ == "-" ? "standard output" : path_) +
                             ": cannot be written: " + std::strerror(errno));
}

OutputFile::~OutputFile() {
    if (out_.is_open() && renamed()) std::remove(part().c_str());
}

void OutputFile::spill() {
    constexpr std::streamoff kHeld = 1 << 20;  // bytes
    if (text_.tellp() < kHeld) return;
    append();
    text_.str("");
}

void OutputFile::append() {
    const std::string text = text_.str();
    if (path_ == "-") {
        std::cout << text << std::flush;
        if (!std::cout) refuse();
        return;
    }
    if (!out_.is_open()) out_.open(renamed() ? part() : path_, std::ios::binary);
    if (!out_.write(text.data(), static_cast<std::streamsize>(text.size()))) refuse();
}

void OutputFile::finish() {
    append();
    if (path_ == "-") return;
    out_.close();
    if (!out_) refuse();
}

std::string text_to_continue(const std::string& file, const std::string& beginning) {
    if (!std::filesystem::is_regular_file(file) || std::filesystem::file_size(file) == 0) return beginning;
    std::ifstream in(file);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!text.empty() && text.back() != '\n') text += '\n';
    return text;
}

void OutputFile::commit_all(std::vector<OutputFile*> files) {
    files.erase(std::remove(files.begin(), files.end(), nullptr), files.end());
    // Some inputs are known only once the work has begun, such as the switch that a scenario names.
    for (const OutputFile* file : files)
        for (const std::string& input : noted_inputs())
            if (file->renamed() && same_file(input, file->path_))
                throw InputError("found " + file->path_ + ", which is read, expected an output of its own");
    // All that can fail fails before the first file has its name.
    std::vector<std::string> left_over;
    try {
        for (OutputFile* file : files)
            if (file->renamed()) left_over.push_back(file->part()), file->finish();
        for (OutputFile* file : files)
            if (!file->renamed()) file->finish();
        for (const OutputFile* file : files) {
            if (!file->renamed()) continue;
            const bool is_new = !std::filesystem::exists(file->path_);
            if (std::rename(file->part().c_str(), file->path_.c_str()) != 0) file->refuse();
            if (is_new) left_over.push_back(file->path_);
        }
    } catch (const std::runtime_error&) {
        for (const std::string& path : left_over) std::remove(path.c_str());
        throw;
    }
}

void Provenance::set_command_line(int argc, const char* const* argv) {
    command_words().assign(argv, argv + argc);
    command_line() = joined(command_words());
}

std::string Provenance::program() { return "watershed " WATERSHED_VERSION; }

const std::string& Provenance::command() { return command_line(); }

std::string Provenance::comment() { return comment_of(command()); }

std::string Provenance::comment(const std::vector<std::string>& command) { return comment_of(joined(command)); }

}  // namespace watershed
