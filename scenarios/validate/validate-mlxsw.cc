// SPDX-License-Identifier: GPL-2.0-only
// The Linux kernel's self tests of Spectrum switches: what they configure, send and expect.
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/exact/engine.h"
#include "scenarios/reader/reader.h"
#include "scenarios/text/csv.h"
#include "scenarios/validate/validate.h"

namespace watershed {
namespace {

struct Chip {
    const char* name;
    int cell;
};
constexpr Chip kChips[] = {{"Spectrum-1", 96}, {"Spectrum-2/3", 144}, {"Spectrum-4", 192}};

class SelfTests {
  public:
    explicit SelfTests(const Validation& validation)
        : validation_(validation), engine_(validation.simulators.engine("exact", {})) {}

    Outcome run(const std::string& scenario, const std::vector<std::string>& overrides) const {
        Observer observer;
        observer.incomplete_kept = 1;
        return engine_->run(read_scenario(Scope::anything(), validation_.scenario("mlxsw/" + scenario), overrides),
                            &observer);
    }

    void bursts(Comparisons& compare) const {
        struct Burst {
            const char* chip;
            int cell, payload, packets;
        };
        for (const Burst& burst : {Burst{"Spectrum-3", 144, 8000, 6200}, Burst{"Spectrum-3", 144, 800, 57870},
                                   Burst{"Spectrum-4", 192, 8000, 6200}, Burst{"Spectrum-4", 192, 800, 52083}}) {
            const std::string what = std::string(", ") + burst.chip + ", " + std::to_string(burst.payload) + " B";
            const Outcome outcome = run("burst", {"switch.buffer.cell=" + std::to_string(burst.cell) + " B",
                                                  "frame.payload=" + std::to_string(burst.payload) + " B",
                                                  "trigger.events=" + std::to_string(burst.packets + 100)});
            compare.predicted(
                {"longest burst without a drop" + what, "packets"}, burst.packets,
                {static_cast<double>(outcome.first_loss ? outcome.first_loss->frame.event - 1 : burst.packets + 100),
                 "mlxsw/burst",
                 {"switch.buffer.size"}},
                {0, {}});
            const int cells = (burst.payload + 50 + burst.cell - 1) / burst.cell;
            compare.theory({"queue behind that burst" + what, "B"}, 50'000'000,
                           static_cast<double>(outcome.peak_frames * cells * burst.cell), {5'000'000, {}},
                           "the burst that the test configures, in cells; it asks for 90 % of it");
        }
    }

    void one_packet(Comparisons& compare) const {
        struct Object {
            const char* name;
            const char* accounting;
            const char* payload;
        };
        // Objects of the tests. A single packet in memory gives its port and its class equal occupancies.
        constexpr Object kObjects[] = {{"input port", "ingress", "10 B"},        {"CPU port", "egress", "10 B"},
                                       {"input class 0, IP", "ingress", "10 B"}, {"CPU class 2, IP", "egress", "10 B"},
                                       {"input class 0, ARP", "ingress", "1 B"}, {"CPU class 2, ARP", "egress", "1 B"}};
        for (const Chip& chip : kChips)
            for (const Object& object : kObjects) {
                const Outcome outcome = run("one-packet", {"switch.buffer.cell=" + std::to_string(chip.cell) + " B",
                                                           std::string("switch.buffer.accounting=") + object.accounting,
                                                           std::string("frame.payload=") + object.payload});
                compare.theory({std::string("one small packet, ") + object.name + ", " + chip.name, "B"}, chip.cell,
                               static_cast<double>(outcome.peak_frames * chip.cell), {0, {}}, "one cell");
            }
    }

    void descriptors(Comparisons& compare) const {
        struct Limit {
            const char* chip;
            int cell, descriptors, packets;
        };
        for (const Limit& limit : {Limit{"Spectrum-2", 144, 136960, 116416}, Limit{"Spectrum-3", 144, 204800, 174080},
                                   Limit{"Spectrum-4", 192, 220000, 187000}}) {
            const Outcome outcome =
                run("descriptors", {"switch.buffer.cell=" + std::to_string(limit.cell) + " B",
                                    "switch.buffer.descriptors=" + std::to_string(limit.descriptors),
                                    "trigger.events=" + std::to_string(limit.descriptors + 1)});
            const auto held = static_cast<double>(outcome.first_loss ? outcome.first_loss->frame.event - 1 : 0);
            compare.theory({std::string("packets queued before a drop, ") + limit.chip, "packets"}, limit.descriptors,
                           held, {0, {}},
                           "every descriptor; the test asks for 85 % of them, " + std::to_string(limit.packets));
        }
    }

