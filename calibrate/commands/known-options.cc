// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/commands/known-options.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <type_traits>

#include "calibrate/fit/report-text.h"
#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/list.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

/// What may be known, as error messages list it.
constexpr const char* kMayBeKnown = "service_rate, depth, noise, loss, bucket, traffic, sharing or kind";
constexpr const char* kMayBeBounded = "service_rate, depth, noise, loss, bucket or traffic";

/// Those that have a closed form of their own (calibrate/closed-form/queue-model.h). A dynamic threshold is a feature
/// of the shared one; a map of any other policy has no kind that a fit could compare.
constexpr Buffer::Sharing kWithClosedForm[] = {Buffer::Sharing::Shared, Buffer::Sharing::PerInput,
                                               Buffer::Sharing::PerOutput};

[[noreturn]] void refuse(const std::string& text, const std::string& expected) {
    throw std::invalid_argument("found \"" + text + "\", expected " + expected);
}

/// A part of something, below all of it, with a per cent sign.
double parse_share(const std::string& text, const char* of_what) {
    const auto share = ratio_in(text);
    if (share && (*share == 0 || (*share < 1 && text.back() == '%'))) return *share;
    refuse(text, std::string("a part of the ") + of_what + " such as \"0.1 %\", below 100 %, or 0");
}

double parse_loss(const std::string& text) { return parse_share(text, "frames"); }
double parse_traffic(const std::string& text) { return parse_share(text, "uplink"); }

double parse_bucket(const std::string& text) {
    if (text == "0") return 0;
    try {
        return double(parse_bytes(text).count);
    } catch (const std::invalid_argument&) {
        refuse(text, "a number of bytes such as \"3 kB\", or 0");
    }
}

Buffer::Sharing parse_sharing(const std::string& text) {
    for (const auto sharing : kWithClosedForm)
        if (text == sharing->name) return sharing;
    refuse(text, "shared, per-input or per-output");
}

/// The kind of memory that has this name.
QueueModel parse_kind(const std::string& text) {
    for (const auto sharing : kWithClosedForm)
        for (const auto unit : {MemorySize::Unit::Frame, MemorySize::Unit::Byte, MemorySize::Unit::Cell})
            for (const bool per_packet : {false, true})
                for (const Feature feature : {Feature::None, Feature::Descriptors, Feature::Resume,
                                              Feature::DynamicThreshold, Feature::UnevenUplinks}) {
                    QueueModel model{sharing, unit};
                    model.per_packet = per_packet;
                    model.feature = feature;
                    if (model.name() == text) return model;
                }
    refuse(text,
           "the name of a kind of memory as in the fit's table of models, such as shared-bytes or per-input-frames");
}

std::string parse_kind_name(const std::string& text) { return parse_kind(text).name(); }

/// A value that is known exactly.
template <double (*parse)(const std::string&)>
Limits exactly(const std::string& text) {
    const double value = parse(text);
    return {value, value};
}

void expect_one_unit(bool one) {
    if (!one) throw std::invalid_argument("expected both limits in one unit");
}
bool in_order(BitRate low, BitRate high) { return low <= high; }
bool in_order(MemorySize low, MemorySize high) {
    expect_one_unit(low.unit == high.unit);
    return low.amount <= high.amount;
}
Limits between(const Limits& low, const Limits& high) { return {low.low, high.high}; }
KnownNoise between(const KnownNoise& low, const KnownNoise& high) {
    expect_one_unit(low.relative == high.relative || low.none());
    return {low.low, high.high, high.relative};
}

/// Keeps limits, of what has a member of its own for them or is itself limits. @return whether they are in order
template <auto member, auto parse, auto bounds>
bool bound(FitOptions& options, const std::string& name, const std::string& low, const std::string& high) {
    constexpr bool apart = !std::is_same_v<decltype(member), decltype(bounds)>;
    if (options.*member)
        throw std::invalid_argument("conflicts with " +
                                    (apart ? "--fix " + name : "what was said of " + name + " before"));
    if (options.*bounds) throw std::invalid_argument("found twice, expected one pair of limits of " + name);
    const auto least = parse(low), most = parse(high);
    if constexpr (apart) {
        (options.*bounds).emplace(least, most);
        return in_order(least, most);
    } else {
        options.*bounds = between(least, most);
        return (options.*bounds)->low <= (options.*bounds)->high;
    }
}

