// SPDX-License-Identifier: GPL-2.0-only
#include <boost/range/algorithm_ext/erase.hpp>
#include <numeric>

#include "calibrate/absorption/absorption-fit.h"
#include "calibrate/fit/fit-steps.h"
#include "calibrate/posterior/likelihood-starts.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

/// A kind, and what its prior odds are beside a plain memory in frames or bytes.
struct Candidate {
    QueueModel model;
    double log_prior = 0;
};

/// A receiver, and a header that the scenario does not name, beside its cell without one.
const double kReceiver = std::log(0.1), kHeader = std::log(0.25);
/// Kinds of cells that are tried; of the likeliest, those that are compared more closely; and bursts of one payload
/// that are looked at to choose them.
constexpr std::size_t kMostKinds = 40, kMostClose = 3, kMostAlike = 24, kMostBursts = 2000;

/// Frames of one payload that the memory holds, as far as the bursts with this payload tell if they do not scatter.
struct Room {
    const Burst* like = nullptr;
    double least = 1, most = HUGE_VAL;
};

/// A few numbers of lost frames that scatter are explained to the frame by luck, so that this says nothing of them.
bool no_scatter(const std::vector<Burst>& bursts, const FitOptions& options) {
    return (options.noise && options.noise->none()) || !any_loss_counted(bursts);
}

Room room_of(const QueueModel& in_frames, const std::vector<Burst>& bursts, const FitOptions& options) {
    Room room{&bursts.front(), 1, HUGE_VAL};
    if (!no_scatter(bursts, options)) return room;
    FitOptions free = options;
    free.depth.reset();
    free.depth_bounds.reset();
    const FeasibleRegion region = feasible_region(in_frames, bursts, known_box(in_frames, bursts, free));
    if (region.feasible()) {
        room.least = double(region.depth_low);
        if (!region.depth_open) room.most = double(region.depth_high);
    }
    return room;
}

/// Evenly some of a larger map.
std::vector<Burst> some_of(const std::vector<Burst>& bursts) {
    constexpr std::size_t kMost = 60;
    if (bursts.size() <= kMost) return bursts;
    std::vector<Burst> some;
    for (std::size_t i = 0; i < kMost; ++i) some.push_back(bursts[i * bursts.size() / kMost]);
    return some;
}

/// A place of one kind of memory that others of its kind share, with depth in frames of the first burst.
struct KindPlace {
    double log_likelihood = -HUGE_VAL;
    double frames = 1, rate = 1;
    double noise = 0.5;  ///< as a part of what is tried: of frames, or of the length
};

/// Returns the largest likelihood of a kind, with noise and single strays, and its place.
/// @param known  places of similar kinds
KindPlace likeliest_place(const QueueModel& model, const std::vector<Burst>& bursts, const FitOptions& options,
                          const std::vector<KindPlace>& known) {
    constexpr std::size_t kMembers = 18;
    constexpr int kGenerations = 15, kFirst = 60;
    constexpr double kStray = 0.02, kLeastScatter = 0.3, kScatters = 1000;
    const BurstLikelihood likelihood(model, bursts);
    const SearchBox box = known_box(model, bursts, options);
    const double low_depth = std::log(double(std::max<std::int64_t>(1, box.depth_low))),
                 depths = std::log(double(box.depth_high) + 1) - low_depth;
    const double low_rate = std::log(box.least_rate()), rates = std::log(box.rate_high) - low_rate;
    // Counted losses: one half stands for noise of the number of frames, the other for noise of the length.
    const auto noise_share = [](double frames) { return std::log(frames / kLeastScatter) / std::log(kScatters) / 2; };
    const auto hidden_at = [&](const std::array<double, 3>& at) {
        BurstParameters parameters;
        parameters.depth = std::exp(low_depth + at[0] * depths);
        parameters.rate = std::exp(low_rate + at[1] * rates);
        if (likelihood.counted() && at[2] < 0.5)
            parameters.noise_frames = kLeastScatter * std::pow(kScatters, 2 * at[2]);
        else
            parameters.noise_length = 0.003 * std::pow(100, likelihood.counted() ? 2 * at[2] - 1 : at[2]);
        parameters.stray = kStray;
        return parameters;
    };
    const auto log_likelihood = [&](const std::array<double, 3>& at) {
        return likelihood.log_likelihood(hidden_at(at));
    };
    std::vector<std::pair<double, std::array<double, 3>>> starts;
    const auto start_at = [&](double depth, double rate, double noise) {
        const std::array<double, 3> at{(std::log(depth) - low_depth) / std::max(depths, 1e-12),
                                       (std::log(rate) - low_rate) / std::max(rates, 1e-12), noise};
        if (at[0] >= 0 && at[0] <= 1 && at[1] >= 0 && at[1] <= 1) starts.emplace_back(-log_likelihood(at), at);
    };
    for (const BurstParameters& place : starts_from_pairs(likelihood, model))
        if (place.loss == 0) start_at(place.depth, place.rate, noise_share(1));
    const auto cost = double(model.cost(bursts.front()));
    for (const KindPlace& place : known) start_at(place.frames * cost, place.rate, place.noise);
    boost::sort(starts);
    std::vector<std::array<double, 3>> likeliest;
    for (std::size_t i = 0; i < starts.size() && i < kMembers / 2; ++i) likeliest.push_back(starts[i].second);
    const Peak<3> peak =
        evolve<3>(log_likelihood, {0, 0, 0}, {1, 1, 1}, likeliest, kMembers, known.empty() ? kFirst : kGenerations);
    const BurstParameters parameters = hidden_at(peak.at);
    return {peak.value, parameters.depth / cost, parameters.rate, peak.at[2]};
}

