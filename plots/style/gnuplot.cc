// SPDX-License-Identifier: GPL-2.0-only
#include "plots/style/gnuplot.h"

#include <gnuplot-iostream.h>

#include <filesystem>
#include <fstream>
#include <iomanip>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>

#include "plots/style/drawing-program.h"
#include "plots/style/style.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

namespace fs = std::filesystem;

/// Returns the part of a figure's command outside of its quotes; std::nullopt if a quote has no end, or is not of
/// gnuplot_text() or gnuplot_lines().
std::optional<std::string> outside_quotes(const std::string& command) {
    std::string bare;
    for (std::size_t at = 0; at < command.size(); ++at) {
        if (command.compare(at, 4, "\"\\n\"") == 0) {
            at += 3;
        } else if (command[at] == '"') {
            return std::nullopt;
        } else if (command[at] == '\'') {
            at = command.find('\'', at + 1);  // two of them are the end of a text and the begin of the next
            if (at == std::string::npos) return std::nullopt;
            bare += '\'';
        } else {
            bare += command[at];
        }
    }
    return bare;
}

/// Whether a figure writes such a command: none that opens a file or starts a program, nor a file's name for data.
bool is_of_a_figure(const std::string& statement) {
    static const std::set<std::string> kSettings{
        "arrow", "bmargin", "border",   "boxwidth",  "datafile", "encoding", "format",  "grid",  "key",
        "label", "lmargin", "logscale", "multiplot", "mytics",   "object",   "rmargin", "style", "tics",
        "title", "tmargin", "xrange",   "xtics",     "y2range",  "y2tics",   "yrange",  "ytics"};
    static const std::set<std::string> kBeforeText{"rgb", "title", "font", "dashtype"};
    if (statement.find_first_of("`@!|") != std::string::npos || statement.find("system") != std::string::npos)
        return false;
    std::istringstream in(statement);
    std::string word, before;
    if (!(in >> word)) return true;
    if (word == "set") return in >> word && kSettings.count(word) == 1;
    if (word == "unset") return in >> word && (kSettings.count(word) == 1 || word == "output");
    if (word == "mark") return statement.find('\'') == std::string::npos;
    if (word != "plot") return false;
    for (before = word; in >> word; before = word)
        if (word.find('\'') != std::string::npos && before != "using" &&  // a number's format
            (word.front() != '\'' || kBeforeText.count(before) == 0))
            return false;
    return true;
}

bool are_of_a_figure(const std::string& bare) {
    std::istringstream statements(bare);
    for (std::string statement; std::getline(statements, statement, ';');)
        if (!is_of_a_figure(statement)) return false;
    return true;
}

/// The one place that all scripts pass on their way to gnuplot: a text of others that left its quotes or its comment
/// ends here. @param head  of the script, which names the file that gnuplot writes
void refuse_foreign_commands(const fs::path& script, std::size_t head) {
    std::ifstream in(script);
    in.seekg(static_cast<std::streamoff>(head));
    std::string command;
    bool in_data = false;
    for (std::string line; std::getline(in, line);) {
        if (in_data) {
            in_data = line != "e";
            continue;
        }
        command += line;
        if (!command.empty() && command.back() == '\\') {  // it goes on in the next line
            command.pop_back();
            continue;
        }
        in_data = begins_with(command, "$") && ends_with(command, " << e");
        const auto bare = outside_quotes(command);
        if (!in_data && !begins_with(command, "#") && !(bare && are_of_a_figure(*bare)))
            throw std::runtime_error("the figure's script is not given to gnuplot: found \"" + command +
                                     "\", expected commands of figures");
        command.clear();
    }
}

}  // namespace

struct Figure::Workshop {
    explicit Workshop(const fs::path& path)
        : target(path),
          script_name(path.stem().string() + ".gp"),
          scratch(target.has_parent_path() ? target.parent_path() : "."),
          gnuplot(">" + (scratch.path() / script_name).string()) {}

    fs::path target;
    std::string script_name;
    ScratchFolder scratch;
    Gnuplot gnuplot;
    std::size_t head = 0;  ///< bytes of the script that name the figure's file
};

Figure::Figure(const std::string& path, const std::string& source) {
    OutputFile::expect_figure(path);
    if (one_line(path) != path)
        throw InputError("\"" + path + "\": found a control character, expected a name that gnuplot can write");
    workshop_ = std::make_unique<Workshop>(path);
    script() << std::defaultfloat << std::setprecision(12) << Provenance::comment()
             << gnuplot_comment("To draw the figure again after a change, type in this folder: gnuplot " +
                                workshop_->script_name)
             << '\n'
             << terminal_for(path) << "\nset output " << gnuplot_text("./" + workshop_->target.filename().string())
             << '\n';
    workshop_->head = static_cast<std::size_t>(script().tellp());
    write_style(script(), source);
}

Figure::~Figure() = default;

std::ostream& Figure::script() { return workshop_->gnuplot; }

void Figure::data(const std::string& name, const Rows& rows) {
    // gnuplot-iostream ends its data with a line "e", as gnuplot's plot '-' wants it; here that word ends the block.
    script() << '$' << name << " << e\n";
    workshop_->gnuplot.send1d(rows);
}

void Figure::finish() {
    const fs::path& folder = workshop_->scratch.path();
    script() << "unset output\n" << std::flush;
    if (!script()) throw std::runtime_error((folder / workshop_->script_name).string() + ": cannot be written");
    refuse_foreign_commands(folder / workshop_->script_name, workshop_->head);
    // Not the user's ~/.gnuplot, which could change the look.
    run_program({"gnuplot", "--default-settings", "./" + workshop_->script_name}, folder, "gnuplot-nox");

    const fs::path& target = workshop_->target;
    const fs::path made = folder / target.filename();
    std::error_code error;
    if (fs::file_size(made, error) == 0 || error)
        throw std::runtime_error(target.string() + ": gnuplot wrote no figure");
    move_file(folder / workshop_->script_name, target.parent_path() / workshop_->script_name);
    move_file(made, target);
}

std::string gnuplot_comment(std::string_view text) {
    // A backslash at the end would take the next line along.
    return "\n# " + one_line(std::string(text)) + (ends_with(text, "\\") ? " \n" : "\n");
}

std::string gnuplot_text(std::string_view text) {
    std::string quoted = "'";
    bool after_quote = true;  // gnuplot knows no doubled quote there, at the beginning neither
    for (const char c : one_line(std::string(text))) {
        const bool is_quote = c == '\'';
        quoted += !is_quote ? std::string(1, c) : after_quote ? "\u2019" : "''";
        after_quote = is_quote;
    }
    return quoted + "'";
}

std::string gnuplot_tic(std::string_view text) {
    std::string format;
    for (const char c : text) format += c == '%' ? "%%" : std::string(1, c);
    return gnuplot_text(format);
}

std::string gnuplot_lines(std::string_view text) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return gnuplot_text(text);
    return gnuplot_text(text.substr(0, end)) + ".\"\\n\"." + gnuplot_lines(text.substr(end + 1));
}

}  // namespace watershed
