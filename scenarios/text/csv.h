// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <boost/range/adaptor/transformed.hpp>
#include <boost/range/irange.hpp>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/quantities.h"
#include "scenarios/text/text-line.h"

namespace watershed {

/// Returns the known column that an unknown name likely means: a misspelling, another unit, or a usual alias;
/// std::nullopt if it resembles none.
std::optional<std::string> likely_column(std::string_view name, const std::vector<std::string>& known);

/// "# text" on a line of its own.
std::string comment_line(const std::string& text);

/// Returns a number with the one comma of `cell` as a point; other text as it is, such as two commas between thousands.
std::string with_point(std::string cell);

/// A table with a header, with commas, semicolons or tabs between cells; where there are no commas, decimal commas
/// become points; `#` lines and empty lines are comments, blanks around cells do not count.
class CsvTable {
  public:
    /// Cells of a row. @pre the table is where it was
    class Cells {
      public:
        Cells(const CsvTable& table, std::size_t row) : table_(table), first_(row * table.columns_.size()) {}
        std::size_t size() const { return table_.columns_.size(); }
        std::string operator[](std::size_t column) const {
            const std::size_t begin = table_.ends_[first_ + column];
            return table_.text_.substr(begin, table_.ends_[first_ + column + 1] - begin);
        }
        std::vector<std::string> all() const {
            std::vector<std::string> cells;
            for (std::size_t i = 0; i < size(); ++i) cells.push_back((*this)[i]);
            return cells;
        }

      private:
        const CsvTable& table_;
        std::size_t first_;
    };
    struct Row {
        int line = 0;  ///< in the file, from 1
        Cells cells;
        std::string comment;  ///< the line before it, if that is a comment
    };

    /// @throws InputError for a file that cannot be read, has no header, or a row with the wrong number of cells
    static CsvTable read(const std::string& file);
    static CsvTable read(std::istream& in, const std::string& name);
    /// Returns a table with the same lines and other columns. @param cells  returns those of a row
    CsvTable with(std::vector<std::string> columns,
                  const std::function<std::vector<std::string>(const Row&)>& cells) const;

    /// Writes the table, one line per row. Cells with a comma or a quotation mark are quoted.
    void write(std::ostream& out) const;

    const std::string& name() const { return name_; }
    /// "semicolon-separated with decimal commas, in Windows' code page 1252"; empty for commas, points and UTF-8.
    const std::string& looks() const { return looks_; }
    int header_line() const { return header_; }
    const std::vector<std::string>& columns() const { return columns_; }
    /// Returns the rows, each made when it is asked for.
    auto rows() const {
        return boost::irange(std::size_t{0}, lines_.size()) |
               boost::adaptors::transformed([this](std::size_t i) { return row(i); });
    }

    std::optional<std::size_t> find_column(std::string_view column) const;
    /// @throws InputError that names the file and the columns there are
    std::size_t column(std::string_view column) const;
    /// Returns the names of the columns for an error; none if no name is usual: the file may be no table, and secret.
    std::string found_columns() const;

    /// The cell as an integer of at least `least`. @throws InputError with file, line and column
    std::int64_t integer(const Row& row, std::size_t column, std::int64_t least) const;
    /// The cell as a time, in microseconds that are not negative. @throws InputError that says what is expected
    Time microseconds(const Row& row, std::size_t column,
                      const std::string& expected = "a number of microseconds, not negative") const;
    /// An error about this cell: "FILE:LINE: COLUMN: found "…", expected …"
    [[noreturn]] void refuse(const Row& row, std::size_t column, const std::string& expected) const;

  private:
    Row row(std::size_t i) const;
    void add(int line, const std::vector<std::string>& cells, const std::string& comment);

    std::string name_, looks_;
    int header_ = 1;
    std::vector<std::string> columns_;
    std::string text_;                             ///< of all cells, one behind the other
    std::vector<std::size_t> ends_{0};             ///< in text_: the beginning, and the end of each cell
    std::vector<int> lines_;                       ///< of the rows, in the file
    std::map<std::size_t, std::string> comments_;  ///< by row
};

}  // namespace watershed
