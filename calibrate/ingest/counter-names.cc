// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/ingest/counter-names.h"

#include <boost/algorithm/cxx11/all_of.hpp>
#include <boost/algorithm/cxx11/any_of.hpp>
#include <boost/algorithm/cxx11/none_of.hpp>
#include <boost/algorithm/string.hpp>
#include <boost/range/algorithm_ext/erase.hpp>
#include <sstream>

#include "scenarios/text/csv.h"

namespace watershed {

/// Line of the table.
struct CounterRow {
    std::string driver, kind, name, direction, meaning, place, part_of;
    bool of_switch() const { return kind == "switch" || kind == "nos"; }
    /// Returns what it counts, at a switch or a host.
    CounterMeaning means(bool at_switch) const;
};

namespace {

using What = Counter::What;

/// Matches a name with a pattern of the table, and notes what stands for {n}.
bool matches(std::string_view pattern, std::string_view name, std::vector<std::string>& parts) {
    if (pattern.empty()) return name.empty();
    if (boost::starts_with(pattern, "{n}")) {
        const std::size_t end = std::min(name.size(), name.find_first_not_of("0123456789"));
        if (end == 0) return false;
        parts.emplace_back(name.substr(0, end));
        return matches(pattern.substr(3), name.substr(end), parts);
    }
    return !name.empty() && name[0] == pattern[0] && matches(pattern.substr(1), name.substr(1), parts);
}

/// Returns the name that a pattern has with other parts.
std::string with_parts(std::string pattern, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) boost::replace_first(pattern, "{n}", part);
    return pattern;
}

const std::vector<CounterRow>& counter_rows() {
    static const std::vector<CounterRow> kRows = [] {
        std::vector<CounterRow> rows;
        std::istringstream in{std::string(kCounterTable)};
        const CsvTable table = CsvTable::read(in, "counters.csv");
        for (const CsvTable::Row& line : table.rows()) {
            const auto cell = [&](const char* name) { return line.cells[table.column(name)]; };
            rows.push_back({cell("driver"), cell("kind"), cell("name"), cell("direction"), cell("meaning"),
                            cell("place"), cell("part_of")});
        }
        return rows;
    }();
    return kRows;
}

}  // namespace

CounterMeaning CounterRow::means(bool at_switch) const {
    static const std::map<std::string, What> kWhats{{"lost", What::Lost},    {"error", What::Lost},
                                                    {"sent", What::Sent},    {"received", What::Arrived},
                                                    {"bytes", What::Octets}, {"unsure", What::NotKnown}};
    const auto found = kWhats.find(meaning);
    CounterMeaning means{found == kWhats.end() ? What::Harmless : found->second, Place::Card, false, part_of};
    means.by_rule = means.what == What::Lost && place == "filter";
    if (means.by_rule) means.what = What::NotKnown;
    const bool error = meaning == "error", received = means.what == What::Arrived;
    const bool of_cable = place == "wire" || (error && (place == "unknown" || boost::starts_with(place, "port-")));
    if (at_switch)
        means.place = of_cable ? Place::Cable : Place::Switch;
    else if (direction == "tx")
        means.place = Place::Sender;
    else if (place == "kernel-socket")
        means.place = Place::Socket;
    else if (of_cable)
        means.place = Place::Cable;
    else if (place == "ring" || place == "queue")
        means.place = received ? Place::Card : Place::Ring;
    else if (place == "host-memory" && !received)
        means.place = Place::Kernel;
    return means;
}

CounterNames::CounterNames(const std::set<std::string>& names, const std::optional<Place>& where) : where_(where) {
    std::map<std::string, int> of_drivers;
    for (const std::string& name : names) {
        std::vector<Match>& found = names_[name];
        for (const CounterRow& row : counter_rows())
            if (std::vector<std::string> parts; row.name[0] == name[0] && matches(row.name, name, parts))
                found.push_back({&row, parts});
        const auto keep = [&](const auto& is_wanted) {
            if (boost::algorithm::any_of(found, is_wanted))
                boost::remove_erase_if(found, [&](const Match& one) { return !is_wanted(one); });
        };
        if (where)
            keep([&](const Match& one) {
                return one.row->kind == "qdisc" || one.row->of_switch() == (*where == Place::Switch);
            });
        keep([&](const Match& one) {  // the closest pattern of a driver
            return boost::algorithm::none_of(found, [&](const Match& other) {
                return other.row->driver == one.row->driver && other.row->name.size() > one.row->name.size();
            });
        });
        keep([](const Match& one) { return one.row->kind != "host"; });  // a card tells more than the kernel about it
        std::set<std::string> drivers;
        for (const Match& one : found) drivers.insert(one.row->driver);
        for (const std::string& driver : drivers) ++of_drivers[driver];
    }
    int most = 0;
    for (const auto& [driver, count] : of_drivers) most = std::max(most, count);
    for (const auto& [driver, count] : of_drivers) {
        if (count < most) continue;
        drivers_.insert(driver);
        if (driver_.empty()) driver_ = driver;
        if (boost::starts_with(driver, "dpdk-")) drivers_.insert("dpdk-ethdev");  // all of DPDK have its counters
    }
}

std::string CounterNames::total_of(const Match& match) const {
    std::string total = match.row->part_of;
    const auto is_there = [&] { return names_.count(with_parts(total, match.parts)) > 0; };
    while (!total.empty() && !is_there()) {
        std::string above;
        for (const CounterRow& row : counter_rows())
            if (row.name == total && row.driver == match.row->driver) above = row.part_of;
        total = above;
    }
    return with_parts(total, match.parts);
}

