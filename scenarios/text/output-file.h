// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <fstream>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

namespace watershed {

/// A file that appears whole or not at all: what is written is held back, then put beside the target and renamed.
/// "-" is standard output.
class OutputFile {
  public:
    /// @throws InputError if the folder cannot be written, so that long work fails before it begins
    explicit OutputFile(std::string path);

    OutputFile(OutputFile&&) = default;
    ~OutputFile();
    std::ostream& stream() { return text_; }
    /// Puts out what the stream holds, if that is much: a file that may be larger than memory is written as it grows,
    /// under a name of its own until commit(). @throws std::runtime_error
    void spill();
    /// @throws std::runtime_error, after which no part of the file is there
    void commit() { commit_all({this}); }
    /// Writes all of it and commits. @throws as commit()
    void write(const std::string& text);
    /// Completes the files of one command: all appear, or none. A null pointer is skipped.
    /// @throws std::runtime_error; no part of a file then remains, but text for standard output or a device is already
    /// out
    static void commit_all(std::vector<OutputFile*> files);

    // All outputs of a call are files of their own: none takes the place of an input or of another one. For an output
    // that an option names the constructor sees to it, for all others one of these does, before the work begins.

    /// @throws InputError where the command line names this file that is written without being named
    static void expect_own(const std::string& path);
    /// Checks all files whose names begin with `beginning` and end with `ending`, as expect_own().
    static void expect_own(const std::string& beginning, const std::string& ending);
    /// Checks a figure and the script beside it, as expect_own(); does nothing if `path` is empty.
    /// @param script  extension of the script
    /// @throws InputError unless `path` ends in .svg, .pdf or .png, and as expect_own() and the constructor
    static void expect_figure(const std::string& path, const char* script = ".gp");
    /// Registers an input file that the command line does not name.
    static void note_input(const std::string& path);

  private:
    /// A device such as /dev/null cannot be replaced by a renamed file.
    bool renamed() const;
    std::string part() const;
    void append();
    void finish();
    [[noreturn]] void refuse() const;

    std::string path_;
    std::ostringstream text_;
    std::ofstream out_;  ///< open once a part is written
};

/// Returns the text of a file that will be continued, with an end of its last line; `beginning` if it is empty or
/// missing.
std::string text_to_continue(const std::string& file, const std::string& beginning);

/// Returns the output file of an option; std::nullopt if `path` is empty. @throws as OutputFile
std::optional<OutputFile> file_if_named(const std::string& path);

/// Provenance of every output: its first lines, as `#` comments. Set once by main().
struct Provenance {
    static void set_command_line(int argc, const char* const* argv);
    /// "watershed 0.1.0"
    static std::string program();
    /// The command line as a shell would take it.
    static const std::string& command();
    /// `# program`, `# command: …`, each on a line
    static std::string comment();
    /// Returns the comment for another command: the words on which the output depends.
    static std::string comment(const std::vector<std::string>& command);
};

}  // namespace watershed
