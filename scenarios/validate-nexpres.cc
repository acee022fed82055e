// SPDX-License-Identifier: GPL-2.0-only
// J. Cullen, "Verification of High Data Rate Bandwidth-on-Demand networks: User Based Test Equipment", NEXPReS, 2012.
#include <cmath>

#include "scenarios/reader.h"
#include "scenarios/udpmon-run.h"
#include "scenarios/units.h"
#include "scenarios/validate.h"

namespace watershed {
namespace {

/// Runs scenarios/nexpres/NAME.toml for one payload at some spacings.
std::vector<UdpmonResult> measure(const Validation& validation, const std::string& name, const std::string& spacing, std::int64_t packets,
                                  std::vector<std::string> overrides = {}) {
    overrides.push_back("udpmon.spacing=" + spacing);
    overrides.push_back("udpmon.packets=" + std::to_string(packets));
    const Scenario scenario = read_system(validation.scenario("nexpres/" + name), overrides);
    return run_udpmon(scenario, validation.simulators).results;
}

const std::string kLocalPayload = "udpmon.payload=[\"8232 B\"]";
constexpr std::int64_t kPackets = 100'000;

std::string at(const UdpmonResult& result) { return to_text(result.requested) + " requested"; }

struct Row {
    double spacing_ns, rate_mbps;
};

void compare_fpga_rates(Comparisons& compare, const Validation& validation) {
    compare.from("Received Wire Rate (3), IBOB to IBOB");
    const auto results = measure(validation, "light-path-fpga", "0us:10us:11", kPackets, {kLocalPayload});
    for (const UdpmonResult& result : results) {
        const auto us = result.requested.count() / 1'000'000;
        const Row row = us == 10 ? Row{7969.94, 8289.15} : us == 9 ? Row{6969.95, 9478.41} : Row{6643.13, 9944.7};
        compare.set({"FPGA receive spacing, " + at(result), "ns"}, row.spacing_ns, result.receive_spacing_ns, 0.0101, us == 0 ?
                    "8304 B (64-bit words) at 10 Gb/s = 6643.2 ns, times 99999/100000: the instrument divides by packets, not gaps" : "");
        compare.set({"FPGA wire rate, " + at(result), "Mb/s"}, row.rate_mbps, result.wire_rate_mbps, 0.0151,
                    us == 0 ? "counting 8232 + 26 B; with the true 8232 + 66 B the FPGA is at 9992.9 Mb/s, above the PC" : "");
        compare.set({"FPGA send spacing, " + at(result), "ns"}, us == 10 ? 7969.92 : us == 9 ? 6969.93 : us < 4 ? 6643.05 : 6643.06, result.send_spacing_ns, 0.03);
    }
    double lost = 0;
    for (const UdpmonResult& result : results) lost += static_cast<double>(result.lost() + result.reordered);
    compare.from("Local Testing Conclusions");
    compare.set({"FPGA packets lost or reordered", ""}, 0, lost, 0);
}

void compare_pc_rates(Comparisons& compare, const Validation& validation) {
    const Row rows[] = {{6649.52, 9983.28}, {6655.61, 9974.14}, {6654.99, 9975.07}, {6652.61, 9978.64}, {6656.12, 9973.38}, {6655.21, 9974.74},
                        {6656.16, 9973.32}, {7027.83, 9445.87}, {8036.74, 8260.07}, {9020.85, 7358.95}, {10010.6, 6631.37}};
    const double sent_ns[] = {6001.6, 6288.5, 6314.3, 6084.0, 6255.2, 6180.4, 6117.9, 7024.4, 8035.6, 9019.4, 10015.2};
    compare.from("Received Wire Rate (4), PC to PC");
    const auto results = measure(validation, "light-path-pc", "0us:10us:11", kPackets, {kLocalPayload});
    double lost = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const UdpmonResult& result = results[i];
        lost += static_cast<double>(result.lost() + result.reordered);
        compare.set({"PC receive spacing, " + at(result), "ns"}, rows[i].spacing_ns, result.receive_spacing_ns, 0.005 * rows[i].spacing_ns);
        compare.set({"PC wire rate, " + at(result), "Mb/s"}, rows[i].rate_mbps, result.wire_rate_mbps, 0.005 * rows[i].rate_mbps);
        if (i >= 7) {
            compare.set({"PC send spacing, " + at(result), "ns"}, sent_ns[i], result.send_spacing_ns, 0.005 * sent_ns[i]);
            continue;
        }
        // What the socket buffer can hide: the sender is done when the last packets are still in it.
        const double buffered = 16'777'216 / 8232;
        compare.set_contradicted({"PC send spacing, " + at(result), "ns"}, sent_ns[i], result.send_spacing_ns, 0.005 * sent_ns[i],
                                 result.receive_spacing_ns * (1 - buffered / static_cast<double>(kPackets)),
                                 "sending ahead of the link for 100000 packets leaves " + std::to_string(std::lround((rows[i].spacing_ns - sent_ns[i]) * 0.125)) +
                                     " MB waiting at 10 Gb/s; the socket buffer has 16.8 MB");
    }
    compare.from("Local Testing Conclusions");
    compare.set({"PC packets lost or reordered", ""}, 0, lost, 0);
}

struct Jitter {
    double least, most, mode, mean, deviation;   // us
};

void compare_jitter(Comparisons& compare, const std::string& who, const UdpmonResult& result, const Jitter& published, double bin_us) {
    const auto& found = result.intervals;
    const std::string where = who + ", " + at(result);
    compare.set({"interval mean, " + where, "us"}, published.mean, found.mean_us, 0.05 * published.mean);
    compare.set({"interval mode, " + where, "us"}, published.mode, found.mode_us, std::max(bin_us, 0.005 * published.mode));
    // No distribution between `least` and `most` with this mean spreads further (Bhatia and Davis, 2000).
    const double widest = std::sqrt((published.most + bin_us - published.mean) * (published.mean - published.least + bin_us));
    const Comparisons::Quantity deviation{"interval deviation, " + where, "us"};
    if (published.deviation <= widest) {
        compare.set(deviation, published.deviation, found.deviation_us, 0.05 * published.deviation);
        return;
    }
    char text[200];
    std::snprintf(text, sizeof text, "between %.3f and %.3f us with mean %.3f us no deviation exceeds sqrt((max - mean)(mean - min)) = %.3f us, a bin allowed for",
                  published.least, published.most, published.mean, widest);
    compare.set_contradicted(deviation, published.deviation, found.deviation_us, widest / 2, widest / 2, text);
}

void compare_local_jitter(Comparisons& compare, const Validation& validation) {
    compare.from("Jitter (3), PC - PC");
    for (const auto& [name, at0, at50] : {std::tuple{"light-path-pc", Jitter{1, 83, 11, 6.060, 4.104}, Jitter{3, 89, 52, 49.438, 2.573}},
                                          {"light-path-pc-reverse", Jitter{1, 50, 9, 6.061, 3.615}, Jitter{2, 83, 47, 49.453, 2.565}}}) {
        const auto results = measure(validation, name, "0us,50us", kPackets, {kLocalPayload});
        compare_jitter(compare, name, results[0], at0, 1);
        compare_jitter(compare, name, results[1], at50, 1);
    }
    compare.from("Jitter (3), IBOB - IBOB");
    compare_jitter(compare, "FPGA", measure(validation, "light-path-fpga", "0us", kPackets, {kLocalPayload})[0], {6.620, 6.805, 6.625, 6.633, 0.076}, 0.005);
    const UdpmonResult at50 = measure(validation, "jitter-fpga", "50us", kPackets)[0];
    compare_jitter(compare, "FPGA", at50, {48.370, 48.775, 48.565, 48.585, 0.077}, 0.005);
    compare.set({"interval least, FPGA, 50 us requested", "us"}, 48.370, at50.intervals.least_us, 0.02);
    compare.set({"interval most, FPGA, 50 us requested", "us"}, 48.775, at50.intervals.most_us, 0.04);
    const UdpmonResult other = measure(validation, "light-path-fpga", "50us", kPackets, {kLocalPayload})[0];
    compare.set_contradicted({"interval mean, FPGA, 50 us requested, paced as in the table of rates", "us"}, 48.585, other.intervals.mean_us, 0.01, 47.97,
                             "the table of rates says 2.030 us sooner than requested (9 us: 6.970 us, 10 us: 7.970 us), this one 1.415 us");
}

void compare_international(Comparisons& compare, const Validation& validation) {
    compare.from("International BoD Links, Jitter");
    struct Link {
        const char* name;
        double mean[3], deviation[3];
    };
    for (const Link& link : {Link{"stockholm-jbo", {71.4832, 35.4732, 17.4783}, {2.14274, 2.60401, 1.29231}},
                             Link{"jbo-stockholm", {71.4342, 35.4516, 17.4664}, {5.91037, 5.93888, 5.35474}}}) {
        const auto results = measure(validation, link.name, "72us,36us,18us", kPackets);
        for (std::size_t i = 0; i < results.size(); ++i) {
            const std::string where = std::string(link.name) + ", " + at(results[i]);
            compare.set({"interval mean, " + where, "us"}, link.mean[i], results[i].intervals.mean_us, 0.05 * link.mean[i], "in bins of 1 us that count as their lower edge");
            compare.set({"interval deviation, " + where, "us"}, link.deviation[i], results[i].intervals.deviation_us, 0.05 * link.deviation[i],
                        "by calibrated wake-up jitter");
            const double gigabits = i == 0 ? 1 : i == 1 ? 2 : 4;
            compare.set({"wire rate, " + where, "Gb/s"}, gigabits, results[i].wire_rate_mbps * 1e-3, 0.01 * gigabits);
        }
    }
}

void compare_day(Comparisons& compare, const Validation& validation) {
    compare.from("24 Hour Tests");
    struct Day {
        const char* name;
        double received, lost, reordered, bytes, rate_mbps;
    };
    constexpr std::int64_t kSample = 1'000'000;
    for (const Day& day : {Day{"stockholm-jbo", 4794303918, 0, 18288, 4.30145e13, 4012.810546}, Day{"jbo-stockholm", 4794875087, 2102, 18292, 4.30196e13, 4013.286133}}) {
        const UdpmonResult result = measure(validation, day.name, "18us", kSample)[0];
        const double scale = day.received / static_cast<double>(result.received);
        const std::string where = std::string(", ") + day.name;
        compare.set({"wire rate over 24 hours" + where, "Mb/s"}, day.rate_mbps, result.wire_rate_mbps, 0.005 * day.rate_mbps);
        compare.set({"bytes received in 24 hours" + where, "TB"}, day.bytes * 1e-12, 8972e-12 * static_cast<double>(result.received) * scale, 1e-4, "packets times 8972 B");
        compare.set({"duration of the test" + where, "h"}, 24, result.receive_spacing_ns * 1e-9 * day.received / 3600, 0.03, "packets times simulated spacing");
        // Rare events in a million packets, scaled: three standard deviations of a Poisson number.
        const std::string scaled = "of 1000000 packets simulated, scaled by " + std::to_string(std::lround(scale)) + "; the tolerance is three standard deviations";
        compare.set({"packets lost in 24 hours" + where, ""}, day.lost, static_cast<double>(result.lost()) * scale,
                    day.lost > 0 ? 3 * scale * std::sqrt(std::max(1.0, day.lost / scale)) : 0, scaled);
        compare.set({"packets reordered in 24 hours" + where, ""}, day.reordered, static_cast<double>(result.reordered) * scale, 3 * scale * std::sqrt(day.reordered / scale), scaled);
    }
    compare.from("24 Hour Tests, conclusion");
    const double bits = 4794303918.0 * 9000 * 8;
    compare.set({"bits carried without error", "1e14"}, 3.45, bits * 1e-14, 0.01,
                "9000 B IP packets; no error in n bits only says that the rate is below 3/n at 95 %: 1 in 1.15e14");

    compare.from("arithmetic on International BoD Links");
    const UdpmonResult policed = measure(validation, "stockholm-jbo", "18us", kPackets, {"udpmon.path.accounting=wire"})[0];
    const double offered = 8 * 9038 / 18.0185 * 1e-3;   // Gb/s
    compare.set({"loss at 18 us if the policer counted wire slots", "%"}, 100 * (1 - 4 / offered), 100 * static_cast<double>(policed.lost()) / static_cast<double>(policed.sent), 0.02,
                "8 * 9038 B / 18.0185 us = 4.0128 Gb/s against 4 Gb/s; that nothing is lost shows that it counts IP packets (3.9959 Gb/s)");
}

}  // namespace

std::vector<Comparison> validate_nexpres(const Validation& validation) {
    Comparisons compare("nexpres");
    compare_fpga_rates(compare, validation);
    compare_pc_rates(compare, validation);
    compare_local_jitter(compare, validation);
    compare_international(compare, validation);
    compare_day(compare, validation);
    return compare.all();
}

}  // namespace watershed