/// Cells, what frames of each payload cost in them, and how likely they are with all that look the same to the map.
struct Kind {
    QueueModel model;
    std::vector<std::int64_t> costs;
    double prior = 0, most = 0;
    std::vector<Kind> others{};  ///< kinds that it represents, including itself
};

/// Reduces kinds to at most `most`. Since the depth is free, bursts determine only the ratios of the costs of different
/// payloads. Kinds with nearly equal ratios are represented by the likeliest of them; no more are joined than
/// necessary.
std::vector<Kind> gathered(const std::vector<Kind>& kinds, std::size_t most) {
    if (kinds.size() <= most) return kinds;
    constexpr double kNarrowest = 1e-4, kWider = 1.5;  // step of a factor's logarithm; ratio of steps
    std::map<std::vector<std::int64_t>, Kind> by_factors;
    for (double step = kNarrowest; by_factors.empty() || by_factors.size() > most; step *= kWider) {
        by_factors.clear();
        for (const Kind& kind : kinds) {
            std::vector<std::int64_t> factors;
            for (const std::int64_t cost : kind.costs)
                factors.push_back(std::llround(std::log(double(cost) / double(kind.costs.front())) / step));
            Kind& all = by_factors[factors];
            if (kind.most > all.most) all.model = kind.model, all.costs = kind.costs, all.most = kind.most;
            all.prior += kind.prior;
            all.others.push_back(kind);
        }
    }
    return transformed_values(by_factors, [](const auto& kind) { return kind.second; });
}

/// How likely a map is in some kinds of cells.
class KindScale {
  public:
    KindScale(const std::vector<Burst>& bursts, const FitOptions& options)
        : bursts_(bursts), some_(some_of(bursts)), options_(options) {}

    /// The likeliest kind, and by what factor all together are likelier, each as often as it is.
    Candidate weigh(const std::vector<Kind>& kinds) {
        explained_ = no_scatter(bursts_, options_) &&
                     boost::algorithm::any_of(kinds, [&](const Kind& kind) { return region_of(kind).feasible(); });
        return weigh(kinds, kMostKinds).candidate;
    }

  private:
    struct Weighed {
        Candidate candidate;
        double log_sum = -HUGE_VAL;
    };

