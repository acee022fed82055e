// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/measured-table.h"

#include "scenarios/text/loss-map.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

/// A file that lives as long as this.
struct Written {
    Written(const std::string& ending, const std::string& text) : file(folder.write("table" + ending, text)) {}
    operator std::string() const { return file; }
    TemporaryFolder folder;
    std::string file;
};

const char* const kSpreadsheet =
    "\xEF\xBB\xBFModules;payload (B);sep (ns);events;tx;lost\r\n28;1024;8720,5;2;56;0\r\n28;1024;12000,25;5;140;33\r\n";
const char* const kColumns =
    "Modules=ports,payload (B)=payload_bytes,sep "
    "(ns)=separation_us*0.001,tx=frames_sent,lost=frames_sent-frames_received";

void check_map(const LossMap& map) {
    REQUIRE(map.rows.size() == 2);
    CHECK(map.rows[0].separation == Time{8'720'500});  // 8720.5 ns in picoseconds
    CHECK(map.rows[1].separation == Time{12'000'250});
    CHECK(map.rows[1].frames_sent == 140);
    CHECK(map.rows[1].frames_received == 140 - 33);
    CHECK(map.rows[1].line == 3);
}

void refused(const std::string& table, const std::string& columns, const std::string& message) {
    INFO(columns);
    CHECK_THROWS_WITH(read_measured_table(table, columns), Contains(message));
}

}  // namespace

TEST_CASE(
    "A spreadsheet's table with semicolons, decimal commas, nanoseconds and lost frames is a loss map once its columns "
    "are named") {
    const Written table(".csv", kSpreadsheet);
    check_map(loss_map_from(read_measured_table(table, kColumns)));
}

TEST_CASE("The columns may be named in a TOML file") {
    const Written table(".csv", kSpreadsheet);
    const Written columns(".toml",
                          "Modules = 'ports'\n\"payload (B)\" = 'payload_bytes'\n\"sep (ns)\" = 'separation_us * "
                          "0.001'\ntx = 'frames_sent'\nlost = 'frames_sent - frames_received'\n");
    check_map(loss_map_from(read_measured_table(table, columns)));
}

TEST_CASE("Of a difference and one of its sides the other side follows") {
    const Written table(".csv", "ports,payload_bytes,separation_us,events,frames_received,lost\n28,1024,8.72,2,50,6\n");
    CHECK(loss_map_from(read_measured_table(table, "lost=frames_sent-frames_received")).rows[0].frames_sent == 56);
}

TEST_CASE("A table with the usual names and commas needs nothing said, and a number of several commas is not guessed") {
    const Written usual(".csv",
                        "ports,payload_bytes,separation_us,events,frames_sent,frames_received\n28,1024,8.72,1,28,28\n");
    CHECK(loss_map_from(read_measured_table(usual, "")).rows[0].separation == Time{8'720'000});
    const Written thousands(
        ".csv", "ports;payload_bytes;separation_us;events;frames_sent;frames_received\n28;1024;1,000,000;1;28;28\n");
    CHECK_THROWS_WITH(loss_map_from(read_measured_table(thousands, "separation_us=separation_us")),
                      Contains(":2: separation_us: found \"1,000,000\""));
}

TEST_CASE("A table that looks otherwise is refused with a guess of what to say, and that guess reads it") {
    const Written table(".csv", kSpreadsheet);
    refused(table, "",
            ":1: the table looks like semicolon-separated with decimal commas; try --columns \"" +
                std::string(kColumns) + "\"");
    const Written named(".csv",
                        "ports,payload_bytes,sep (ns),events,frames_sent,frames_received\n28,1024,8720,1,28,28\n");
    refused(named, "", "try --columns \"sep (ns)=separation_us*0.001\"");
    CHECK(loss_map_from(read_measured_table(named, "sep (ns)=separation_us*0.001")).rows[0].separation ==
          Time{8'720'000});
}

TEST_CASE("Names in another language or with words that only count are guessed, and the guess reads the table") {
    for (const auto& [header, said] :
         {std::pair("Module;Nutzlast (B);Abstand (ns);Ereignisse;gesendet;verloren",
                    "Module=ports,Nutzlast (B)=payload_bytes,Abstand "
                    "(ns)=separation_us*0.001,Ereignisse=events,gesendet=frames_sent,verloren=frames_sent-frames_"
                    "received"),
          std::pair("number of ports;payload;sep (ns);n events;tx frames;lost frames",
                    "number of ports=ports,payload=payload_bytes,sep (ns)=separation_us*0.001,n events=events,tx "
                    "frames=frames_sent,lost frames=frames_sent-frames_received")}) {
        const Written table(".csv", std::string(header) + "\n28;1024;8720,5;2;56;0\n28;1024;12000,25;5;140;33\n");
        refused(table, "", "try --columns \"" + std::string(said) + "\"");
        check_map(loss_map_from(read_measured_table(table, said)));
    }
}

TEST_CASE("Columns that no name tells are asked for, each by the usual name it should have") {
    const Written some(".csv", "ports;payload_bytes;sep (ns);events;frames_sent;c\n1;1;1;1;1;1\n");
    refused(some, "", "try --columns \"sep (ns)=separation_us*0.001\", and add NAME=frames_received");
    const Written none(".csv", "a;b\n1;2,5\n");
    refused(none, "", "--columns \"NAME=ports,NAME=payload_bytes,NAME=");
    const Written absorption(".csv", "frame_bytes;max_burst_lossless_frames;drops_at_burst_plus_1\n64;100;1\n");
    refused(absorption, "", "try --columns \"frame_bytes=frame_bytes\"");
    CHECK(read_measured_table(absorption, "frame_bytes=frame_bytes").rows().size() == 1);
    const Written thresholds(".csv", "pg,quantity,point_cells\n1,pfc_xoff,100\n");
    CHECK(read_measured_table(thresholds, "").rows().size() == 1);
}

TEST_CASE("A point or comma between the thousands of a count is refused, not taken for a decimal one") {
    for (const char* count : {"88.000", "88,000", "1.088.000"}) {
        const Written table(".csv", "ports;payload_bytes;separation_us;events;tx;frames_received\n44;1024;8,72;2000;" +
                                        std::string(count) + ";0\n");
        refused(table, "tx=frames_sent", ":2: tx: found \"" + std::string(count) + "\", expected a whole number");
    }
    const Written decimals(
        ".csv", "ports;payload_bytes;separation_us;events;tx;frames_received\n44;1024;8,720;2000;88000,0;0\n");
    CHECK(loss_map_from(read_measured_table(decimals, "tx=frames_sent")).rows[0].frames_sent == 88000);
}

TEST_CASE("What is wrong in the names of columns is named") {
    const Written table(".csv", kSpreadsheet);
    CHECK_THROWS_WITH(read_measured_table(table, "sep=separation_us"),
                      Contains("--columns: sep: ") && Contains("has no such column, found Modules,payload (B)"));
    refused(table, "tx=sent", "--columns: found \"sent\", expected one of ports, payload_bytes");
    refused(table, "tx", "--columns: found \"tx\", expected NAME=COLUMN");
    refused(table, "tx=frames_sent*0", "found the factor \"0\", expected a positive number");
    refused(table, "lost=frames_sent-frames_received", "expected one of the columns frames_sent and frames_received");
}
