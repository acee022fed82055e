// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/reader/switch-check.h"

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <functional>
#include <stdexcept>
#include <vector>

#include "model/switch/switch-memory.h"
#include "scenarios/reader/assumed-value.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

using Rule = UplinkChoice::Rule;

/// A key that has a meaning only beside others.
struct Dependent {
    std::string key;
    std::function<bool(const Switch&)> has_use;
    bool required;      ///< where it has a use
    std::string where;  ///< that is
    std::function<void(Switch&)> forget;
};

const std::vector<Dependent>& dependents() {
    static const Buffer plain;
    static const auto shared = [](const Switch& s) { return s.buffer.sharing->pools == SharingPolicy::Pools::One; };
    static const auto hashed = [](const Switch& s) { return s.uplink_choice.rule == Rule::Hash; };
    static const auto in_cells = [](const Switch& s) { return s.buffer.size.unit != MemorySize::Unit::Frame; };
    static const auto controlled = [](const Switch& s) { return s.flow_control.kind != FlowControl::Kind::None; };
    static const auto by_alpha = [](const Switch& s) { return s.flow_control.alpha.has_value(); };
    static const auto has_wred = [](const Switch& s) { return s.buffer.wred_to.amount > 0; };
    static const auto has_egress = [](const Switch& s) {
        return shared(s) && s.buffer.accounting == Buffer::Accounting::Both && s.buffer.egress_size.has_value();
    };
    static const std::vector<Dependent> all{
        {"switch.uplink_list", [](const Switch& s) { return s.uplink_choice.rule == Rule::Static; }, true,
         "uplink_selection = \"static\"", [](Switch& s) { s.uplink_choice.list.clear(); }},
        {"switch.uplink_hash", hashed, false, "uplink_selection = \"hash\"", [](Switch&) {}},
        {"switch.uplink_fold", hashed, false, "uplink_selection = \"hash\"", [](Switch&) {}},
        {"switch.weights",
         [](const Switch& s) {
             return s.scheduling.kind == Scheduling::Kind::WeightedRoundRobin ||
                    s.scheduling.kind == Scheduling::Kind::DeficitRoundRobin;
         },
         false, "scheduler = \"wrr\" or \"drr\"", [](Switch& s) { s.scheduling.weights.clear(); }},
        {"switch.quantum", [](const Switch& s) { return s.scheduling.kind == Scheduling::Kind::DeficitRoundRobin; },
         false, "scheduler = \"drr\"", [](Switch&) {}},
        {"switch.buffer.class_limits", [](const Switch& s) { return s.scheduling.kind != Scheduling::Kind::Fifo; },
         false, "a scheduler other than \"fifo\"", [](Switch& s) { s.buffer.class_limits.clear(); }},
        {"switch.buffer.class_alphas",
         [](const Switch& s) {
             return s.scheduling.kind != Scheduling::Kind::Fifo && s.buffer.sharing == Sharing::DynamicThreshold;
         },
         false, "a scheduler other than \"fifo\" and sharing = \"dynamic-threshold\"",
         [](Switch& s) { s.buffer.class_alphas.clear(); }},
        {"switch.buffer.alpha", [](const Switch& s) { return s.buffer.sharing->has_alpha; }, true,
         "a sharing with dynamic thresholds", [](Switch& s) { s.buffer.alpha = plain.alpha; }},
        {"switch.buffer.excess", [](const Switch& s) { return s.buffer.sharing->has_excess; }, true,
         "sharing = \"enhanced-dynamic-threshold\"", [](Switch& s) { s.buffer.excess = plain.excess; }},
        {"switch.buffer.slices", shared, false, "a memory that ports share",
         [](Switch& s) { s.buffer.slices = plain.slices; }},
        {"switch.buffer.accounting", shared, false, "a memory that ports share",
         [](Switch& s) { s.buffer.accounting = plain.accounting; }},
        {"switch.buffer.reserved", shared, false, "a memory that ports share",
         [](Switch& s) { s.buffer.reserved = plain.reserved; }},
        {"switch.buffer.cell", in_cells, false, "a size in bytes or cells",
         [](Switch& s) { s.buffer.cell = plain.cell; }},
        {"switch.buffer.cell_header", [](const Switch& s) { return in_cells(s) && s.buffer.cell.count > 0; }, false,
         "switch.buffer.cell", [](Switch& s) { s.buffer.cell_header = plain.cell_header; }},
        {"switch.buffer.descriptors_resume", [](const Switch& s) { return s.buffer.descriptors.has_value(); }, false,
         "switch.buffer.descriptors", [](Switch& s) { s.buffer.descriptors_resume.reset(); }},
        {"switch.flow_control.alpha", [](const Switch& s) { return s.flow_control.kind == FlowControl::Kind::Pfc; },
         false, "flow_control.kind = \"pfc\"", [](Switch& s) { s.flow_control.alpha.reset(); }},
        {"switch.flow_control.xon_offset", by_alpha, false, "switch.flow_control.alpha", [](Switch&) {}},
        {"switch.flow_control.xoff", [](const Switch& s) { return controlled(s) && !by_alpha(s); }, true,
         "flow control without an alpha", [](Switch&) {}},
        {"switch.flow_control.xon", [](const Switch& s) { return controlled(s) && !by_alpha(s); }, true,
         "flow control without an alpha", [](Switch&) {}},
        {"switch.flow_control.quanta", controlled, false, "flow control", [](Switch&) {}},
        {"switch.buffer.headroom", controlled, false, "flow control",
         [](Switch& s) { s.buffer.headroom = plain.headroom; }},
        {"switch.flow_control.xon_fixed", by_alpha, false, "switch.flow_control.alpha",
         [](Switch& s) { s.flow_control.xon_fixed = false; }},
        {"switch.buffer.headroom_pool", [](const Switch& s) { return controlled(s) && s.buffer.headroom.amount > 0; },
         false, "flow control and switch.buffer.headroom", [](Switch& s) { s.buffer.headroom_pool.reset(); }},
        {"switch.buffer.egress_size",
         [](const Switch& s) { return shared(s) && s.buffer.accounting == Buffer::Accounting::Both; }, false,
         "accounting = \"both\"", [](Switch& s) { s.buffer.egress_size.reset(); }},
        {"switch.buffer.egress_alpha", has_egress, false, "switch.buffer.egress_size",
         [](Switch& s) { s.buffer.egress_alpha.reset(); }},
        {"switch.buffer.egress_reserved", has_egress, false, "switch.buffer.egress_size",
         [](Switch& s) { s.buffer.egress_reserved = plain.egress_reserved; }},
        {"switch.buffer.wred_from", has_wred, true, "random early detection", [](Switch&) {}},
        {"switch.buffer.wred_probability", has_wred, true, "random early detection", [](Switch&) {}},
        {"switch.buffer.ecn", has_wred, false, "random early detection", [](Switch& s) { s.buffer.ecn = false; }},
        {"switch.input_fifo", [](const Switch& s) { return s.fabric_rate.has_value(); }, true, "switch.fabric_rate",
         [](Switch&) {}},
        {"switch.port_groups", [](const Switch& s) { return s.fabric_rate.has_value(); }, false, "switch.fabric_rate",
         [](Switch&) {}},
        {"switch.cut_through_after", [](const Switch& s) { return s.cut_through; }, false, "cut_through = true",
         [](Switch&) {}},
        {"switch.buffer.queues", [](const Switch& s) { return s.buffer.queue_split; }, true, "queue_split = true",
         [](Switch&) {}},
    };
    return all;
}

}  // namespace

