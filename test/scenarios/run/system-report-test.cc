// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/run/system-report.h"

#include <sstream>

#include "test/catch.h"

using namespace watershed;

namespace {

struct Apples {
    int count = 0;
};

nlohmann::ordered_json to_json(const SystemRun<Apples>& run) { return {{"apples", run.sum(&Apples::count)}}; }
void print(std::ostream& out, const SystemRun<Apples>& run) { out << run.sum(&Apples::count) << " apples\n"; }

}  // namespace

TEST_CASE("A report says in both forms what the run has, also once the run is gone") {
    const Scenario scenario;
    const SystemReport report = report_of(SystemRun<Apples>{scenario, {{2}, {3}}, 0});
    CHECK(report.json() == "{\n  \"apples\": 5\n}");
    std::ostringstream text;
    report.print(text);
    CHECK(text.str() == "5 apples\n");
}
