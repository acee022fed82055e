// SPDX-License-Identifier: GPL-2.0-only
#include "plots/style/gnuplot.h"

#include <cstdlib>

#include "plots/style/style.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/output-file.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

using Files = std::set<std::string>;

void draw_line(Figure& figure) {
    figure.data("line", {{0, 1}, {1, 2.5}});
    figure.script() << "plot $line using 1:2 with lines\n";
}

/// PATH for the time of a test case.
class SearchPath {
  public:
    explicit SearchPath(const std::string& path) : before_(std::getenv("PATH")) { setenv("PATH", path.c_str(), 1); }
    ~SearchPath() { setenv("PATH", before_.c_str(), 1); }
    SearchPath(const SearchPath&) = delete;
    SearchPath& operator=(const SearchPath&) = delete;

  private:
    std::string before_;
};

}  // namespace

TEST_CASE("The ending of a figure's name chooses its format, and its script is kept beside it") {
    // How files of these formats begin: https://www.w3.org/TR/png/#5PNG-file-signature, ISO 32000-1 7.5.2, and an XML
    // declaration.
    const auto [ending, beginning] =
        GENERATE(table<std::string, std::string>({{"png", "\x89PNG\r\n\x1a\n"}, {"pdf", "%PDF-1."}, {"svg", "<?xml"}}));
    const TemporaryFolder folder;
    Figure figure(folder / "line." + ending, "line.csv");
    draw_line(figure);
    CHECK(folder.files().count("line." + ending) == 0);
    figure.finish();
    CHECK_THAT(folder.read("line." + ending), StartsWith(beginning));
    if (ending == "svg")
        CHECK_THAT(folder.read("line.svg"), Contains("<svg") && Contains("line.csv") && Contains("</svg>"));
    CHECK_THAT(folder.read("line.gp"), StartsWith(Provenance::comment()) && Contains("$line << e\n0 1\n1 2.5\ne\n"));
}

TEST_CASE("After a figure is finished only it and its script are in the folder") {
    const TemporaryFolder folder;
    {
        Figure figure(folder / "line.svg", "line.csv");
        draw_line(figure);
        figure.finish();
    }
    CHECK(folder.files() == Files{"line.gp", "line.svg"});
}

TEST_CASE("The kept script draws the same figure again when it is run by hand") {
    const TemporaryFolder folder;
    Figure figure(folder / "line.svg", "line.csv");
    draw_line(figure);
    figure.finish();
    const std::string drawn = folder.read("line.svg");
    std::filesystem::remove(folder / "line.svg");
    REQUIRE(std::system(("cd " + folder / "" + " && gnuplot line.gp").c_str()) == 0);
    CHECK(folder.read("line.svg") == drawn);
}

TEST_CASE("Without gnuplot there is an error that says so, and no file") {
    const TemporaryFolder folder;
    const SearchPath nothing(folder / "");
    {
        Figure figure(folder / "line.svg", "line.csv");
        draw_line(figure);
        CHECK_THROWS_WITH(figure.finish(), Contains("gnuplot cannot be started: No such file or directory"));
    }
    CHECK(folder.files().empty());
}

TEST_CASE("gnuplot's complaint about a script is passed on, and the figure of before stays as it was") {
    const TemporaryFolder folder;
    folder.write("line.svg", "the figure of before");
    folder.write("line.gp", "its script");
    {
        Figure figure(folder / "line.svg", "line.csv");
        draw_line(figure);
        figure.script() << "set label nice\n";
        CHECK_THROWS_WITH(figure.finish(), Contains("exit status 1") && Contains("set label nice") &&
                                               Contains("unexpected or unrecognized token") && !Contains("\n"));
    }
    CHECK(folder.files() == Files{"line.gp", "line.svg"});
    CHECK(folder.read("line.svg") == "the figure of before");
    CHECK(folder.read("line.gp") == "its script");
}

