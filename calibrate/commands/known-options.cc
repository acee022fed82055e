// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/commands/known-options.h"

#include "calibrate/fit/report-text.h"
#include "scenarios/reader/reader.h"
#include "scenarios/sweep/workers.h"
#include "scenarios/text/did-you-mean.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

/// Names that may be known, as error messages list them.
constexpr const char* kMayBeKnown = "service_rate, depth, noise, loss, bucket, traffic, sharing or kind";
constexpr const char* kMayBeBounded = "service_rate, depth, noise, loss, bucket or traffic";

/// Sharing policies with a closed form of their own (calibrate/closed-form/queue-model.h). A dynamic threshold is a
/// feature of the shared one; for other policies there is no kind to fit.
constexpr Buffer::Sharing kWithClosedForm[] = {Buffer::Sharing::Shared, Buffer::Sharing::PerInput,
                                               Buffer::Sharing::PerOutput};

[[noreturn]] void refuse(const std::string& text, const std::string& expected) {
    throw std::invalid_argument("found \"" + text + "\", expected " + expected);
}

/// Parses a fraction below 1 with a per cent sign, or 0.
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

/// Returns the kind of a name that a fit may report; std::nullopt for the name of a feature.
std::optional<QueueModel> parse_kind(const std::string& text) {
    std::vector<std::string> names;
    for (const QueueModel& kind : reportable_kinds()) {
        names.push_back(kind.name());
        if (names.back() == text) return kind;
    }
    for (const Feature feature : kFeatures)
        if (to_text(feature) == text) return std::nullopt;
    refuse(text, "the name of a kind of memory, one of " + listed(names) + did_you_mean(text, names));
}

std::string parse_kind_name(const std::string& text) {
    parse_kind(text);
    return text;
}

