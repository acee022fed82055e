// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace watershed {

/// A figure in the making: gnuplot commands and the data they draw.
///
/// They are kept beside the figure as one script, FIGURE.gp for FIGURE.svg, which is there to be edited and run by hand
/// in that folder. Figure and script appear together when gnuplot has succeeded, or not at all.
class Figure {
  public:
    using Rows = std::vector<std::vector<double>>;

    /// Begins the script with what made it, terminal, output and the common look.
    /// @param path   ends in .svg, .pdf or .png
    /// @param source what the data are, for the line at the bottom
    /// @throws InputError for another ending or a folder that cannot be written
    Figure(const std::string& path, const std::string& source);
    ~Figure();
    Figure(const Figure&) = delete;
    Figure& operator=(const Figure&) = delete;

    /// Stream of gnuplot commands; numbers are written with 12 digits.
    std::ostream& script();
    /// Defines the data block $name, a column per element of a row; NaN is a missing value.
    /// Draw it only if it has rows: gnuplot refuses an empty one.
    void data(const std::string& name, const Rows& rows);

    /// Runs gnuplot. @throws std::runtime_error with gnuplot's own message if it is missing or fails
    void finish();

  private:
    struct Workshop;
    std::unique_ptr<Workshop> workshop_;
};

// Whatever a script says in words is written by one of these; Figure::finish() refuses a script in which a text of
// others became a command.

/// A line of its own after an empty one. It ends with the line, whatever the text.
std::string gnuplot_comment(std::string_view text);
/// Text as gnuplot takes it literally: nothing in it is a command, a variable or markup.
std::string gnuplot_text(std::string_view text);
/// Text that gnuplot takes literally, in which a newline begins a new line.
std::string gnuplot_lines(std::string_view text);
/// Text of a tic, which gnuplot takes for a format, so that it stands there literally.
std::string gnuplot_tic(std::string_view text);

}  // namespace watershed
