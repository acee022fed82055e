// SPDX-License-Identifier: GPL-2.0-only
#include "plots/gnuplot.h"

#include <fcntl.h>
#include <gnuplot-iostream.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <stdexcept>

#include "plots/style.h"
#include "scenarios/output-file.h"

namespace watershed {
namespace {

namespace fs = std::filesystem;

/// A folder beside the figure, on the same disk so that what is made there can be renamed; it goes with all that was left in it.
class ScratchFolder {
  public:
    explicit ScratchFolder(const fs::path& beside) {
        std::string name = (beside / ".figure-XXXXXX").string();
        if (!mkdtemp(name.data())) throw std::runtime_error(beside.string() + ": cannot be written: " + std::strerror(errno));
        path_ = name;
    }
    ~ScratchFolder() {
        std::error_code nothing_to_be_done;
        fs::remove_all(path_, nothing_to_be_done);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

/// gnuplot's words on one line: the command it stumbled over, shortened, and what it says about it.
std::string message_in(const fs::path& log) {
    std::ifstream in(log);
    std::string message;
    for (std::string line; std::getline(in, line);) {
        const auto first = line.find_first_not_of(" \t^");   // the caret points into the line above
        if (first == std::string::npos) continue;
        line.erase(0, first);
        if (line.size() > 200) line = line.substr(0, 200) + " ...";
        message += (message.empty() ? "" : "; ") + line;
    }
    return message;
}

/// Runs `gnuplot SCRIPT` in a folder. @returns what it said, whatever it was @throws std::runtime_error if it is missing or fails
void run_gnuplot(const fs::path& folder, const std::string& script) {
    const fs::path log = folder / ".log";
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());

    // Not the user's ~/.gnuplot, which could change the look.
    std::string words[] = {"gnuplot", "--default-settings", script};
    char* const arguments[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
    pid_t child = 0;
    const int failure = posix_spawnp(&child, words[0].c_str(), &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) throw std::runtime_error("gnuplot cannot be started: " + std::string(std::strerror(failure)) + " (Debian has it in gnuplot-nox)");

    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) throw std::runtime_error("gnuplot cannot be waited for: " + std::string(std::strerror(errno)));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    const std::string end = WIFEXITED(status) ? "exit status " + std::to_string(WEXITSTATUS(status)) : "signal " + std::to_string(WTERMSIG(status));
    throw std::runtime_error("gnuplot failed (" + end + "): " + message_in(log));
}

void move_file(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::rename(from, to, error);
    if (error) throw std::runtime_error(to.string() + ": cannot be written: " + error.message());
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
};

Figure::Figure(const std::string& path, const std::string& source) {
    const std::string terminal = terminal_for(path);
    OutputFile{path};   // refuses what cannot be written
    workshop_ = std::make_unique<Workshop>(path);
    script() << std::defaultfloat << std::setprecision(12) << Provenance::comment()
             << "# To draw the figure again after a change, type in this folder: gnuplot " << workshop_->script_name << "\n\n"
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
    run_gnuplot(folder, "./" + workshop_->script_name);

    const fs::path& target = workshop_->target;
    const fs::path made = folder / target.filename();
    std::error_code error;
    if (fs::file_size(made, error) == 0 || error) throw std::runtime_error(target.string() + ": gnuplot wrote no figure");
    move_file(folder / workshop_->script_name, target.parent_path() / workshop_->script_name);
    move_file(made, target);
}

std::string gnuplot_text(std::string_view text) {
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, static_cast<unsigned char>(c) < ' ' ? ' ' : c);
    return quoted + "'";
}

std::string gnuplot_lines(std::string_view text) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return gnuplot_text(text);
    return gnuplot_text(text.substr(0, end)) + ".\"\\n\"." + gnuplot_lines(text.substr(end + 1));
}

}  // namespace watershed
