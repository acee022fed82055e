// SPDX-License-Identifier: GPL-2.0-only
#pragma once

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

    std::ostream& stream() { return text_; }
    /// @throws std::runtime_error, after which no part of the file is there
    void commit() { commit_all({this}); }
    /// Writes all of it and commits. @throws as commit()
    void write(const std::string& text);
    /// Of one command: all appear or none does. Null for one that is not asked for.
    /// @throws std::runtime_error, after which no part of a file is there (only what went to standard output or a
    /// device is gone)
    static void commit_all(std::vector<OutputFile*> files);

    // All outputs of a call are files of their own: none takes the place of an input or of another one. For an output
    // that an option names the constructor sees to it, for all others one of these does, before the work begins.

    /// @throws InputError where the command line names this file that is written without being named
    static void expect_own(const std::string& path);
    /// The same for all files whose names begin and end so.
    static void expect_own(const std::string& beginning, const std::string& ending);
    /// The same for a figure that an option names, and for the script that is kept beside it; nothing without a name.
    /// @param script  its ending. @throws also as the constructor
    static void expect_figure(const std::string& path, const char* script = ".gp");
    /// A file that no word names is read, too.
    static void note_input(const std::string& path);

  private:
    /// A device such as /dev/null cannot be replaced by a renamed file.
    bool renamed() const;
    std::string part() const;
    void write_to(const std::string& path) const;
    [[noreturn]] void refuse() const;

    std::string path_;
    std::ostringstream text_;
};

/// What a file holds that is about to grow, its last line with an end; of one that is empty or not there the beginning.
std::string text_to_continue(const std::string& file, const std::string& beginning);

/// What an option names; nothing where it is not given. @throws as OutputFile
std::optional<OutputFile> file_if_named(const std::string& path);

/// The first lines of every output: what made it, as `#` comments. Set once by main().
struct Provenance {
    static void set_command_line(int argc, const char* const* argv);
    /// "watershed 0.1.0"
    static std::string program();
    /// The command line as a shell would take it.
    static const std::string& command();
    /// `# program`, `# command: …`, each on a line
    static std::string comment();
    /// The same for a command of these words instead: those that the output depends on.
    static std::string comment(const std::vector<std::string>& command);
};

}  // namespace watershed
