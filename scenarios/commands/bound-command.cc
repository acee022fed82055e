// SPDX-License-Identifier: GPL-2.0-only
// Worst cases of a scenario: text, JSON and command.
#include <algorithm>

#include "model/frontend/trigger.h"
#include "model/guarantee/witness.h"
#include "model/network/network.h"
#include "model/switch/memory-units.h"
#include "scenarios/commands/options.h"
#include "scenarios/commands/scenario-bound.h"
#include "scenarios/keys/trigger-rule.h"
#include "scenarios/run/run-report.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/readable.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

/// Bytes that frames of a queue, or of all, take in this memory.
template <class Amounts>
std::int64_t memory_bytes(const Buffer& buffer, const Amounts& of) {
    return MemoryUnits(buffer).unit() == MemorySize::Unit::Cell ? of.units * buffer.cell.count : of.bytes;
}

std::string words_of_hash(const ScenarioBound& bound) {
    if (!bound.hash) return "";
    std::string text = "All this holds if the switch's hash is that of the scenario (" + to_text(*bound.hash) +
                       "); a real one may put more senders on one uplink. ";
    if (!bound.whichever) return text + "For any other hash nothing is known.\n";
    text += "Whatever the hash, with all senders of a switch on one uplink: ";
    if (bound.whichever->bounded)
        text += "at most " + how_many(bound.whichever->frames(), "frame") + " at once; the memory " +
                (bound.whichever->fits() ? "never loses one" : "may lose some") + ".";
    else
        text += "there is no bound.";
    if (bound.on_one_uplink && !bound.whichever->fits())
        text += " With no more than " + how_many(*bound.on_one_uplink, "module") + " on each, whichever, none is lost.";
    return text + "\n";
}

Json bound_json(const ScenarioBound& bound, const std::string& witness) {
    const Guarantee& guarantee = bound.guarantee;
    Json json{{"program", Provenance::program()},
              {"command", Provenance::command()},
              {"lossless", bound.lossless()},
              {"bounded", guarantee.bounded},
              {"exact", guarantee.reached()},
              {"triggers", guarantee.one_train ? "one-train" : "all-admitted"},
              {"bounded_from_dead_time_s",  // least dead time with a bound, if the scenario has none
               guarantee.bounded ? Json(nullptr) : Json(in_seconds(guarantee.least_distance))}};
    json["queues"] = Json::array();
    json["switches"] = Json::array();
    for (std::size_t i = 0; i < guarantee.switches.size(); ++i) {
        const SwitchGuarantee& each = guarantee.switches[i];
        const auto amounts = [&](Json& entry, const auto& of) {
            for (const char* key : {"backlog_frames", "backlog_bytes", "memory_bytes"}) entry[key] = nullptr;
            if (!of.bounded) return;
            entry["backlog_frames"] = of.frames;
            entry["backlog_bytes"] = of.bytes;
            entry["memory_bytes"] = memory_bytes(each.buffer, of);
        };
        for (const QueueGuarantee& queue : each.queues) {
            Json entry{{"name", queue.name}, {"modules", queue.modules}};
            if (!guarantee.one_train && !guarantee.pauses) entry["load"] = queue.load;
            if (guarantee.streams) entry["streams"] = queue.streams;
            amounts(entry, queue);
            entry["delay_s"] = queue.bounded ? Json(queue.delay_s) : nullptr;
            for (const ClassGuarantee& of : queue.classes)
                entry["classes"].push_back({{"class", of.traffic_class},
                                            {"backlog_frames", of.frames},
                                            {"backlog_bytes", of.bytes},
                                            {"memory_bytes", memory_bytes(each.buffer, of)},
                                            {"delay_s", of.delay_s}});
            json["queues"].push_back(entry);
        }
        Json entry{{"name", each.name}, {"lossless", each.fits}};
        amounts(entry, each);
        const auto needed = each.needed();
        entry["needed_size"] = needed ? Json(to_text(*needed)) : nullptr;
        if (each.kept) entry["kept_frames"] = *each.kept;
        if (bound.replayed()) entry["reached_frames"] = bound.ample.switches[i].peak_frames;
        json["switches"].push_back(entry);
    }
    if (const auto& fifo = guarantee.fifo)
        json["fifo"] = {{"lossless", fifo->fits()},
                        {"frames", fifo->limit},
                        {"backlog_frames", fifo->bounded ? Json(fifo->frames) : nullptr}};
    if (bound.unknown)
        json["unknown"] = {
            {"key", bound.unknown->key},
            {"lossless_from", guarantee.bounded && guarantee.fits() ? Json(bound.unknown->value) : nullptr}};
    if (bound.hash)
        json["hash"] = {{"of", to_text(*bound.hash)},
                        {"lossless_whichever",
                         bound.whichever ? Json(bound.whichever->bounded && bound.whichever->fits()) : nullptr},
                        {"modules_on_one_uplink", bound.on_one_uplink ? Json(*bound.on_one_uplink) : nullptr}};
    if (const auto& server = guarantee.server)
        json["server"] = {{"lossless", server->fits()},
                          {"ring_frames", server->bounded ? Json(server->frames) : nullptr},
                          {"ring_delay_s", server->bounded ? Json(server->delay_s) : nullptr},
                          {"memory_bytes", server->bounded ? Json(server->bytes) : nullptr},
                          {"complete_s", server->bounded ? Json(server->complete_s) : nullptr}};
    if (const auto& pauses = guarantee.pauses)
        json["flow_control"] = {{"frames_until_pause", pauses->until_pause},
                                {"frames_after_pause", pauses->after_pause},
                                {"needed_headroom_frames", json_of(pauses->headroom)},
                                {"longest_pause_s", pauses->longest_s}};
    json["witness"] = witness;
    if (witness.empty()) {
        json["witness"] = Json::array();
        for (const Time time : bound.witness) json["witness"].push_back({{"time_s", in_seconds(time)}});
    }
    json["witness_triggers"] = bound.witness.size();
    if (bound.replayed()) {
        json["reached_frames"] = bound.ample.peak_frames;
        json["gap_frames"] = guarantee.frames() - bound.ample.peak_frames;
    }
    json["witness_loses_frames"] = guarantee.own_triggers ? Json(nullptr) : Json(bound.own.frames_lost());
    if (guarantee.streams && !guarantee.own_triggers)
        json["witness_loses_of_streams"] = all_frames_lost(bound.own) - bound.own.frames_lost();
    return json;
}

