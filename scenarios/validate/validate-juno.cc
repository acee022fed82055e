// SPDX-License-Identifier: GPL-2.0-only
// R. Triozzi et al., "Rate and bandwidth measurements" (JUNO large photomultipliers), 6 May 2022. The parameters were
// chosen by one unit with large blocks, the ping, the knee and the end of standard frames with one size of blocks, and
// the processor time of jumbo frames.
#include <cmath>

#include "model/ipbus/ipbus-result.h"
#include "scenarios/reader/reader.h"
#include "scenarios/run/ipbus-run.h"
#include "scenarios/text/csv.h"
#include "scenarios/text/text-line.h"
#include "scenarios/validate/validate.h"

namespace watershed {
namespace {

constexpr double kUnitAtOneKilohertz = 48.768;  // Mb/s: 3 channels, 2032 B, 1 kHz
constexpr double kBusKilohertz = 500e3 / (8 * 3 * 2032);

const std::string kOne = "juno/one-unit", kMany = "juno/many-units", kTriggered = "juno/one-kilohertz",
                  kJumbo = "juno/jumbo", kPeriodic = "juno/survival-periodic", kFlashing = "juno/flashing";

std::vector<IpbusResult> measure_juno(const Validation& validation, const std::string& scenario,
                                      const std::vector<std::string>& overrides) {
    return run_ipbus(read_scenario(Scope::anything(), validation.scenario(scenario), overrides), validation.simulators)
        .results;
}

double kilohertz(const IpbusResult& result) { return in_kilohertz(result.point.rate); }

void compare_one_unit(Comparisons& compare, const Validation& validation) {
    compare.from("The structure of a waveform data packet");
    compare.arithmetic({"waveforms that a FIFO holds", ""}, 4, 8192 / 2032, {0, {}},
                       "8192 B / 2032 B = 4.03, whole ones only");

    compare.from("Maximum transferrable bandwidth for 1 GCU");
    const IpbusResult large = measure_juno(validation, kOne, {"ipbus.block=[\"131072 words\"]"}).front();
    compare.calibrated({"bandwidth of one GCU, large blocks", "Mb/s"}, 500,
                       {large.transferred_mbps, kOne, {"ipbus.unit.bus_rate"}}, five_per_cent(500),
                       "32 bits in every second cycle of 31.25 MHz: an inference from this number");
    const auto rates = measure_juno(validation, kPeriodic,
                                    {"ipbus.rate=[\"9.5 kHz\",\"10 kHz\",\"10.1 kHz\",\"10.2 kHz\",\"10.3 kHz\",\"10.4 "
                                     "kHz\",\"12 kHz\",\"16 kHz\",\"20 kHz\"]"});
    double onset = 0;
    for (const IpbusResult& result : rates)
        if (result.survival == 1) onset = std::max(onset, kilohertz(result));
    compare.predicted({"highest trigger rate without rejected waveforms", "kHz"}, 10,
                      {onset, kPeriodic, {"ipbus.unit.bus_rate"}}, five_per_cent(10),
                      "by the bus of 500 Mb/s, which 3 * 2032 B fill at 10.25 kHz");
    compare.from("queueing theory");
    for (const IpbusResult& result : rates) {
        if (kilohertz(result) < 12) continue;
        const std::string at = std::to_string(std::lround(kilohertz(result))) + " kHz";
        compare.theory({"survival fraction, periodic, " + at, ""}, periodic_survival(kilohertz(result) / kBusKilohertz),
                       result.survival, {0.01, {}}, "1 / load");
        compare.theory({"bandwidth where waveforms are rejected, " + at, "Mb/s"}, 500, result.data_mbps, {2.5, {}},
                       "the rate of the bus");
    }
    for (const IpbusResult& result : measure_juno(validation, "juno/survival-poisson", {})) {
        const double load = kilohertz(result) / (3 * kBusKilohertz);
        compare.theory({text_line("survival fraction, random triggers, load %.2f", load), ""}, random_survival(load, 4),
                       result.survival, {0.012, {}},
                       "M/D/1/4; the tolerance is three standard deviations, and what the 64 B that a FIFO has beside "
                       "four waveforms may do");
    }
}

void compare_ping(Comparisons& compare, const Validation& validation) {
    compare.from("Test Protocol: Test1 - ping");
    const IpbusResult ping =
        measure_juno(validation, kOne,
                     {"ipbus.block=[\"56 B\"]", "ipbus.hub.packet_cost=0 us", "ipbus.hub.byte_cost=0 ns",
                      "ipbus.client.latency=0 us", "ipbus.client.block_cost=0 us", "ipbus.duration=3.5 ms"})
            .front();
    constexpr double kMean = 511.0 / 15;
    compare.calibrated({"round trip of 56 B", "us"}, kMean,
                       {56 * 8 / ping.transferred_mbps, kOne, {"ipbus.unit.delay"}}, five_per_cent(kMean),
                       "mean of the 15 averages in the table, whose sum is 511 us");
}

void compare_many_units(Comparisons& compare, const Validation& validation) {
    compare.from("Managing several GCUs in parallel");
    const auto standard = measure_juno(validation, kMany, {"ipbus.units=[1,95,150]"});
    const double one = standard[0].data_mbps, most = standard[1].data_mbps;
    compare.calibrated({"GCUs that saturate the server", ""}, 30, {most / one, kMany, {"ipbus.client.latency"}},
                       {0.3, {}}, "bandwidth of 95 GCUs over that of one");
    compare.calibrated({"GCUs with 48.8 Mb/s each, 1 kHz", ""}, 95,
                       {most / kUnitAtOneKilohertz, kMany, {"ipbus.client.block_cost"}}, five_per_cent(95),
                       "90 to 100");
    const auto triggered = measure_juno(validation, kTriggered, {"ipbus.units=[90,110]"});
    compare.predicted(
        {"waveforms that survive, 90 GCUs at 1 kHz", "%"}, 100,
        {100 * triggered[0].survival, kTriggered, {"ipbus.client.block_cost"}}, {0.01, {}},
        "\"possible with 90 to 100 GCUs\": FIFOs of 4 waveforms have to bridge the time between two reads as well");
    compare.theory({"survival fraction, 110 GCUs at 1 kHz", ""}, 95.0 / 110, triggered[1].survival, {0.05, {}},
                   "95 of 110 GCUs' waveforms");

    compare.from("Reducing CPU usage with Jumbo Frames");
    const IpbusResult jumbo = measure_juno(validation, kJumbo, {"ipbus.units=[150]"}).front();
    const auto effort = [](const IpbusResult& result) { return result.server_busy / result.data_mbps; };
    compare.calibrated({"processor time per byte with jumbo frames", "%"}, -20,
                       {100 * (effort(jumbo) / effort(standard[2]) - 1), kJumbo, {"ipbus.hub.packet_cost"}},
                       five_per_cent(20), "one packet of 8232 B for a block in place of six");
    compare.predicted(
        {"GCUs with 48.8 Mb/s each, 1 kHz, jumbo frames", ""}, 150,
        {jumbo.data_mbps / kUnitAtOneKilohertz, kJumbo, {"ipbus.client.block_cost"}}, five_per_cent(150),
        contradiction(
            95 / 0.8,
            "20 % less processor time lets 95 / 0.8 = 119 GCUs take part; 150 need 1 - 95 / 150 = 37 % less"));

    compare.from("A rough estimate for JUNO setup");
    compare.arithmetic({"GCUs of 17612 photomultipliers", ""}, 5871, std::ceil(17612.0 / 3), {0, {}}, "17612 / 3");
    compare.arithmetic({"servers for all of them", ""}, 40, std::ceil(5871.0 / 150), {0, {}}, "5871 / 150 = 39.1");
    compare.from("JUNO data acquisition, CHEP 2018");
    compare.arithmetic({"data of all photomultipliers at 1 kHz", "GB/s"}, 40, 17612 * 2032e-6,
                       {5, "\"about 40 GB/s\", of which waveforms are a part"}, "17612 * 2032 B * 1 kHz");
}

void compare_flashing(Comparisons& compare, const Validation& validation) {
    compare.from("Optimization of allocated resources");
    const FlashingRun run = run_flashing(read_scenario(Scope::anything(), validation.scenario(kFlashing)));
    const CsvTable table = CsvTable::read(validation.scenarios + "/data/juno-flashing.csv");
    constexpr struct {
        std::int64_t workers;
        const char* key;
        double tolerance;
    } kCalibrations[] = {
        {5, "flashing.load_time", 0.002}, {10, "flashing.flash_time", 0.002}, {35, "flashing.switching_loss", 0.01}};
    const std::map<std::int64_t, Explanation> kLimits{
        {15, limit_of_model(1267,
                            "15 workers with 1.95 threads each are 29 threads on 24 cores; the test is slowed down by "
                            "more than the sharing of cores, and the model is not")},
        {25, limit_of_model(1053,
                            "250 GCUs are 10 rounds of 25 workers here; in the test workers do not end together, and a "
                            "second thread may gain a core more than 30 %")},
        {30, limit_of_model(1318,
                            "the model's loss grows evenly with the threads that are too many; in the test most of it "
                            "comes between 30 and 35 workers")}};
    std::int64_t best = 0;
    double least = 0;
    for (std::size_t i = 0; i < run.results.size(); ++i) {
        const FlashingResult& result = run.results[i];
        if (best == 0 || result.duration_s < least) {
            best = result.workers;
            least = result.duration_s;
        }
        const auto published = static_cast<double>(table.integer(table.rows()[i], table.column("duration_s"), 1));
        const Comparisons::Quantity quantity{"flashing 250 GCUs, " + std::to_string(result.workers) + " workers", "s"};
        const Tolerance tolerance = five_per_cent(published);
        const auto by = [&](const char* key) { return Simulated{result.duration_s, kFlashing, {key}}; };
        const auto calibration = std::find_if(std::begin(kCalibrations), std::end(kCalibrations),
                                              [&](const auto& each) { return each.workers == result.workers; });
        const auto limit = kLimits.find(result.workers);
        if (calibration != std::end(kCalibrations))
            compare.calibrated(quantity, published, by(calibration->key), {calibration->tolerance * published, {}});
        else if (limit != kLimits.end())
            compare.predicted(quantity, published, by("flashing.load_time"), tolerance, limit->second);
        else
            compare.predicted(quantity, published, by("flashing.load_time"), tolerance);
    }
    compare.calibrated({"best number of workers", ""}, 25,
                       {static_cast<double>(best), kFlashing, {"flashing.threads_per_worker"}}, {0, {}},
                       "48 threads / 1.95 = 24.6");
}

}  // namespace

std::vector<Comparison> validate_juno(const Validation& validation) {
    Comparisons compare("juno");
    compare_one_unit(compare, validation);
    compare_ping(compare, validation);
    compare_many_units(compare, validation);
    compare_flashing(compare, validation);
    return compare.all();
}

}  // namespace watershed