    /// Looks more closely where the map is likeliest.
    Weighed weigh(const std::vector<Kind>& kinds, std::size_t most) {
        const std::vector<Kind> few = gathered(kinds, most);
        std::vector<Weighed> each;
        for (const Kind& kind : few) {
            const double log_prior = std::log(kind.prior);
            each.push_back({{kind.model, log_prior}, log_prior + log_likelihood(kind)});
        }
        std::vector<std::size_t> order(few.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        boost::stable_sort(order, [&](std::size_t a, std::size_t b) { return each[a].log_sum > each[b].log_sum; });
        std::vector<Kind> closer;
        for (std::size_t i = 0; i < std::min(kMostClose, order.size()); ++i) {
            const auto& others = few[order[i]].others;
            closer.insert(closer.end(), others.begin(), others.end());
        }
        Weighed best = each[order.front()];
        std::vector<double> logs;
        if (closer.size() > kMostClose && few.size() > kMostClose) {
            best = weigh(closer, kMostAlike);
            logs.push_back(best.log_sum);
            for (std::size_t i = kMostClose; i < order.size(); ++i) logs.push_back(each[order[i]].log_sum);
        } else {
            for (const Weighed& one : each) logs.push_back(one.log_sum);
        }
        const double sum = log_sum(logs);
        return {{best.candidate.model, best.candidate.log_prior + sum - best.log_sum}, sum};
    }

    /// Returns the log likelihood of a kind; if some kinds explain every burst, without scatter, the log of the
    /// fraction of depths and rates with which it does.
    double log_likelihood(const Kind& kind) {
        if (explained_) return std::log(std::max(region_of(kind).share, 1e-300));
        places_.push_back(likeliest_place(kind.model, some_, options_, places_));
        return places_.back().log_likelihood;
    }

    FeasibleRegion region_of(const Kind& kind) const {
        return feasible_region(kind.model, bursts_, known_box(kind.model, bursts_, options_));
    }

    const std::vector<Burst>& bursts_;
    std::vector<Burst> some_;
    const FitOptions& options_;
    bool explained_ = false;
    std::vector<KindPlace> places_;
};

/// Cells of one size alone, with headers of which frames take more of them than without.
std::vector<CellsAlike> with_header(const std::vector<CellsAlike>& cells, std::int64_t cell) {
    std::vector<CellsAlike> kept;
    double all = 0;
    for (CellsAlike alike : cells) {
        boost::remove_erase_if(alike.all, [&](const CellSize& one) { return one.cell != cell; });
        if (alike.all.empty() || alike.all.front().header == 0) continue;
        alike.likeliest =
            *boost::max_element(alike.all, [](const CellSize& a, const CellSize& b) { return a.prior < b.prior; });
        alike.prior = 0;
        for (const CellSize& one : alike.all) alike.prior += one.prior;
        all += alike.prior;
        kept.push_back(std::move(alike));
    }
    for (CellsAlike& alike : kept) alike.prior /= all, alike.likeliest.prior /= all;
    return kept;
}

/// The likeliest cells that explain all payloads, or nothing.
/// @param cell  size that the scenario names, for which a header is sought; 0: both are
std::optional<Candidate> cells_of(const QueueModel& in_frames, const std::vector<Burst>& bursts,
                                  const FitOptions& options, std::int64_t cell) {
    std::map<std::int64_t, std::vector<Burst>> by_payload;
    for (const Burst& burst : bursts) by_payload[burst.payload].push_back(burst);
    std::vector<Room> rooms;
    for (const auto& [payload, some] : by_payload)
        if (some.size() <= kMostBursts) rooms.push_back(room_of(in_frames, some, options));
    if (rooms.size() < 2) return std::nullopt;
    const auto sizes = transformed_values(rooms, [](const Room& room) { return room.like->buffer; });
    std::vector<Kind> kinds;
    for (const CellsAlike& alike : cell > 0 ? with_header(cells_alike(sizes), cell) : cells_alike(sizes)) {
        double least = 0, most = HUGE_VAL;
        for (std::size_t i = 0; i < rooms.size(); ++i) {
            const auto cost = double(alike.costs[i]);
            least = std::max(least, rooms[i].least * cost), most = std::min(most, (rooms[i].most + 1) * cost - 1);
        }
        if (least > most) continue;
        QueueModel model = in_frames;
        model.unit = MemorySize::Unit::Cell;
        model.cell = alike.likeliest.cell;
        model.header = alike.likeliest.header;
        model.header_found = cell > 0;
        kinds.push_back({model, alike.costs, alike.prior, alike.likeliest.prior});
    }
    if (kinds.empty()) return std::nullopt;
    return KindScale(bursts, options).weigh(gathered(kinds, kMostKinds));
}

/// Frames take as much of the counters that were read.
bool counters_alike(const QueueModel& one, const QueueModel& other, const std::vector<Burst>& bursts) {
    return boost::algorithm::all_of(bursts, [&](const Burst& burst) {
        return !burst.peak || counter_cost(one, burst) == counter_cost(other, burst);
    });
}

/// Bursts of larger maps that a posterior looks at.
constexpr std::size_t kMostSampled = 300;

}  // namespace

