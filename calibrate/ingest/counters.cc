// SPDX-License-Identifier: GPL-2.0-only
#include <boost/algorithm/cxx11/all_of.hpp>
#include <boost/algorithm/cxx11/any_of.hpp>
#include <boost/algorithm/string.hpp>
#include <boost/range/algorithm.hpp>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "calibrate/ingest/blame.h"
#include "scenarios/text/csv.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/units.h"
namespace watershed {
namespace {

using nlohmann::json;
using What = Counter::What;

constexpr const char* kNames[] = {"sender", "switch", "cable", "card", "ring", "kernel", "socket"};

std::optional<Place> find_place(const std::string& name) {
    const auto found = std::find(std::begin(kNames), std::end(kNames), name);
    return found == std::end(kNames) ? std::nullopt : std::make_optional(static_cast<Place>(found - kNames));
}

/// Counters that a tool may show, what they mean, and where that is.
struct Meaning {
    What what;
    Place place;
    std::vector<std::string> names;
    bool holds(const std::string& counter) const { return boost::range::find(names, counter) != names.end(); }
};
using Meanings = std::vector<Meaning>;

/// Counters of `ethtool -S`, by the names of the kernel's drivers: igb, igc, e1000e, ixgbe, i40e, ice, mlx5, bnxt,
/// virtio. The character # stands for the number of a queue. Frames in rx_no_buffer_count of Intel's cards wait in the
/// card and are not lost; lost ones are counted as missed. fdir_miss counts frames that match no flow rule.
const Meanings kCard{
    {What::Lost,
     Place::Card,
     {"rx_missed_errors", "rx_missed", "rx_over_errors", "rx_discards_phy", "rx_dropped", "rx_dropped.nic",
      "port.rx_dropped", "port.rx_discards"}},
    {What::Lost,
     Place::Ring,
     {"rx_total_discard_pkts", "rx_total_ring_discards", "rx_no_dma_resources", "rx_out_of_buffer", "rx_fifo_errors",
      "rx_queue_#_drops", "rx#_drops"}},
    {What::Lost,
     Place::Cable,
     {"rx_crc_errors", "rx_crc_errors.nic", "port.rx_crc_errors", "rx_crc_errors_phy", "rx_align_errors",
      "rx_symbol_err_phy"}},
    {What::Arrived, Place::Card, {"rx_packets", "rx_unicast", "port.rx_unicast", "rx_packets_phy"}},
    {What::Sent, Place::Sender, {"tx_packets"}},
    {What::Octets, Place::Card, {"rx_bytes", "port.rx_bytes"}},
    {What::Octets, Place::Sender, {"tx_bytes", "port.tx_bytes"}},
    {What::Lost, Place::Sender, {"tx_dropped", "tx_errors", "tx_fifo_errors"}},
    {What::Harmless, Place::Card, {"rx_no_buffer_count", "fdir_miss"}},
};

/// Counters of `nstat`, by the names of the kernel's MIB.
const Meanings kProtocols{
    {What::Arrived, Place::Socket, {"UdpInDatagrams"}},
    {What::Lost, Place::Socket, {"UdpRcvbufErrors", "UdpInErrors", "UdpNoPorts", "UdpMemErrors", "UdpInCsumErrors"}},
    {What::Lost, Place::Kernel, {"IpInDiscards", "IpInHdrErrors", "IpInAddrErrors"}},
    {What::Lost, Place::Sender, {"IpOutDiscards", "UdpSndbufErrors"}},
    {What::Sent, Place::Sender, {"UdpOutDatagrams"}},
};

/// Counters of `ip -j -s link`, in stats64.rx and stats64.tx.
const Meanings kLink{
    {What::Arrived, Place::Card, {"rx.packets"}},
    {What::Lost, Place::Card, {"rx.missed_errors", "rx.over_errors"}},
    {What::Lost, Place::Ring, {"rx.fifo_errors"}},
    {What::Lost, Place::Cable, {"rx.crc_errors", "rx.frame_errors"}},
    {What::Lost, Place::Kernel, {"rx.dropped"}},
    {What::Sent, Place::Sender, {"tx.packets"}},
    {What::Octets, Place::Card, {"rx.bytes"}},
    {What::Octets, Place::Sender, {"tx.bytes"}},
    {What::Lost, Place::Sender, {"tx.dropped", "tx.fifo_errors", "tx.carrier_errors"}},
};

/// "RxDropPkts" and "rx.drop_pkts": rx, drop, pkts.
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

/// Whether a name that is not known sounds like a loss.
bool is_loss_by_name(std::string name) {
    boost::to_lower(name);
    for (const char* word : {"interrupt", "deferr", "transferr", "transmiss"}) boost::erase_all(name, word);
    constexpr const char* kParts[] = {"drop",   "discard",  "err",       "miss",     "fifo",    "overflow", "overrun",
                                      "nobuf",  "no_buf",   "tail",      "filter",   "lost",    "loss",     "fail",
                                      "abort",  "bad",      "aged",      "invalid",  "unknown", "trunc",    "reject",
                                      "denied", "noroute",  "crc",       "fcs",      "align",   "jabber",   "fragment",
                                      "runt",   "oversize", "undersize", "collision"};
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

/// Returns true for counters of the kernel's MIB other than losses of IP and UDP: they belong to other traffic.
bool is_harmless_of_protocols(const std::string& name) {
    const bool other = !boost::starts_with(name, "Ip") && !boost::starts_with(name, "Udp");
    return other || boost::starts_with(name, "Ip6") || boost::starts_with(name, "Udp6") ||
           boost::starts_with(name, "UdpLite") || !is_loss_by_name(name);
}

/// "rx_queue_3_drops": "rx_queue_#_drops".
std::string of_all_queues(const std::string& counter) {
    const std::size_t from = counter.find_first_of("0123456789");
    if (from == std::string::npos) return counter;
    const std::size_t to = std::min(counter.size(), counter.find_first_not_of("0123456789", from));
    return counter.substr(0, from) + '#' + counter.substr(to);
}

class CounterReader {
  public:
    CounterReader(const std::string& name, const std::optional<Place>& where) : name_(name), where_(where) {}

    std::vector<Counter> read(const std::string& text) {
        const std::size_t first = text.find_first_not_of(" \t\r\n");
        if (first == std::string::npos) refuse("nothing");
        if (text[first] == '{' || text[first] == '[')
            read_json(text);
        else if (text.find("NIC statistics:") != std::string::npos)
            read_pairs(text, kCard, ':');
        else if (text.find(" occupancy") != std::string::npos || text.find("headroom per PG") != std::string::npos)
            read_watermarks(text);
        else if (text.find("#kernel") != std::string::npos)
            read_pairs(text, kProtocols, ' ');
        else
            read_table(text);
        return counters_;
    }

  private:
    [[noreturn]] void refuse(const std::string& found) const {
        throw InputError(
            name_ + ": found " + found +
            ", expected the output of ethtool -S, nstat -asz, tc -j -s qdisc, ip -j -s link, devlink -j sb occupancy "
            "show, SONiC's show … watermark, or a table with the columns counter, value, what and place");
    }

    void add(const std::string& counter, const std::string& device, What what, Place place, std::int64_t value) {
        const bool elsewhere = where_ && (what != What::Arrived || *where_ == Place::Switch);
        counters_.push_back({one_line(counter), one_line(device), what, elsewhere ? *where_ : place, value});
    }

    void add_known(const Meanings& known, const std::string& counter, const std::string& device, std::int64_t value) {
        bool any = false;
        for (const Meaning& one : known)
            if (one.holds(counter)) add(counter, device, one.what, one.place, value), any = true;
        if (any) return;
        const bool protocols = &known == &kProtocols;
        const Place place = protocols ? Place::Socket : boost::starts_with(counter, "tx") ? Place::Sender : Place::Card;
        const bool harmless = protocols ? is_harmless_of_protocols(counter) : is_harmless_by_name(counter);
        add(counter, device, harmless ? What::Harmless : What::NotKnown, place, value);
    }

    std::int64_t number(const std::string& text, int line) const {
        std::size_t end = 0;
        std::int64_t value = -1;
        try {
            value = std::stoll(text, &end);
        } catch (const std::exception&) {
        }
        if (value < 0 || end != text.size())
            throw InputError(name_ + ":" + std::to_string(line) + ": found \"" + text +
                             "\", expected a number that is not negative");
        return value;
    }

    /// "name: 12", or "name   12   0.0".
    void read_pairs(const std::string& text, const Meanings& known, char separator) {
        std::istringstream in(text);
        std::string line;
        std::map<std::string, std::int64_t> of_queues;
        for (int at = 1; std::getline(in, line); ++at) {
            boost::trim(line);
            if (line.empty() || line[0] == '#') continue;
            std::string counter, value;
            if (separator == ':') {
                const std::size_t end = line.rfind(':');
                if (end == std::string::npos) continue;
                counter = boost::trim_copy(line.substr(0, end)), value = boost::trim_copy(line.substr(end + 1));
                if (value.empty()) continue;  // a heading
            } else {
                std::istringstream words(line);
                words >> counter >> value;
            }
            const auto known_as = [&](const std::string& name) {
                return boost::algorithm::any_of(known, [&](const Meaning& one) { return one.holds(name); });
            };
            if (known_as(counter))
                add_known(known, counter, "", number(value, at));
            else if (const std::string queues = of_all_queues(counter); known_as(queues))
                of_queues[queues] += number(value, at);
            else if (!value.empty() && value.find_first_not_of("0123456789") == std::string::npos)
                add_known(known, counter, "", number(value, at));
        }
        for (const auto& [counter, value] : of_queues) add_known(known, counter, "", value);
    }

    /// SONiC: a heading, names of columns, a line of dashes, and a line for each pool or port.
    void read_watermarks(const std::string& text) {
        std::istringstream in(text);
        std::string line;
        std::vector<std::string> columns;
        bool table = false, headroom = false;
        for (int at = 1; std::getline(in, line); ++at) {
            std::istringstream words(line);
            std::vector<std::string> cells;
            for (std::string word; words >> word;) cells.push_back(word);
            if (cells.empty()) continue;
            if (line.find("per PG") != std::string::npos || line.find("occupancy") != std::string::npos) {
                headroom = line.find("eadroom") != std::string::npos;  // of groups, or "Headroom pool"
                table = false;
            } else if (cells[0].find_first_not_of('-') == std::string::npos) {
                table = true;
            } else if (!table && (cells[0] == "Pool" || cells[0] == "Port" || cells[0] == "Interface")) {
                columns = cells;
                if (cells[0] == "Interface") table = true;  // without a line of dashes
            } else if (table && !headroom) {
                if (cells.size() != columns.size())
                    throw InputError(name_ + ":" + std::to_string(at) + ": found " + std::to_string(cells.size()) +
                                     " cells, expected " + std::to_string(columns.size()));
                for (std::size_t i = 1; i < cells.size(); ++i)
                    if (cells[i] != "N/A")
                        add(cells[0] + (columns[i] == "Bytes" ? "" : ":" + columns[i]), cells[0], What::PeakBytes,
                            Place::Switch, number(cells[i], at));
            }
        }
        if (counters_.empty()) refuse("no occupancy of a pool, queue or priority group");
    }

    void read_json(const std::string& text) {
        const json whole = json::parse(text, nullptr, false);
        if (!whole.is_discarded()) return read_document(whole);
        std::istringstream in(text);
        std::string line;
        for (int at = 1; std::getline(in, line); ++at) {
            if (boost::trim_copy(line).empty()) continue;
            const json one = json::parse(line, nullptr, false);
            if (one.is_discarded())
                throw InputError(name_ + ":" + std::to_string(at) + ": expected JSON, one output a line");
            read_document(one);
        }
    }

    static std::int64_t integer(const json& object, const char* key) {
        const auto found = object.find(key);
        return found != object.end() && found->is_number() ? found->get<std::int64_t>() : 0;
    }

    void read_document(const json& document) {
        if (document.is_object() && document.contains("kernel")) {
            for (const auto& [counter, value] : document["kernel"].items())
                if (value.is_number()) add_known(kProtocols, counter, "", value.get<std::int64_t>());
        } else if (document.is_object() && document.contains("occupancy")) {
            read_occupancy(document["occupancy"]);
        } else if (document.is_array()) {
            for (const json& one : document)
                if (one.is_object() && one.contains("kind"))
                    read_queue(one);
                else if (one.is_object() && one.contains("ifname"))
                    read_link(one);
                else if (one.is_object() && !one.empty())
                    read_watermark(one);
                else if (!one.is_object() || !one.empty())  // empty ones are of interfaces that a filter left out
                    refuse("other JSON");
        } else {
            refuse("other JSON");
        }
    }

    /// A queueing discipline: what it dropped, what it holds. Those inside another are counted by the outer one.
    void read_queue(const json& queue) {
        if (!queue.value("root", false)) return;
        const std::string device = queue.value("dev", ""), kind = queue.value("kind", "");
        add("drops of " + kind, device, What::Lost, Place::Sender, integer(queue, "drops"));
        add("packets of " + kind, device, What::Sent, Place::Sender, integer(queue, "packets"));
        add("backlog of " + kind, device, What::PeakBytes, Place::Switch, integer(queue, "backlog"));
    }

    /// SONiC's `watermarkstat --json`: {"Port": "Ethernet0", "UC0": "208", "UC1": "N/A"} or {"ingress_lossless_pool":
    /// "44000"}.
    void read_watermark(const json& watermark) {
        const std::string port = watermark.value("Port", json()).is_string() ? watermark.value("Port", "") : "";
        for (const auto& [name, value] : watermark.items()) {
            if (name == "Port" || value == "N/A") continue;
            if (!value.is_string()) refuse("other JSON");
            add(port.empty() ? name : port + ":" + name, port.empty() ? name : port, What::PeakBytes, Place::Switch,
                number(value.get<std::string>(), 1));
        }
    }

    void read_link(const json& link) {
        const std::string device = link.value("ifname", "");
        const auto stats = link.find(link.contains("stats64") ? "stats64" : "stats");
        if (stats == link.end()) refuse("an interface without statistics");
        for (const char* way : {"rx", "tx"})
            if (stats->contains(way))
                for (const auto& [counter, value] : (*stats)[way].items())
                    if (value.is_number())
                        add_known(kLink, std::string(way) + "." + counter, device, value.get<std::int64_t>());
    }

    void read_occupancy(const json& ports) {
        for (const auto& [port, kinds] : ports.items())
            for (const char* kind : {"pool", "itc", "etc"})
                if (kinds.contains(kind))
                    for (const auto& [number, use] : kinds[kind].items())
                        add(port + " " + kind + " " + number, port, What::PeakBytes, Place::Switch,
                            integer(use, "max"));
    }

    void read_table(const std::string& text) {
        std::istringstream in(text);
        const CsvTable table = CsvTable::read(in, name_);
        if (!table.find_column("counter") && !table.find_column("value")) refuse("other text");
        const std::size_t counter = table.column("counter"), value = table.column("value"), what = table.column("what"),
                          place = table.column("place");
        for (const CsvTable::Row& row : table.rows()) {
            static const std::map<std::string, What> kWhats{
                {"lost", What::Lost},    {"arrived", What::Arrived},      {"sent", What::Sent},
                {"bytes", What::Octets}, {"peak_bytes", What::PeakBytes}, {"peak_cells", What::PeakCells}};
            const auto means = kWhats.find(row.cells[what]);
            if (means == kWhats.end()) table.refuse(row, what, "lost, arrived, sent, bytes, peak_bytes or peak_cells");
            const auto named = find_place(row.cells[place]);
            if (!named) table.refuse(row, place, "sender, switch, cable, card, ring, kernel or socket");
            add(row.cells[counter], "", means->second, *named, table.integer(row, value, 0));
        }
    }

    std::string name_;
    std::optional<Place> where_;
    std::vector<Counter> counters_;
};

}  // namespace

std::string to_text(Place place) { return kNames[std::size_t(place)]; }

Place place_named(const std::string& name) {
    if (const auto place = find_place(name)) return *place;
    throw InputError("found the place \"" + name + "\", expected sender, switch, cable, card, ring, kernel or socket");
}

std::vector<Counter> counters_from(const std::string& text, const std::string& name,
                                   const std::optional<Place>& where) {
    return CounterReader(name, where).read(text);
}

std::vector<Counter> read_counters(const std::string& file, const std::optional<Place>& where) {
    std::ifstream in(file);
    if (!in) throw InputError(file + ": cannot be read");
    return counters_from({std::istreambuf_iterator<char>(in), {}}, file, where);
}

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
            one.told = true;
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
    if (counters.empty()) return "";
    return listed(counters, [](const Counter& one) { return name_of(one) + " rose by " + std::to_string(one.value); }) +
           ", which " + (counters.size() == 1 ? "is" : "are") +
           " not known: --count NAME=lost, NAME=received or NAME=ignore says what it counts";
}

std::vector<Counter> between(const std::vector<Counter>& before, const std::vector<Counter>& after,
                             const std::string& name) {
    std::vector<Counter> counted;
    for (const Counter& now : after) {
        if (now.is_peak() || now.what == What::Harmless) continue;
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
        if (then == before.end())
            throw InputError(name + ": found the counter " + name_of(now) + ", which was not there before");
        if (now.value < then->value)
            throw InputError(name + ": found " + now.name + " " + std::to_string(now.value) +
                             (now.device.empty() ? "" : " of " + now.device) + ", expected at least the " +
                             std::to_string(then->value) + " from before: it was set back meanwhile");
        counted.push_back(now);
        counted.back().value -= then->value;
    }
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
