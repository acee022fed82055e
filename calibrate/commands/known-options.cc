// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/commands/known-options.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "calibrate/fit/report-text.h"
#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/list.h"
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

/// Limits that have not been given yet.
template <class Bounds>
void once(const std::optional<Bounds>& bounds, const std::string& name) {
    if (bounds) throw std::invalid_argument("found twice, expected one pair of limits of " + name);
}

/// A part of something, below all of it, with a per cent sign.
double parse_share(const std::string& text, const char* of_what) {
    const std::string expected = std::string("a part of the ") + of_what + " such as \"0.1 %\", below 100 %, or 0";
    try {
        const double share = as_number(parse_ratio(text));
        if (share == 0 || (share < 1 && text.back() == '%')) return share;
    } catch (const std::invalid_argument&) {
    }
    refuse(text, expected);
}

double parse_loss(const std::string& text) { return parse_share(text, "frames"); }
double parse_traffic(const std::string& text) { return parse_share(text, "uplink"); }

double parse_bucket(const std::string& text) {
    if (text == "0") return 0;
    try {
        return static_cast<double>(parse_bytes(text).count);
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

/// What --fix gives a value.
struct Fixable {
    std::string name;
    void (*read)(FitOptions& options, const std::string& value);
    bool (*given)(const FitOptions& options);
};

template <auto member, auto parse>
Fixable fixable(const char* name) {
    return {name, [](FitOptions& options, const std::string& value) { options.*member = parse(value); },
            [](const FitOptions& options) { return (options.*member).has_value(); }};
}

const Fixable* fixable_named(const std::string& name) {
    static const Fixable all[] = {fixable<&FitOptions::service_rate, parse_bit_rate>("service_rate"),
                                  fixable<&FitOptions::depth, parse_memory_size>("depth"),
                                  fixable<&FitOptions::noise, parse_noise>("noise"),
                                  fixable<&FitOptions::loss, exactly<parse_loss>>("loss"),
                                  fixable<&FitOptions::bucket, exactly<parse_bucket>>("bucket"),
                                  fixable<&FitOptions::traffic, exactly<parse_traffic>>("traffic"),
                                  fixable<&FitOptions::sharing, parse_sharing>("sharing"),
                                  fixable<&FitOptions::kind, parse_kind_name>("kind")};
    const auto found =
        std::find_if(std::begin(all), std::end(all), [&](const Fixable& one) { return one.name == name; });
    return found == std::end(all) ? nullptr : &*found;
}

void read_fixed(FitOptions& result, const std::string& name, const std::string& value) {
    const Fixable* const known = fixable_named(name);
    if (!known) refuse(name, kMayBeKnown);
    if (known->given(result)) throw std::invalid_argument("found twice, expected one value of " + name);
    known->read(result, value);
}

/// Whether the limits are in order.
bool read_limits(std::optional<Limits>& limits, const std::string& name, const std::string& low,
                 const std::string& high, double (*parse)(const std::string&)) {
    if (limits) throw std::invalid_argument("conflicts with what was said of " + name + " before");
    limits = Limits{parse(low), parse(high)};
    return limits->low <= limits->high;
}

/// NAME=LOW:HIGH
void read_bound(FitOptions& result, const std::string& text) {
    const std::size_t equals = text.find('='), colon = text.find(':', equals == std::string::npos ? 0 : equals);
    const std::string name = text.substr(0, equals);
    const std::vector<std::string> names{"depth", "service_rate", "noise", "loss", "bucket", "traffic"};
    if (std::find(names.begin(), names.end(), name) == names.end()) refuse(name, kMayBeBounded);
    if (equals == std::string::npos || colon == std::string::npos)
        throw std::invalid_argument("expected " + name + "=LOW:HIGH, as depth=\"100 kB:2 MB\"");
    const std::string low = text.substr(equals + 1, colon - equals - 1), high = text.substr(colon + 1);
    bool ordered = false;
    if (name == "depth") {
        if (result.depth) throw std::invalid_argument("conflicts with --fix depth");
        once(result.depth_bounds, name);
        result.depth_bounds.emplace(parse_memory_size(low), parse_memory_size(high));
        if (result.depth_bounds->first.unit != result.depth_bounds->second.unit)
            throw std::invalid_argument("expected both limits in one unit");
        ordered = result.depth_bounds->first.amount <= result.depth_bounds->second.amount;
    } else if (name == "service_rate") {
        if (result.service_rate) throw std::invalid_argument("conflicts with --fix service_rate");
        once(result.service_rate_bounds, name);
        result.service_rate_bounds.emplace(parse_bit_rate(low), parse_bit_rate(high));
        ordered = result.service_rate_bounds->first.count <= result.service_rate_bounds->second.count;
    } else if (name == "noise") {
        if (result.noise) throw std::invalid_argument("conflicts with what was said of noise before");
        const KnownNoise least = parse_noise(low), most = parse_noise(high);
        if (least.relative != most.relative && !least.none())
            throw std::invalid_argument("expected both limits in one unit");
        result.noise = KnownNoise{least.low, most.high, most.relative};
        ordered = least.low <= most.high;
    } else if (name == "loss") {
        ordered = read_limits(result.loss, name, low, high, parse_loss);
    } else if (name == "traffic") {
        ordered = read_limits(result.traffic, name, low, high, parse_traffic);
    } else {
        ordered = read_limits(result.bucket, name, low, high, parse_bucket);
    }
    if (!ordered) throw std::invalid_argument("expected the lower limit first");
}

/// A kind says how the memory is shared, and what its depth is counted in.
void refuse_contradictions(const FitOptions& known) {
    if (!known.kind) return;
    const QueueModel kind = parse_kind(*known.kind);
    if (known.sharing && *known.sharing != kind.sharing)
        throw InputError("--fix kind=" + *known.kind +
                         ": conflicts with the sharing that was given, expected a memory that is " +
                         kind.sharing->name);
    if (const auto unit = known.depth_unit(); unit && *unit != kind.unit) {
        throw InputError("--fix kind=" + *known.kind + ": conflicts with the depth that was given in " +
                         unit_text(*unit) + ", expected " + unit_of(kind));
    }
}

template <class Value>
std::vector<Value> ascending(std::vector<Value> values) {
    std::sort(values.begin(), values.end());
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
    const auto read = [&](const char* option, const std::vector<std::string>& texts, const auto& reader) {
        for (const std::string& text : texts) {
            read_at(std::string(option) + " " + text, [&] { reader(text); });
        }
    };
    read("--fix", options.fixed, [&](const std::string& text) {
        const std::size_t equals = text.find('=');
        read_fixed(result, text.substr(0, equals), equals == std::string::npos ? "" : text.substr(equals + 1));
    });
    read("--bound", options.bounds, [&](const std::string& text) { read_bound(result, text); });
    for (const std::string& name : options.free) {
        const Fixable* const known = fixable_named(name);
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
    const std::string expected =
        option + ": found \"" + text + "\", expected a percentage above 0 and below 100 such as \"1%\"";
    if (text.empty() || text.back() != '%') throw InputError(expected);
    try {
        const double share = as_number(parse_ratio(text));
        if (share > 0 && share < 1) return share;
    } catch (const std::invalid_argument&) {
    }
    throw InputError(expected);
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
    constexpr std::string_view kFrames = "frames";
    const bool frames = text.size() >= kFrames.size() && text.substr(text.size() - kFrames.size()) == kFrames;
    std::string_view number = frames ? text.substr(0, text.size() - kFrames.size()) : text;
    while (!number.empty() && number.back() == ' ') number.remove_suffix(1);
    const bool percent = !number.empty() && number.back() == '%';
    try {
        const double value = as_number(parse_ratio(number));
        if (frames != percent || value == 0) return {value, value, !frames};
    } catch (const std::invalid_argument&) {
    }
    throw std::invalid_argument(
        "found \"" + std::string(text) +
        "\", expected a part of a burst's length such as \"2 %\", a number of lost frames such as \"3 frames\", or 0");
}

}  // namespace watershed
