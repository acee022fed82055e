// SPDX-License-Identifier: GPL-2.0-only
#include <boost/algorithm/cxx11/all_of.hpp>
#include <boost/range/algorithm.hpp>
#include <boost/range/algorithm_ext/erase.hpp>
#include <functional>
#include <map>

#include "calibrate/ingest/counter-names.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {
using What = Counter::What;
}  // namespace

ToldCounter told_counter(const std::string& text) {
    static const std::map<std::string, What> kWhats{
        {"lost", What::Lost}, {"received", What::Arrived}, {"ignore", What::Harmless}};
    const std::size_t equals = text.rfind('=');
    const auto what = kWhats.find(equals == std::string::npos ? "" : text.substr(equals + 1));
    if (what == kWhats.end() || equals == 0)
        throw InputError("--count: found \"" + text + "\", expected NAME=lost, NAME=received or NAME=ignore");
    return {text.substr(0, equals), what->second};
}

bool ToldCounter::means(const Counter& counter) const {
    return !counter.is_peak() && (counter.name == name || of_all_queues(counter.name) == name);
}

void count_as_told(std::vector<Counter>& counters, const std::vector<ToldCounter>& told) {
    for (Counter& one : counters)
        for (const ToldCounter& each : told) {
            if (!each.means(one)) continue;
            one.what = each.what;
            one.adds_up = true, one.by_rule = false;
            if (each.what != What::Harmless) one.part_of.clear();
            if (each.what == What::Arrived && one.place < Place::Card) one.place = Place::Card;
        }
}

std::vector<Counter> not_known(const std::vector<Counter>& counted) {
    const auto is_sum_of_known = [&](const Counter& sum) {
        const std::vector<std::string> words = words_in(sum.name);
        if (words.empty() || words.back() != "errors" || words.size() != 2) return false;
        std::int64_t known = 0;
        for (const Counter& one : counted)
            if (one.what == What::Lost && one.device == sum.device &&
                (one.place == Place::Sender) == (sum.place == Place::Sender))
                known += one.value;
        return sum.value <= known;
    };
    std::vector<Counter> found;
    for (const Counter& one : counted)
        if (one.what == What::NotKnown && one.value > 0 && !is_sum_of_known(one)) found.push_back(one);
    return found;
}

std::string not_known_text(const std::vector<Counter>& counters) {
    std::string text;
    for (const bool by_rule : {false, true}) {
        std::vector<Counter> some;
        for (const Counter& one : counters)
            if (one.by_rule == by_rule) some.push_back(one);
        if (some.empty()) continue;
        text +=
            (text.empty() ? "" : "; ") +
            listed(some, [](const Counter& one) { return name_of(one) + " rose by " + std::to_string(one.value); }) +
            (by_rule ? ", frames that a rule drops or that are for others" : ", which ") +
            (by_rule            ? ""
             : some.size() == 1 ? "is not known"
                                : "are not known");
    }
    return text.empty() ? "" : text + ": --count NAME=lost, NAME=received or NAME=ignore says what it counts";
}

/// Takes from each total what its parts count. A total that is less than a part of it is none, and its parts add up.
void take_parts(std::vector<Counter>& counted) {
    std::map<std::size_t, std::vector<std::size_t>> parts;
    std::vector<bool> is_part(counted.size(), false);
    for (std::size_t i = 0; i < counted.size(); ++i)
        for (std::size_t total = 0; total < counted.size() && !is_part[i]; ++total)
            if (!counted[i].part_of.empty() && counted[total].name == counted[i].part_of &&
                counted[total].device == counted[i].device)
                parts[total].push_back(i), is_part[i] = true;
    const std::function<std::int64_t(std::size_t)> amount = [&](std::size_t at) {
        std::int64_t sum = 0, most = 0;
        for (const std::size_t part : parts[at]) sum += amount(part), most = std::max(most, amount(part));
        return counted[at].value >= most ? counted[at].value : sum;
    };
    const std::function<void(std::size_t, std::int64_t)> share = [&](std::size_t at, std::int64_t left) {
        for (const std::size_t part : parts[at]) {
            const std::int64_t of_part = std::min(left, amount(part));
            left -= of_part;
            share(part, of_part);
        }
        counted[at].value = left;
    };
    for (std::size_t i = 0; i < counted.size(); ++i)
        if (!is_part[i] && !parts[i].empty()) share(i, amount(i));
}

