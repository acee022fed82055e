// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <filesystem>
#include <string>
#include <vector>

/// A program that makes a figure from a script: gnuplot or dot.
namespace watershed {

/// A folder beside the figure, on the same disk so that what is made there can be renamed; it goes with all that was
/// left in it.
class ScratchFolder {
  public:
    /// @throws std::runtime_error if the disk does not allow it
    explicit ScratchFolder(const std::filesystem::path& beside);
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

/// Runs a program in a folder. @param words its name and arguments @param package of Debian that has it
/// @throws std::runtime_error with the program's own message if it is missing or fails
void run_program(std::vector<std::string> words, const std::filesystem::path& folder, const std::string& package);

/// @throws std::runtime_error if that fails
void move_file(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace watershed