/// "2nd", "11th"
std::string ordinal(std::int64_t number) {
    const std::int64_t last = number % 10;
    const bool teen = number / 10 % 10 == 1;
    const char* const ending = teen ? "th" : last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th";
    return std::to_string(number) + ending;
}

/// The trains that the guarantee holds for.
std::string words_of(const Guarantee& guarantee) {
    const std::string others = guarantee.in_step && !guarantee.streams && !guarantee.kinds
                                   ? ", in whatever order frames of one instant come"
                                   : std::string(", whatever the phases and jitter of ") +
                                         (guarantee.streams ? "streams and " : "") + "modules within their keys";
    const std::string groups = guarantee.own_triggers ? ", with any that groups of their own admit" : "";
    if (guarantee.one_train) return "for its train of triggers" + groups + others;
    std::string words;
    for (const TriggerSpacing& each : guarantee.spacings)
        words += (words.empty() ? ", each " : " and ") +
                 (each.bucket ? "by a token of a bucket of " + std::to_string(each.triggers) +
                                    ", which gets one each " + to_text(each.apart)
                              : "at least " + to_text(each.apart) + " after the " +
                                    (each.triggers == 1 ? "one" : ordinal(each.triggers)) + " before");
    return "whenever triggers come" + words + groups + others;
}

std::string words_of_unknown(const UnknownRule& unknown, bool fits) {
    const bool number = unknown.value.find_first_not_of("0123456789/") == std::string::npos;
    return (fits ? " if " : " even if ") + unknown.key + " is " + unknown.value + (fits && number ? " or more" : "");
}