/// What --fix gives a value and, where it has an order, --bound limits.
struct Knowable {
    std::string name;
    void (*fix)(FitOptions& options, const std::string& value);
    bool (*given)(const FitOptions& options);
    bool (*bound)(FitOptions& options, const std::string& name, const std::string& low, const std::string& high);
};

template <auto member, auto parse, auto bounds = member>
Knowable knowable(const char* name) {
    Knowable one{name, [](FitOptions& options, const std::string& value) { options.*member = parse(value); },
                 [](const FitOptions& options) { return (options.*member).has_value(); }, nullptr};
    if constexpr (!std::is_null_pointer_v<decltype(bounds)>) one.bound = bound<member, parse, bounds>;
    return one;
}

const Knowable* knowable_named(const std::string& name) {
    static const Knowable all[] = {
        knowable<&FitOptions::service_rate, parse_bit_rate, &FitOptions::service_rate_bounds>("service_rate"),
        knowable<&FitOptions::depth, parse_memory_size, &FitOptions::depth_bounds>("depth"),
        knowable<&FitOptions::noise, parse_noise>("noise"),
        knowable<&FitOptions::loss, exactly<parse_loss>>("loss"),
        knowable<&FitOptions::bucket, exactly<parse_bucket>>("bucket"),
        knowable<&FitOptions::traffic, exactly<parse_traffic>>("traffic"),
        knowable<&FitOptions::sharing, parse_sharing, nullptr>("sharing"),
        knowable<&FitOptions::kind, parse_kind_name, nullptr>("kind")};
    const auto found =
        std::find_if(std::begin(all), std::end(all), [&](const Knowable& one) { return one.name == name; });
    return found == std::end(all) ? nullptr : &*found;
}

void read_fixed(FitOptions& result, const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const Knowable* const known = knowable_named(name);
    if (!known) refuse(name, kMayBeKnown);
    if (known->given(result)) throw std::invalid_argument("found twice, expected one value of " + name);
    known->fix(result, equals == std::string::npos ? "" : text.substr(equals + 1));
}

/// NAME=LOW:HIGH
void read_bound(FitOptions& result, const std::string& text) {
    const std::size_t equals = text.find('='), colon = text.find(':', equals == std::string::npos ? 0 : equals);
    const std::string name = text.substr(0, equals);
    const Knowable* const known = knowable_named(name);
    if (!known || !known->bound) refuse(name, kMayBeBounded);
    if (equals == std::string::npos || colon == std::string::npos)
        throw std::invalid_argument("expected " + name + "=LOW:HIGH, as depth=\"100 kB:2 MB\"");
    if (!known->bound(result, name, text.substr(equals + 1, colon - equals - 1), text.substr(colon + 1)))
        throw std::invalid_argument("expected the lower limit first");
}

/// A kind says how the memory is shared, and what its depth is counted in.
void refuse_contradictions(const FitOptions& known) {
    if (!known.kind) return;
    const QueueModel kind = parse_kind(*known.kind);
    if (known.sharing && *known.sharing != kind.sharing)
        throw InputError("--fix kind=" + *known.kind +
                         ": conflicts with the sharing that was given, expected a memory that is " +
                         kind.sharing->name);
    if (const auto unit = known.depth_unit(); unit && *unit != kind.unit)
        throw InputError("--fix kind=" + *known.kind + ": conflicts with the depth that was given in " +
                         unit_text(*unit) + ", expected " + unit_of(kind));
}

template <class Value>
std::vector<Value> ascending(std::vector<Value> values) {
    boost::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

/// What can be set beside; nothing where nothing was said.
template <class Parse>
std::optional<std::vector<std::int64_t>> others(const std::string& option, const std::string& text,
                                                const Parse& parse) {
    if (text.empty()) return std::nullopt;
    if (text == "0") return std::vector<std::int64_t>();
    std::vector<std::int64_t> values = ascending(parse(text));
    constexpr std::int64_t kMost = 65'535;
    if (values.empty() || values.front() < 1 || values.back() > kMost)
        throw InputError(option + ": found \"" + text + "\", expected values from 1 to 65535, or 0 for none");
    return values;
}

std::vector<std::int64_t> payloads_of(const std::string& text) {
    std::vector<std::int64_t> values;
    std::istringstream in(text);
    for (std::string one; std::getline(in, one, ',');)
        values.push_back(read_at("--payloads", [&] { return parse_bytes(one).count; }));
    return values;
}

}  // namespace