std::string SwitchTable::named(std::string text) const {
    boost::replace_all(text, "switch.", name + ".");
    return text;
}

bool has_use(const std::string& key, const Switch& network_switch) {
    const auto& all = dependents();
    return std::all_of(all.begin(), all.end(),
                       [&](const Dependent& d) { return d.key != key || d.has_use(network_switch); });
}

void check_switch(const SwitchTable& table, const std::string& file, const Places& given) {
    Switch& network_switch = table.settings;
    const auto place_of = [&](const std::string& key) {
        const auto place = given.find(table.named(key));
        return place == given.end() ? file : place->second;
    };
    const auto refuse = [&](const std::string& key, const std::string& message) {
        throw InputError(place_of(key), table.named(key), table.named(message));
    };
    if (given.count(table.named("switch.buffer.size")) + table.known.count("switch.buffer.size") +
            table.unknown.count("switch.buffer.size") ==
        0)
        refuse("switch.buffer.size", "missing, expected an amount of memory such as \"308000 frames\" or \"330 MB\"");
    for (const auto& key : table.unknown) {
        if (given.count(table.named(key)) == 0 && must_be_known(key, network_switch))
            throw UnknownValue(place_of(key), table.named(key),
                               table.named("unknown for switch.model \"" + network_switch.model +
                                           "\", expected a value in the scenario"));
    }
    for (const Dependent& dependent : dependents()) {
        const bool is_given = given.count(table.named(dependent.key)) != 0;
        const bool has_use = dependent.has_use(network_switch);
        if (has_use && dependent.required && !is_given && table.known.count(dependent.key) == 0)
            refuse(dependent.key, "missing, expected with " + dependent.where);
        // These have a use of their own: a FIFO also waits for memory, and how many classes there are is a fact in
        // itself.
        if (has_use || dependent.key == "switch.buffer.queues" || dependent.key == "switch.input_fifo") continue;
        if (is_given) refuse(dependent.key, "has no use here, expected only with " + dependent.where);
        dependent.forget(network_switch);
    }
    const auto conflict = [&](bool there, const std::string& key, const std::string& with) {
        if (there) refuse(key, "conflicts with " + with);
    };
    if (network_switch.scheduling.kind != Scheduling::Kind::Fifo) {
        const std::string scheduler = "switch.scheduler, which gives each class a queue";
        conflict(network_switch.queueing != Queueing::Output, "switch.queueing", scheduler);
        conflict(network_switch.buffer.queue_split, "switch.buffer.queue_split", scheduler);
        conflict(network_switch.buffer.sharing->evicts, "switch.buffer.sharing", scheduler);
    }
    const auto most = [&](const std::string& key, std::size_t size) {
        if (size > kTrafficClasses)
            refuse(key, "found " + std::to_string(size) + " values, expected at most 8, one for each class");
    };
    most("switch.weights", network_switch.scheduling.weights.size());
    most("switch.buffer.class_limits", network_switch.buffer.class_limits.size());
    most("switch.buffer.class_alphas", network_switch.buffer.class_alphas.size());
    const bool cuts = network_switch.cut_through;
    conflict(cuts && network_switch.queueing != Queueing::Output, "switch.queueing",
             "cut_through, which needs \"output\"");
    conflict(cuts && network_switch.input_fifo.has_value(), "switch.input_fifo", "cut_through");
    conflict(
        network_switch.buffer.wred_to.amount > 0 && !network_switch.buffer.ecn && network_switch.input_fifo.has_value(),
        "switch.input_fifo", "early drops");
    if (network_switch.buffer.egress_pipeline > 0) {
        conflict(network_switch.queueing != Queueing::Output, "switch.queueing",
                 "egress_pipeline, which needs \"output\"");
        conflict(network_switch.input_fifo.has_value(), "switch.input_fifo", "egress_pipeline");
        conflict(network_switch.buffer.sharing->evicts, "switch.buffer.egress_pipeline",
                 std::string("sharing = \"") + network_switch.buffer.sharing->name + "\"");
    }
    if (const Sharing sharing = network_switch.buffer.sharing; sharing->evicts) {
        const std::string policy = std::string("sharing = \"") + sharing->name + "\"";
        conflict(network_switch.queueing != Queueing::Output, "switch.queueing", policy + ", which needs \"output\"");
        conflict(network_switch.buffer.accounting != Buffer::Accounting::Egress, "switch.buffer.accounting",
                 policy + ", which needs \"egress\"");
        conflict(network_switch.input_fifo.has_value(), "switch.input_fifo",
                 policy + ", where no frame waits for memory");
        conflict(network_switch.buffer.headroom.amount > 0, "switch.buffer.headroom", policy);
    }
    for (const std::int64_t uplink : network_switch.uplink_choice.list)
        if (uplink > network_switch.uplinks)
            refuse("switch.uplink_list", "found uplink " + std::to_string(uplink) + ", expected 1 to " +
                                             std::to_string(network_switch.uplinks));
    try {
        const MemoryUnits units(network_switch.buffer);
        const auto ascending = [&](const std::string& low_key, MemorySize low, const std::string& high_key,
                                   MemorySize high, bool equal) {
            const std::int64_t difference = units.amount(high_key, high) - units.amount(low_key, low);
            if (difference < 0 || (difference == 0 && !equal))
                throw std::invalid_argument(low_key + ": expected " + (equal ? "at most " : "less than ") + high_key);
        };
        ascending("switch.flow_control.xon", network_switch.flow_control.xon, "switch.flow_control.xoff",
                  network_switch.flow_control.xoff, true);
        ascending("switch.buffer.wred_from", network_switch.buffer.wred_from, "switch.buffer.wred_to",
                  network_switch.buffer.wred_to, network_switch.buffer.wred_to.amount == 0);
        units.amount("switch.flow_control.xon_offset", network_switch.flow_control.xon_offset);
        SwitchMemory(network_switch.buffer, table.inputs, network_switch.uplinks);
    } catch (const std::invalid_argument& error) {
        const std::string message = error.what();
        const auto colon = message.find(": ");
        refuse(message.substr(0, colon), message.substr(colon + 2));
    }
}

}  // namespace watershed
