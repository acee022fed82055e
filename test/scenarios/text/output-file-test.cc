// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/output-file.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

std::string content(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("A file appears whole at commit, and nothing before or beside it") {
    const TemporaryFolder folder;
    OutputFile file(folder / "map.csv");
    file.stream() << "a,b\n";
    CHECK(folder.files().size() == 0);
    file.commit();
    CHECK(content(folder / "map.csv") == "a,b\n");
    CHECK(folder.files().size() == 1);
}

TEST_CASE("What is much goes to the disk as it comes, beside the file until this is whole") {
    const TemporaryFolder folder;
    const std::string line(999, 'x');
    {
        OutputFile gone(folder / "map.csv");
        for (int i = 0; i < 3000; ++i) gone.stream() << line << '\n', gone.spill();
        CHECK(folder.files().size() == 1);
        CHECK(std::ifstream(folder / "map.csv").fail());
        CHECK(std::filesystem::file_size(folder / *folder.files().begin()) > 1'000'000);
    }
    CHECK(folder.files().empty());
    OutputFile file(folder / "map.csv");
    for (int i = 0; i < 3000; ++i) file.stream() << line << '\n', file.spill();
    file.commit();
    CHECK(folder.files().size() == 1);
    CHECK(content(folder / "map.csv").size() == 3'000'000);
}

TEST_CASE("A file that is never committed leaves an older one as it was") {
    const TemporaryFolder folder;
    std::ofstream(folder / "map.csv") << "old";
    {
        OutputFile file(folder / "map.csv");
        file.stream() << "new";
    }
    CHECK(content(folder / "map.csv") == "old");
    CHECK(folder.files().size() == 1);
}

TEST_CASE("A place that cannot be written is refused before the work begins") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(OutputFile(folder / "nowhere/map.csv"), Contains("nowhere: No such file or directory"));
    CHECK_THROWS_AS(OutputFile(folder / ""), InputError);
    CHECK_THROWS_AS(OutputFile(""), InputError);
}

TEST_CASE("A full disk is an error with the system's reason") {
    OutputFile file("/dev/full");
    file.stream() << "text";
    CHECK_THROWS_WITH(file.commit(), Contains("/dev/full: cannot be written: No space left on device"));
}

TEST_CASE("Of the files of one command all appear, or none if one cannot be written") {
    const TemporaryFolder folder;
    OutputFile json(folder / "fit.json"), fragment(folder / "fit.toml"), full("/dev/full");
    json.stream() << "{}";
    fragment.stream() << "a = 1\n";
    full.stream() << "text";
    CHECK_THROWS_WITH(OutputFile::commit_all({&json, &fragment, &full}), Contains("/dev/full"));
    CHECK(folder.files().size() == 0);
    OutputFile::commit_all({&json, &fragment});
    CHECK(content(folder / "fit.json") == "{}");
    CHECK(content(folder / "fit.toml") == "a = 1\n");
    CHECK(folder.files().size() == 2);
}

TEST_CASE("The command line is kept as a shell would take it") {
    const char* words[] = {"watershed", "run", "s.toml", "--set", "switch.buffer.size=300 frames", "it's"};
    Provenance::set_command_line(6, words);
    CHECK(Provenance::command() == "watershed run s.toml --set 'switch.buffer.size=300 frames' 'it'\\''s'");
    CHECK(Provenance::comment() == "# " + Provenance::program() + "\n# command: " + Provenance::command() + "\n");
    CHECK(Provenance::comment({"watershed", "map", "a b"}) ==
          "# " + Provenance::program() + "\n# command: watershed map 'a b'\n");
}
