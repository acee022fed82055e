// SPDX-License-Identifier: GPL-2.0-only
#include "model/ipbus/ipbus.h"

#include <tuple>

#include "model/ipbus/flashing.h"
#include "model/scenario.h"
#include "scenarios/keys/keys.h"
#include "scenarios/keys/system.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/scenarios/keys/stated-default.h"

using namespace watershed;

namespace {

auto members(const ServerPool::Processor& p) {
    return std::tuple(p.cores, p.threads_per_core,
                      static_cast<double>(p.sibling_gain.numerator) / static_cast<double>(p.sibling_gain.denominator));
}

auto members(const Ipbus& i) {
    return std::tuple(i.pattern, i.duration, i.warm_up, i.max_payload.count, i.split, i.loss_one_in,
                      i.switch_buffer.amount, i.server_link.count, members(i.processor), i.unit.channels,
                      i.unit.waveform.count, i.unit.fifo.count, i.unit.underflow, i.unit.bus_rate.count, i.unit.buffers,
                      i.unit.buffer_size.count, i.unit.link_rate.count, i.unit.delay, i.hub.in_flight, i.hub.timeout,
                      i.hub.attempts, i.hub.packet_cost, i.hub.byte_cost, i.client.outstanding, i.client.latency,
                      i.client.block_cost);
}

auto members(const Flashing& f) {
    return std::tuple(f.units, f.load_time, f.flash_time, f.threads_per_worker == Ratio{195, 100},
                      f.switching_loss == Ratio{1, 1}, members(f.processor));
}

}  // namespace

TEST_CASE("The default that an IPbus or flashing key states is the one that a scenario has") {
    std::vector<ScenarioKey> keys = find_system("ipbus")->keys();
    for (const ScenarioKey& key : find_system("flashing")->keys()) keys.push_back(key);
    for (const ScenarioKey& key : keys) {
        if (key.default_value.empty()) continue;
        INFO(key.name);
        Scenario s;
        key.set(s, stated_default(key));
        CHECK(members(s.of<Ipbus>()) == members(Ipbus{}));
        CHECK(members(s.of<Flashing>()) == members(Flashing{}));
    }
}

TEST_CASE("A block is words or bytes that are whole words") {
    for (const ScenarioKey& key : find_system("ipbus")->keys()) {
        if (key.name != "ipbus.block") continue;
        Scenario s;
        key.set(s, std::vector<std::string>{"2048 words", "8192 B", "1words", "1 word"});
        CHECK(s.of<Ipbus>().blocks == std::vector<std::int64_t>{2048, 2048, 1, 1});
        for (const char* wrong :
             {"0 words", "2048", "8191 B", "-1 words", "2048 wordsy", "words", "2.5 words", "99999999999 words"})
            CHECK_THROWS_AS(key.set(s, std::vector<std::string>{wrong}), std::invalid_argument);
    }
}

TEST_CASE("Values that do not go together are refused with the place of the key") {
    const auto place = [](const std::string& key) { return "FILE of " + key; };
    const auto complaint = [&](const Ipbus& ipbus) -> std::string {
        Scenario scenario;
        scenario.of<Ipbus>() = ipbus;
        try {
            find_system("ipbus")->check(scenario, place);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    CHECK(complaint(Ipbus{}).empty());
    Ipbus fifo;
    fifo.unit.fifo = Bytes{2028};
    CHECK_THAT(complaint(fifo), StartsWith("FILE of ipbus.unit.fifo: ipbus.unit.fifo: found") && Contains("2.032 kB"));
    Ipbus payload;
    payload.max_payload = Bytes{8972};
    CHECK_THAT(complaint(payload), Contains("ipbus.max_payload") && Contains("ipbus.unit.buffer_size"));
    Ipbus block;
    block.split = false;
    CHECK_THAT(complaint(block), Contains("found 2048 words, expected at most 347 words"));
    Ipbus warm_up;
    warm_up.warm_up = warm_up.duration;
    CHECK_THAT(complaint(warm_up), Contains("ipbus.warm_up"));
    Ipbus rate;
    rate.pattern = Ipbus::Pattern::Poisson;
    CHECK_THAT(complaint(rate), Contains("ipbus.rate: missing"));
    rate.rates = {Frequency{1'000'000}};
    CHECK(complaint(rate).empty());
    rate.pattern = Ipbus::Pattern::Full;
    CHECK_THAT(complaint(rate), Contains("ipbus.rate: conflicts"));
}
