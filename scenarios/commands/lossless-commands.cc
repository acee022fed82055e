// SPDX-License-Identifier: GPL-2.0-only
// Commands about losing nothing: delays of modules, rules of triggers, and bounds.
#include <algorithm>
#include <cmath>
#include <iostream>

#include "model/calculus/flow-bounds.h"
#include "model/frontend/trigger-rules.h"
#include "model/guarantee/loss-witness.h"
#include "model/guarantee/switch-guarantee.h"
#include "model/network/network-load.h"
#include "model/network/network.h"
#include "model/switch/memory-units.h"
#include "scenarios/calculus/calculus-file.h"
#include "scenarios/commands/options.h"
#include "scenarios/design/stagger.h"
#include "scenarios/keys/trigger-rule.h"
#include "scenarios/reader/reader.h"
#include "scenarios/reader/trigger-check.h"
#include "scenarios/sweep/sweep.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/list.h"
#include "scenarios/text/members.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

std::optional<double> seconds_of(const std::optional<Time>& time) {
    return time ? std::optional(in_seconds(*time)) : std::nullopt;
}

std::string losses_of(const Outcome& outcome) {
    return listed(outcome.losses, [](const Outcome::Loss& loss) { return loss.where + ": " + loss.reason; });
}

/// How a kind answers.
struct KindAnswer {
    std::string kind;
    std::optional<Staggering> found;
    std::string why_not;                           ///< where the scenario has no use for it
    Outcome with;                                  ///< a run with these delays
    std::optional<Time> with_clocks, with_jitter;  ///< steps that are enough with either, in a run and certainly
    bool clocks_of_other_groups = false, jitter_of_other_groups = false;  ///< another number is best with these
    bool asked_jitter = false;
    Time searched_to{0};  ///< step
};

