// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/output-queued-switch.h"

#include <set>
#include <string>
#include <type_traits>

#include "model/exact/burst-boundary.h"
#include "model/exact/exact-engine.h"
#include "model/risk/camera-queue.h"
#include "model/risk/loss-bound.h"
#include "model/scenario.h"
#include "model/switch/switch-fields.h"
#include "test/catch.h"

namespace watershed {
namespace {

/// Another value than by default.
struct Change {
    Switch& of;

    void operator()(const FieldChoice<Switch>& choice) const {
        choice.set(of, choice.get(of) == 0 ? static_cast<int>(choice.names.size()) - 1 : 0);
    }
    void operator()(std::vector<PortGroup>& (*at)(Switch&)) const { at(of).push_back({BitRate{1}, 1}); }
    void operator()(std::string& (*at)(Switch&)) const { at(of) = "other"; }
    void operator()(Time& (*at)(Switch&)) const { at(of) = Time{5}; }
    void operator()(bool& (*at)(Switch&)) const { at(of) = !at(of); }
    void operator()(int& (*at)(Switch&)) const { ++at(of); }
    void operator()(std::int64_t& (*at)(Switch&)) const { ++at(of); }
    void operator()(BitRate& (*at)(Switch&)) const { ++at(of).count; }
    void operator()(Bytes& (*at)(Switch&)) const { ++at(of).count; }
    void operator()(MemorySize& (*at)(Switch&)) const { at(of) = {7, at(of).unit}; }
    void operator()(Ratio& (*at)(Switch&)) const { at(of) = {1, 7}; }
    template <class T>
    void operator()(std::optional<T>& (*at)(Switch&)) const {
        at(of) = T{};
    }
    template <class T>
    void operator()(std::vector<T>& (*at)(Switch&)) const {
        at(of).push_back(T{});
    }
};

/// A switch that says of one key another thing than by default, beside those without which it would have no use.
Switch with_other(const SwitchField& field) {
    Switch s;
    s.buffer.size = {100, MemorySize::Unit::Byte};
    const auto tried = [&](auto prepare) {
        Switch prepared = s;
        prepare(prepared);
        if (field.has_use(s) || !field.has_use(prepared)) return;
        s = prepared;
    };
    tried([](Switch& t) { t.uplink_choice.rule = UplinkChoice::Rule::Hash; });
    tried([](Switch& t) { t.uplink_choice.rule = UplinkChoice::Rule::Static; });
    for (const Sharing sharing : Sharing::all()) tried([&](Switch& t) { t.buffer.sharing = sharing; });
    tried([](Switch& t) { t.buffer.cell = Bytes{10}; });
    tried([](Switch& t) { t.buffer.accounting = Buffer::Accounting::Both; });
    tried([](Switch& t) {
        t.buffer.accounting = Buffer::Accounting::Both;
        t.buffer.egress_size = t.buffer.size;
    });
    tried([](Switch& t) { t.buffer.wred_to = {9, MemorySize::Unit::Byte}; });
    tried([](Switch& t) { t.buffer.descriptors = 3; });
    tried([](Switch& t) { t.buffer.dram = t.buffer.size; });
    tried([](Switch& t) { t.buffer.queue_split = true; });
    tried([](Switch& t) { t.fabric_rate = BitRate{1}; });
    tried([](Switch& t) { t.cut_through = true; });
    tried([](Switch& t) { t.scheduling.kind = Scheduling::Kind::DeficitRoundRobin; });
    tried([](Switch& t) {
        t.scheduling.kind = Scheduling::Kind::StrictPriority;
        t.scheduling.rates = {BitRate{1}};
    });
    tried([](Switch& t) {
        t.scheduling.kind = Scheduling::Kind::StrictPriority;
        t.buffer.sharing = Sharing::DynamicThreshold;
    });
    tried([](Switch& t) {
        t.buffer.sharing = Sharing::DynamicThreshold;
        t.buffer.threshold_mantissa = 5;
    });
    tried([](Switch& t) { t.flow_control.kind = FlowControl::Kind::Pfc; });
    tried([](Switch& t) {
        t.flow_control.kind = FlowControl::Kind::Pfc;
        t.flow_control.alpha = Ratio{1, 1};
    });
    tried([](Switch& t) {
        t.flow_control.kind = FlowControl::Kind::Pfc;
        t.buffer.headroom = {9, MemorySize::Unit::Byte};
    });
    tried([](Switch& t) {
        t.flow_control.kind = FlowControl::Kind::Pfc;
        t.flow_control.alpha = Ratio{1, 1};
        t.buffer.accounting = Buffer::Accounting::Ingress;
    });
    tried([](Switch& t) {
        t.flow_control.kind = FlowControl::Kind::Pfc;
        t.scheduling.kind = Scheduling::Kind::StrictPriority;
    });
    tried([](Switch& t) {
        t.flow_control.kind = FlowControl::Kind::Pfc;
        t.flow_control.alpha = Ratio{1, 1};
        t.scheduling.kind = Scheduling::Kind::StrictPriority;
    });
    tried([](Switch& t) {
        t.flow_control.kind = FlowControl::Kind::Pfc;
        t.scheduling.kind = Scheduling::Kind::StrictPriority;
        t.buffer.accounting = Buffer::Accounting::Both;
        t.buffer.egress_size = t.buffer.size;
    });
    tried([](Switch& t) {
        t.flow_control.kind = FlowControl::Kind::Pfc;
        t.scheduling.kind = Scheduling::Kind::StrictPriority;
        t.buffer.accounting = Buffer::Accounting::Both;
        t.buffer.egress_size = t.buffer.egress_lossless_size = t.buffer.size;
    });
    tried([](Switch& t) {
        t.buffer.sharing = Sharing::DynamicThreshold;
        t.buffer.first_bytes = Bytes{9};
    });
    std::visit(Change{s}, field.place);
    return s;
}

}  // namespace

TEST_CASE("A plain switch holds what it was told of each key, or refuses a key by name") {
    std::set<std::string> held;
    for (const SwitchField& field : switch_fields()) {
        CAPTURE(field.name);
        const Switch whole = with_other(field);
        REQUIRE((field.has_use(whole) || field.alone));
        REQUIRE_FALSE(field.same(whole, Switch{}));
        UnsupportedKey obstacle;
        if (const auto plain = OutputQueuedSwitch::of(whole, &obstacle)) {
            CHECK(field.same(whole, **plain));
            held.insert(field.name);
        } else {
            CHECK(obstacle.key.rfind("switch.", 0) == 0);
        }
    }
    CHECK(held.count("buffer.size") == 1);
    CHECK(held.count("latency") == 1);
    CHECK(held.count("buffer.port_limit") == 0);
}

TEST_CASE("Fast paths, profiles, chains and bounds refuse the key of a memory that they do not know by its name") {
    Scenario s;
    s.network_switch.buffer.size = {100, MemorySize::Unit::Frame};
    s.trigger.pattern = Trigger::Pattern::Poisson;
    s.trigger.rate = Frequency{8'000'000'000};
    s.trigger.events = 10;
    REQUIRE(choose_path(s).camera);
    REQUIRE(CameraQueue::of(s).queues);
    REQUIRE_FALSE(LossBounds::of(s).obstacle);
    REQUIRE(DepthProfile::permits(s));
    const std::set<std::string> beside{"buffer.slices",          "buffer.port_limit", "buffer.resume",
                                       "buffer.egress_pipeline", "buffer.wred_to",    "buffer.dram"};
    for (const SwitchField& field : switch_fields()) {
        if (beside.count(field.name) == 0) continue;
        CAPTURE(field.name);
        Scenario other = s;
        std::visit(Change{other.network_switch}, field.place);
        CHECK_FALSE(choose_path(other).camera);
        CHECK(CameraQueue::of(other).obstacle.key == "switch." + field.name);
        CHECK(LossBounds::of(other).obstacle.key == "switch." + field.name);
        CHECK(DepthProfile::permits(other) == (field.name == "buffer.resume"));
    }
}

TEST_CASE("They refuse the thresholds of single chips, too") {
    Scenario s;
    Buffer& buffer = s.network_switch.buffer;
    buffer.size = {100, MemorySize::Unit::Frame};
    buffer.step_free = buffer.step_limits = {{1, MemorySize::Unit::Frame}};
    s.trigger.pattern = Trigger::Pattern::Poisson;
    s.trigger.rate = Frequency{8'000'000'000};
    s.trigger.events = 10;
    const auto refused = [&](const std::string& key) {
        CHECK_FALSE(choose_path(s).camera);
        CHECK(CameraQueue::of(s).obstacle.key == key);
        CHECK(LossBounds::of(s).obstacle.key == key);
        CHECK_FALSE(DepthProfile::permits(s));
    };
    for (const char* name : {"nested-threshold", "stepped-threshold"}) {
        buffer.sharing = Sharing::named(name);
        refused("switch.buffer.sharing");
    }
    buffer.sharing = Sharing::DynamicThreshold;
    REQUIRE(CameraQueue::of(s).queues);
    buffer.threshold_mantissa = 5;
    refused("switch.buffer.threshold_mantissa");
    buffer.threshold_mantissa.reset();
    buffer.first_bytes = Bytes{9};
    refused("switch.buffer.first_bytes");
}

}  // namespace watershed