std::vector<Burst> seen_by(const QueueModel& model, std::vector<Burst> bursts, const Burst& first) {
    if (model.per_packet)
        for (Burst& burst : bursts) burst = seen_by(model, std::move(burst), first.wire);
    return bursts;
}

std::optional<ModelFit> receiver_ring(const std::vector<Burst>& bursts, const Conditions& conditions,
                                      const FitOptions& options) {
    const auto rate = conditions.nominal_rate;
    if (conditions.scenario.empty() || !rate ||
        (options.depth_unit() && *options.depth_unit() != MemorySize::Unit::Frame))
        return std::nullopt;
    std::set<double> loads;
    for (const Burst& burst : bursts) {
        if (burst.uplinks > 1) return std::nullopt;
        if (burst.loss_counted() && burst.events > 1)
            loads.insert(double(burst.ports) * bit_picoseconds(burst.wire) /
                         (double(burst.spacing.count()) * double(rate->count)));
    }
    // An uplink that never rests lets the ring lose by length alone; another separation tells it from a memory ahead.
    if (loads.size() < 2 || *loads.rbegin() <= 1) return std::nullopt;
    ModelFit ring;
    ring.model.per_packet = true;
    ring.model.ring_port = rate->count;
    ring.log_prior = log_prior_of(ring.model, kReceiver, options);
    return ring;
}

double log_prior_of(const QueueModel& model, double usual, const FitOptions& options) {
    const auto chosen = options.kind_weights.find(model.name());
    return chosen == options.kind_weights.end() ? usual : std::log(chosen->second);
}

std::vector<ModelFit> candidates(const std::vector<Burst>& bursts, const Conditions& conditions,
                                 const FitOptions& options) {
    const bool payloads =
        boost::algorithm::any_of(bursts, [&](const Burst& burst) { return burst.payload != bursts.front().payload; });
    std::vector<ModelFit> all;
    const auto add_known = [&](const Candidate& candidate) {
        if (options.sharing && *options.sharing != candidate.model.sharing) return;
        if (options.kind && !is_named(candidate.model, *options.kind) &&
            (candidate.model.per_packet || boost::algorithm::none_of(kFeatures, [&](Feature feature) {
                 QueueModel with = candidate.model;
                 with.feature = feature;
                 return is_named(with, *options.kind);
             })))
            return;
        all.emplace_back();
        all.back().model = candidate.model;
        all.back().log_prior = log_prior_of(candidate.model, candidate.log_prior, options);
    };
    const auto add = [&](Candidate candidate) {
        if (options.depth_unit() && *options.depth_unit() != candidate.model.unit) return;
        if (!conditions.scenario.empty() && conditions.sharing == candidate.model.sharing &&
            conditions.unit == candidate.model.unit)
            candidate.log_prior += std::log(kScenarioOdds);
        add_known(candidate);
        if ((!payloads && !options.kind) || candidate.model.header_found) return;
        candidate.model.per_packet = true;
        candidate.log_prior += kReceiver;
        add_known(candidate);
    };
    std::vector<Buffer::Sharing> sharings{Buffer::Sharing::Shared, Buffer::Sharing::PerInput};
    // Towards one number of uplinks, memories of the outputs are a shared one of their sum.
    if (boost::algorithm::any_of(bursts, [&](const Burst& burst) { return burst.uplinks != bursts.front().uplinks; }))
        sharings.push_back(Buffer::Sharing::PerOutput);
    for (const auto sharing : sharings) {
        const QueueModel in_frames{sharing, MemorySize::Unit::Frame};
        QueueModel other = in_frames;
        add({in_frames, 0});
        other.unit = MemorySize::Unit::Byte;
        add({other, 0});
        if (conditions.cell > 0) {
            other.unit = MemorySize::Unit::Cell;
            other.cell = conditions.cell;
            other.header = conditions.cell_header;
            add({other, 0});
        }
        if (!payloads || conditions.cell_header > 0) continue;
        if (auto cells = cells_of(in_frames, bursts, options, conditions.cell)) {
            if (conditions.cell > 0) cells->log_prior += kHeader;
            add(*cells);
        }
    }
    if (const auto ring = receiver_ring(bursts, conditions, options);
        ring && options.kind && is_named(ring->model, *options.kind))
        all.push_back(*ring);
    if (all.empty() && (options.kind || options.sharing))
        throw InputError(
            "--fix " + (options.kind ? "kind=" + *options.kind : std::string("sharing")) +
            ": no such memory can be fitted to this map; cells need a scenario's switch.buffer.cell or a "
            "second payload, per-output several numbers of congested uplinks, a receiver's ring a scenario's "
            "uplink_rate and numbers of lost frames at two separations");
    if (all.empty())
        throw InputError(
            "--fix, --bound depth: found cells, expected frames or bytes: neither a scenario's switch.buffer.cell nor "
            "a second payload size tells what a frame takes");
    return all;
}

