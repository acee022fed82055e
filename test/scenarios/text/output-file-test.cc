// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/output-file.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

namespace {

class ScratchFolder {
  public:
    ScratchFolder() : path_(std::filesystem::temp_directory_path() / ("watershed-output-" + std::to_string(getpid()))) {
        std::filesystem::create_directories(path_);
    }
    ~ScratchFolder() { std::filesystem::remove_all(path_); }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    std::string file(const std::string& name) const { return (path_ / name).string(); }
    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
    }

  private:
    std::filesystem::path path_;
};

std::string content(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("A file appears whole at commit, and nothing before or beside it") {
    const ScratchFolder folder;
    OutputFile file(folder.file("map.csv"));
    file.stream() << "a,b\n";
    CHECK(folder.files() == 0);
    file.commit();
    CHECK(content(folder.file("map.csv")) == "a,b\n");
    CHECK(folder.files() == 1);
}

TEST_CASE("A file that is never committed leaves an older one as it was") {
    const ScratchFolder folder;
    std::ofstream(folder.file("map.csv")) << "old";
    {
        OutputFile file(folder.file("map.csv"));
        file.stream() << "new";
    }
    CHECK(content(folder.file("map.csv")) == "old");
    CHECK(folder.files() == 1);
}

TEST_CASE("A place that cannot be written is refused before the work begins") {
    const ScratchFolder folder;
    CHECK_THROWS_WITH(OutputFile(folder.file("nowhere/map.csv")), Contains("nowhere: No such file or directory"));
    CHECK_THROWS_AS(OutputFile(folder.file("")), InputError);
    CHECK_THROWS_AS(OutputFile(""), InputError);
}

TEST_CASE("A full disk is an error with the system's reason") {
    OutputFile file("/dev/full");
    file.stream() << "text";
    CHECK_THROWS_WITH(file.commit(), Contains("/dev/full: cannot be written: No space left on device"));
}

TEST_CASE("Of the files of one command all appear, or none if one cannot be written") {
    const ScratchFolder folder;
    OutputFile json(folder.file("fit.json")), fragment(folder.file("fit.toml")), full("/dev/full");
    json.stream() << "{}";
    fragment.stream() << "a = 1\n";
    full.stream() << "text";
    CHECK_THROWS_WITH(OutputFile::commit_all({&json, &fragment, &full}), Contains("/dev/full"));
    CHECK(folder.files() == 0);
    OutputFile::commit_all({&json, &fragment});
    CHECK(content(folder.file("fit.json")) == "{}");
    CHECK(content(folder.file("fit.toml")) == "a = 1\n");
    CHECK(folder.files() == 2);
}

TEST_CASE("The command line is kept as a shell would take it") {
    const char* words[] = {"watershed", "run", "s.toml", "--set", "switch.buffer.size=300 frames", "it's"};
    Provenance::set_command_line(6, words);
    CHECK(Provenance::command() == "watershed run s.toml --set 'switch.buffer.size=300 frames' 'it'\\''s'");
    CHECK(Provenance::comment() == "# " + Provenance::program() + "\n# command: " + Provenance::command() + "\n");
    CHECK(Provenance::comment({"watershed", "map", "a b"}) ==
          "# " + Provenance::program() + "\n# command: watershed map 'a b'\n");
}