std::string text_of(const ScenarioBound& bound, const std::string& scenario) {
    const Guarantee& guarantee = bound.guarantee;
    std::vector<std::vector<std::string>> table{{"queue", "modules", "load", "frames", "bytes", "delay"}};
    if (guarantee.streams) table.front()[1] += ", streams";
    for (const SwitchGuarantee& each : guarantee.switches)
        for (const QueueGuarantee& queue : each.queues) {
            table.push_back(
                {queue.name,
                 std::to_string(queue.modules) + (guarantee.streams ? ", " + std::to_string(queue.streams) : ""),
                 guarantee.one_train || guarantee.pauses ? "" : text_line("%.4g %%", 100 * queue.load),
                 queue.bounded ? std::to_string(queue.frames) : "no bound",
                 queue.bounded ? std::to_string(queue.bytes) : "",
                 queue.bounded ? in_ascii(at_least_so_long(queue.delay_s)) : ""});
            for (const ClassGuarantee& of : queue.classes)
                table.push_back({"  class " + std::to_string(of.traffic_class), "", "", std::to_string(of.frames),
                                 std::to_string(of.bytes), in_ascii(at_least_so_long(of.delay_s))});
        }
    std::string text = "Guarantee for " + scenario + ": " + words_of(guarantee) +
                       (bound.unknown ? "; " + bound.unknown->key + " is not known" : "") + ".\n" +
                       listed(aligned(table, {true, false, false, false, false, false}), "\n") + "\n";
    for (std::size_t i = 0; i < guarantee.switches.size(); ++i) {
        const SwitchGuarantee& each = guarantee.switches[i];
        if (each.kept)
            text += each.name + ": whatever comes for its other uplinks, its memory takes " +
                    how_many(*each.kept, "frame") + " for any one.\n";
        if (!each.bounded) continue;
        text += each.name + ": at most " + how_many(each.frames, "frame") + " at once" +
                (guarantee.tiers && bound.replayed()
                     ? ", the witness " + std::to_string(bound.ample.switches[i].peak_frames)
                     : "") +
                "; its memory of " + to_text(each.buffer.size) +
                (each.buffer.sharing->pools == SharingPolicy::Pools::PerInput
                     ? " for each of " + how_many(each.inputs, "input") + " "
                     : " ") +
                (each.fits             ? bound.hash ? "loses none with this hash" : "never loses one"
                 : guarantee.reached() ? "may lose some"
                                       : "may lose some, for all that this bound tells") +
                (bound.unknown ? words_of_unknown(*bound.unknown, guarantee.fits()) : "");
        const auto needed = each.needed();
        text += needed ? ", " + to_text(*needed) + (needed->amount == 1 ? " is enough.\n" : " are enough.\n")
                       : ", whatever its size.\n";
    }
    if (const auto& fifo = guarantee.fifo)
        text += "front end: a module's FIFO for " + std::to_string(fifo->limit) +
                (fifo->fits() ? " never loses one" : " may lose some") +
                (fifo->bounded ? ", room for " + std::to_string(fifo->frames) + " is enough" : ", whatever its size") +
                ".\n";
    if (const auto& server = guarantee.server) {
        if (server->bounded)
            text += "Server: a ring never holds more than " + how_many(server->frames, "frame") + ", memory " +
                    to_text(MemorySize{server->bytes, MemorySize::Unit::Byte}) +
                    " of events; each is complete within " + in_ascii(at_least_so_long(server->complete_s)) +
                    " of its trigger. It " +
                    (server->fits() ? "never loses a frame.\n" : "may lose some, for all that this bound tells.\n");
        else
            text += "Server: no bound is found: modules' links, cores, DMA or output may get more than they can do.\n";
    }
    if (const auto& pauses = guarantee.pauses)
        text += "Flow control: an input is told to pause by its " + ordinal(pauses->until_pause) +
                " frame in memory, and " + how_many(pauses->after_pause, "frame") + " at most still " +
                (pauses->after_pause == 1 ? "comes" : "come") + "; " +
                (pauses->headroom ? "headroom for " + how_many(*pauses->headroom, "frame") + " of each input is enough"
                                  : std::string("others may fill the memory before, which no headroom mends")) +
                ". No pause lasts longer than " + in_ascii(at_least_so_long(pauses->longest_s)) + ".\n";
    if (guarantee.bounded && !guarantee.reached())
        text += std::string(guarantee.pauses         ? "Uplinks are taken to send nothing while inputs fill"
                            : guarantee.kinds        ? "Frames of several kinds are added up, whenever each comes"
                            : guarantee.tiers        ? "Switches feed others"
                            : guarantee.streams      ? "Streams come beside the camera"
                            : !guarantee.in_step     ? "Modules are out of step"
                            : guarantee.shapers      ? "Shapers hold up frames"
                            : guarantee.turns        ? "Frames take turns among uplinks, from any of them on"
                            : guarantee.other_places ? "Frames may wait in other places than the queues of uplinks"
                                                     : "What a FIFO loses does not come to the memory") +
                ": nothing exceeds this, but it may be more than anything reaches.\n";
    text += words_of_hash(bound);
    const std::string triggers =
        std::to_string(bound.witness.size()) + (bound.witness.size() == 1 ? " trigger" : " triggers");
    Outcome own = bound.own;
    for (std::size_t i = 1; i < own.streams.size(); ++i)
        for (const Outcome::Loss& loss : own.streams[i].losses)
            if (std::none_of(own.losses.begin(), own.losses.end(), [&](const Outcome::Loss& other) {
                    return other.where == loss.where && other.reason == loss.reason;
                }))
                own.losses.push_back(loss);
    const std::int64_t of_streams = all_frames_lost(own) - own.frames_lost();
    const std::string losses = own.losses.empty() ? "" : " (" + losses_of(own) + ")";
    if (guarantee.own_triggers) return text + "No witness is replayed: groups have triggers of their own.\n";
    if (guarantee.pauses && guarantee.fits()) return text + "There is no witness, for nothing is lost.\n";
    if (bound.replayed())
        return text + "Witness: " + triggers + "; a memory without limit then holds " +
               how_many(bound.ample.peak_frames, "frame") + ", and the scenario loses " +
               std::to_string(own.frames_lost()) +
               (of_streams > 0 ? " and " + std::to_string(of_streams) + " of streams" : "") + losses + ".\n";
    const bool overloaded =
        std::any_of(guarantee.switches.begin(), guarantee.switches.end(), [](const SwitchGuarantee& each) {
            return std::any_of(each.queues.begin(), each.queues.end(),
                               [](const QueueGuarantee& queue) { return !queue.bounded && queue.load >= 1; });
        });
    const std::string link = overloaded          ? "an uplink"
                             : guarantee.shapers ? "a shaper or a module's link"
                                                 : "a module's link";
    if (!guarantee.pauses)
        text += "There is no bound: triggers may " +
                (guarantee.kinds ? "bring all that " + link + " sends, or more"
                                 : "come faster than " + link + " sends what they bring") +
                ". From " + to_text(guarantee.least_distance) +
                " between two triggers on (trigger.dead_time) there is one.\n";
    if (bound.witness.empty())
        return text + "No witness is known: " + how_many(bound.followed, "trigger") +
               ", as early as they may come, lose no frame, and more are not followed.\n";
    return text + "Witness: " + triggers + ", as early as they may come, lose a frame" + losses + ".\n";
}

}  // namespace