std::optional<double> ratio_in(std::string_view text) {
    try {
        return as_number(parse_ratio(text));
    } catch (const std::invalid_argument&) {
        return std::nullopt;
    }
}

Conditions conditions_of(const KnownOptions& options) {
    if (!options.scenario.empty())
        return conditions_of(read_apparatus(options.scenario, options.overrides), options.scenario);
    if (!options.overrides.empty())
        throw InputError("--set " + options.overrides.front() + ": expected a --scenario whose key it sets");
    return default_conditions();
}

FitOptions fit_options_of(const KnownOptions& options) {
    FitOptions result;
    result.jobs = options.jobs;
    result.rate_about_nominal = options.rate != "unknown";
    result.counts = options.counts == "use"      ? CountUse::Count
                    : options.counts == "ignore" ? CountUse::Flag
                                                 : CountUse::Auto;
    for (const std::string& text : options.fixed) read_at("--fix " + text, [&] { read_fixed(result, text); });
    for (const std::string& text : options.bounds) read_at("--bound " + text, [&] { read_bound(result, text); });
    for (const std::string& name : options.free) {
        const Knowable* const known = knowable_named(name);
        if (!known) throw InputError("--free " + name + ": expected " + kMayBeKnown);
        if (known->given(result))
            throw InputError("--free " + name + ": conflicts with what --fix or --bound says of it");
    }
    refuse_contradictions(result);
    return result;
}

Time positive_time(const std::string& option, const std::string& text) {
    const Time time = read_at(option, [&] { return parse_time(text); });
    if (time <= Time{0}) throw InputError(option + ": found \"" + text + "\", expected more than 0");
    return time;
}

double parse_precision(const std::string& option, const std::string& text) {
    const auto share = ratio_in(text);
    if (share && *share > 0 && *share < 1 && text.back() == '%') return *share;
    throw InputError(option + ": found \"" + text + "\", expected a percentage above 0 and below 100 such as \"1%\"");
}

AdviceOptions advice_options_of(const AdviceOptionTexts& texts) {
    AdviceOptions advice;
    const std::string watershed = "watershed@";
    if (texts.target == "depth")
        advice.target = AdviceTarget::Depth;
    else if (texts.target == "rate")
        advice.target = AdviceTarget::Rate;
    else if (texts.target.rfind(watershed, 0) == 0) {
        advice.target = AdviceTarget::Watershed;
        advice.watershed_at =
            read_at("--target " + texts.target, [&] { return parse_time(texts.target.substr(watershed.size())); });
    } else {
        throw InputError("--target: found \"" + texts.target +
                         "\", expected depth, rate or watershed@SEPARATION such as \"watershed@20us\"");
    }
    advice.generator.step = positive_time("--step", texts.step);
    if (!texts.separations.empty())
        advice.generator.separations = ascending(parse_time_list("--separation", texts.separations));
    if (!texts.shortest_separation.empty())
        advice.generator.shortest =
            read_at("--shortest-separation", [&] { return parse_time(texts.shortest_separation); });
    advice.generator.longest = texts.longest_burst;
    advice.ports =
        others("--ports", texts.ports, [](const std::string& text) { return parse_count_list("--ports", text); });
    advice.payloads = others("--payloads", texts.payloads, payloads_of);
    if (!texts.events.empty()) advice.generator.lengths = ascending(parse_count_list("--events", texts.events));
    advice.setup = positive_time("--setup", texts.setup);
    advice.precision = parse_precision(texts.precision_option, texts.precision);
    advice.points = texts.points;
    return advice;
}

KnownNoise parse_noise(std::string_view text) {
    const bool frames = ends_with(text, "frames");
    std::string_view number = text.substr(0, text.size() - (frames ? 6 : 0));
    while (!number.empty() && number.back() == ' ') number.remove_suffix(1);
    const bool percent = !number.empty() && number.back() == '%';
    if (const auto value = ratio_in(number); value && (frames != percent || *value == 0))
        return {*value, *value, !frames};
    throw std::invalid_argument(
        "found \"" + std::string(text) +
        "\", expected a part of a burst's length such as \"2 %\", a number of lost frames such as \"3 frames\", or 0");
}

}  // namespace watershed
