// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/ingest/blame.h"

#include <boost/range/algorithm.hpp>
#include <map>
#include <stdexcept>

#include "calibrate/ingest/counter-names.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

using What = Counter::What;

struct Most {
    std::int64_t value = 0;
    std::string name;  ///< counters of all devices with losses, else that of the first device
    bool any = false;
    std::vector<DeviceLoss> devices;  ///< devices with losses
};

/// Returns what one device counted: the sum of counters that add up, or a larger one of the others.
DeviceLoss loss_of(const std::vector<const Counter*>& counters) {
    struct Sum {
        const Counter* first;
        std::string name;
        std::int64_t value;
    };
    std::vector<Sum> sums;  // one for all queues
    for (const Counter* one : counters) {
        const std::string queues = of_all_queues(one->name);
        const auto same = boost::find_if(sums, [&](const Sum& sum) {
            return !one->tool.empty() && of_all_queues(sum.first->name) == queues && sum.first->adds_up == one->adds_up;
        });
        if (same == sums.end()) {
            sums.push_back({one, name_of(*one), one->value});
            continue;
        }
        same->value += one->value;
        if (same->first->name != one->name) same->name = name_of({queues, one->device});
    }
    DeviceLoss loss{counters.front()->device, sums.front().name, 0};
    for (const Sum& sum : sums)
        if (sum.first->adds_up && sum.value > 0)
            loss.by = (loss.lost > 0 ? loss.by + " + " : "") + sum.name, loss.lost += sum.value;
    for (const Sum& sum : sums)
        if (!sum.first->adds_up && sum.value > loss.lost) loss.by = sum.name, loss.lost = sum.value;
    return loss;
}

/// Returns the sum over devices of what each counted of one quantity at one place, by the tool that counts most.
Most most_of(const std::vector<Counter>& counted, What what, Place place) {
    std::map<std::string, std::map<std::string, std::vector<const Counter*>>> tools;
    for (const Counter& one : counted)
        if (one.what == what && one.place == place) tools[one.tool][one.device].push_back(&one);
    Most all;
    for (const auto& [tool, devices] : tools) {
        Most most;
        most.any = true;
        for (const auto& [device, counters] : devices) {
            const DeviceLoss loss = loss_of(counters);
            most.value += loss.lost;
            if (most.name.empty()) most.name = loss.by;
            if (loss.lost > 0) most.devices.push_back(loss);
        }
        if (!most.devices.empty()) most.name.clear();
        for (const DeviceLoss& one : most.devices) most.name += (most.name.empty() ? "" : " + ") + one.by;
        if (!all.any || most.value > all.value) all = most;
    }
    return all;
}

std::string frames(std::int64_t number) { return how_many(number, "frame"); }

/// The last place on the way that counts arrivals.
Most arrivals(const std::vector<Counter>& counted) {
    for (const Place place : {Place::Socket, Place::Kernel, Place::Ring, Place::Card}) {
        Most most = most_of(counted, What::Arrived, place);
        if (most.any) return most;
    }
    return {};
}

