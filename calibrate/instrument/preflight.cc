// SPDX-License-Identifier: GPL-2.0-only
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "calibrate/instrument/interface.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using Level = Finding::Level;

constexpr std::int64_t kMegabit = 1'000'000;

/// Asks a driver (ethtool). Nothing where it does not know.
template <class Answer>
std::optional<Answer> ask_driver(const std::string& name, std::uint32_t command) {
    const OwnedFile socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    Answer answer{};
    answer.cmd = command;
    ifreq request{};
    name.copy(request.ifr_name, IFNAMSIZ - 1);
    request.ifr_data = reinterpret_cast<char*>(&answer);
    if (socket.file < 0 || ioctl(socket.file, SIOCETHTOOL, &request) != 0) return std::nullopt;
    return answer;
}

std::uint64_t traffic_of(const Interface& interface) {
    const FrameCounters counters = frame_counters(interface);
    return counters.received + counters.sent;
}

/// Returns a finding: fine or, if `bad`, of this level, with reason and remedy.
Finding judged(const std::string& where, const std::string& what, bool bad, Level level, const std::string& reason,
               const std::string& remedy) {
    return bad ? Finding{level, where, what + reason, remedy} : Finding{Level::Fine, where, what, ""};
}

/// A receiver that asks makes the switch wait, a sender that obeys waits for the switch.
Finding pause_of(const PortFacts& port, bool receives) {
    const bool bad = receives ? port.asks : port.obeys;
    std::string what = "PAUSE off";
    if (!port.knows_pause) what = "PAUSE: its driver knows none";
    if (port.asks || port.obeys) what = bad == receives ? "PAUSE tx is on" : "PAUSE rx is on";
    if (bad && port.negotiates) what += " (offered; the other end decides as well)";
    return judged(port.name, what, bad, receives ? Level::Refuse : Level::Look,
                  receives ? ": it stops the output of the switch, which then loses for want of the receiver"
                           : ": a switch that sends PAUSE makes it wait, and never loses",
                  "ethtool -A " + port.name + " autoneg off rx off tx off");
}

void add_port(std::vector<Finding>& findings, const PortFacts& port, bool receives, const PreflightFacts& facts) {
    const auto add = [&](const std::string& what, bool bad, const std::string& reason, const std::string& remedy) {
        findings.push_back(judged(port.name, what, bad, Level::Look, reason, remedy));
    };
    add(port.megabits == 0
            ? "speed unknown"
            : to_text(BitRate{port.megabits * kMegabit}) + (port.half_duplex ? ", half duplex" : ", full duplex"),
        port.half_duplex, ": it waits for what it receives",
        "ethtool -s " + port.name + " autoneg on, at both ends of the cable");
    findings.push_back(pause_of(port, receives));
    if (receives) {
        add(port.merges.empty() ? "no offload merges frames" : listed(port.merges) + " on", !port.merges.empty(),
            ": frames may be merged before they are counted",
            "ethtool -K " + port.name + " " + listed(port.merges, " off ") + " off");
        if (port.ring > 0)
            add(text_line("ring of %lld frames, at most %lld", port.ring, port.longer), port.ring < port.longer, "",
                text_line("ethtool -G %s rx %lld", port.name, port.longer));
        // Frames that come while an interrupt waits must fit into half of the ring.
        const std::int64_t bits = port.megabits * port.interrupt_us, frame = 8 * facts.wire.count;
        add(text_line("an interrupt waits up to %lld us", port.interrupt_us),
            port.ring > 0 && 2 * bits > port.ring * frame, text_line(", in which %lld frames may come", bits / frame),
            "ethtool -C " + port.name + " adaptive-rx off rx-usecs 10");
    } else {
        const bool usual = OutputQueue{port.queue}.usual();
        add("its queue (" + port.queue + (usual ? ") makes it wait" : ") counts as part of what is measured"), !usual,
            "", "tc qdisc del dev " + port.name + " root, unless it is what you measure");
    }
    add(text_line("%lld frames of others in %s", port.others, to_text(kWatched)), port.others > 0, "",
        "ip address flush dev " + port.name + "; stop what sends, here and at the switch");
    constexpr std::int64_t kIpAndUdp = 28;
    const std::int64_t packet = facts.payload.count + kIpAndUdp;
    findings.push_back(judged(port.name, text_line("MTU %lld, packets of %lld B", port.mtu, packet), packet > port.mtu,
                              Level::Refuse, "", text_line("ip link set %s mtu %lld", port.name, packet)));
}

/// Whether the senders together exceed the output, so that its queue can fill.
Finding overload_of(const PreflightFacts& facts) {
    std::vector<PortFacts> ports = facts.senders;
    // Senders take frames in turn: there is no use for more of them than a trigger has frames.
    ports.resize(std::min(ports.size(), std::size_t(facts.modules)));
    ports.push_back(facts.receiver);
    std::int64_t in = 0;
    for (const PortFacts& port : ports) {
        const std::string unknown = !OutputQueue{port.queue}.usual() ? "the queue of " + port.name + " is measured"
                                    : port.megabits == 0             ? "speed of " + port.name + " unknown"
                                                                     : "";
        if (!unknown.empty()) return {Level::Fine, "overload", unknown, ""};
        in += port.megabits;
    }
    const std::int64_t out = facts.receiver.megabits;
    in -= out;
    return judged("overload", to_text(BitRate{in * kMegabit}) + " into " + to_text(BitRate{out * kMegabit}), in <= out,
                  Level::Refuse, ": the queue of the switch never fills",
                  "two senders (--send A,B), or a slower receiving port: ethtool -s " + facts.receiver.name +
                      text_line(" speed %lld duplex full", out / 10));
}

}  // namespace

