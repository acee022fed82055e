// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/closed-form/uneven-uplinks.h"

namespace watershed {
namespace {

/// Frames that counting whole places leaves open, per square root of the events in which one side's frames fill the
/// memory.
constexpr double kPlacesLeftOpen = 0.5;
/// The same, as a part of the places by which a side gains on the other by an event.
constexpr double kGainLeftOpen = 0.02;

/// Returns the freed places that modules of the fullest uplink take.
double taken_by_fullest(AskingOrder order, double freed, double fullest, double ports) {
    const auto in_turn = [&](double ahead) { return std::floor(freed * fullest / ports + ahead); };
    double taken = freed * fullest / ports;
    switch (order) {
        case AskingOrder::Unknown: break;
        case AskingOrder::FullestFirst: taken = freed; break;
        case AskingOrder::FullestLast: taken = 0; break;
        case AskingOrder::InTurnOthersBegin: taken = in_turn(1e-9); break;
        case AskingOrder::InTurn: taken = in_turn(0.5); break;
        case AskingOrder::InTurnFullestBegins: taken = in_turn(1 - 1 / ports); break;
    }
    return std::clamp(taken, std::max(0.0, freed - (ports - fullest)), std::min(freed, fullest));
}

/// A full memory whose one side always has frames waiting and sends `each` by an event, on average, while the other
/// side's uplinks are empty whenever an event comes, and have sent what they were given by the last one.
/// @param given  places that the idle side gets of so many free ones
/// @return frames that enter by so many events
template <class Given>
double entering_while_idle(double events, double each, double given_at_first, const Given& given) {
    constexpr int kSettling = 8, kMostPeriod = 32;  // the idle side's share goes down by a factor each time
    // Number of events that nearly drain whole frames: then it starts again.
    int period = 1;
    double least = 1;
    for (int events_each = kSettling; events_each <= kMostPeriod; ++events_each) {
        const double off = std::abs(events_each * each - std::round(events_each * each));
        if (off < least) least = off, period = events_each;
    }
    double idle = given_at_first, entered = 0, settled = 0;
    int event = 0;
    for (; event < kSettling + period && event < events; ++event) {
        const double freed = std::floor((event + 1) * each) - std::floor(event * each) + idle;
        idle = given(freed);
        entered += freed * std::min(1.0, events - event);
        if (event >= kSettling) settled += freed;
    }
    return events > event ? entered + settled / period * (events - event) : entered;
}

}  // namespace

UplinkLoads even_loads(std::int64_t modules, std::int64_t uplinks) {
    const std::int64_t wides = modules % uplinks, narrow = modules / uplinks;
    if (wides == 0) return {{{{narrow, uplinks}, {}, {}}}};
    return {{{{narrow + 1, wides}, {narrow, uplinks - wides}, {}}}};
}

UnevenOverflow overflow_of_uneven(const UplinkLoads& loads, const Burst& burst, double room, double drained,
                                  AskingOrder order) {
    const double gaps = double(burst.events - 1), ports = double(burst.ports), fullest = double(loads.most());
    double beyond = double(burst.fragments()) - room, growth = ports, others = 0;
    const double each = gaps > 0 ? drained / gaps : 0;
    for (const UplinkLoad& load : loads) {
        const auto modules = double(load.modules), uplinks = double(load.uplinks);
        beyond -= uplinks * std::min(gaps * modules, drained);
        growth -= uplinks * std::min(modules, each);
        if (&load != loads.begin()) others += uplinks * std::max(0.0, modules - each);
    }
    if (beyond <= 0 || gaps == 0 || growth <= 0) return {beyond, 0};
    const double leaving = std::min(fullest, each), full_for = std::min(beyond / growth, gaps), freed = ports - growth;
    // Events until the burst's end in which one side's frames fill the memory, if it gains so many places by each
    // event.
    const auto taken_over = [&](double gained, double held_by_other_side) {
        return gained > 0 ? std::max(0.0, full_for - held_by_other_side * (gaps - full_for) / gained) : 0;
    };
    if (order != AskingOrder::Unknown) {
        // All uplinks send whole frames, and as many.
        const double other_uplinks = burst.uplinks - 1, whole = std::floor(each), part = each - whole;
        const auto taken = [&](double frames) { return taken_by_fullest(order, frames, fullest, ports); };
        const auto freed_by = [&](double sent) {
            return std::min(fullest, sent) + std::min(ports - fullest, other_uplinks * sent);
        };
        const double gained = (1 - part) * taken(freed_by(whole)) + part * taken(freed_by(whole + 1)) - leaving;
        const bool by_fullest = gained > 0 || others == 0;
        const double alone = others == 0  ? full_for
                             : by_fullest ? taken_over(gained, others)
                                          : taken_over(-gained, fullest - leaving);
        const double busy = by_fullest ? leaving : freed - leaving;
        const double entered = entering_while_idle(alone, busy, freed - busy, [&](double frames) {
            return by_fullest ? frames - taken(frames) : taken(frames);
        });
        const double more = std::max(0.0, alone * freed - entered);
        if (alone <= 0) return {beyond + more, 0};
        // The slower one side takes over, the less certain it is when it has.
        return {beyond + more,
                std::hypot(kPlacesLeftOpen * std::sqrt(alone),
                           others == 0 ? 0 : kGainLeftOpen / std::abs(gained) * (full_for - alone) * more / alone)};
    }
    const double more = ports * (1 - leaving / fullest) - growth;  // is then lost by each event
    const double in_proportion = taken_over(fullest / ports * freed - leaving, others) * std::max(0.0, more);
    // A side whose modules always ask first takes over soon, and the other side's uplinks fall idle.
    const double fullest_first = taken_over(std::min(fullest, freed) - leaving, others) * (freed - leaving);
    const double others_first =
        taken_over(std::min(ports - fullest, freed) - (freed - leaving), fullest - leaving) * leaving;
    return {beyond + in_proportion,
            std::max({in_proportion, fullest_first - in_proportion, others_first - in_proportion})};
}

}  // namespace watershed
