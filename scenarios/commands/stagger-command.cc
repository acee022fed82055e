// SPDX-License-Identifier: GPL-2.0-only
// Delays of modules, or between their frames, with which nothing is lost.
#include <algorithm>
#include <cmath>

#include "model/network/network-load.h"
#include "scenarios/commands/options.h"
#include "scenarios/design/stagger.h"
#include "scenarios/design/watershed-curve.h"
#include "scenarios/reader/reader.h"
#include "scenarios/reader/switch-check.h"
#include "scenarios/run/run-report.h"
#include "scenarios/sweep/sweep.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/members.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

std::optional<double> seconds_of(const std::optional<Time>& time) {
    return time ? std::optional(in_seconds(*time)) : std::nullopt;
}

/// How a kind answers.
struct KindAnswer {
    std::string kind;
    std::optional<DelaySchedule> found;
    std::string why_not;                           ///< reason why the scenario has no use for it
    Outcome with;                                  ///< a run with these delays
    std::optional<Risk> risk;                      ///< with these delays, where a chance is wanted
    std::optional<Time> with_clocks, with_jitter;  ///< steps that are enough with either, in a run and certainly
    bool clocks_of_other_groups = false, jitter_of_other_groups = false;  ///< another number is best with these
    bool asked_jitter = false;
    Time searched_to{0};  ///< step

    /// Whether the step with clocks, or with jitter, was sought with these groups: none is enough then, if it is
    /// absent.
    bool tells_clocks() const { return found && found->step > Time{0} && kind != "free" && !clocks_of_other_groups; }
    bool tells_jitter() const { return asked_jitter && !jitter_of_other_groups; }
};