PortFacts look_at(const Interface& interface) {
    const std::uint64_t before = traffic_of(interface);
    std::this_thread::sleep_for(std::chrono::duration_cast<std::chrono::nanoseconds>(kWatched));
    PortFacts port{interface.name, interface.mtu, output_queue(interface).kind};
    port.others = traffic_of(interface) - before;
    const auto driver = ask_driver<ethtool_drvinfo>(port.name, ETHTOOL_GDRVINFO);
    const bool cable = !driver || std::strcmp(driver->driver, "veth") != 0;  // veth says 10 Gb/s, and has no speed
    if (const auto link = ask_driver<ethtool_cmd>(port.name, ETHTOOL_GSET); link && cable) {
        const std::uint32_t megabits = ethtool_cmd_speed(&*link);
        if (megabits != std::uint32_t(SPEED_UNKNOWN)) port.megabits = megabits;
        port.half_duplex = link->duplex == DUPLEX_HALF;
    }
    if (const auto pause = ask_driver<ethtool_pauseparam>(port.name, ETHTOOL_GPAUSEPARAM)) {
        port.knows_pause = true;
        port.negotiates = pause->autoneg != 0;
        port.obeys = pause->rx_pause != 0;
        port.asks = pause->tx_pause != 0;
    }
    if (const auto ring = ask_driver<ethtool_ringparam>(port.name, ETHTOOL_GRINGPARAM)) {
        port.ring = ring->rx_pending;
        port.longer = ring->rx_max_pending;
    }
    if (const auto waits = ask_driver<ethtool_coalesce>(port.name, ETHTOOL_GCOALESCE))
        port.interrupt_us = waits->rx_coalesce_usecs;
    const auto is_on = [&](std::uint32_t command, std::uint32_t bits) {
        const auto value = ask_driver<ethtool_value>(port.name, command);
        return value && (value->data & bits) != 0;
    };
    if (is_on(ETHTOOL_GGRO, ~0U)) port.merges.emplace_back("gro");
    if (is_on(ETHTOOL_GFLAGS, ETH_FLAG_LRO)) port.merges.emplace_back("lro");
    return port;
}

std::vector<std::string> frequency_governors() {
    std::set<std::string> governors;
    std::error_code none;
    for (const auto& cpu : std::filesystem::directory_iterator("/sys/devices/system/cpu", none)) {
        std::ifstream in(cpu.path() / "cpufreq/scaling_governor");
        if (std::string governor; in >> governor) governors.insert(governor);
    }
    return {governors.begin(), governors.end()};
}

std::vector<Finding> findings_of(const PreflightFacts& facts) {
    std::vector<Finding> findings;
    for (const PortFacts& port : facts.senders) add_port(findings, port, false, facts);
    add_port(findings, facts.receiver, true, facts);
    findings.push_back(overload_of(facts));
    const auto add = [&](const std::string& where, const std::string& what, bool bad, const std::string& reason,
                         const std::string& remedy) {
        findings.push_back(judged(where, what, bad, Level::Look, reason, remedy));
    };
    const std::int64_t memory = facts.memory.value_or(facts.modules);
    constexpr std::int64_t kPart = 4;  // part of the memory
    add("trigger",
        text_line("%d frames, %s in the memory", facts.modules, to_text(Bytes{facts.stored.count * facts.modules})) +
            (facts.memory ? text_line(" of %lld frames", memory) : ""),
        facts.modules > memory, ", more than is believed to fit in: a shallow memory and random loss look alike",
        text_line("--set front_end.modules=%lld", std::max<std::int64_t>(1, memory / kPart)));
    add("receiver", text_line("--ring %lld frames, the longest burst may have %lld", facts.ring, facts.longest),
        facts.longest > facts.ring, ": a receiver that is held up loses some", text_line("--ring %lld", facts.longest));
    const std::vector<std::string>& governors = facts.governors;
    add("processors", governors.empty() ? "no frequency governor" : "governor " + listed(governors),
        !governors.empty() && governors != std::vector<std::string>{"performance"}, ": they wake up late",
        "cpupower frequency-set -g performance");
    return findings;
}

std::string text_of(const std::vector<Finding>& findings, bool all) {
    static const char* const kLevels[] = {"fine", "look", "refuse"};
    std::string text;
    for (const Finding& one : findings)
        if (all || one.level != Level::Fine)
            text += text_line("%-8s%s: %s%s\n", kLevels[int(one.level)], one.where, one.what,
                              one.remedy.empty() ? "" : "; " + one.remedy);
    return text;
}

std::string refusal_of(const std::vector<Finding>& findings) {
    for (const Finding& one : findings)
        if (one.level == Level::Refuse) return one.where + ": " + one.what + "; " + one.remedy;
    return "";
}

}  // namespace watershed
