// SPDX-License-Identifier: GPL-2.0-only
#include <iostream>
#include <nlohmann/json.hpp>

#include "calibrate/commands/commands.h"
#include "calibrate/commands/counter-options.h"
#include "calibrate/measure/frame-record.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/output-file.h"

namespace watershed {
namespace {

using nlohmann::json;

struct BlameOptions {
    std::string map, json, frames;
    CounterFiles counters;
    std::int64_t sent = 0, received = -1;
};

/// Returns the attribution of all bursts of a map by their column lost_at.
Blame blame_of_map(const std::string& file) {
    const LossMap map = read_loss_map(file);
    std::int64_t sent = 0, received = 0;
    std::map<Place, Counter> counted_at;
    bool any = false;
    for (const LossMapRow& row : map.rows) {
        if (!row.counted) continue;
        sent += row.frames_sent;
        received += row.frames_received;
        any |= !row.lost_at.empty();
        for (const Counter& one : read_at(file + ":" + std::to_string(row.line), "lost_at",
                                          [&] { return counters_of_lost_at(row.lost_at); })) {
            Counter& all = counted_at[one.place];
            all = {one.name, "", one.what, one.place, all.value + one.value};
        }
    }
    if (!any)
        throw InputError(file +
                         ": found no cell of a column lost_at, expected what was counted there, as ingest --before "
                         "--after writes it");
    // Losses behind the switch do not count as lost by it.
    std::int64_t behind = 0;
    std::vector<Counter> counted;
    for (const auto& [place, all] : counted_at) {
        counted.push_back(all);
        if (place > Place::Switch) behind += all.value;
    }
    return blame_for(sent, received - behind, counted);
}

json to_json(const Blame& blame) {
    json places = json::array();
    for (const PlaceLoss& one : blame.places) {
        json devices = json::array();
        for (const DeviceLoss& each : one.devices)
            devices.push_back({{"device", each.device}, {"frames", each.lost}, {"by", each.by}});
        places.push_back({{"place", to_text(one.place)},
                          {"counted", one.counted},
                          {"frames", one.lost},
                          {"by", one.by},
                          {"devices", devices},
                          {"probability", one.probability},
                          {"bounds", {one.low, one.high}}});
    }
    json unknown = json::array();
    for (const Counter& one : blame.not_known)
        unknown.push_back({{"counter", one.name}, {"device", one.device}, {"rose_by", one.value}});
    return {{"program", Provenance::program()},
            {"command", Provenance::command()},
            {"frames", {{"sent", blame.sent}, {"received", blame.arrived}, {"missing", blame.missing()}}},
            {"unexplained", blame.unexplained},
            {"places", places},
            {"contradictions", blame.contradictions},
            {"at_least", !blame.not_known.empty()},  // so many are missing
            {"not_known", unknown}};
}

void print(std::ostream& out, const Blame& blame) {
    const bool open = !blame.not_known.empty();  // events that are not known may be lost
    out << how_many(blame.sent, "frame") << " sent, " << (open ? "at most " : "") << blame.arrived << " arrived ("
        << blame.arrived_by << "), " << (open ? "at least " : "") << blame.missing() << " missing; no counter saw "
        << blame.unexplained << " of them\n\n";
    out << text_line("  %-10s%-12s%-14s%-20s%s\n", "place", "frames", "probability", "at least, at most", "counted by");
    for (const PlaceLoss& one : blame.places) {
        const bool split = one.devices.size() > 1;
        out << text_line("  %-10s%-12s%-14.3f%-20s%s\n", to_text(one.place),
                         one.counted ? std::to_string(one.lost) : "-", one.probability,
                         text_line("%.3f, %.3f", one.low, one.high),
                         split         ? std::to_string(one.devices.size()) + " devices:"
                         : one.counted ? one.by
                                       : "nothing");
        if (!split) continue;
        for (const DeviceLoss& each : one.devices)  // each has its share of what is certain
            out << text_line("  %-10s%-12lld%-14.3f%-20s%s\n", "", each.lost,
                             one.probability * double(each.lost) / double(one.lost), "", each.by);
    }
    if (!blame.contradictions.empty()) out << '\n';
    for (const std::string& one : blame.contradictions) out << "contradiction: " << one << '\n';
    if (!blame.not_known.empty()) out << "\nwhat was lost is not known: " << not_known_text(blame.not_known) << '\n';
}

/// In what order frames are missing, burst by burst.
void print_orders(std::ostream& out, const std::vector<FrameRecord>& records) {
    out << text_line("%-8s%-6s%-10s%-10s%-8s%-12s%-13s%s\n", "burst", "row", "frames", "missing", "runs", "at random",
                     "first event", "how they are missing");
    for (const FrameRecord& record : records) {
        const LossOrder order = order_of(record);
        if (order.missing == 0) continue;
        out << text_line("%-8d%-6s%-10lld%-10lld%-8lld%-12s%-13lld%s\n", record.burst,
                         record.row > 0 ? std::to_string(record.row) : "-", order.frames, order.missing, order.runs,
                         text_line("%.0f+-%.0f", order.expected_runs, order.sigma), order.first_event,
                         meaning_of(order));
    }
}

json orders_of(const std::vector<FrameRecord>& records) {
    json orders = json::array();
    for (const FrameRecord& record : records) {
        const LossOrder order = order_of(record);
        orders.push_back({{"burst", record.burst},
                          {"row", record.row},
                          {"frames", order.frames},
                          {"missing", order.missing},
                          {"runs", order.runs},
                          {"runs_at_random", order.expected_runs},
                          {"sigma", order.sigma},
                          {"first_event", order.first_event},
                          {"largest_share_of_a_module", order.most_of_module},
                          {"meaning", meaning_of(order)}});
    }
    return orders;
}

void run_blame(const BlameOptions& options) {
    if (!options.frames.empty()) {
        if (!options.map.empty() || options.counters.any())
            throw InputError("--frames: found " + (options.map.empty() ? "counters" : options.map) +
                             " too, expected the frames alone");
        const std::vector<FrameRecord> records = read_frame_records(options.frames);
        if (options.json != "-") print_orders(std::cout, records);
        if (options.json.empty()) return;
        return OutputFile(options.json)
            .write(json{{"program", Provenance::program()},
                        {"command", Provenance::command()},
                        {"bursts", orders_of(records)}}
                       .dump(2) +
                   '\n');
    }
    if (options.map.empty() == !options.counters.any())
        throw InputError("expected a loss map with the column lost_at, or counters (--before and --after)");
    if (options.map.empty() && options.sent < 1) throw InputError("--sent: expected the frames that were sent");
    const Blame blame =
        !options.map.empty()
            ? blame_of_map(options.map)
            : blame_for(options.sent, options.received < 0 ? std::nullopt : std::make_optional(options.received),
                        options.counters.counted());
    if (blame.arrived > blame.sent)
        throw InputError("--received: found " + std::to_string(blame.arrived) + ", expected at most the " +
                         std::to_string(blame.sent) + " sent");
    if (!options.json.empty()) OutputFile(options.json).write(to_json(blame).dump(2) + '\n');
    if (options.json != "-") print(std::cout, blame);
}

}  // namespace

void add_blame_command(CLI::App& app) {
    auto options = std::make_shared<BlameOptions>();
    CLI::App* command =
        app.add_subcommand("blame", "Find where frames were lost, by the counters of ports, switches and servers");
    command->add_option("MAP", options->map, "Loss map with the column lost_at; or counters with the options below");
    add_counter_options(*command, options->counters);
    command->remove_option(command->get_option("--peak"));
    command->remove_option(command->get_option("--peak-resolution"));
    command->add_option("--sent", options->sent, "Frames that were sent between the counters");
    command->add_option("--received", options->received, "Of these, those that arrived by their own numbers");
    command->add_option("--frames", options->frames,
                        "Which frames were missing, as measure --frames keeps it: says in what order");
    command->add_option("--json", options->json, "The same as JSON; - is standard output");
    command->footer(
        R"(Places are the sender, the switch, the cable, the network card, its ring, the kernel and the socket. Of each place and device the largest counter
counts, since drivers count one loss under several names. What no counter saw was lost where there is none, at each such place as likely.
Example: watershed blame --sent 4400 --before switch=queue-1.json --after switch=queue-2.json --before host-1.txt --after host-2.txt)");
    command->callback([options] { run_blame(*options); });
}

}  // namespace watershed