std::vector<std::optional<std::size_t>> equivalent_kinds(const std::vector<ModelFit>& kinds,
                                                         const std::vector<Burst>& bursts) {
    std::vector<std::optional<std::size_t>> like(kinds.size());
    const std::int64_t size = bursts.front().buffer, wire = bursts.front().wire;
    if (boost::algorithm::any_of(bursts,
                                 [&](const Burst& burst) { return burst.buffer != size || burst.wire != wire; }))
        return like;
    for (std::size_t i = 0; i < kinds.size(); ++i)
        for (std::size_t j = 0; j < i && !like[i]; ++j)
            if (kinds[j].model.sharing == kinds[i].model.sharing && kinds[j].model.feature == kinds[i].model.feature &&
                kinds[j].model.per_packet == kinds[i].model.per_packet &&
                counters_alike(kinds[j].model, kinds[i].model, bursts))
                like[i] = j;
    return like;
}

ParameterPosterior in_unit_of(const QueueModel& model, const QueueModel& other, const Burst& any,
                              ParameterPosterior posterior) {
    const auto from = double(other.cost(any)), to = double(model.cost(any));
    constexpr double kGolden = 0.6180339887498949;  // evenly spread over a frame
    double part = 0.5;
    for (BurstParameters& one : posterior.samples) {
        // A fraction of a frame counts where some of the memory is not in a burst.
        one.depth = (model.has_reserve() ? one.depth / from : std::floor(one.depth / from) + part) * to;
        one.traffic_memory *= to / from;
        part = std::fmod(part + kGolden, 1);
    }
    return posterior;
}

void equalize_lossless_evidence(std::vector<ModelFit>& kinds, const std::vector<Burst>& bursts) {
    for (ModelFit& one : kinds)
        for (const ModelFit& other : kinds)
            if (other.model.per_packet == one.model.per_packet && counters_alike(other.model, one.model, bursts)) {
                one.log_evidence = other.log_evidence;
                one.error_of_log_evidence = other.error_of_log_evidence;
                break;
            }
}

FitInput::FitInput(const std::vector<Burst>& all, const FitOptions& known, Time step)
    : bursts(all), options(known), flags(as_flags(all)), counted(any_loss_counted(all)) {
    for (const Burst& burst : all) lossy += burst.lossy;
    peaks = boost::algorithm::any_of(all, [](const Burst& burst) { return burst.peak.has_value(); });
    sample = all.size() <= kMostSampled ? all
             : counted || peaks         ? sample_of(all, kMostSampled)
                                        : bursts_near_loss(flags, kMostSampled);
    // Depth and rate follow two separations; counts of two more agree to the frame by chance in one map of hundreds.
    constexpr std::size_t kFew = 4;
    std::set<Time> separations;
    for (const Burst& burst : all) separations.insert(burst.separation);
    if (separations.size() <= kFew && !known.service_rate) rounding = step;
}

std::vector<Burst> FitInput::with_rounding(std::vector<Burst> some, double rate) const {
    for (Burst& burst : some)
        burst.tolerance += std::int64_t(
            std::ceil(double(burst.events - 1) * double(rounding.count()) / 2 / bit_picoseconds(burst.wire) * rate));
    return some;
}

}  // namespace watershed
