// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/csv.h"

#include <sstream>

#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("Texts of others stay on one line") {
    // The ends of lines of C, of a terminal and of Unicode.
    CHECK(one_line("eth0\n1,2\r\x1b[2J\u2028\u0085\u2029é") == "eth0 1,2  [2J   é");
    CHECK(comment_line("a\nb") == "# a b\n");
    std::istringstream in("name,value\nx,1\n");
    std::ostringstream out;
    CsvTable::read(in, "in").with({"name"}, [](const auto&) { return std::vector<std::string>{"a,\nb"}; }).write(out);
    CHECK(out.str() == "name\n\"a, b\"\n");
}

TEST_CASE("A misspelt, shortened or otherwise measured column is known by its words") {
    const std::vector<std::string> known{"ports",
                                         "payload_bytes",
                                         "separation_us",
                                         "events",
                                         "frames_sent",
                                         "frames_received",
                                         "worst_trigger_lateness_us",
                                         "congested_uplinks"};
    const std::pair<const char*, const char*> cases[] = {{"latness_us", "worst_trigger_lateness_us"},
                                                         {"lateness", "worst_trigger_lateness_us"},
                                                         {"late_us", "worst_trigger_lateness_us"},
                                                         {"worst_trigger_latenes_us", "worst_trigger_lateness_us"},
                                                         {"max lateness [ns]", "worst_trigger_lateness_us"},
                                                         {"uplinks", "congested_uplinks"},
                                                         {"congested_uplink", "congested_uplinks"},
                                                         {"separation_ns", "separation_us"},
                                                         {"sep (ns)", "separation_us"},
                                                         {"Separation_us", "separation_us"},
                                                         {"seperation_us", "separation_us"},
                                                         {"frames_recieved", "frames_received"},
                                                         {"rx_frames", ""},
                                                         {"received", "frames_received"},
                                                         {"payload", "payload_bytes"},
                                                         {"port", "ports"},
                                                         {"modules", "ports"}};
    for (const auto& [column, meant] : cases) {
        INFO(column);
        CHECK(likely_column(column, known).value_or("") == meant);
    }
}

TEST_CASE("Columns of an experimenter's own resemble none") {
    const std::vector<std::string> known{"separation_us", "worst_trigger_lateness_us", "congested_uplinks",
                                         "frames_sent"};
    for (const char* column : {"operator", "date", "temperature_C", "mean_lateness_us", "peak_bytes", "frames_lost",
                               "rate", "seconds", "us", "", "run"}) {
        INFO(column);
        CHECK_FALSE(likely_column(column, known));
    }
}

namespace {

CsvTable read(const std::string& text) {
    std::istringstream in(text);
    return CsvTable::read(in, "table.csv");
}

}  // namespace

TEST_CASE("A table has a header and rows, and remembers where they stood") {
    const CsvTable table = read("# comment\na, b\n\n1,2\r\n# more\n 3 , 4 \n");
    CHECK(table.columns() == std::vector<std::string>{"a", "b"});
    REQUIRE(table.rows().size() == 2);
    CHECK(table.rows()[1].line == 6);
    CHECK(table.rows()[1].cells.all() == std::vector<std::string>{"3", "4"});
    CHECK(table.integer(table.rows()[0], table.column("b"), 0) == 2);
    CHECK_FALSE(table.find_column("c"));
}

TEST_CASE("What is wrong with a table is named by file, line and column") {
    CHECK_THROWS_WITH(read(""), Contains("table.csv: the file is empty"));
    CHECK_THROWS_WITH(read("a,b\n1\n"), Contains("table.csv:2: found 1 cell, expected 2"));
    CHECK_THROWS_WITH(read("a,b,a\n").column("a"), Contains("table.csv: found two columns a, expected one"));
    CHECK_THROWS_WITH(read("a,events\n").column("c"), Contains("column c is missing, found a,events"));
    // A file that is no table may hold what no error should show.
    CHECK_THROWS_WITH(read("\nroot:$6$salt:1:0\n").column("c"),
                      Contains("column c is missing, found none of the usual names in line 2") && !Contains("root"));
    CHECK_THROWS_WITH(CsvTable::read("/nowhere/table.csv"), Contains("/nowhere/table.csv: cannot be read"));
    for (const std::string cell : {"x", "", "1.5", "-1", "nan", "99999999999999999999", "1 2"}) {
        const CsvTable table = read("a,b\n1," + cell + "\n");
        CHECK_THROWS_WITH(table.integer(table.rows()[0], 1, 0),
                          Contains("table.csv:2: b: found \"" + cell + "\", expected an integer of at least 0"));
    }
}

TEST_CASE("Cells may stand in quotation marks, as spreadsheets and R write them") {
    const CsvTable table = read("\"a\",\"the note\",b\n\"1\",\"x, \"\"y\"\"\", \"2\" \n3,,4\n");
    CHECK(table.columns() == std::vector<std::string>{"a", "the note", "b"});
    REQUIRE(table.rows().size() == 2);
    CHECK(table.rows()[0].cells.all() == std::vector<std::string>{"1", "x, \"y\"", "2"});
    CHECK(table.rows()[1].cells.all() == std::vector<std::string>{"3", "", "4"});
    CHECK(table.integer(table.rows()[0], table.column("b"), 0) == 2);
    CHECK_THROWS_WITH(read("a,b\n1,\"2\n"), Contains("table.csv:2: found a quotation mark that is not closed"));
}

TEST_CASE("A file that is no text is said to be none") {
    CHECK_THROWS_WITH(read(std::string("a,b\n1,2\0\n", 9)),
                      Contains("table.csv:2: found a zero byte, expected plain text"));
}

TEST_CASE("A table is read as a spreadsheet writes it, and says how it looked") {
    const CsvTable german = read(
        "\xEF\xBB\xBF"
        "a;b (\xC2\xB5s);c\r\n1;2,5;x,y\r\n");
    CHECK(german.columns() == std::vector<std::string>{"a", "b (\xC2\xB5s)", "c"});
    CHECK(german.rows()[0].cells.all() == std::vector<std::string>{"1", "2.5", "x,y"});
    CHECK(german.looks() == "semicolon-separated with decimal commas");
    CHECK(read("a\tb\n1\t2,5\n").looks() == "tab-separated with decimal commas");
    const CsvTable windows = read("a;b (\xB5s) \x96 \x80\n1;2\n");
    CHECK(windows.columns()[1] == "b (\xC2\xB5s) \xE2\x80\x93 \xE2\x82\xAC");
    CHECK(windows.looks() == "semicolon-separated, in Windows' code page 1252");
    CHECK(read("a,b;c\n1,2\n").columns() == std::vector<std::string>{"a", "b;c"});
    CHECK(read("a,b\n1,2\n").looks().empty());
}

TEST_CASE("A missing column is looked for among those that are there") {
    const CsvTable table = read("ports,separation_ns,sent\n1,2,3\n");
    CHECK_THROWS_WITH(
        table.column("separation_us"),
        Contains("column separation_us is missing, found ports,separation_ns,sent; is separation_ns meant?"));
    CHECK_THROWS_WITH(table.column("frames_sent"), Contains("is sent meant?"));
    CHECK_THROWS_WITH(table.column("events"), Contains("found ports,separation_ns,sent") && !Contains("meant"));
}