constexpr ClockTolerance kClocks{20'000};  // 20 ppm
constexpr Time kJitter{100'000};

class Stagger {
  public:
    Stagger(const StaggerAsked& options, const Scenario& scenario, Engine& engine)
        : options_(options), scenario_(scenario), engine_(engine), now_(engine.run(scenario)) {
        if (options.kind != "all") answers_.push_back(answer(options.kind));
        if (options.kind == "all")
            for (const char* const kind : {"linear", "groups", "free", "gap"}) answers_.push_back(answer(kind));
        if (options.risk == 0) {
            const GoodEnough good = [&](const Incast& tried) { return good_enough(tried); };
            for (const bool with_delays : {false, true})
                most_modules_[with_delays] = most_modules(scenario, with_delays, good);
        }
        if (best()) return;
        Staggering longest = most_spread(scenario, options.kind);
        if (Outcome outcome = engine.run(longest.scenario); outcome.frames_lost() > 0)
            spread_ = Spread{std::move(longest), std::move(outcome)};
    }

    /// The one with the least latency.
    const KindAnswer* best() const {
        const KindAnswer* best = nullptr;
        for (const KindAnswer& each : answers_)
            if (each.found && (!best || each.found->latency_added < best->found->latency_added)) best = &each;
        return best;
    }

    std::string report() const;
    Json json() const;
    /// Watersheds of bursts, without delays and with those that add least latency.
    Json watersheds(const Scenario& apparatus) const;

  private:
    /// A run with the longest delays, where it still loses frames.
    struct Spread {
        Staggering with;
        Outcome outcome;
    };

    /// Why no delay helps, if it is a link that is given more than it carries before which frames are then lost.
    std::string overload() const;
    /// Link that is given more than it carries, though the delays lose nothing of as many triggers as were tried.
    std::string lasting_overload() const;
    /// Draws of the seed with which alone the best delays were tried: "triggers", "jitter", "clocks" or "order".
    std::vector<std::string> drawn() const;
    std::string goal() const;
    /// How many modules lose nothing, as a line.
    std::string modules_words() const;
    bool good_enough(const Incast& tried) const {
        if (options_.risk == 0) return engine_.run(tried).frames_lost() == 0;
        return find_risk(tried, "auto", options_.effort, engine_).log.upper <= std::log(options_.risk);
    }

    std::optional<Staggering> found_with(const std::string& kind, const std::function<bool(Scenario&)>& disturb) const {
        Scenario disturbed = scenario_;
        return disturb(disturbed) ? find(disturbed, kind) : std::nullopt;
    }

    std::optional<Staggering> find(const Scenario& scenario, const std::string& kind) const {
        const GoodEnough good = [&](const Incast& tried) { return good_enough(tried); };
        if (options_.risk == 0 && scenario.front_end.jitter > Time{0})
            if (auto found = find_staggering_for_any_jitter(scenario, kind, good)) return found;
        return find_staggering(scenario, kind, good, resolution());
    }
    Time resolution() const {
        constexpr Time kCoarse{100'000};
        return options_.risk > 0 ? kCoarse : kStaggerStep;
    }

    KindAnswer answer(const std::string& kind) const {
        KindAnswer answer;
        answer.kind = kind;
        try {
            answer.searched_to = searched_to(scenario_, kind, resolution());
            answer.found = find(scenario_, kind);
        } catch (const KeyError& error) {
            const bool of_kind = error.key == "front_end.fragments";  // the others may do
            if (options_.kind != "all" || !of_kind) throw InputError(options_.scenario + ": " + error.what());
            answer.why_not = error.what();
        }
        if (!answer.found) return answer;
        answer.with = engine_.run(answer.found->scenario);
        if (answer.found->step == Time{0} || kind == "free") return answer;
        const auto step_with = [&](const std::function<bool(Scenario&)>& disturb, bool& of_other_groups) {
            const auto found = found_with(kind, disturb);
            of_other_groups = found && found->groups != answer.found->groups;
            return found && !of_other_groups ? std::make_optional(found->step) : std::nullopt;
        };
        answer.with_clocks = step_with([](Scenario& s) { return s.front_end.clock_spread = kClocks, true; },
                                       answer.clocks_of_other_groups);
        Incast jittered = scenario_;
        answer.asked_jitter =
            options_.risk == 0 && scenario_.front_end.jitter == Time{0} && allow_for_jitter(jittered, kJitter);
        if (answer.asked_jitter)
            answer.with_jitter =
                step_with([](Scenario& s) { return allow_for_jitter(s, kJitter); }, answer.jitter_of_other_groups);
        return answer;
    }

    const StaggerAsked& options_;
    const Scenario& scenario_;
    Engine& engine_;
    Outcome now_;
    std::vector<KindAnswer> answers_;
    std::optional<Spread> spread_;        ///< where no kind helps
    std::optional<int> most_modules_[2];  ///< without delays, and with linear ones; absent: not asked
};

std::string step_text(const std::optional<Time>& step) { return step ? to_text(*step) : "none"; }

/// "switch, uplink 1 is given 2.6 times what it carries, and the modules' links 1.3 times"
std::string overload_words(const std::vector<LinkLoad>& overloads) {
    if (overloads.empty()) return "";
    const LinkLoad& first = overloads.front();
    std::string text = first.name + (first.of_modules ? " are" : " is") +
                       text_line(" given %.4g times what", first.load) +
                       (first.of_modules ? " they carry" : " it carries");
    if (overloads.size() > 1) text += ", and " + overloads[1].name + text_line(" %.4g times", overloads[1].load);
    return text;
}

bool has_random_triggers(const Trigger& trigger) {
    return trigger.pattern == Trigger::Pattern::Poisson ||
           (trigger.pattern == Trigger::Pattern::Profile && !trigger.regular) ||
           (trigger.burst.events > 0 && trigger.burst.rate.count > 0);
}

std::string Stagger::overload() const {
    const Network network(scenario_);
    const auto at_switch = [&](const Outcome::Loss& loss) {
        return std::any_of(network.switches().begin(), network.switches().end(),
                           [&](const Network::Switch& each) { return each.name == loss.where; });
    };
    const bool lost_there =
        spread_ && std::any_of(spread_->outcome.losses.begin(), spread_->outcome.losses.end(), at_switch);
    return lost_there ? overload_words(overloads(scenario_)) : "";
}

std::string Stagger::lasting_overload() const {
    if (!best() || scenario_.trigger.pattern == Trigger::Pattern::Burst) return "";
    return overload_words(overloads(scenario_));
}

std::vector<std::string> Stagger::drawn() const {
    std::vector<std::string> parts;
    if (options_.risk > 0) return parts;
    if (has_random_triggers(scenario_.trigger)) parts.push_back("triggers");
    const KindAnswer* const best = this->best();
    if (scenario_.front_end.jitter > Time{0} && best && !best->found->any_jitter) parts.push_back("jitter");
    if (scenario_.front_end.clock_spread != ClockTolerance{0}) parts.push_back("clocks");
    if (scenario_.network_switch.arrival_order == ArrivalOrder::Random) parts.push_back("order");
    return parts;
}

std::string Stagger::goal() const {
    if (options_.risk > 0) return text_line("has a risk of at most %g", options_.risk);
    std::string text = "loses nothing";
    std::vector<std::string> parts = drawn();
    const std::string seed = std::to_string(scenario_.seed);
    if (!parts.empty() && parts.front() == "triggers") {
        text +=
            text_line(" in these %lld triggers (seed %s; --risk asks for a chance)", now_.events_sent, seed.c_str());
        parts.erase(parts.begin());
    }
    if (!parts.empty()) text += " with the " + listed(parts, " and ") + " of seed " + seed + ", tried, not proven";
    const KindAnswer* const best = this->best();
    if (best && best->found->any_jitter)
        text += ", whatever jitter of up to " + to_text(scenario_.front_end.jitter) + " is drawn";
    return text;
}

std::string Stagger::modules_words() const {
    if (!most_modules_[true]) return "";
    const auto number = [&](bool with_delays) {
        const int most = *most_modules_[with_delays];
        return most == kMostModules ? text_line("%d or more", most) : std::to_string(most);
    };
    return "Modules that lose nothing: " + number(false) + " without delays, " + number(true) +
           " with linear ones of " + to_text(most_spread(scenario_, "linear").step) + ".\n";
}

std::string Stagger::report() const {
    std::string text = "Stagger of " + options_.scenario + ": ";
    const KindAnswer* const best = this->best();
    if (!best) {
        text += "no step that was tried helps (" +
                listed(answers_,
                       [](const KindAnswer& each) {
                           return each.kind +
                                  (each.why_not.empty() ? " up to " + to_text(each.searched_to) : ": of no use");
                       }) +
                ")";
        if (const std::string over = overload(); !over.empty()) text += ", since " + over;
        text += text_line("; %lld of %lld frames are lost now", now_.frames_lost(), now_.frames_sent);
        if (!spread_) return text + "\n" + modules_words();
        text += ", and with " + spread_->with.kind + " delays of " + to_text(spread_->with.step);
        return text + text_line(" %lld (", spread_->outcome.frames_lost()) + losses_of(spread_->outcome) + ")\n" +
               modules_words();
    }
    const std::string over = lasting_overload();
    if (!over.empty()) text += over + ", so that more and more waits; for a while, ";
    if (best->found->step == Time{0}) return text + "as it is, it " + goal() + "\n" + modules_words();
    text += best->kind + " delays add least, " + to_text(best->found->latency_added) + ", and then it " + goal();
    text += text_line("; now %lld of %lld frames are lost\n", now_.frames_lost(), now_.frames_sent);
    if (!over.empty() && !scenario_.front_end.fifo)
        text += "With these delays frames wait in the modules, whose FIFOs have no limit here (front_end.fifo).\n";
    text += "\n";
    text += text_line("  %-8s %-14s %-14s %-12s %-16s %-16s %s\n", "kind", "step", "latency added", "peak, frames",
                      "clocks 20 ppm", "jitter 100 ns", "");
    for (const KindAnswer& each : answers_) {
        if (!each.found) {
            text += text_line("  %-8s %s\n", each.kind,
                              each.why_not.empty() ? "none that was tried up to " + to_text(each.searched_to) + " helps"
                                                   : each.why_not);
            continue;
        }
        std::string remark = each.found->groups > 0 ? std::to_string(each.found->groups) + " groups" : "";
        const auto add = [&](const char* separator, const std::string& words) {
            remark += (remark.empty() ? "" : separator) + words;
        };
        const bool drawn_jitter = scenario_.front_end.jitter > Time{0} && !each.found->any_jitter;
        if (!each.found->smallest)
            add(", ", drawn_jitter && options_.risk == 0 ? "by search: tried with one draw of the jitter"
                                                         : "by search: a shorter one may do");
        if (each.kind == "pace") add("; ", "a bucket of one frame, " + to_text(pace_of(each.found->scenario)));
        if (each.kind == "gap" && each.found->step > Time{0})
            add("; ", "with Ethernet's own 12 B " + to_text(gap_of_makers(each.found->scenario)));
        text +=
            text_line("  %-8s %-14s %-14s %-12lld %-16s %-16s %s\n", each.kind, to_text(each.found->step),
                      to_text(each.found->latency_added), each.with.peak_frames,
                      each.kind != "free" && !each.clocks_of_other_groups ? step_text(each.with_clocks) : "-",
                      each.asked_jitter && !each.jitter_of_other_groups ? step_text(each.with_jitter) : "-", remark);
    }
    text += modules_words() + "\nWith clocks within 20 ppm, drawn from seed " + std::to_string(scenario_.seed) +
            ", and with any jitter of up to 100 ns the steps of these columns are enough (none: no step is; -: not "
            "asked).\nIn the scenario:\n\n    [front_end]\n    " +
            best->found->key.substr(best->found->key.find('.') + 1) + " = " +
            (best->found->value.front() == '[' ? best->found->value : '"' + best->found->value + '"') + "\n";
    return text;
}

Json Stagger::json() const {
    Json json = result_of(options_);
    const auto describe = [&](const KindAnswer& answer) {
        const auto& found = answer.found;
        Json of{{"kind", answer.kind},
                {"searched_to_s", answer.why_not.empty() ? Json(in_seconds(answer.searched_to)) : Json(nullptr)},
                {"step_s", found ? Json(in_seconds(found->step)) : Json(nullptr)},
                {"set", Json::object()},
                {"latency_added_s", found ? Json(in_seconds(found->latency_added)) : Json(nullptr)},
                {"lossless", found && answer.with.frames_lost() == 0},
                {"smallest", found && found->smallest},
                {"any_jitter", found && found->any_jitter},
                {"peak_frames", found ? Json(answer.with.peak_frames) : Json(nullptr)},
                {"step_with_clocks_s", json_of(seconds_of(answer.with_clocks))},
                {"step_with_jitter_s", json_of(seconds_of(answer.with_jitter))}};
        if (found && !found->key.empty()) of["set"][found->key] = found->value;
        if (found && found->groups > 0) of["groups"] = found->groups;
        if (found && answer.kind == "pace") of["rate_bps"] = pace_of(found->scenario).count;
        if (!answer.why_not.empty()) of["why_not"] = answer.why_not;
        return of;
    };
    const KindAnswer* const chosen = best();
    json.update(describe(chosen ? *chosen : answers_.front()));
    json["modules"] = scenario_.front_end.modules;
    json["memory"] = to_text(scenario_.network_switch.buffer.size);
    json["burst"] = nullptr;  // the scenario's own, in the plane of the watersheds
    if (const Trigger& own = scenario_.trigger; own.pattern == Trigger::Pattern::Burst)
        json["burst"] = {{"separation_us", scaled_microseconds(own.separation)}, {"events", own.events.value_or(1)}};
    json["frames_lost_now"] = now_.frames_lost();
    json["overload"] = nullptr;
    for (const std::string& over : {overload(), lasting_overload()})
        if (!over.empty()) json["overload"] = over;
    json["most_modules"] = json_of(most_modules_[false]);
    json["most_modules_with_delays"] = json_of(most_modules_[true]);
    json["drawn"] = drawn();
    json["seed"] = scenario_.seed;
    json["frames_lost_with_longest"] = spread_ ? Json(spread_->outcome.frames_lost()) : Json(nullptr);
    json["kinds"] = Json::array();
    for (const KindAnswer& each : answers_) json["kinds"].push_back(describe(each));
    return json;
}

/// Points before and behind each step of a curve to so few events, one nanosecond apart: straight lines between points
/// further apart would show it elsewhere.
std::vector<std::pair<double, std::optional<std::int64_t>>> with_steps(
    std::vector<std::pair<double, std::optional<std::int64_t>>> curve, const Scenario& scenario, Engine& engine) {
    constexpr std::int64_t kFew = 10;
    constexpr Time kApart{1000};
    const auto at = [&](Time separation) {
        return std::min(
            find_boundary(engine, scenario, separation, 10 * kFew, 10 * kFew).events_lossless.value_or(kFew), kFew);
    };
    for (std::size_t i = 1; i < curve.size(); ++i) {
        if (!curve[i].second || *curve[i].second > kFew) break;
        Time from{std::llround(curve[i - 1].first * 1e6)};
        const Time to{std::llround(curve[i].first * 1e6)};
        for (std::int64_t events = *curve[i - 1].second; events < *curve[i].second;) {
            Time beyond = to;
            while (beyond - from > kApart) {
                const Time middle = from + (beyond - from) / 2;
                (at(middle) > events ? beyond : from) = middle;
            }
            const std::int64_t next = at(beyond);
            if (next <= events) break;
            for (const auto& [separation, longest] : {std::pair(from, events), std::pair(beyond, next)})
                if (separation != to && scaled_microseconds(separation) > curve[i - 1].first)
                    curve.insert(curve.begin() + static_cast<std::ptrdiff_t>(i++),
                                 {scaled_microseconds(separation), longest});
            from = beyond, events = next;
        }
    }
    return curve;
}

Json Stagger::watersheds(const Scenario& apparatus) const {
    Json all = Json::array();
    const auto add = [&](const std::string& kind, Time step, const FrontEnd& front_end) {
        Scenario scenario = apparatus;
        scenario.front_end = front_end;
        WatershedCurve curve = watershed_curve(scenario, engine_);
        curve.points = with_steps(curve.points, scenario, engine_);
        all.push_back({{"kind", kind}, {"step_s", in_seconds(step)}, {"points", curve.json()}});
        if (!curve.why_none.empty()) all.back()["no_watershed"] = curve.why_none;
    };
    add("none", Time{0}, scenario_.front_end);
    if (const KindAnswer* const best = this->best(); best && best->found->step > Time{0})
        add(best->kind, best->found->step, best->found->scenario.front_end);
    return all;
}

}  // namespace

Answer stagger_answer(const StaggerAsked& asked, const EngineFactory& make_engine) {
    const Scenario scenario =
        read_scenario(Scope::camera().with_sequences().with_end(), asked.scenario, asked.overrides);
    const auto engine = make_engine("exact", {});
    const Stagger found(asked, scenario, *engine);
    Answer answer{found.json(), found.report()};
    answer.json["answer"] = answer_of(answer.text);
    if (asked.watersheds)
        answer.json["watersheds"] =
            found.watersheds(read_scenario(Scope::own_bursts().with_sequences(), asked.scenario, asked.overrides));
    return answer;
}

namespace {

std::string share_text(const RefusedShare& share) {
    return share.calculated ? text_line("%.4g %%", 100 * share.estimate)
                            : text_line("%.3g to %.3g %%", 100 * share.lower, 100 * share.upper);
}

/// Rules of the scenario, as it writes them.
std::vector<std::string> own_rules(const Trigger& trigger) {
    std::vector<std::string> rules;
    for (const TriggerRule& rule : trigger.rules) rules.push_back(to_text(rule));
    return rules;
}

std::string witness_file(const std::string& prefix, const LosslessRule& rule) { return prefix + rule.kind + ".txt"; }

/// The kinds of rules that were not sought, and why.
std::vector<std::pair<std::string, const Obstacle*>> not_sought(const Throttle& found) {
    std::vector<std::pair<std::string, const Obstacle*>> all;
    for (const auto& [kind, obstacle] :
         {std::pair("count", &found.no_count), std::pair("token-bucket", &found.no_bucket),
          std::pair("almost-full", &found.no_level)})
        if (*obstacle) all.emplace_back(kind, obstacle);
    return all;
}

std::string share_number(double log10, int digits, Rounded rounded) {
    return text_line("%.*g", digits, std::pow(10, rounded_log10(log10, digits, rounded)));
}

std::string throttle_text(const ThrottleAsked& asked, const Scenario& scenario, const Throttle& found,
                          const std::optional<Risk>& without, const std::string& why_not) {
    std::string text = "Throttle of " + asked.scenario + ", triggers at " + to_text(scenario.trigger.rate) + ": ";
    const Trigger& trigger = scenario.trigger;
    if (found.needless) {
        const std::vector<std::string> own = own_rules(trigger);
        return text + (own.empty() ? "no rule is needed. With " : "no other rule is needed. With ") +
               "a dead time of " + to_text(trigger.dead_time) +
               (own.empty() ? "" : " and the scenario's own \"" + listed(own, "\", \"") + "\"") +
               " no sequence of triggers loses a frame.\n";
    }
    if (found.rules.empty()) return text + "no rule helps: a single trigger may lose frames.\n";
    text += std::string("each of these rules alone makes every loss impossible") +
            (scenario.traffic.empty() ? "" : ", whatever the phases of streams") + "\n\n";
    const bool dead = trigger.dead_time > Time{0};
    std::vector<std::vector<std::string>> table{{"  kind", "--set", dead ? "refused with dead time" : "refused",
                                                 "of what passes " + to_text(trigger.dead_time),
                                                 "one step weaker loses"}};
    for (const LosslessRule& rule : found.rules)
        table.push_back({"  " + rule.kind, "'" + rule.keys[0].first + "=" + rule.keys[0].second + "'",
                         share_text(rule.refused), share_text(rule.beyond),
                         rule.weaker.second + (rule.witness.empty()
                                                   ? std::string(", if at all, after more triggers than were tried")
                                                   : text_line(" at trigger %zu", rule.witness.size()))});
    if (!dead)
        for (std::vector<std::string>& line : table) line.erase(line.end() - 2);
    text += listed(aligned(table, std::vector<bool>(table.front().size(), true)), "\n") + "\n";
    for (const auto& [kind, obstacle] : not_sought(found))
        text += text_line("  %-12s  not sought: %s\n", kind, obstacle->text());
    if (std::any_of(found.rules.begin(), found.rules.end(),
                    [](const LosslessRule& rule) { return rule.kind == "token-bucket"; }))
        text +=
            "The bucket is the weakest of those that get a token as fast as an uplink sends what a trigger brings.\n";
    text += "\nNow, with a dead time of " + to_text(scenario.trigger.dead_time) + " (" +
            share_text(refused_share(scenario.trigger, scenario.seed)) + " of the triggers refused), ";
    if (!without) return text + "the chance of an incomplete event is not known: " + why_not + "\n";
    if (const Known known = without->known(); known.kind() == Known::Kind::AtMost)
        return text + known.words(share_number, 3) + " of the events are incomplete (bounds).\n";
    const Bracket& log = without->log;
    const std::string low = text_line("%.3g", std::exp(log.lower)), high = text_line("%.3g", std::exp(log.upper));
    return text + text_line("%.3g of the events are incomplete", std::exp(log.estimate)) +
           (low == high ? "" : ", between " + low + " and " + high) +
           (without->calculated ? " (bounds).\n" : " (95 %).\n");
}

Json throttle_json(const ThrottleAsked& asked, const Scenario& scenario, const Throttle& found,
                   const std::optional<Risk>& without, const std::string& why_not) {
    Json json = result_of(asked);
    json.update({{"modules", scenario.front_end.modules},
                 {"memory", to_text(scenario.network_switch.buffer.size)},
                 {"rate_hz", in_hertz(scenario.trigger.rate)},
                 {"dead_time_s", in_seconds(scenario.trigger.dead_time)},
                 {"own_rules", own_rules(scenario.trigger)},
                 {"needless", found.needless},  // with these and the dead time
                 {"rules", Json::array()},
                 {"not_sought", Json::object()},
                 {"without", json_of(without)}});
    for (const LosslessRule& rule : found.rules) {
        Json one{{"kind", rule.kind}, {"set", Json::object()}, {"refused", rule.refused.estimate}};
        for (const auto& [key, value] : rule.keys) one["set"][key] = value;
        add_interval(one, rule.refused);
        one["beyond_dead_time"] = {{"refused", rule.beyond.estimate}};
        add_interval(one["beyond_dead_time"], rule.beyond);
        one["weaker"] = {{"set", {{rule.weaker.first, rule.weaker.second}}},
                         {"loses_at_trigger", rule.witness.empty() ? Json(nullptr) : Json(rule.witness.size())},
                         {"witness", nullptr}};
        if (!asked.witness.empty() && !rule.witness.empty())
            one["weaker"]["witness"] = witness_file(asked.witness, rule);
        json["rules"].push_back(one);
    }
    for (const auto& [kind, obstacle] : not_sought(found)) json["not_sought"][kind] = obstacle->text();
    if (!why_not.empty()) json["why_not"] = why_not;
    return json;
}

}  // namespace

ThrottleAnswer throttle_answer(const ThrottleAsked& asked, const EngineFactory& make_engine) {
    const Scenario scenario =
        read_scenario(Scope::camera().with_streams().with_sequences(), asked.scenario, asked.overrides);
    std::vector<Frequency> rates;
    if (!asked.rates.empty()) rates = parse_frequency_list("--rate", asked.rates);
    std::optional<Time> latency;
    if (!asked.latency.empty()) {
        const std::vector<Time> times = parse_time_list("--latency", asked.latency);
        if (times.size() != 1) throw InputError("--latency: found several times, expected one");
        latency = times.front();
    }
    const auto engine = make_engine("exact", {});
    ThrottleAnswer answer;
    Throttle& found = answer.found;
    try {
        refused_share(scenario.trigger, scenario.seed);
        found = find_throttle(*engine, scenario, latency);
    } catch (const KeyError& error) {
        throw InputError(asked.scenario + ": " + error.what());
    }
    if (!latency)
        found.no_level = {"--latency",
                          "missing, expected how long before a trigger the look at the memory decides on it"};
    std::optional<Risk> without;
    std::string why_not;
    if (!found.needless) try {
            without = find_risk(scenario, "auto", asked.effort, *engine);
        } catch (const std::invalid_argument& error) {
            why_not = error.what();
        } catch (const std::runtime_error& error) {  // InputError, or that of a process
            why_not = error.what();
        }
    answer.json = throttle_json(asked, scenario, found, without, why_not);
    if (asked.curve && rates.empty()) rates = usual_rates(scenario.trigger.rate);
    if (!rates.empty() && !found.rules.empty())
        answer.json["curve"] = throttle_curve(scenario, found.rules, rates, *engine, asked.effort.jobs);
    answer.text = throttle_text(asked, scenario, found, without, why_not);
    answer.json["answer"] = answer_of(answer.text);
    return answer;
}

namespace {

Multiplexing multiplexing_of(const BoundAsked& asked, const CalculusFile& file) {
    if (asked.multiplexing == "fifo") return Multiplexing::Fifo;
    if (asked.multiplexing == "arbitrary") return Multiplexing::Arbitrary;
    if (!file.multiplexing)
        throw InputError(asked.network, "network.multiplexing",
                         "missing, expected \"FIFO\" or \"ARBITRARY\", or the option --multiplexing");
    return *file.multiplexing;
}

std::vector<FlowBound> bounds_of_network(const BoundAsked& asked, const CalculusFile& file, bool separate,
                                         Multiplexing multiplexing) {
    try {
        const FeedForward network(file.network);
        std::vector<FlowBound> bounds =
            separate ? separate_flow_analysis(network, multiplexing) : total_flow_analysis(network, multiplexing);
        for (FlowBound& bound : bounds) {
            if (bound.delay) *bound.delay /= file.seconds;
            bound.backlog /= file.bits;
        }
        return bounds;
    } catch (const NoBound& none) {
        throw InputError(asked.network, "servers." + none.server, none.what());
    }
}

/// "27/2", and beside it what that is about.
std::string about(const Rational& value) {
    return boost::multiprecision::denominator(value) == 1 ? "" : text_line("%.6g", value.convert_to<double>());
}

}  // namespace

Answer network_bound_answer(const BoundAsked& asked) {
    const CalculusFile file = read_calculus_file(asked.network);
    const Multiplexing multiplexing = multiplexing_of(asked, file);
    const bool fifo = multiplexing == Multiplexing::Fifo, separate = asked.analysis == "sfa";
    const std::vector<FlowBound> bounds = bounds_of_network(asked, file, separate, multiplexing);
    Answer answer;
    answer.json = {{"program", Provenance::program()},
                   {"command", Provenance::command()},
                   {"network", file.name},
                   {"analysis", separate ? "sfa" : "tfa"},
                   {"multiplexing", fifo ? "fifo" : "arbitrary"},
                   {"proven", !(separate && fifo)},
                   {"time_unit", file.time_unit},
                   {"data_unit", file.data_unit},
                   {"flows", Json::array()}};
    std::vector<std::vector<std::string>> table{
        {"flow", "delay, " + file.time_unit, "about", "backlog, " + file.data_unit, "about"}};
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        const std::string& name = file.network.flows[i].name;
        const auto& [delay, backlog] = bounds[i];
        answer.json["flows"].push_back(
            {{"name", name}, {"delay", delay ? Json(delay->str()) : Json(nullptr)}, {"backlog", backlog.str()}});
        table.push_back(
            {name, delay ? delay->str() : "infinite", delay ? about(*delay) : "", backlog.str(), about(backlog)});
    }
    std::string& text = answer.text;
    text = "Bounds of " + file.name + " by " + (separate ? "separate" : "total") + " flow analysis (" +
           (separate ? "SFA" : "TFA") + "), servers in " + (fifo ? "FIFO" : "arbitrary") + " order:\n" +
           listed(aligned(table, {true, false, true, false, true}), "\n") + "\n" +
           (separate ? "The backlog is that of the flow itself, in all servers on its path.\n"
                     : "The backlog is the largest of all servers on the path, of all flows together.\n");
    if (std::any_of(bounds.begin(), bounds.end(), [](const FlowBound& bound) { return !bound.delay; }))
        text +=
            "A delay is infinite where flows bring all that a server serves and others may go first for "
            "ever: the backlog has a limit, the delay none that this analysis finds.\n";
    if (separate && fifo)
        text +=
            "No guarantee: other flows count as if the flow itself had not delayed them before, as the DNC "
            "tool counts. That is proven for arbitrary order alone; --analysis tfa is proven for both.\n";
    if (file.has_capacity)
        text += "The capacity of links is left out, which lowers a bound with input shaping alone.\n";
    answer.json["answer"] = answer_of(text);
    return answer;
}

namespace {

/// Guarantee of a scenario, and the run of its witness in the exact engine.
struct ScenarioBound {
    Guarantee guarantee;
    std::vector<Time> witness;
    Outcome ample;                       ///< of the witness in a memory that loses nothing; where there is a bound
    Outcome own;                         ///< of the witness in the scenario's memory and order of ties
    std::optional<UplinkChoice> hash;    ///< by which a switch spreads its senders
    std::optional<Guarantee> whichever;  ///< whatever the hash is; where that is known
    std::vector<AssumedValue> assumed;
};

ScenarioBound bound_of(const BoundAsked& asked, const EngineFactory& make_engine) {
    ScenarioBound result;
    const Scenario scenario = read_scenario(Scope::camera().with_streams().with_sequences(), asked.scenario,
                                            asked.overrides, &result.assumed);
    Obstacle why;
    auto guarantee = read_at(asked.scenario, [&] { return Guarantee::of(scenario, &why); });
    if (!guarantee) {
        why = bound_reason(scenario, why);
        throw InputError(asked.scenario, why.key, why.why);
    }
    result.guarantee = std::move(*guarantee);
    const Network network(scenario);
    for (const Network::Switch& each : network.switches())
        if (each.settings.uplinks > 1 && each.settings.uplink_choice.rule == UplinkChoice::Rule::Hash)
            result.hash = each.settings.uplink_choice;
    if (result.hash && network.is_one_tier() && scenario.nodes.empty()) {
        Scenario on_one = scenario;
        on_one.network_switch.uplinks = 1;
        result.whichever = Guarantee::of(on_one);
    }
    const auto engine = make_engine("exact", {});
    const auto run = [&](const Incast& what) {
        Observer observer;
        observer.incomplete_kept = 1;
        return engine->run(what, &observer);
    };
    const Guarantee& bound = result.guarantee;
    const std::int64_t longest = bound.tiers ? 100'000 : 1'000'000;  // tiers are followed frame by frame
    if (bound.bounded) {
        result.witness = bound.witness;
        result.ample = run(with_ample_memory(with_triggers(scenario, bound.witness), bound.frames() + 1));
        for (std::size_t i = 0; i < bound.switches.size(); ++i)
            if (result.ample.switches[i].peak_frames > bound.switches[i].frames)
                throw std::logic_error("a run exceeds the bound of " + bound.switches[i].name);
    } else {
        result.witness = shortest_losing_train(*engine, scenario, scenario.trigger, longest)
                             .value_or(densest_triggers(scenario.trigger, longest));
    }
    result.own = run(with_triggers(scenario, result.witness));
    return result;
}

/// Bytes that frames of a queue, or of all, take in this memory.
template <class Amounts>
std::int64_t memory_bytes(const Buffer& buffer, const Amounts& of) {
    return MemoryUnits(buffer).unit() == MemorySize::Unit::Cell ? of.units * buffer.cell.count : of.bytes;
}

/// "layer3+4, crc16": values of uplink_hash and uplink_fold.
std::string hash_text(const UplinkChoice& choice) {
    static const char* const kFields[] = {"layer2", "layer3", "layer3+4", "five-tuple"};
    static const char* const kFolds[] = {"crc16", "xor"};
    return std::string(kFields[static_cast<int>(choice.fields)]) + ", " + kFolds[static_cast<int>(choice.fold)];
}

/// Whichever uplinks a hash gives its senders, nothing waits longer than if all of them share one: an uplink carries no
/// more, and others that send beside it leave less in the memory.
std::string words_of_hash(const ScenarioBound& bound) {
    if (!bound.hash) return "";
    std::string text = "All this holds if the switch's hash is that of the scenario (" + hash_text(*bound.hash) +
                       "); a real one may put more senders on one uplink. ";
    if (!bound.whichever) return text + "For any other hash nothing is known.\n";
    text += "Whatever the hash, with all senders of a switch on one uplink: ";
    if (!bound.whichever->bounded) return text + "there is no bound.\n";
    return text + "at most " + how_many(bound.whichever->frames(), "frame") + " at once; the memory " +
           (bound.whichever->fits() ? "never loses one" : "may lose some") + ".\n";
}

Json json_of(const ScenarioBound& bound, const std::string& witness) {
    const Guarantee& guarantee = bound.guarantee;
    Json json{{"program", Provenance::program()},
              {"command", Provenance::command()},
              {"lossless", guarantee.bounded && guarantee.fits()},
              {"bounded", guarantee.bounded},
              {"exact", guarantee.reached()},
              {"triggers", guarantee.one_train ? "one-train" : "all-admitted"}};
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
            if (!guarantee.one_train) entry["load"] = queue.load;
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
        entry["needed_size"] = each.needed ? Json(to_text(*each.needed)) : nullptr;
        if (guarantee.bounded) entry["reached_frames"] = bound.ample.switches[i].peak_frames;
        json["switches"].push_back(entry);
    }
    if (const auto& fifo = guarantee.fifo)
        json["fifo"] = {{"lossless", fifo->fits()},
                        {"frames", fifo->limit},
                        {"backlog_frames", fifo->bounded ? Json(fifo->frames) : nullptr}};
    if (bound.hash)
        json["hash"] = {{"of", hash_text(*bound.hash)},
                        {"lossless_whichever",
                         bound.whichever ? Json(bound.whichever->bounded && bound.whichever->fits()) : nullptr}};
    add_assumed(json, bound.assumed);
    json["witness"] = witness;
    if (witness.empty()) {
        json["witness"] = Json::array();
        for (const Time time : bound.witness) json["witness"].push_back({{"time_s", in_seconds(time)}});
    }
    json["witness_triggers"] = bound.witness.size();
    if (guarantee.bounded) {
        json["reached_frames"] = bound.ample.peak_frames;
        json["gap_frames"] = guarantee.frames() - bound.ample.peak_frames;
    }
    json["witness_loses_frames"] = bound.own.frames_lost();
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
    const std::string others = guarantee.in_step && !guarantee.streams
                                   ? ", in whatever order frames of one instant come"
                                   : std::string(", whatever the phases and jitter of ") +
                                         (guarantee.streams ? "streams and " : "") + "modules within their keys";
    if (guarantee.one_train) return "for its train of triggers" + others;
    std::string words;
    for (const TriggerSpacing& each : guarantee.spacings)
        words += (words.empty() ? ", each " : " and ") +
                 (each.bucket ? "by a token of a bucket of " + std::to_string(each.triggers) +
                                    ", which gets one each " + to_text(each.apart)
                              : "at least " + to_text(each.apart) + " after the " +
                                    (each.triggers == 1 ? "one" : ordinal(each.triggers)) + " before");
    return "whenever triggers come" + words + others;
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
                 guarantee.one_train ? "" : text_line("%.4g %%", 100 * queue.load),
                 queue.bounded ? std::to_string(queue.frames) : "no bound",
                 queue.bounded ? std::to_string(queue.bytes) : "",
                 queue.bounded ? rounded_microseconds(queue.delay_s * 1e6) : ""});
            for (const ClassGuarantee& of : queue.classes)
                table.push_back({"  class " + std::to_string(of.traffic_class), "", "", std::to_string(of.frames),
                                 std::to_string(of.bytes), rounded_microseconds(of.delay_s * 1e6)});
        }
    std::string text = comment(bound.assumed) + "Guarantee for " + scenario + ": " + words_of(guarantee) + ".\n" +
                       listed(aligned(table, {true, false, false, false, false, false}), "\n") + "\n";
    for (std::size_t i = 0; i < guarantee.switches.size(); ++i) {
        const SwitchGuarantee& each = guarantee.switches[i];
        if (!each.bounded) continue;
        text += each.name + ": at most " + how_many(each.frames, "frame") + " at once" +
                (guarantee.tiers && guarantee.bounded
                     ? ", the witness " + std::to_string(bound.ample.switches[i].peak_frames)
                     : "") +
                "; its memory of " + to_text(each.buffer.size) + " " +
                (each.fits             ? bound.hash ? "loses none with this hash" : "never loses one"
                 : guarantee.reached() ? "may lose some"
                                       : "may lose some, for all that this bound tells");
        text += each.needed
                    ? ", " + to_text(*each.needed) + (each.needed->amount == 1 ? " is enough.\n" : " are enough.\n")
                    : ", whatever its size.\n";
    }
    if (const auto& fifo = guarantee.fifo)
        text += "front end: a module's FIFO for " + std::to_string(fifo->limit) +
                (fifo->fits() ? " never loses one" : " may lose some") +
                (fifo->bounded ? ", room for " + std::to_string(fifo->frames) + " is enough" : ", whatever its size") +
                ".\n";
    if (guarantee.bounded && !guarantee.reached())
        text += std::string(guarantee.tiers      ? "Switches feed others"
                            : guarantee.streams  ? "Streams come beside the camera"
                            : !guarantee.in_step ? "Modules are out of step"
                                                 : "What a FIFO loses does not come to the memory") +
                ": nothing exceeds this, but it may be more than anything reaches.\n";
    text += words_of_hash(bound);
    const std::string triggers =
        std::to_string(bound.witness.size()) + (bound.witness.size() == 1 ? " trigger" : " triggers");
    const std::string losses = bound.own.losses.empty() ? "" : " (" + losses_of(bound.own) + ")";
    if (guarantee.bounded)
        return text + "Witness: " + triggers + "; a memory without limit then holds " +
               how_many(bound.ample.peak_frames, "frame") + ", and the scenario loses " +
               std::to_string(bound.own.frames_lost()) + losses + ".\n";
    text += std::string("There is no bound: triggers may come faster than ") +
            (std::all_of(guarantee.switches.begin(), guarantee.switches.end(),
                         [](const SwitchGuarantee& each) { return each.bounded; })
                 ? "a module's link"
                 : "an uplink") +
            " sends what they bring. From " + to_text(guarantee.least_distance) +
            " between two triggers on (trigger.dead_time) there is one.\n";
    return text + "Witness: " + triggers + ", as early as they may come, " +
           (bound.own.frames_lost() > 0 ? "lose a frame" + losses : "do not yet lose a frame") + ".\n";
}

}  // namespace