    void early_drops(Comparisons& compare) const {
        for (const int level : {200'000, 300'000, 500'000}) {
            const std::vector<std::string> levels{"switch.buffer.wred_from=" + std::to_string(level) + " B",
                                                  "switch.buffer.wred_to=" + std::to_string(level + 1) + " B"};
            const auto marked = [&](int packets) {
                auto overrides = levels;
                overrides.push_back("trigger.events=" + std::to_string(packets));
                return static_cast<double>(run("red", overrides).frames_marked);
            };
            const std::string what = " the level of " + std::to_string(level) + " B";
            const int below = level / 1000 * 2 / 3, above = level / 1000 * 3 / 2;
            compare.theory({"packets marked with a backlog of 2/3 of" + what, "%"}, 0, marked(below), {0, {}},
                           "the backlog is below the level");
            compare.theory({"packets marked with a backlog of 3/2 of" + what, "%"}, 100,
                           marked(above + 100) - marked(above), {5, {}},
                           "the backlog is above the level; the test asks for 95 %");
            auto dropping = levels;
            dropping.insert(dropping.end(), {"switch.buffer.ecn=false", "trigger.events=" + std::to_string(above)});
            compare.theory({"most that is queued where early detection drops, at" + what, "B"}, level,
                           static_cast<double>(run("red", dropping).peak_bytes.count),
                           {0.15 * level, "the test allows 15 %"}, "one packet beyond the level");
            const auto dropped = [&](int packets) {
                auto overrides = dropping;
                overrides.back() = "trigger.events=" + std::to_string(packets);
                return static_cast<double>(run("red", overrides).frames_lost());
            };
            compare.theory({"drops among 100 packets more, above" + what, "packets"}, 100,
                           dropped(above + 100) - dropped(above), {5, {}},
                           "every one; the test asks for 95 to 110 of their mirrored copies");
        }
    }

    void flow_control(Comparisons& compare) const {
        const Outcome outcome = run("pfc", {});
        compare.theory({"bytes lost of 1242 packets behind priority flow control", "B"}, 0,
                       static_cast<double>(outcome.frames_lost() * 8050), {0, {}},
                       "headroom for what is on its way when the sender is told to pause");
        compare.theory({"bytes of these 1242 packets that the switch takes in", "%"}, 100,
                       100 * static_cast<double>(outcome.frames_received) / 1242, {5, {}},
                       "all of them; the test allows 95 to 105");
    }

    /// Bytes of headroom with which nothing is lost, at least. XOFF comes with the frame that fills the pool.
    double headroom_needed(int mtu, const std::string& pause_reaction, int events = 2000) const {
        constexpr int kHeaders = 28, kFrameOverhead = 18, kFrames = 600;
        const int pool = kFrames * (mtu + kFrameOverhead);
        const auto bytes = [](const char* key, std::int64_t number) { return key + std::to_string(number) + " B"; };
        std::int64_t least = 1, enough = 1'000'000;  // one byte holds no frame
        while (least < enough) {
            const std::int64_t tried = (least + enough) / 2;
            const Outcome outcome = run(
                "headroom", {bytes("frame.payload=", mtu - kHeaders), bytes("switch.buffer.size=", pool),
                             bytes("switch.flow_control.xoff=", pool - 1), bytes("switch.buffer.headroom=", tried),
                             "front_end.pause_reaction=" + pause_reaction, "trigger.events=" + std::to_string(events)});
            outcome.frames_lost() > 0 ? least = tried + 1 : enough = tried;
        }
        return enough > 1 ? static_cast<double>(enough) : 0;
    }

    void headroom(Comparisons& compare) const {
        const char *const kNear = "0 us", *const kKilometre = "10 us";
        const double usual = headroom_needed(1500, kNear), large = headroom_needed(3000, kNear),
                     larger = headroom_needed(6000, kNear), far = headroom_needed(1500, kKilometre);
        const auto grows = [&](const std::string& what, double more, double less, const std::string& why) {
            compare.theory({"headroom that is needed grows, " + what, "yes"}, 1, more > less ? 1 : 0, {0, {}},
                           std::to_string(std::llround(more)) + " B in place of " + std::to_string(std::llround(less)) +
                               " B: " + why);
        };
        grows("MTU of 3000 B in place of 1500 B", large, usual, "whole frames are on their way");
        grows("MTU of 6000 B in place of 3000 B", larger, large, "whole frames are on their way");
        grows("flow control in place of none", usual, 0, "what comes after XOFF");
        grows("cable of 1000 m in place of none", far, usual, "it holds 10 us of frames, there and back");
        compare.theory({"headroom that a priority group needs which gets one packet", "B"}, 0,
                       headroom_needed(1500, kKilometre, 1), {0, {}}, "it never comes to XOFF");
    }

    void multicast_backlog(Comparisons& compare) const {
        compare.theory(
            {"backlog of multicast that early detection leaves alone", "B"}, 500'000,
            static_cast<double>(
                run("red", {"switch.buffer.wred_from=600000 B", "switch.buffer.wred_to=600001 B", "trigger.events=500"})
                    .peak_bytes.count),
            {0, {}}, "500 packets of 1000 B behind a port that stands still; the test asks for so much at least");
    }

    /// Frames of a stream that arrive.
    double received(const std::string& scenario, const std::string& stream,
                    const std::vector<std::string>& overrides) const {
        for (const Outcome::Stream& each : run(scenario, overrides).streams)
            if (each.name == stream) return static_cast<double>(each.frames_received);
        throw std::logic_error("no stream " + stream + " in mlxsw/" + scenario);
    }

    void classes(Comparisons& compare) const {
        const double high = received("strict", "high", {"traffic.low.pattern=none"}),
                     low = received("strict", "low", {"traffic.high.pattern=none"});
        compare.theory({"packets of the low class alone, of those of the high class alone", "%"}, 100, 100 * low / high,
                       {5, {}}, "the line rate; the test allows 95 to 105");
        compare.theory({"packets of the high class beside the low one, of those without it", "%"}, 100,
                       100 * received("strict", "high", {}) / high, {5, {}}, "strict priority; the test asks for 95 %");
        const double alone = received("multicast", "unicast", {"traffic.multicast.pattern=none"});
        compare.theory({"unicast lost to multicast with a guarantee of 200 Mb/s of 1 Gb/s", "%"}, 20,
                       100 * (1 - received("multicast", "unicast", {}) / alone), {5, "the test allows 15 to 25"},
                       "the guarantee");
        compare.theory({"ARP requests that arrive beside multicast at the line rate, of 50", "packets"}, 50,
                       received("multicast", "arp", {}), {0, {}}, "a queue of their own");
    }

  private:
    const Validation& validation_;
    std::unique_ptr<Engine> engine_;
};

}  // namespace

std::vector<Comparison> validate_mlxsw(const Validation& validation) {
    Comparisons compare("mlxsw");
    compare.from("torvalds/linux, tools/testing/selftests/drivers/net/mlxsw");
    const SelfTests tests(validation);
    tests.bursts(compare);
    tests.one_packet(compare);
    tests.descriptors(compare);
    tests.early_drops(compare);
    tests.flow_control(compare);
    tests.classes(compare);
    tests.headroom(compare);
    tests.multicast_backlog(compare);
    for (const Chip& chip : kChips) {
        compare.arithmetic({std::string("headroom buffer of 1000 cells, ") + chip.name, "B"}, chip.cell * 1000,
                           1000.0 * chip.cell, {0, {}}, "1000 x the cell");
        compare.arithmetic({std::string("pool of the configuration test, ") + chip.name, "B"},
                           chip.cell == 96    ? 12'288'000
                           : chip.cell == 144 ? 18'432'000
                                              : 24'576'000,
                           16.0 * 8000 * chip.cell, {0, {}}, "16 x 8000 cells");
    }
    compare.arithmetic({"packets of 8050 B that the test of priority flow control sends", "packets"}, 1242,
                       std::floor(10'000'000.0 / 8050), {0, {}}, "10 MB of them");
    compare.arithmetic({"delay provision of a headroom of 100000 B", "B"}, 80'000, 100'000.0 - 2 * 10'000, {0, {}},
                       "without two packets of the MTU, 10000 B");
    return compare.all();
}

}  // namespace watershed
