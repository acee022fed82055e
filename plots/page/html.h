// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <string>
#include <vector>

/// Pieces of the page that `watershed report` writes.
namespace watershed {

std::string escaped(const std::string& text);

/// @throws InputError if the file cannot be read
std::string contents(const std::string& file);

/// A figure's SVG without what only a file of its own needs.
/// @param text  of the file
/// @throws InputError if it is none, or has in it what `watershed plot` and `draw` do not write
std::string svg_element(const std::string& text, const std::string& file);

std::string figure(const std::string& svg, const std::string& caption);

/// Returns the caption that a figure of `watershed plot` carries; empty for other figures.
std::string caption_of(const std::string& svg);

std::string heading(const std::string& text);
std::string smaller_heading(const std::string& text);
std::string paragraph(const std::string& text);
/// The answer, larger than what follows.
std::string answer(const std::string& text);
std::string remark(const std::string& text);
std::string list_of(const std::vector<std::string>& lines);

/// A table whose columns stand below each other on a narrow page. Cells are plain text.
class Table {
  public:
    /// @param heads  a column each; one that begins with "<" holds text and is aligned to the left
    explicit Table(std::vector<std::string> heads);
    /// @param marked  with a bar at the left
    void add(std::vector<std::string> cells, bool marked = false);
    /// Over all columns, below the row before it.
    void add_note(const std::string& text);
    bool empty() const { return rows_.empty(); }
    /// Columns without a word in any row are left out.
    std::string html() const;

  private:
    struct Row {
        std::vector<std::string> cells;
        bool marked = false, note = false;
    };
    std::vector<std::string> heads_;
    std::vector<Row> rows_;
};

/// A folder for figures that goes away with this object.
class Scratch {
  public:
    Scratch();
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    std::string path(const std::string& name) const;
    /// A figure that is drawn here and stands on the page.
    std::string drawn(const std::string& name, const std::string& caption,
                      const std::function<void(const std::string& svg)>& draw) const;

  private:
    std::string folder_;
};

}  // namespace watershed
