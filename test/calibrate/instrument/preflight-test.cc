// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>

#include "calibrate/instrument/interface.h"
#include "test/catch.h"

using namespace watershed;

namespace {

using Level = Finding::Level;
constexpr std::int64_t kGigabit = 1000;

PortFacts port(const std::string& name, std::int64_t gigabits) {
    PortFacts port;
    port.name = name;
    port.megabits = kGigabit * gigabits;
    port.knows_pause = true;
    port.ring = port.longer = 4096;
    port.interrupt_us = 50;
    port.queue = "mq";
    port.mtu = 1500;
    return port;
}

/// A sound bench: 10 Gb/s into 1 Gb/s.
PreflightFacts bench() {
    PreflightFacts facts;
    facts.senders = {port("eth1", 10)};
    facts.receiver = port("eth2", 1);
    facts.governors = {"performance"};
    facts.modules = 16;
    facts.payload = Bytes{1024};
    facts.wire = Bytes{1090};
    facts.stored = Bytes{1070};
    facts.memory = 1401;
    facts.longest = 14026;
    facts.ring = 65536;
    return facts;
}

/// Findings that are not fine.
std::vector<Finding> noted(const PreflightFacts& facts) {
    std::vector<Finding> findings = findings_of(facts);
    findings.erase(
        std::remove_if(findings.begin(), findings.end(), [](const Finding& one) { return one.level == Level::Fine; }),
        findings.end());
    return findings;
}

/// The only one that is not fine, as a line.
std::string only(const PreflightFacts& facts, Level level) {
    const std::vector<Finding> findings = noted(facts);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].level == level);
    CHECK(refusal_of(findings).empty() == (level != Level::Refuse));
    return text_of(findings, false);
}

}  // namespace

TEST_CASE("A sound bench has nothing to look at, and every subject is told") {
    CHECK(noted(bench()).empty());
    const std::vector<Finding> findings = findings_of(bench());
    CHECK(text_of(findings, false).empty());
    CHECK(refusal_of(findings).empty());
    const std::string text = text_of(findings, true);
    for (const char* told : {"eth1: 10 Gb/s, full duplex", "eth2: 1 Gb/s, full duplex", "eth1: PAUSE off",
                             "eth2: no offload", "eth2: ring of 4096 frames, at most 4096", "waits up to 50 us",
                             "its queue (mq)", "0 frames of others", "MTU 1500, packets of 1052 B",
                             "overload: 10 Gb/s into 1 Gb/s", "16 frames, 17.12 kB", "--ring 65536", "performance"})
        CHECK_THAT(text, Contains(told));
}

TEST_CASE("Senders that cannot exceed the output are refused, where all speeds are known") {
    PreflightFacts facts = bench();
    facts.senders = {port("eth1", 1)};
    CHECK_THAT(only(facts, Level::Refuse),
               Contains("1 Gb/s into 1 Gb/s") && Contains("--send A,B") && Contains("ethtool -s eth2 speed 100 "));
    facts.senders.push_back(port("eth3", 1));
    CHECK(noted(facts).empty());
    facts.modules = 1;  // the second one sends nothing
    CHECK(noted(facts).size() == 1);
    facts.senders[0].megabits = 0;
    CHECK(noted(facts).empty());
    facts = bench();
    facts.senders = {port("eth1", 1)};
    facts.receiver.megabits = 0;
    CHECK(noted(facts).empty());
    facts.receiver.megabits = kGigabit;
    facts.senders[0].queue = "tbf";  // is measured in place of the switch
    CHECK_THAT(only(facts, Level::Look), Contains("tbf") && Contains("tc qdisc del dev eth1 root"));
}

TEST_CASE("A receiver that asks for PAUSE is refused, a sender that obeys is looked at") {
    PreflightFacts facts = bench();
    facts.receiver.negotiates = facts.receiver.asks = true;
    CHECK_THAT(only(facts, Level::Refuse),
               Contains("eth2: PAUSE tx is on (offered") && Contains("ethtool -A eth2 autoneg off rx off tx off"));
    facts.receiver.asks = false;
    facts.receiver.obeys = true;
    CHECK(noted(facts).empty());
    CHECK_THAT(text_of(findings_of(facts), true), Contains("eth2: PAUSE rx is on\n"));
    facts.senders[0].obeys = true;
    CHECK_THAT(only(facts, Level::Look), Contains("eth1: PAUSE rx is on:") && Contains("ethtool -A eth1"));
    facts.senders[0].obeys = false;
    facts.senders[0].asks = true;
    CHECK(noted(facts).empty());
    CHECK_THAT(text_of(findings_of(facts), true), Contains("eth1: PAUSE tx is on\n"));
    facts.senders[0].asks = facts.senders[0].knows_pause = false;
    CHECK_THAT(text_of(findings_of(facts), true), Contains("eth1: PAUSE: its driver knows none"));
}

TEST_CASE("What may lose or delay frames at the receiver is looked at") {
    PreflightFacts facts = bench();
    facts.receiver.merges = {"gro", "lro"};
    CHECK_THAT(only(facts, Level::Look), Contains("gro, lro on") && Contains("ethtool -K eth2 gro off lro off"));
    facts = bench();
    facts.receiver.ring = 4095;
    CHECK_THAT(only(facts, Level::Look), Contains("4095 frames, at most 4096; ethtool -G eth2 rx 4096"));
    // 2048 frames of 1090 B are 17858.56 us at 1 Gb/s.
    facts = bench();
    facts.receiver.interrupt_us = 17858;
    CHECK(noted(facts).empty());
    facts.receiver.interrupt_us = 17859;
    CHECK_THAT(only(facts, Level::Look), Contains("2048 frames may come") && Contains("ethtool -C"));
    facts.receiver.megabits = 0;
    CHECK(noted(facts).empty());
    facts = bench();
    facts.longest = facts.ring;
    CHECK(noted(facts).empty());
    facts.longest = facts.ring + 1;
    CHECK_THAT(only(facts, Level::Look), Contains("--ring 65537"));
}

TEST_CASE("Other traffic, half duplex and slow processors are looked at, on both sides") {
    for (const bool sender : {true, false}) {
        PreflightFacts facts = bench();
        PortFacts& one = sender ? facts.senders[0] : facts.receiver;
        one.others = 1;
        CHECK_THAT(only(facts, Level::Look), Contains(one.name + ": 1 frames of others in 100 ms"));
        one.others = 0;
        one.half_duplex = true;
        CHECK_THAT(only(facts, Level::Look), Contains("half duplex") && Contains("ethtool -s " + one.name));
        one.half_duplex = false;
        one.mtu = 1052;
        CHECK(noted(facts).empty());
        one.mtu = 1051;
        CHECK_THAT(only(facts, Level::Refuse), Contains("ip link set " + one.name + " mtu 1052"));
    }
    PreflightFacts facts = bench();
    facts.governors = {"performance", "powersave"};
    CHECK_THAT(only(facts, Level::Look), Contains("powersave") && Contains("cpupower"));
    facts.governors.clear();
    CHECK(noted(facts).empty());
}

TEST_CASE("A trigger that is larger than the memory is looked at") {
    PreflightFacts facts = bench();
    facts.modules = 44;
    facts.memory = 44;
    CHECK(noted(facts).empty());
    facts.memory = 43;
    CHECK_THAT(only(facts, Level::Look), Contains("47.08 kB") && Contains("front_end.modules=10"));
    facts.memory = 1;
    CHECK_THAT(only(facts, Level::Look), Contains("front_end.modules=1\n"));
    facts.memory.reset();
    CHECK(noted(facts).empty());
}