Answer bound_answer(const BoundAsked& asked, const EngineFactory& make_engine) {
    const ScenarioBound bound = bound_of(asked, make_engine);
    Answer answer;
    answer.json = json_of(bound, asked.witness);
    answer.text = text_of(bound, asked.scenario);
    answer.json["answer"] = answer_of(answer.text);
    answer.text += (asked.witness.empty()
                        ? "--witness FILE writes it.\n"
                        : "It replays by --set trigger.pattern=file --set trigger.file=" + asked.witness + ".\n");
    answer.csv = Provenance::comment();
    for (const Time time : bound.witness) answer.csv += to_text(time) + "\n";
    return answer;
}

void add_stagger_command(CLI::App& app, const EngineFactory& make_engine, const DrawResult& draw) {
    struct Options : StaggerAsked {
        std::string figure, json;
    };
    const auto asked = std::make_shared<Options>();
    asked->effort.jobs = default_jobs();
    asked->effort.work = 1e7;
    CommandTable(app, "stagger",
                 "Find short delays of modules, or between their frames, with which a scenario loses nothing",
                 "Example: watershed stagger scenarios/shallow-28-ports.toml --set front_end.modules=44 -o stagger.svg")
        .scenario(*asked)
        .add("--kind", asked->kind,
             "linear: module k waits k steps; groups: groups of modules wait one after another; free: only those that "
             "the memory does not take wait; gap: between the frames of an event; pace: the same as a rate, with a "
             "token bucket of one frame at each module; all: of these the one with the least latency",
             {among({"all", "linear", "groups", "free", "gap", "pace"}), kShown})
        .add("--risk", asked->risk,
             "It is enough that the chance of an incomplete event is this at most; for random triggers",
             {from_to(0.0, 1.0)})
        .jobs(asked->effort.jobs)
        .flag("--watershed", asked->watersheds,
              "Find the watershed before and after, for watershed plot stagger; -o does so, too")
        .add("-o,--output", asked->figure, "Figure of the watershed before and after, .svg, .pdf or .png")
        .json(asked->json, "the result as JSON to FILE, for watershed plot stagger")
        .run([=] {
            Outputs outputs(asked->json, "", asked->figure);
            StaggerAsked question = *asked;
            question.watersheds = asked->watersheds || !asked->figure.empty();
            outputs.give(stagger_answer(question, make_engine), draw);
        });
}