std::vector<Counter> between(const std::vector<Counter>& before, const std::vector<Counter>& after,
                             const std::string& name) {
    std::vector<Counter> counted;
    const auto is_of_protocols = [](const Counter& one) { return one.tool == kProtocols; };
    const bool zero_is_missing = boost::algorithm::all_of(before, is_of_protocols);
    for (const Counter& now : after) {
        if (now.is_peak() || (now.what == What::Harmless && now.part_of.empty())) continue;
        const auto then = boost::find_if(before, [&](const Counter& one) {
            return one.name == now.name && one.device == now.device && one.what == now.what;
        });
        if (now.what == What::NotKnown) {
            const std::int64_t rise = now.value - (then == before.end() ? 0 : then->value);
            const bool counts_no_loss = now.place == Place::Switch && is_loss_by_name(now.name);
            if (rise <= 0 && !counts_no_loss) continue;
            counted.push_back(now);
            counted.back().value = std::max<std::int64_t>(0, rise);
            continue;
        }
        if (now.what == What::Harmless && (then == before.end() || now.value < then->value)) continue;
        if (then == before.end() && zero_is_missing && is_of_protocols(now)) {
            counted.push_back(now);
            continue;
        }
        if (then == before.end())
            throw InputError(name + ": found the counter " + name_of(now) + ", which was not there before");
        if (now.value < then->value)
            throw InputError(name + ": found " + now.name + " " + std::to_string(now.value) +
                             (now.device.empty() ? "" : " of " + now.device) + ", expected at least the " +
                             std::to_string(then->value) + " from before: it was set back meanwhile");
        counted.push_back(now);
        counted.back().value -= then->value;
    }
    for (const Counter& then : before)
        if (is_of_protocols(then) && then.value > 0 && then.what != What::Harmless &&
            boost::algorithm::all_of(after,
                                     [&](const Counter& now) { return is_of_protocols(now) && now.name != then.name; }))
            throw InputError(name + ": found no " + then.name + ", expected at least the " +
                             std::to_string(then.value) + " from before: it was set back meanwhile");
    take_parts(counted);
    boost::remove_erase_if(counted, [](const Counter& one) { return one.what == What::Harmless; });
    return counted;
}

std::string impossible_counter(const std::vector<Counter>& counted, const CounterLimits& limits) {
    constexpr std::int64_t kSmallestOnWire = 84;  // 64 B, preamble and gap
    constexpr std::int64_t kPicoseconds = 1'000'000'000'000;
    for (const Counter& one : counted) {
        const bool frames = one.what == What::Arrived || one.what == What::Sent;
        if (!frames && one.what != What::Octets) continue;
        const BitRate limit = one.device.empty() && frames ? limits.all : limits.port;
        const Wide bits = Wide{one.value} * 8 * (frames ? kSmallestOnWire : 1);
        if (bits * kPicoseconds <= Wide{limit.count} * limits.interval.count()) continue;
        const auto rate = std::int64_t(bits * kPicoseconds / limits.interval.count() / 1'000'000 * 1'000'000);
        return name_of(one) + " counts " + std::to_string(one.value) + (frames ? " frames in " : " bytes in ") +
               to_text(limits.interval) + ", " + (frames ? "at least " : "") + to_text(BitRate{rate}) +
               " on a port of " + to_text(limit) + ": it cannot be right";
    }
    return "";
}

}  // namespace watershed
