// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/column-hint.h"

#include "test/catch.h"

using namespace watershed;

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
