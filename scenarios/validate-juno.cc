// SPDX-License-Identifier: GPL-2.0-only
// R. Triozzi et al., "Rate and bandwidth measurements" (JUNO large photomultipliers), 6 May 2022.
#include <cmath>

#include "model/survival.h"
#include "model/waveform-fifo.h"
#include "scenarios/csv.h"
#include "scenarios/ipbus-run.h"
#include "scenarios/reader.h"
#include "scenarios/validate.h"

namespace watershed {
namespace {

constexpr double kUnitAtOneKilohertz = 48.768;   // Mb/s: 3 channels, 2032 B, 1 kHz
constexpr double kBusKilohertz = 500e3 / (8 * 3 * 2032);

std::vector<IpbusResult> measure(const Validation& validation, const std::string& name, const std::vector<std::string>& overrides) {
    const Scenario scenario = read_system(validation.scenario("juno/" + name), overrides);
    return run_ipbus(scenario, validation.simulators).results;
}

void compare_one_unit(Comparisons& compare, const Validation& validation) {
    compare.from("The structure of a waveform data packet");
    const IpbusUnitFormat unit;
    WaveformFifo fifo(unit.fifo.count, unit.waveform.count);
    while (fifo.store()) continue;
    compare.set({"waveforms that a FIFO holds", ""}, 4, static_cast<double>(fifo.accepted()), 0, "8192 B / 2032 B = 4.03, whole ones only");

    compare.from("Maximum transferrable bandwidth for 1 GCU");
    const IpbusResult large = measure(validation, "one-unit", {"ipbus.block=[\"131072 words\"]"}).front();
    compare.set({"bandwidth of one GCU, large blocks", "Mb/s"}, 500, large.transferred_mbps, 25, "32 bits in every second cycle of 31.25 MHz: an inference");
    compare.set({"\"single\" less \"data\" bandwidth", "Mb/s"}, 0, large.transferred_mbps - large.data_mbps, 0.001, "all that is moved are waveforms");

    const auto rates = measure(validation, "survival-periodic",
                               {"ipbus.rate=[\"9.5 kHz\",\"10 kHz\",\"10.1 kHz\",\"10.2 kHz\",\"10.3 kHz\",\"10.4 kHz\",\"12 kHz\",\"16 kHz\",\"20 kHz\"]"});
    double onset = 0;
    for (const IpbusResult& result : rates)
        if (result.survival == 1) onset = std::max(onset, static_cast<double>(result.point.rate.count) * 1e-9);
    compare.set({"highest trigger rate without rejected waveforms", "kHz"}, 10, onset, 0.25, "3 * 2032 B * 10 kHz = 487.7 Mb/s; the bus of 500 Mb/s is full at 10.25 kHz");
    compare.from("arithmetic on Maximum transferrable bandwidth for 1 GCU");
    for (const IpbusResult& result : rates) {
        const double khz = static_cast<double>(result.point.rate.count) * 1e-9;
        if (khz < 12) continue;
        const std::string at = std::to_string(std::lround(khz)) + " kHz";
        compare.set({"survival fraction, periodic, " + at, ""}, periodic_survival(khz / kBusKilohertz), result.survival, 0.01, "1 / load");
        compare.set({"bandwidth where waveforms are rejected, " + at, "Mb/s"}, 500, result.data_mbps, 2.5);
    }

    compare.from("queueing theory, M/D/1/4");
    for (const IpbusResult& result : measure(validation, "survival-poisson", {})) {
        const double load = static_cast<double>(result.point.rate.count) * 1e-9 / (3 * kBusKilohertz);
        char name[80];
        std::snprintf(name, sizeof name, "survival fraction, random triggers, load %.2f", load);
        compare.set({name, ""}, random_survival(load, 4), result.survival, 0.012, "the tolerance is three standard deviations, and what the 64 B that a FIFO has beside four waveforms may do");
    }
}

void compare_ping(Comparisons& compare, const Validation& validation) {
    compare.from("Test Protocol: Test1 - ping");
    const IpbusResult ping = measure(validation, "one-unit", {"ipbus.block=[\"56 B\"]", "ipbus.hub.packet_cost=0 us", "ipbus.hub.byte_cost=0 ns", "ipbus.client.latency=0 us",
                                                              "ipbus.client.block_cost=0 us", "ipbus.duration=3.5 ms"}).front();
    compare.set({"round trip of 56 B", "us"}, 33.9, 56 * 8 / ping.transferred_mbps, 2, "mean of the 15 averages in the table; the delay of 15.4 us is calibrated to it");
    compare.set({"packets lost of a flood of about 100", ""}, 0, static_cast<double>(ping.frames_lost()), 0);
}

void compare_many_units(Comparisons& compare, const Validation& validation) {
    compare.from("Managing several GCUs in parallel");
    const auto standard = measure(validation, "many-units", {"ipbus.units=[1,95,150]"});
    const double one = standard[0].data_mbps, most = standard[1].data_mbps;
    compare.set({"GCUs that saturate the server", ""}, 30, most / one, 5, "bandwidth of 95 GCUs over that of one; latency and block cost are calibrated to it");
    compare.set({"GCUs with 48.8 Mb/s each, 1 kHz", ""}, 95, most / kUnitAtOneKilohertz, 5, "90 to 100; packet, byte and block cost are calibrated to this and to the jumbo frames");
    const auto triggered = measure(validation, "one-kilohertz", {"ipbus.units=[90,110]"});
    compare.set({"waveforms rejected, 90 GCUs at 1 kHz", "%"}, 0, 100 * (1 - triggered[0].survival), 0.01);
    compare.from("arithmetic on Managing several GCUs in parallel");
    compare.set({"survival fraction, 110 GCUs at 1 kHz", ""}, 95.0 / 110, triggered[1].survival, 0.05, "95 of 110 GCUs' waveforms");

    compare.from("Reducing CPU usage with Jumbo Frames");
    const IpbusResult jumbo = measure(validation, "jumbo", {"ipbus.units=[150]"}).front();
    const double jumbo_units = jumbo.data_mbps / kUnitAtOneKilohertz;
    compare.set({"GCUs with 48.8 Mb/s each, 1 kHz, jumbo frames", ""}, 150, jumbo_units, 7.5, "one packet of 8232 B for a block in place of six");
    const auto effort = [](const IpbusResult& result) { return result.server_busy / result.data_mbps; };
    compare.set_contradicted({"processor time per byte with jumbo frames", "%"}, -20, 100 * (effort(jumbo) / effort(standard[2]) - 1), 3, 100 * (95.0 / 150 - 1),
                             "20 % less would let 95 / 0.8 = 119 GCUs take part; 150 need 1 - 95 / 150 = 37 % less");

    compare.from("A rough estimate for JUNO setup");
    const double units = std::ceil(17612.0 / 3);
    compare.set({"GCUs of 17612 photomultipliers", ""}, 5871, units, 0);
    compare.set({"servers for all of them", ""}, 40, std::ceil(units / jumbo_units), 1, "5871 / 150 = 39.1");
    compare.from("JUNO data acquisition, CHEP 2018");
    const double unit_mbps = static_cast<double>(triggered[0].waveforms.generated) / 90 * 2032 * 8 / 60e3;   // in 60 ms
    compare.set({"data of all GCUs at 1 kHz", "GB/s"}, 40, unit_mbps * units / 8e3, 5, "\"about 40 GB/s\", of which waveforms are 17612 * 2032 B * 1 kHz = 35.8 GB/s");
}

void compare_flashing(Comparisons& compare, const Validation& validation) {
    compare.from("Optimization of allocated resources");
    const FlashingRun run = run_flashing(read_system(validation.scenario("juno/flashing")));
    const CsvTable table = CsvTable::read(validation.scenarios + "/data/juno-flashing.csv");
    std::int64_t best = 0;
    double least = 0;
    for (std::size_t i = 0; i < run.results.size(); ++i) {
        const FlashingResult& result = run.results[i];
        if (best == 0 || result.duration_s < least) {
            best = result.workers;
            least = result.duration_s;
        }
        const auto published = static_cast<double>(table.integer(table.rows().at(i), table.column("duration_s"), 1));
        compare.set({"flashing 250 GCUs, " + std::to_string(result.workers) + " workers", "s"}, published, result.duration_s, 0.1 * published,
                    i == 0 ? "load and flash time, threads of a worker and loss by switching are calibrated to this table" : "");
    }
    compare.set({"best number of workers", ""}, 25, static_cast<double>(best), 0, "48 threads / 1.95 = 24.6");
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