std::optional<CounterMeaning> CounterNames::find(const std::string& name) const {
    const auto named = names_.find(name);
    if (named == names_.end()) return std::nullopt;
    std::vector<Match> rows = named->second;
    const auto prefer = [&](const auto& is_better) {
        if (boost::algorithm::any_of(rows, is_better))
            boost::remove_erase_if(rows, [&](const Match& one) { return !is_better(one); });
    };
    prefer([&](const Match& one) { return drivers_.count(one.row->driver) > 0; });
    prefer([&](const Match& one) { return where_ == Place::Switch || !one.row->of_switch(); });
    prefer([&](const Match& one) { return one.row->meaning != "unsure"; });
    std::optional<CounterMeaning> meaning;
    std::map<std::pair<What, Place>, int> votes;
    int most = 0;
    for (const Match& one : rows) {
        const bool at_switch = where_ ? *where_ == Place::Switch : one.row->of_switch();
        CounterMeaning means = one.row->means(at_switch);
        const auto is_loss = [](const CounterMeaning& of) {
            return of.what == What::Lost || of.what == What::NotKnown;
        };
        if (meaning && (is_loss(*meaning) || is_loss(means)) &&
            (meaning->what != means.what || meaning->by_rule != means.by_rule ||
             (meaning->place == Place::Switch) != (means.place == Place::Switch)))
            return std::nullopt;
        means.part_of = total_of(one);
        int& mine = votes[{means.what, means.place}];
        mine += one.row->place == "unknown" ? 1 : 2;
        if (mine > most) meaning = means, most = mine;
    }
    if (meaning && where_ && *where_ != Place::Switch && meaning->what != What::Arrived) meaning->place = *where_;
    return meaning;
}

std::vector<std::string> words_in(const std::string& name) {
    std::vector<std::string> words;
    unsigned char before = ' ';
    for (const unsigned char c : name) {
        const bool begins = !std::isalpha(before) || (std::islower(before) && std::isupper(c));
        if (std::isalpha(c) && begins) words.emplace_back();
        if (std::isalpha(c)) words.back() += char(std::tolower(c));
        before = c;
    }
    return words;
}

bool is_loss_by_name(std::string name) {
    boost::to_lower(name);
    for (const char* word : {"interrupt", "deferr", "transferr", "transmiss"}) boost::erase_all(name, word);
    constexpr const char* kParts[] = {"drop",   "discard",  "err",       "miss",      "fifo",    "overflow", "overrun",
                                      "nobuf",  "no_buf",   "tail",      "filter",    "lost",    "loss",     "fail",
                                      "abort",  "bad",      "aged",      "invalid",   "unknown", "trunc",    "reject",
                                      "denied", "noroute",  "crc",       "fcs",       "align",   "jabber",   "fragment",
                                      "runt",   "oversize", "undersize", "collision", "out_of",  "exceed",   "congest",
                                      "starv",  "no_room"};
    return boost::algorithm::any_of(kParts, [&](const char* part) { return boost::contains(name, part); });
}

/// Totals, sizes, and what drivers and ports do beside: no frame is lost by it.
bool is_harmless_by_name(const std::string& name) {
    if (is_loss_by_name(name)) return false;
    static const std::set<std::string> kWords{
        "packets",  "packet",     "pkts",       "pkt",       "frames",      "frame",    "bytes",     "byte",
        "octets",   "octet",      "total",      "hist",      "size",        "unicast",  "multicast", "broadcast",
        "unicasts", "multicasts", "broadcasts", "ucast",     "mcast",       "bcast",    "uc",        "mc",
        "bc",       "uni",        "multi",      "broad",     "green",       "yellow",   "pause",     "xon",
        "xoff",     "control",    "ecn",        "mark",      "marked",      "csum",     "tso",       "gso",
        "lro",      "gro",        "rsc",        "vlan",      "interrupts",  "irq",      "int",       "poll",
        "polls",    "arm",        "events",     "kicks",     "wake",        "stopped",  "restart",   "xmit",
        "nop",      "cache",      "reuse",      "umr",       "cqe",         "cqes",     "wqe",       "strides",
        "descs",    "linearize",  "doorbell",   "doorbells", "completions", "hwtstamp", "timestamp", "timestamps",
        "ptp",      "match"};
    static const std::set<std::string> kOfSizes{"rx", "tx", "in", "out", "to", "or", "less", "more", "max", "plus"};
    const std::vector<std::string> words = words_in(name);
    if (boost::algorithm::any_of(words, [](const std::string& word) { return kWords.count(word) > 0; })) return true;
    // "rx_65_127", "tx_64_or_less": frames by their size.
    constexpr int kSmallest = 64;
    const std::size_t number = name.find_first_of("0123456789");
    return number != std::string::npos && std::atoi(&name[number]) >= kSmallest &&
           boost::algorithm::all_of(words, [](const std::string& word) { return kOfSizes.count(word) > 0; });
}

bool is_harmless_of_protocols(const std::string& name) {
    const bool other = !boost::starts_with(name, "Ip") && !boost::starts_with(name, "Udp");
    return other || boost::starts_with(name, "Ip6") || boost::starts_with(name, "Udp6") ||
           boost::starts_with(name, "UdpLite") || !is_loss_by_name(name);
}

std::string of_all_queues(const std::string& counter) {
    const std::size_t from = counter.find_first_of("0123456789");
    if (from == std::string::npos) return counter;
    const std::size_t to = std::min(counter.size(), counter.find_first_not_of("0123456789", from));
    return counter.substr(0, from) + '#' + counter.substr(to);
}

}  // namespace watershed