void find_contradictions(Blame& blame, const std::vector<Counter>& counted) {
    const auto note = [&](const std::string& text) { blame.contradictions.push_back(text); };
    const Most sent = most_of(counted, What::Sent, Place::Sender), last = arrivals(counted),
               card = most_of(counted, What::Arrived, Place::Card),
               socket = most_of(counted, What::Arrived, Place::Socket);
    if (sent.value > 0 && sent.value < blame.sent)  // a host that sent none received them
        note(sent.name + " counts " + frames(sent.value) + " sent, fewer than the " + std::to_string(blame.sent) +
             " of the burst: the sender did not send all");
    if (sent.any && sent.value > blame.sent)
        note(sent.name + " counts " + frames(sent.value) + " sent, more than the " + std::to_string(blame.sent) +
             " of the burst: others sent too");
    if (last.any && last.value > blame.sent)
        note(last.name + " counts " + frames(last.value) +
             ", more than were sent: others sent too, or frames came twice");
    if (last.any && last.value < blame.arrived)
        note(last.name + " counts " + frames(last.value) + ", fewer than arrived (" + std::to_string(blame.arrived) +
             ")");
    if (card.any && socket.any && socket.value > card.value)
        note(socket.name + " counts " + frames(socket.value) + ", more than " + card.name + " (" +
             std::to_string(card.value) + ") let in: frames came another way");
    if (card.any && socket.any) {
        std::int64_t behind = 0;
        for (const Place place : {Place::Ring, Place::Kernel, Place::Socket}) behind += blame.at(place).lost;
        const std::int64_t gone = card.value - socket.value;
        if (gone > behind)
            note("between card and socket " + frames(gone) + (gone == 1 ? " is" : " are") +
                 " gone, of which counters there saw " + std::to_string(behind));
    }
    std::int64_t explained = 0;
    for (const PlaceLoss& one : blame.places) explained += one.lost;
    if (explained > blame.missing())
        note("counters lost " + frames(explained) + ", more than the " + std::to_string(blame.missing()) +
             " that are missing: frames of others, or one loss counted at two places");
}

}  // namespace

Blame blame_for(std::int64_t sent, const std::optional<std::int64_t>& arrived, const std::vector<Counter>& counted) {
    Blame blame;
    blame.sent = sent;
    std::int64_t explained = 0;
    for (const Place place : kPlaces) {
        const Most most = most_of(counted, What::Lost, place);
        explained += most.value;
        blame.places.push_back({place, most.any, most.value, most.name, most.devices});
    }
    const Most last = arrivals(counted);
    if (arrived) {
        blame.arrived = *arrived, blame.arrived_by = "as measured";
    } else if (last.any) {
        blame.arrived = std::min(sent, last.value), blame.arrived_by = last.name;
    } else {
        blame.arrived = std::max<std::int64_t>(0, sent - explained);
        blame.arrived_by = "sent less what was counted as lost";
        blame.arrival_known = false;
    }
    blame.unexplained = std::max<std::int64_t>(0, blame.missing() - explained);
    const auto without = boost::count_if(blame.places, [](const PlaceLoss& one) { return !one.counted; });
    const auto total = double(std::max(blame.missing(), explained)), open = double(blame.unexplained);
    for (PlaceLoss& one : blame.places) {
        if (total <= 0) continue;
        const auto lost = double(one.lost);
        one.low = one.high = one.probability = lost / total;
        if (!one.counted && without > 0) one.probability = open / double(without) / total;
        if (!one.counted) one.high = open / total;
    }
    blame.not_known = not_known(counted);
    find_contradictions(blame, counted);
    if (blame.unexplained > 0 && without == 0)
        blame.contradictions.push_back(frames(blame.unexplained) +
                                       " missing, which no counter saw, though every place has one");
    return blame;
}

std::vector<Counter> counters_of_lost_at(const std::string& text) {
    std::vector<Counter> counted;
    if (text.empty() || text == "none") return counted;
    for (std::size_t start = 0, end = 0; end != std::string::npos; start = end + 1) {
        end = text.find(';', start);
        std::string part = text.substr(start, end - start);
        part.erase(0, part.find_first_not_of(' '));
        const std::size_t blank = part.find(' ');
        try {
            if (blank == std::string::npos) throw std::invalid_argument(part);
            Counter one{"lost_at", "", What::Lost, place_named(part.substr(0, blank)), 0};
            std::size_t read = 0;
            one.value = std::stoll(part.substr(blank + 1), &read);
            if (blank + 1 + read != part.size() || one.value < 0) throw std::invalid_argument(part);
            counted.push_back(one);
        } catch (const std::exception&) {
            throw std::invalid_argument("found \"" + part + "\", expected a place and a number such as \"switch 120\"");
        }
    }
    return counted;
}

}  // namespace watershed
