// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/reader/switch-check.h"

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>

#include "model/base/unsupported-key.h"
#include "model/switch/gate-control-list.h"
#include "model/switch/switch-fields.h"
#include "model/switch/switch-memory.h"
#include "scenarios/reader/assumed-value.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

std::string key_of(const SwitchField& field) { return "switch." + field.name; }

}  // namespace

std::string SwitchTable::named(std::string text) const {
    boost::replace_all(text, "switch.", name + ".");
    return text;
}

bool has_use(const std::string& key, const Switch& network_switch) {
    const auto& all = switch_fields();
    return std::all_of(all.begin(), all.end(),
                       [&](const SwitchField& field) { return key_of(field) != key || field.has_use(network_switch); });
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
    for (const SwitchField& field : switch_fields()) {
        const std::string key = key_of(field);
        const bool is_given = given.count(table.named(key)) != 0;
        const bool has_use = field.has_use(network_switch);
        if (has_use && field.required && !is_given && table.known.count(key) == 0)
            refuse(key, "missing, expected with " + field.where);
        if (has_use || field.alone) continue;
        if (is_given) refuse(key, "has no use here, expected only with " + field.where);
        field.reset(network_switch);
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
    most("switch.class_rates", network_switch.scheduling.rates.size());
    most("switch.class_bursts", network_switch.scheduling.bursts.size());
    most("switch.buffer.class_limits", network_switch.buffer.class_limits.size());
    most("switch.buffer.class_alphas", network_switch.buffer.class_alphas.size());
    most("switch.buffer.class_wred_from", network_switch.buffer.class_wred_from.size());
    most("switch.buffer.class_wred_to", network_switch.buffer.class_wred_to.size());
    most("switch.buffer.class_wred_probability", network_switch.buffer.class_wred_probability.size());
    for (const Ratio& each : network_switch.buffer.class_wred_probability)
        if (each.numerator > each.denominator) refuse("switch.buffer.class_wred_probability", "expected at most 100 %");
    most("switch.buffer.class_headrooms", network_switch.buffer.class_headrooms.size());
    most("switch.flow_control.class_alphas", network_switch.flow_control.class_alphas.size());
    most("switch.flow_control.classes", network_switch.flow_control.classes.size());
    const FlowControl& control = network_switch.flow_control;
    if (network_switch.buffer.accounting == Buffer::Accounting::Mixed &&
        (network_switch.scheduling.kind == Scheduling::Kind::Fifo || control.kind != FlowControl::Kind::Pfc ||
         control.rule == FlowControl::Rule::Memory))
        refuse("switch.buffer.accounting",
               "found \"mixed\", expected only with a scheduler other than \"fifo\", flow_control.kind = \"pfc\" and "
               "flow_control.rule = \"hpcc\" or \"sonic\"");
    const bool cuts = network_switch.cut_through;
    conflict(cuts && network_switch.queueing != Queueing::Output, "switch.queueing",
             "cut_through, which needs \"output\"");
    conflict(cuts && network_switch.input_fifo.has_value(), "switch.input_fifo", "cut_through");
    conflict(cuts && !network_switch.scheduling.gates.empty(), "switch.gates", "cut_through");
    conflict(network_switch.buffer.drops_early() && !network_switch.buffer.ecn && network_switch.input_fifo.has_value(),
             "switch.input_fifo", "early drops");
    if (network_switch.buffer.egress_pipeline > 0) {
        conflict(network_switch.queueing != Queueing::Output, "switch.queueing",
                 "egress_pipeline, which needs \"output\"");
        conflict(network_switch.input_fifo.has_value(), "switch.input_fifo", "egress_pipeline");
        conflict(network_switch.buffer.sharing->evicts, "switch.buffer.egress_pipeline",
                 std::string("sharing = \"") + network_switch.buffer.sharing->name + "\"");
    }
    if (network_switch.buffer.dram) {
        const std::string dram = "switch.buffer.dram";
        conflict(network_switch.queueing != Queueing::Output, "switch.queueing", dram + ", which needs \"output\"");
        conflict(network_switch.input_fifo.has_value(), "switch.input_fifo", dram);
        conflict(cuts, "switch.cut_through", dram);
        conflict(network_switch.buffer.egress_pipeline > 0, "switch.buffer.egress_pipeline", dram);
        conflict(network_switch.buffer.sharing->evicts, "switch.buffer.sharing", dram);
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
        if (!network_switch.scheduling.gates.empty()) GateControlList(network_switch.scheduling.gates);
        const MemoryUnits units(network_switch.buffer);
        const auto ascending = [&](const std::string& low_key, MemorySize low, const std::string& high_key,
                                   MemorySize high, bool equal) {
            const std::int64_t difference = units.amount(high_key, high) - units.amount(low_key, low);
            if (difference < 0 || (difference == 0 && !equal))
                throw KeyError(low_key, (equal ? "expected at most " : "expected less than ") + high_key);
        };
        if (!network_switch.flow_control.alpha)
            ascending("switch.flow_control.xon", network_switch.flow_control.xon, "switch.flow_control.xoff",
                      network_switch.flow_control.xoff, true);
        ascending("switch.buffer.wred_from", network_switch.buffer.wred_from, "switch.buffer.wred_to",
                  network_switch.buffer.wred_to, network_switch.buffer.wred_to.amount == 0);
        for (int each = 0; each < kTrafficClasses; ++each)
            if (const Buffer::Early early = network_switch.buffer.early_of(each); early.to.amount > 0)
                ascending("switch.buffer.class_wred_from", early.from, "switch.buffer.class_wred_to", early.to, false);
        units.amount("switch.flow_control.xon", network_switch.flow_control.xon);
        units.amount("switch.flow_control.xon_offset", network_switch.flow_control.xon_offset);
        SwitchMemory memory(network_switch.buffer, table.inputs, network_switch.uplinks);
        if (control.rule != FlowControl::Rule::Memory) memory.divert(0, 0, control.rule, {});
    } catch (const KeyError& error) {
        refuse(error.key, error.why);
    }
}

}  // namespace watershed