constexpr ClockTolerance kClocks{20'000};  // 20 ppm
constexpr Time kJitter{100'000};

class Stagger {
  public:
    Stagger(const StaggerAsked& options, const Scenario& scenario, Engine& engine)
        : options_(options), scenario_(scenario), engine_(engine), now_(engine.run(scenario)) {
        if (options.kind != "all") answers_.push_back(answer(options.kind));
        if (options.kind == "all" && !scenario.groups.empty()) answers_.push_back(answer("groups"));
        if (options.kind == "all" && scenario.groups.empty())
            for (const char* const kind : {"linear", "groups", "free", "gap"}) answers_.push_back(answer(kind));
        if (options.risk == 0) {
            const GoodEnough good = [&](const NetworkScenario& tried) { return good_enough(tried); };
            for (const bool with_delays : {false, true})
                most_modules_[with_delays] = most_modules(scenario, with_delays, good);
        }
        if (best()) return;
        DelaySchedule longest = longest_useful_delays(scenario, scenario.groups.empty() ? options.kind : "groups");
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
        DelaySchedule with;
        Outcome outcome;
    };

    /// Why no delay helps, if it is a link that is given more than it carries before which frames are then lost.
    std::string overload() const;
    /// Link that is given more than it carries, though the delays lose nothing of as many triggers as were tried.
    std::string lasting_overload() const;
    /// Draws of the seed with which alone the best delays were tried: "triggers", "jitter", "clocks" or "order".
    std::vector<std::string> drawn() const;
    std::string goal() const;
    /// Returns the line with the number of modules that lose nothing.
    std::string modules_words() const;
    bool good_enough(const NetworkScenario& tried) const {
        if (options_.risk == 0) return engine_.run(tried).frames_lost() == 0;
        return risk_of(tried).log.upper <= std::log(options_.risk);
    }
    Risk risk_of(const NetworkScenario& tried) const { return find_risk(tried, "auto", options_.effort, engine_); }

    std::optional<DelaySchedule> found_with(const std::string& kind,
                                            const std::function<bool(Scenario&)>& disturb) const {
        Scenario disturbed = scenario_;
        return disturb(disturbed) ? find(disturbed, kind) : std::nullopt;
    }

    std::optional<DelaySchedule> find(const Scenario& scenario, const std::string& kind) const {
        const GoodEnough good = [&](const NetworkScenario& tried) { return good_enough(tried); };
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
        if (options_.risk > 0) answer.risk = risk_of(answer.found->scenario);
        if (answer.found->step == Time{0} || kind == "free") return answer;
        const auto step_with = [&](const std::function<bool(Scenario&)>& disturb, bool& of_other_groups) {
            const auto found = found_with(kind, disturb);
            of_other_groups = found && found->groups != answer.found->groups;
            if (!found || of_other_groups) return std::optional<Time>();
            // A step that one draw allows to be shorter need not be enough for others.
            return std::optional(std::max(found->step, answer.found->step));
        };
        answer.with_clocks = step_with(
            [](Scenario& s) {
                s.front_end.clock_spread = kClocks;
                for (Group& group : s.groups) group.front_end.clock_spread = kClocks;
                return true;
            },
            answer.clocks_of_other_groups);
        NetworkScenario jittered = scenario_;
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
    std::optional<Spread> spread_;        ///< set if no kind helps
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

/// "3.2e-07, certainly", "never loses an event", "3.2e-07 (2.8e-07 to 3.7e-07 with 95 % confidence), sampled"
std::string risk_words(const Known& risk) {
    if (risk.is_zero()) return "never loses an event";
    return in_ascii(risk.words(readable_of_log10, 3)) + (risk.sampled ? ", sampled" : ", certainly");
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
    const KindAnswer* const best = this->best();
    if (options_.risk > 0)
        return text_line("has a risk of at most %g", options_.risk) +
               (best && best->risk ? ", " + risk_words(best->risk->known()) : "") + hash_condition(scenario_);
    std::string text = "loses nothing";
    std::vector<std::string> parts = drawn();
    const std::string seed = std::to_string(scenario_.seed);
    if (!parts.empty() && parts.front() == "triggers") {
        text +=
            text_line(" in these %lld triggers (seed %s; --risk asks for a chance)", now_.events_sent, seed.c_str());
        parts.erase(parts.begin());
    }
    if (!parts.empty()) text += " with the " + listed(parts, " and ") + " of seed " + seed + ", tried, not proven";
    if (best && best->found->any_jitter)
        text += ", whatever jitter of up to " + to_text(scenario_.front_end.jitter) + " is drawn";
    return text + hash_condition(scenario_);
}

std::string Stagger::modules_words() const {
    if (!most_modules_[true]) return "";
    const auto number = [&](bool with_delays) {
        const int most = *most_modules_[with_delays];
        return most == kMostModules ? text_line("%d or more", most) : std::to_string(most);
    };
    return "Modules that lose nothing: " + number(false) + " without delays, " + number(true) +
           " with linear ones of " + to_text(longest_useful_delays(scenario_, "linear").step) + ".\n";
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
        text += text_line("  %-8s %-14s %-14s %-12lld %-16s %-16s %s\n", each.kind, to_text(each.found->step),
                          to_text(each.found->latency_added), each.with.peak_frames,
                          each.tells_clocks() ? step_text(each.with_clocks) : "-",
                          each.tells_jitter() ? step_text(each.with_jitter) : "-", remark);
    }
    text += modules_words() + "\nWith clocks within 20 ppm, drawn from seed " + std::to_string(scenario_.seed) +
            ", and with any jitter of up to 100 ns the steps of these columns are enough (none: no step is; -: not "
            "asked).\nIn the scenario:\n\n";
    for (const auto& [key, value] : best->found->keys) {
        const std::size_t end = key.rfind('.');
        text += "    [" + key.substr(0, end) + "]\n    " + key.substr(end + 1) + " = " +
                (value.front() == '[' ? value : '"' + value + '"') + "\n";
    }
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
                {"step_with_clocks_s", json_of(seconds_of(answer.with_clocks))},  // null: none is enough, if asked
                {"step_with_jitter_s", json_of(seconds_of(answer.with_jitter))},
                {"asked_clocks", answer.tells_clocks()},
                {"asked_jitter", answer.tells_jitter()}};
        if (options_.risk > 0) of["risk"] = json_of(answer.risk);
        if (found)
            for (const auto& [key, value] : found->keys) of["set"][key] = value;
        if (found && found->groups > 0) of["groups"] = found->groups;
        if (found && answer.kind == "gap" && found->step > Time{0})
            of["gap_of_makers_s"] = in_seconds(gap_of_makers(found->scenario));  // with Ethernet's own 12 B
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
        json["burst"] = {{"separation_us", in_microseconds(own.separation)}, {"events", own.events.value_or(1)}};
    json["frames_lost_now"] = now_.frames_lost();
    json["frames_sent"] = now_.frames_sent;
    json["overload"] = nullptr;
    for (const std::string& over : {overload(), lasting_overload()})
        if (!over.empty()) json["overload"] = over;
    json["most_modules"] = json_of(most_modules_[false]);
    json["most_modules_with_delays"] = json_of(most_modules_[true]);
    for (const bool with_delays : {false, true})  // whether that many is where the search ended
        json[with_delays ? "most_modules_with_delays_at_least" : "most_modules_at_least"] =
            most_modules_[with_delays] == kMostModules;
    json["risk_wanted"] = options_.risk > 0 ? Json(options_.risk) : Json(nullptr);
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
                if (separation != to && in_microseconds(separation) > curve[i - 1].first)
                    curve.insert(curve.begin() + static_cast<std::ptrdiff_t>(i++),
                                 {in_microseconds(separation), longest});
            from = beyond, events = next;
        }
    }
    return curve;
}