Answer bound_answer(const BoundAsked& asked, const EngineFactory& make_engine) {
    const ScenarioBound bound = bound_of(asked, make_engine);
    Answer answer;
    answer.json = bound_json(bound, asked.witness);
    answer.text = text_of(bound, asked.scenario);
    answer.json["answer"] = answer_of(answer.text);
    tell_assumed(answer, bound.assumed);
    if (bound.guarantee.own_triggers && !asked.witness.empty())
        throw InputError(
            "--witness: found " + asked.witness +
            ", expected none: groups have triggers of their own, so that no list of triggers is a witness");
    if (bound.guarantee.pauses && bound.guarantee.fits() && !asked.witness.empty())
        throw InputError("--witness: found " + asked.witness + ", expected none: no triggers lose a frame");
    if (bound.witness.empty() && !asked.witness.empty())
        throw InputError("--witness: found " + asked.witness +
                         ", expected none: no triggers that lose a frame are known");
    if (!bound.witness.empty())
        answer.text += (asked.witness.empty()
                            ? "--witness FILE writes it.\n"
                            : "It replays by --set trigger.pattern=file --set trigger.file=" + asked.witness + ".\n");
    answer.csv = Provenance::comment();
    for (const Time time : bound.witness) answer.csv += to_text(time) + "\n";
    return answer;
}

void add_bound_command(CLI::App& app, const EngineFactory& make_engine) {
    struct Options : BoundAsked {
        std::string json;
    };
    const auto asked = std::make_shared<Options>();
    CommandTable(
        app, "bound",
        "Find the worst case: the most that any admitted triggers, or arrivals at a network of servers, queue and "
        "delay",
        "Examples: watershed bound scenarios/risk-cheap-switch.toml --set trigger.dead_time=\"40 us\"\n"
        "          watershed bound --network scenarios/data/network-calculus/TA_3S_1SC_3F_1AC_3P.json --analysis "
        "sfa")
        .add("SCENARIO", asked->scenario,
             "Scenario file (TOML): worst backlog and delay of each uplink, and triggers that reach them")
        .overrides(asked->overrides, "KEY=VALUE: override a key of the scenario (repeatable)")
        .add("--witness", asked->witness,
             "Write the triggers that reach the worst to FILE; without it --json lists them")
        .add("--network", asked->network,
             "Instead: flows with token buckets over servers with rates and latencies, as Saihu writes them (JSON)")
        .add("--analysis", asked->analysis, "tfa (total flow) or sfa (separate flow), with --network",
             {among({"tfa", "sfa"}), shown_as("tfa")})
        .add("--multiplexing", asked->multiplexing,
             "In which order a server serves its flows: fifo or arbitrary [what the file of --network says]",
             {among({"fifo", "arbitrary"})})
        .json(asked->json)
        .run([=] {
            if (asked->network.empty() == asked->scenario.empty())
                throw InputError(asked->network.empty()
                                     ? "SCENARIO: missing, expected a scenario file or --network FILE"
                                     : "--network: conflicts with SCENARIO, expected one of them");
            if (asked->network.empty()) {
                if (!asked->analysis.empty() || !asked->multiplexing.empty())
                    throw InputError((asked->analysis.empty() ? std::string("--multiplexing") : "--analysis") +
                                     ": expected with --network; a scenario is bound in one way");
                Outputs outputs(asked->json, asked->witness);
                return outputs.give(bound_answer(*asked, make_engine));
            }
            if (!asked->overrides.empty()) throw InputError("--set: conflicts with --network, which is no scenario");
            if (!asked->witness.empty()) throw InputError("--witness: conflicts with --network, expected a scenario");
            Outputs outputs(asked->json);
            outputs.give(network_bound_answer(*asked));
        });
}

}  // namespace watershed