void add_throttle_command(CLI::App& app, const EngineFactory& make_engine, const DrawResult& draw) {
    struct Options : ThrottleAsked {
        std::string figure, json;
    };
    const auto asked = std::make_shared<Options>();
    asked->effort.jobs = default_jobs();
    CommandTable(
        app, "throttle",
        "Find the weakest rules of triggers with which no sequence of them loses a frame, and what each refuses",
        "Example: watershed throttle scenarios/risk-cheap-switch.toml --set switch.buffer.size=\"200 frames\" -o "
        "throttle.svg")
        .scenario(*asked, ", trigger.pattern \"poisson\"")
        .add("--witness", asked->witness,
             "Write triggers that a rule one step weaker lets pass, and that lose frames, to PREFIXdead-time.txt and "
             "so on, for trigger.pattern \"file\"")
        .add("--rate", asked->rates,
             "Trigger rates of the figure's curves, which --json then holds as \"curve\" [with -o: from a quarter of "
             "the scenario's to four times that]")
        .add("--latency", asked->latency,
             "Time from a look at the switch's memory to the trigger that it decides on: asks for the highest level "
             "at which to refuse, too")
        .add("-o,--output", asked->figure,
             "Figure of what each rule refuses by trigger rate, beside what is lost without, .svg, .pdf or .png")
        .jobs(asked->effort.jobs)
        .json(asked->json, "the result as JSON to FILE, for watershed plot throttle")
        .run([=] {
            Outputs outputs(asked->json, "", asked->figure);
            ThrottleAsked question = *asked;
            question.curve = !asked->figure.empty();
            const ThrottleAnswer answer = throttle_answer(question, make_engine);
            const auto each_witness = [&](const auto& with) {
                for (const LosslessRule& rule : answer.found.rules)
                    if (!asked->witness.empty()) with(rule, witness_file(asked->witness, rule));
            };
            each_witness([](const LosslessRule&, const std::string& file) { OutputFile::expect_own(file); });
            outputs.give(answer, draw);
            each_witness([](const LosslessRule& rule, const std::string& file) {
                if (rule.witness.empty()) return;
                std::string text = Provenance::comment() + "# " + rule.weaker.first + "=" + rule.weaker.second +
                                   " lets these triggers pass, and the last loses frames\n";
                for (const Time time : rule.witness) text += microseconds(time) + " us\n";
                OutputFile(file).write(text);
            });
        });
}

void add_bound_command(CLI::App& app, const EngineFactory& make_engine) {
    struct Options : BoundAsked {
        std::string json;
    };
    const auto asked = std::make_shared<Options>();
    CommandTable(
        app, "bound",
        "Guarantee: what no sequence of triggers exceeds, nor any arrival that a network of servers admits",
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
