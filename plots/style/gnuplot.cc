// SPDX-License-Identifier: GPL-2.0-only
#include "plots/style/gnuplot.h"

#include <gnuplot-iostream.h>

#include <filesystem>
#include <iomanip>
#include <stdexcept>

#include "plots/style/drawing-program.h"
#include "plots/style/style.h"
#include "scenarios/text/output-file.h"

namespace watershed {
namespace {

namespace fs = std::filesystem;

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
};

Figure::Figure(const std::string& path, const std::string& source) {
    const std::string terminal = terminal_for(path);
    OutputFile::expect_figure(path);
    workshop_ = std::make_unique<Workshop>(path);
    script() << std::defaultfloat << std::setprecision(12) << Provenance::comment()
             << "# To draw the figure again after a change, type in this folder: gnuplot " << workshop_->script_name
             << "\n\n"
             << terminal << "\nset output " << gnuplot_text("./" + workshop_->target.filename().string()) << '\n';
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

std::string gnuplot_text(std::string_view text) {
    std::string quoted = "'";
    for (const char c : text)
        quoted += c == '\'' ? "''" : std::string(1, static_cast<unsigned char>(c) < ' ' ? ' ' : c);
    return quoted + "'";
}

std::string gnuplot_lines(std::string_view text) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return gnuplot_text(text);
    return gnuplot_text(text.substr(0, end)) + ".\"\\n\"." + gnuplot_lines(text.substr(end + 1));
}

}  // namespace watershed