/// Parses a value that is known exactly.
template <double (*parse)(const std::string&)>
KnownRange exactly(const std::string& text) {
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
KnownRange between(const KnownRange& low, const KnownRange& high) { return {low.low, high.high}; }
KnownNoise between(const KnownNoise& low, const KnownNoise& high) {
    expect_one_unit(low.relative == high.relative || low.none());
    return {low.low, high.high, high.relative};
}

/// Keeps limits in the member for them, or in the value itself. @return true if they are in order
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

/// Parameter that --fix sets and, if it has an order, --bound limits.
struct FixableParameter {
    std::string name;
    void (*fix)(FitOptions& options, const std::string& value);
    bool (*given)(const FitOptions& options);
    bool (*bound)(FitOptions& options, const std::string& name, const std::string& low, const std::string& high);
};

template <auto member, auto parse, auto bounds = member>
FixableParameter fixable(const char* name) {
    FixableParameter one{name, [](FitOptions& options, const std::string& value) { options.*member = parse(value); },
                         [](const FitOptions& options) { return (options.*member).has_value(); }, nullptr};
    if constexpr (!std::is_null_pointer_v<decltype(bounds)>) one.bound = bound<member, parse, bounds>;
    return one;
}

const FixableParameter* find_fixable(const std::string& name) {
    static const FixableParameter all[] = {
        fixable<&FitOptions::service_rate, parse_bit_rate, &FitOptions::service_rate_bounds>("service_rate"),
        fixable<&FitOptions::depth, parse_memory_size, &FitOptions::depth_bounds>("depth"),
        fixable<&FitOptions::noise, parse_noise>("noise"),
        fixable<&FitOptions::loss, exactly<parse_loss>>("loss"),
        fixable<&FitOptions::bucket, exactly<parse_bucket>>("bucket"),
        fixable<&FitOptions::traffic, exactly<parse_traffic>>("traffic"),
        fixable<&FitOptions::sharing, parse_sharing, nullptr>("sharing"),
        fixable<&FitOptions::kind, parse_kind_name, nullptr>("kind")};
    const auto found =
        std::find_if(std::begin(all), std::end(all), [&](const FixableParameter& one) { return one.name == name; });
    return found == std::end(all) ? nullptr : &*found;
}

void read_fixed(FitOptions& result, const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const FixableParameter* const known = find_fixable(name);
    if (!known) refuse(name, kMayBeKnown);
    if (known->given(result)) throw std::invalid_argument("found twice, expected one value of " + name);
    known->fix(result, equals == std::string::npos ? "" : text.substr(equals + 1));
}

/// NAME=LOW:HIGH
void read_bound(FitOptions& result, const std::string& text) {
    const std::size_t equals = text.find('='), colon = text.find(':', equals == std::string::npos ? 0 : equals);
    const std::string name = text.substr(0, equals);
    const FixableParameter* const known = find_fixable(name);
    if (!known || !known->bound) refuse(name, kMayBeBounded);
    if (equals == std::string::npos || colon == std::string::npos)
        throw std::invalid_argument("expected " + name + "=LOW:HIGH, as depth=\"100 kB:2 MB\"");
    if (!known->bound(result, name, text.substr(equals + 1, colon - equals - 1), text.substr(colon + 1)))
        throw std::invalid_argument("expected the lower limit first");
}

/// Refuses a kind that contradicts the sharing, or the unit of the depth.
void refuse_contradictions(const FitOptions& known) {
    const std::optional<QueueModel> kind = known.kind ? parse_kind(*known.kind) : std::nullopt;
    if (!kind) return;
    if (known.sharing && *known.sharing != kind->sharing)
        throw InputError("--fix kind=" + *known.kind +
                         ": conflicts with the sharing that was given, expected a memory that is " +
                         kind->sharing->name);
    if (const auto unit = known.depth_unit(); unit && *unit != kind->unit)
        throw InputError("--fix kind=" + *known.kind + ": conflicts with the depth that was given in " +
                         unit_text(*unit) + ", expected " + unit_of(*kind));
}

/// NAME=FAMILY:FIRST:SECOND, or kind.NAME=WEIGHT
void read_prior(FitOptions& result, const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals), value = equals == std::string::npos ? "" : text.substr(equals + 1);
    result.priors.push_back(text);
    if (begins_with(name, "kind.")) {
        const std::string kind = name.substr(5);
        if (!parse_kind(kind)) refuse(kind, "the name of a kind of memory, not of its feature alone");
        const auto weight = ratio_in(value);
        if (!weight || *weight <= 0 || value.back() == '%')
            refuse(value, "a weight above 0, beside 1 of a plain memory in frames or bytes");
        if (!result.kind_weights.emplace(kind, *weight).second) throw std::invalid_argument("found twice");
        return;
    }
    if (name != "depth" && name != "rate") refuse(name, "depth, rate or kind.NAME");
    using Family = ChosenPrior::Family;
    const std::map<std::string, Family> families{
        {"lognormal", Family::LogNormal}, {"uniform", Family::Uniform}, {"normal", Family::Normal}};
    const std::size_t colon = value.find(':'), second = value.find(':', colon == std::string::npos ? colon : colon + 1);
    const auto family = families.find(value.substr(0, colon));
    if (family == families.end() || second == std::string::npos)
        refuse(value, "lognormal:MEDIAN:SIGMA, uniform:LOW:HIGH or normal:MEAN:SIGMA");
    ChosenPrior prior;
    prior.family = family->second;
    const auto amount = [&](const std::string& of) {
        if (name == "rate") return double(parse_bit_rate(of).count);
        const MemorySize size = parse_memory_size(of);
        if (size.unit == MemorySize::Unit::Cell) refuse(of, "a depth in bytes or frames");
        prior.unit = size.unit;
        return double(size.amount);
    };
    prior.first = amount(value.substr(colon + 1, second - colon - 1));
    const MemorySize::Unit unit = prior.unit;
    const std::string last = value.substr(second + 1);
    if (prior.family == Family::LogNormal) {
        const auto sigma = ratio_in(last);
        if (!sigma) refuse(last, "the standard deviation of the logarithm, such as 0.5");
        prior.second = *sigma;
    } else {
        prior.second = amount(last);
        expect_one_unit(unit == prior.unit);
    }
    if (!(prior.second > 0) || (prior.family != Family::Uniform && !(prior.first > 0)) ||
        (prior.family == Family::Uniform && !(prior.second > prior.first)))
        refuse(value, "a width above 0");
    std::optional<ChosenPrior>& chosen = name == "depth" ? result.depth_prior : result.rate_prior;
    if (chosen) throw std::invalid_argument("found twice, expected one prior of " + name);
    if (name == "depth" ? result.depth || result.depth_bounds : result.service_rate || result.service_rate_bounds)
        throw std::invalid_argument("conflicts with what --fix or --bound says of it");
    chosen = prior;
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
        return conditions_of(read_scenario(Scope::own_bursts(), options.scenario, options.overrides), options.scenario);
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
    for (const std::string& text : options.priors) read_at("--prior " + text, [&] { read_prior(result, text); });
    for (const std::string& name : options.free) {
        const FixableParameter* const known = find_fixable(name);
        if (!known) throw InputError("--free " + name + ": expected " + kMayBeKnown);
        if (known->given(result))
            throw InputError("--free " + name + ": conflicts with what --fix or --bound says of it");
    }
    refuse_contradictions(result);
    return result;
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

void add_fix_options(CLI::App& command, KnownOptions& options) {
    repeatable_option(
        command, "--fix", options.fixed,
        "NAME=VALUE: a value that is known: service_rate=\"10 Gb/s\" (of one uplink), depth=\"308000 "
        "frames\", noise=\"2 %\" of a burst's length, noise=\"3 frames\" lost, or noise=0, loss=\"0.1 %\" "
        "of the frames at random, bucket=\"3 kB\" that an idle uplink sends at once, traffic=\"5 %\" of "
        "the uplink that others take, sharing=shared, per-input or per-output, kind=shared-bytes or "
        "another in the fit's table of models (repeatable)");
    repeatable_option(command, "--free", options.free,
                      "NAME: of those above, to be fitted, as without --fix (repeatable)");
    repeatable_option(
        command, "--bound", options.bounds,
        "NAME=LOW:HIGH: limits between which a value is known to lie: depth=\"100 kB:2 MB\", service_rate=\"9 "
        "Gb/s:10 Gb/s\", noise=\"0:5 %\", loss=\"0:1 %\", bucket=\"0:30 kB\", traffic=\"0:10 %\" (repeatable)");
}

void add_known_options(CLI::App& command, KnownOptions& options) {
    command
        .add_option("MAP", options.map,
                    "Loss map (CSV: ports,payload_bytes,separation_us,events,frames_sent,frames_received)")
        ->required();
    command.add_option(
        "--columns", options.columns,
        "What columns of other names and units hold: \"sep "
        "(ns)=separation_us*0.001,lost=frames_sent-frames_received\", or FILE.toml with lines \"sep (ns)\" = "
        "\"separation_us*0.001\"; cells may then be separated by semicolons or tabs and have decimal commas");
    command.add_option("--scenario", options.scenario,
                       "Scenario that supplies framing, link rate and number of uplinks; without it: 66 B on a link, "
                       "46 B in a buffer, 1 Gb/s inputs, 1 uplink");
    repeatable_option(command, "--set", options.overrides, "KEY=VALUE: override a key of the scenario (repeatable)");
    add_fix_options(command, options);
    repeatable_option(
        command, "--prior", options.priors,
        "NAME=LAW: what is held likely before any burst: depth=\"lognormal:100 kB:0.5\" (median, standard deviation of "
        "the logarithm), depth=\"uniform:50 kB:2 MB\", rate=\"normal:10 Gb/s:5 Mb/s\", or kind.shared-bytes=3, its "
        "weight beside 1 of a plain memory in frames or bytes (repeatable)");
    shown_option(command, "--rate", options.rate,
                 "What is known of the service rate: it is about the scenario's uplink rate (nominal: within 2 % "
                 "with a probability of one half, else anywhere), or unknown")
        ->check(CLI::IsMember({"nominal", "unknown"}));
    shown_option(command, "--counts", options.counts,
                 "Whether frames_sent - frames_received counts frames (use), or only says that some were lost "
                 "(ignore); auto: ignore if no burst lost more than one")
        ->check(CLI::IsMember({"auto", "use", "ignore"}));
    command.add_option("--frames", options.frames,
                       "Which frames of the bursts are missing, as `watershed measure --frames` keeps it: what a burst "
                       "lost of its first triggers is what a shorter burst would have lost");
    command.add_option("--jobs", options.jobs, "Number of threads; the result does not depend on it")
        ->check(CLI::Range(1, 1024))
        ->default_str("all processors");
    limit_jobs(command, options.jobs);
}

LossMap loss_map_of(const KnownOptions& options, const CsvTable& table, bool may_be_empty) {
    LossMap map = loss_map_from(table, may_be_empty);
    add_beginnings(map, frame_records_of(options), options.frames);
    return map;
}

}  // namespace watershed