TEST_CASE("A gnuplot that writes nothing, or that is killed, is an error too") {
    const auto [program, complaint] = GENERATE(table<std::string, std::string>(
        {{"#!/bin/sh\n", "gnuplot wrote no figure"}, {"#!/bin/sh\nkill -9 $$\n", "signal 9"}}));
    const TemporaryFolder folder, programs;
    std::filesystem::permissions(programs.write("gnuplot", program), std::filesystem::perms::owner_all);
    const SearchPath only(programs / "");
    {
        Figure figure(folder / "line.png", "line.csv");
        draw_line(figure);
        CHECK_THROWS_WITH(figure.finish(), Contains(complaint));
    }
    CHECK(folder.files().empty());
}

TEST_CASE("A figure's name that cannot be written to is refused before anything is drawn") {
    const TemporaryFolder folder;
    CHECK_THROWS_AS(Figure(folder / "line.gif", ""), InputError);
    CHECK_THROWS_WITH(Figure(folder / "line", ""), Contains(".svg, .pdf or .png"));
    CHECK_THROWS_AS(Figure(folder / "no-such-folder/line.svg", ""), InputError);
    std::filesystem::create_directory(folder / "folder.svg");
    CHECK_THROWS_AS(Figure(folder / "folder.svg", ""), InputError);
    CHECK(folder.files() == Files{"folder.svg"});
}

TEST_CASE("Text of the user is drawn, never run") {
    const TemporaryFolder folder;
    const std::string text = "it's `touch ran` @macro \"$(touch ran)\" {/Bold a_b^c}";
    {
        Figure figure(folder / "'|touch ran;.svg", text);
        write_title(figure.script(), text);
        draw_line(figure);
        figure.finish();
    }
    CHECK(folder.files() == Files{"'|touch ran;.gp", "'|touch ran;.svg"});
    CHECK_THAT(folder.read("'|touch ran;.svg"), Contains("it's `touch ran` @macro \"$(touch ran)\" {/Bold a_b^c}") ||
                                                    Contains("it&apos;s `touch ran` @macro"));
}

TEST_CASE("gnuplot takes quoted text literally") {
    CHECK(gnuplot_text("it's") == "'it''s'");
    CHECK(gnuplot_text("two\nlines\t") == "'two lines '");
    CHECK(gnuplot_text("'a''b'") == "'\u2019a''\u2019b'''");  // two strings to gnuplot: '''a', 'a''''b'
    CHECK(gnuplot_lines("two\nlines") == "'two'.\"\\n\".'lines'");
}

TEST_CASE("A script with a command that no figure writes never reaches gnuplot") {
    const TemporaryFolder folder;
    const std::string forged = folder / "forged";
    const auto foreign = GENERATE_REF(
        as<std::string>{}, "print system('touch " + forged + "')", "set title 'a'; x = system('touch " + forged + "')",
        "plot '< touch " + forged + "'", "plot $line title 'a', '< touch " + forged + "' using 1:2",
        "set output '" + forged + "'", "set table '" + forged + "'", "set o '" + forged + "'", "! touch " + forged,
        "set title `touch " + forged + "`", "set title \"`touch " + forged + "`\"", "set title 'a",
        "load '" + forged + "'");
    Figure figure(folder / "line.svg", "line.csv");
    draw_line(figure);
    figure.script() << foreign << '\n';
    CHECK_THROWS_WITH(figure.finish(), Contains("is not given to gnuplot"));
    CHECK_FALSE(std::filesystem::exists(forged));
}

TEST_CASE("A comment ends with its line, whatever its text, and a tic's text is no format") {
    CHECK(gnuplot_comment("a\nprint 1\r\x1b") == "\n# a print 1  \n");
    CHECK(gnuplot_comment("a\\") == "\n# a\\ \n");  // else it would go on in the next line
    CHECK(gnuplot_tic("5 %s's") == "'5 %%s''s'");
}
