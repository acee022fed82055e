// SPDX-License-Identifier: GPL-2.0-only
// Hoffmann et al., "Stress testing Ethernet Switches for NectarCAM in the Cherenkov Telescope Array with a synchronous
// UDP frame generator", ICRC 2015.
#include <stdexcept>
#include <tuple>

#include "scenarios/reader/reader.h"
#include "scenarios/sweep/sweep.h"
#include "scenarios/text/text-line.h"
#include "scenarios/validate/validate.h"

namespace watershed {
namespace {

constexpr Time kWireSpeed{8'720'000};  // 8 * 1090 B at 1 Gb/s
constexpr std::int64_t kSearchLimit = 100'000;
const std::string kDeep = "s60-figure4", kShallow = "shallow-28-ports", kSaturation = "saturation-figure3";

/// Simulated measurements; both engines must give equal results.
class Bench {
  public:
    explicit Bench(const Validation& validation) : validation_(validation) {}

    Scenario scenario(const std::string& name, const std::vector<std::string>& overrides = {}) const {
        return read_scenario(validation_.scenario(name), overrides);
    }

    template <class Measure>
    double measure(Measure measurement) const {
        const double by_ns3 = measurement(*validation_.simulators.engine("ns3", {}));
        const double exact = measurement(*validation_.simulators.engine("exact", {}));
        if (by_ns3 != exact)
            throw std::logic_error("ns-3 and the exact engine disagree: " + std::to_string(by_ns3) + " and " +
                                   std::to_string(exact));
        return exact;
    }

    /// Between the last bits of two packets of one module that are triggered together, in microseconds.
    double back_to_back() const {
        const auto last_bit = [&](int events) {
            const Scenario s = scenario(
                kDeep, {"front_end.modules=1", "trigger.separation=0 us", "trigger.events=" + std::to_string(events)});
            return measure([&](Engine& engine) { return static_cast<double>(engine.run(s).simulated.count()); });
        };
        return (last_bit(2) - last_bit(1)) * 1e-6;
    }

    /// Events of the longest burst that loses nothing.
    double longest_burst(int modules, Time separation) const {
        const Scenario s = s60(modules);
        return measure([&](Engine& engine) { return longest_burst_of(engine, s, separation); });
    }

    /// Returns the longest burst by the exact engine alone, for long bursts; tests compare it with ns-3.
    double longest_burst_exact(int modules, Time separation) const {
        return longest_burst_of(*validation_.simulators.engine("exact", {}), s60(modules), separation);
    }

    /// The least depth per input that holds a burst of `events`, in frames.
    int least_depth(int modules, std::int64_t events) const {
        int too_small = 1, enough = 20'000;
        while (enough - too_small > 1) {
            const int middle = (too_small + enough) / 2;
            const Scenario s = scenario(kDeep, {"front_end.modules=" + std::to_string(modules),
                                                "switch.buffer.size=" + std::to_string(middle) + " frames",
                                                "trigger.events=" + std::to_string(events)});
            (validation_.simulators.engine("exact", {})->run(s).frames_lost() == 0 ? enough : too_small) = middle;
        }
        return enough;
    }