Json Stagger::watersheds(const Scenario& apparatus) const {
    Json all = Json::array();
    const auto add = [&](const std::string& kind, Time step, const Senders& senders) {
        Scenario scenario = apparatus;
        scenario.front_end = senders.front_end;
        scenario.groups = senders.groups;
        WatershedCurve curve = watershed_curve(scenario, engine_);
        curve.points = with_steps(curve.points, scenario, engine_);
        all.push_back({{"kind", kind}, {"step_s", in_seconds(step)}, {"points", curve.json()}});
        if (!curve.why_none.empty()) all.back()["no_watershed"] = curve.why_none;
    };
    add("none", Time{0}, scenario_);
    if (const KindAnswer* const best = this->best(); best && best->found->step > Time{0})
        add(best->kind, best->found->step, best->found->scenario);
    return all;
}

}  // namespace

Answer stagger_answer(const StaggerAsked& asked, const EngineFactory& make_engine) {
    std::vector<AssumedValue> assumed;
    const Scenario scenario = read_scenario(Scope::camera().with_sequences().with_end().with_groups(), asked.scenario,
                                            asked.overrides, &assumed);
    const auto engine = make_engine("exact", {});
    const Stagger found(asked, scenario, *engine);
    Answer answer{found.json(), found.report()};
    answer.json["answer"] = answer_of(answer.text);
    tell_assumed(answer, assumed);
    if (asked.watersheds)
        answer.json["watersheds"] = found.watersheds(
            read_scenario(Scope::own_bursts().with_sequences().with_groups(), asked.scenario, asked.overrides));
    return answer;
}

void add_stagger_command(CLI::App& app, const EngineFactory& make_engine, const DrawResult& draw) {
    const auto asked = std::make_shared<StaggerAsked>();
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
        .figure("Figure of the watershed before and after, .svg, .pdf or .png")
        .json("the result as JSON to FILE, for watershed plot stagger")
        .answer(
            [=](const OutputNames& names) {
                asked->watersheds = asked->watersheds || !names.figure.empty();
                return stagger_answer(*asked, make_engine);
            },
            draw);
}

}  // namespace watershed