    /// The shortest separation, in microseconds to 10 ns, at which no burst loses. It does not depend on the depth, and
    /// a shallow memory fills soon.
    double asymptote(int modules) const {
        const Scenario s = s60(modules, {"switch.buffer.size=2 frames"});
        std::int64_t lossy = 3000, lossless = 4500;  // in units of 10 ns
        while (lossless - lossy > 1) {
            const std::int64_t middle = (lossy + lossless) / 2;
            const Boundary boundary =
                find_boundary(*validation_.simulators.engine("exact", {}), s, Time{middle * 10'000}, kSearchLimit);
            (boundary.events_lossless ? lossy : lossless) = middle;
        }
        return static_cast<double>(lossless) * 0.01;
    }

    /// The most ports with which two events at wire speed lose nothing.
    double most_ports_for_two_events() const {
        return measure([&](Engine& engine) {
            int ports = 0;
            for (int n = 1; n <= 48; ++n)
                if (engine.run(scenario(kShallow, {"front_end.modules=" + std::to_string(n)})).frames_lost() == 0)
                    ports = n;
            return static_cast<double>(ports);
        });
    }

    double saturation_khz(int modules) const {
        return measure(
            [&](Engine& engine) { return 1e-3 * saturation_frequency(engine, scenario(kSaturation), modules); });
    }

  private:
    Scenario s60(int modules, std::vector<std::string> overrides = {}) const {
        overrides.push_back("front_end.modules=" + std::to_string(modules));
        return scenario(kDeep, overrides);
    }

    static double longest_burst_of(Engine& engine, const Scenario& scenario, Time separation) {
        return static_cast<double>(
            find_boundary(engine, scenario, separation, kSearchLimit).events_lossless.value_or(kSearchLimit));
    }

    const Validation& validation_;
};

void compare_frames(Comparisons& compare, const Bench& bench) {
    compare.from("section 3");
    compare.arithmetic({"transfer time of a 1024 B packet at 1 Gb/s", "us"}, 8.5, 1078 * 8e-3, {0.13, {}},
                       "preamble to FCS, 1078 B; the link is busy for 1090 B = 8.720 us, the gap included");
    compare.from("section 4");
    compare.predicted({"least separation of two packets at 1 Gb/s", "us"}, 8,
                      {bench.back_to_back(), kDeep, {"front_end.link_rate"}}, {0.1, {}},
                      contradiction(8.72,
                                    "8 us carry 1000 B, less than the payload of 1024 B (8.192 us) alone; a slot is "
                                    "1024 + 66 = 1090 B = 8.720 us"));
}

void compare_saturation(Comparisons& compare, const Bench& bench) {
    compare.from("section 4, Figure 3");
    compare.predicted({"saturation of 44 ports", "kHz"}, 27,
                      {bench.saturation_khz(44), kSaturation, {"switch.uplink_rate"}}, {0.026, {}},
                      contradiction(10e9 / 8 / 1090 / 44 * 1e-3,
                                    "27.00 kHz = 10 Gb/s / (8 * 1052 B * 44) counts payload, UDP and IPv4 only; the "
                                    "wire carries 1090 B, which are 26.06 kHz"));
    for (const int ports : {12, 28, 48})
        compare.theory({"output rate at saturation, " + std::to_string(ports) + " ports", "Gb/s"}, 10,
                       bench.saturation_khz(ports) * 1e-6 * 8 * 1090 * ports, {0.01, {}},
                       "the rate of the link, in wire slots of 1090 B");
}

void compare_shallow(Comparisons& compare, const Bench& bench) {
    compare.from("section 4, shallow switch");
    compare.calibrated({"most ports of which two events at wire speed lose nothing", "ports"}, 28,
                       {bench.most_ports_for_two_events(), kShallow, {"switch.buffer.size"}}, {0, {}},
                       "N ports need 2 N - 10 frames, which is 46 at 28 ports and 48 at 29");
}

void compare_deep(Comparisons& compare, const Bench& bench) {
    compare.from("section 4, Figure 4, and section 5");
    // The depth of the scenario is the one that the publication fits to its Figure 4.
    compare.predicted({"longest burst at 8.72 us, 40 ports", "events"}, 8000,
                      {bench.longest_burst(40, kWireSpeed), kDeep, {"switch.buffer.size"}}, {5, {}},
                      contradiction(9333,
                                    "\"40 x 8000\" packets buffered, but the depth of 7000 fitted to Figure 4 lets 1 + "
                                    "6999 / (1 - 8.72 / 34.88) = 9333 events pass; they are 17 % apart"));
    const int depth = bench.least_depth(40, 8000);
    const double published_megabytes = 330;
    compare.predicted({"memory that holds 8000 events of 40 ports, payload", "MB"}, published_megabytes,
                      {depth * 40 * 1024e-6, kDeep, {"switch.uplink_rate"}}, {0.01 * published_megabytes, {}},
                      contradiction(245.8,
                                    "40 * 8000 * 1024 B = 327.7 MB counts the packets sent; a quarter of them has left "
                                    "meanwhile, so 40 * 6001 * 1024 B = 245.8 MB are held"));
    compare.arithmetic({"memory: 7000 frames of 1070 B on 44 inputs", "MB"}, published_megabytes, 7000 * 44 * 1070e-6,
                       {1, {}}, "the fit to Figure 4, in Ethernet frames");
    compare.arithmetic({"memory of the data sheet over that found", ""}, 4, 1250 / (7000 * 44 * 1070e-6), {0.25, {}},
                       "1250 MB / 329.6 MB = 3.79; one of four queues of a static profile would be 312.5 MB");
    compare.from("closed form of section 4");
    for (const int ports : {44, 40})
        compare.theory({"separation beyond which no burst loses, " + std::to_string(ports) + " ports", "us"},
                       ports * 0.872, bench.asymptote(ports), {0.011, {}},
                       std::to_string(ports) + " * 8 * 1090 B / 10 Gb/s");
    const char* kForm = "the most M for which M - floor((M - 1) * separation / (ports * 0.872 us)) <= 7000";
    for (const auto& [ports, nanoseconds, events] : {std::tuple{44, 8720, 9058},
                                                     {44, 20'000, 14620},
                                                     {44, 30'000, 32092},
                                                     {40, 20'000, 16407},
                                                     {40, 30'000, 50026}}) {
        const Time separation{std::int64_t{nanoseconds} * 1000};
        // Long bursts by the exact engine alone; the tests hold ns-3 to it.
        compare.theory(
            {text_line("longest burst at %g us, %d ports", nanoseconds * 1e-3, ports), "events"}, events,
            nanoseconds == 8720 ? bench.longest_burst(ports, separation) : bench.longest_burst_exact(ports, separation),
            {0, {}}, kForm);
    }
}

void compare_camera(Comparisons& compare, const Bench& bench) {
    const Scenario camera = bench.scenario(kSaturation, {"trigger.rate=8 kHz", "trigger.duration=100 ms"});
    const double gigabits = bench.measure([&](Engine& engine) {
        const Outcome outcome = engine.run(camera);
        return static_cast<double>(outcome.uplinks.front().wire.count) * 8 / 0.1 * 1e-9;
    });
    compare.from("section 4, 8000 triggers a second on average");
    compare.theory({"uplink of 44 modules at 8 kHz", "Gb/s"}, 3.07, gigabits, {0.01, {}}, "8 * 1090 B * 44 * 8 kHz");
}

}  // namespace

std::vector<Comparison> validate_nectarcam(const Validation& validation) {
    const Bench bench(validation);
    Comparisons compare("nectarcam");
    compare_frames(compare, bench);
    compare_saturation(compare, bench);
    compare_shallow(compare, bench);
    compare_deep(compare, bench);
    compare_camera(compare, bench);
    return compare.all();
}

}  // namespace watershed
