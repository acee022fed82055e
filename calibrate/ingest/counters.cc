// SPDX-License-Identifier: GPL-2.0-only
#include <boost/algorithm/cxx11/all_of.hpp>
#include <boost/algorithm/cxx11/any_of.hpp>
#include <boost/algorithm/cxx11/none_of.hpp>
#include <boost/algorithm/string.hpp>
#include <boost/algorithm/string/trim_all.hpp>
#include <boost/range/algorithm.hpp>
#include <boost/range/algorithm_ext/erase.hpp>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "calibrate/ingest/counter-names.h"
#include "calibrate/ingest/printed-counters.h"
#include "scenarios/text/csv.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

using nlohmann::json;
using What = Counter::What;

constexpr const char* kNames[] = {"sender", "switch", "cable", "card", "ring", "kernel", "socket"};

std::optional<Place> find_place(const std::string& name) {
    const auto found = std::find(std::begin(kNames), std::end(kNames), name);
    return found == std::end(kNames) ? std::nullopt : std::make_optional(static_cast<Place>(found - kNames));
}

class CounterReader {
  public:
    CounterReader(const std::string& name, const std::optional<Place>& where) : name_(name), where_(where) {}

    std::vector<Counter> read(std::string text) {
        const std::size_t first = text.find_first_not_of(" \t\r\n");
        if (first == std::string::npos) refuse("nothing");
        std::istringstream lines(text);
        std::string header;
        while (std::getline(lines, header) && (boost::trim_copy(header).empty() || header[0] == '#')) continue;
        static const std::regex kTable("(^|[,;\t])\"?(counter|value)\"?[,;\t]|[,;\t]\"?(counter|value)\"?\\s*$");
        if (std::regex_search(header, kTable)) return read_table(text), counters_;
        if ((text[first] == '{' || text[first] == '[') &&
            (json::accept(text) || json::accept(text.substr(first, text.find('\n', first) - first))))
            return read_json(text), counters_;
        constexpr std::size_t kLongest = 4000;  // no tool prints longer lines
        std::istringstream all(std::exchange(text, ""));
        for (std::string line; std::getline(all, line);) text += (line.size() < kLongest ? line : "") + '\n';
        if (text.find("NIC statistics:") == std::string::npos &&
            (text.find(" occupancy") != std::string::npos || text.find("headroom per PG") != std::string::npos))
            read_watermarks(text);
        else if (boost::starts_with(text, "qdisc ") || boost::contains(text, "\nqdisc "))
            read_queues(text);
        else if (std::regex_search(text, std::regex("(^|\n) *(pool|itc|etc): +\\d+(\\(\\d+\\))?: +\\d+/\\d")))
            read_uses(text);
        else if (std::regex_search(text, std::regex("^\\s*([0-9a-f]{8} ){8,}[0-9a-f]{8}\\s*\n")))
            read_softnet(text);
        else
            read_printed(text);
        return counters_;
    }

  private:
    [[noreturn]] void refuse(const std::string& found) const {
        throw InputError(
            name_ + ": found " + found +
            ", expected names of counters and numbers as a tool prints them: ethtool -S, ip -s link, ifconfig, nstat "
            "-as, netstat -su, ss -uam, /proc/net/dev, /proc/net/softnet_stat, tc -s qdisc, devlink sb occupancy show "
            "(or these as JSON), xstats of DPDK, show interfaces (counters, queue), show queuing interface, queue or "
            "priority-group counters or watermark of a switch; or a table with the columns counter, value, what and "
            "place");
    }

    void add(const std::string& counter, const std::string& device, What what, Place place, std::int64_t value) {
        const bool elsewhere = where_ && (what != What::Arrived || *where_ == Place::Switch);
        counters_.push_back({one_line(counter), one_line(device), what, elsewhere ? *where_ : place, value});
    }

    /// Adds counters with the meanings that their names have together.
    void add_all(const std::vector<PrintedCounters::One>& printed, bool of_protocols = false) {
        std::set<std::string> names;
        for (const PrintedCounters::One& one : printed) names.insert(one.name);
        const CounterNames known(names, where_);
        bool any = of_protocols;  // nstat leaves out what is 0
        for (const PrintedCounters::One& one : printed) {
            const bool loss = is_loss_by_name(one.name);
            if (const auto means = known.find(one.name)) {
                counters_.push_back({one_line(one.name), one_line(one.device), means->what, means->place, one.value,
                                     means->what == What::Lost, means->by_rule, means->part_of, known.driver()});
                any = true;
                continue;
            }
            const bool harmless = of_protocols ? is_harmless_of_protocols(one.name)
                                               : is_harmless_by_name(one.name) || (!one.of_driver && !loss);
            any |= loss || one.of_driver;
            const Place place = boost::istarts_with(one.name, "tx") ? Place::Sender : Place::Card;
            add(one.name, one.device, harmless ? What::Harmless : What::NotKnown, of_protocols ? Place::Socket : place,
                one.value);
            if (of_protocols) counters_.back().tool = kProtocols;
        }
        if (!any) refuse("no counter whose name is known");
    }

    void read_printed(const std::string& text) {
        std::istringstream in(text);
        std::string line;
        for (int at = 1; boost::contains(text, "NIC statistics:") && std::getline(in, line); ++at)
            if (const std::size_t end = line.rfind(':'); end != std::string::npos) {
                const std::string name = boost::trim_copy(line.substr(0, end)),
                                  value = boost::trim_copy(line.substr(end + 1));
                if (!value.empty() && !integer_of(value) && CounterNames({name}, where_).find(name)) number(value, at);
            }
        add_all(PrintedCounters(text).found(), boost::contains(text, "#kernel"));
    }

    /// Lines of /proc/net/softnet_stat: hexadecimal columns without names, a line a processor.
    void read_softnet(const std::string& text) {
        static constexpr std::pair<std::size_t, const char*> kColumns[] = {{0, "packet_process"},
                                                                           {1, "packet_drops"},
                                                                           {2, "time_squeeze"},
                                                                           {9, "received_rps"},
                                                                           {10, "flow_limit_count"}};
        constexpr std::size_t kProcessor = 12;  // its number, since Linux 5.10
        std::vector<PrintedCounters::One> all;
        std::istringstream in(text);
        std::string line;
        for (std::int64_t at = 0; std::getline(in, line); ++at) {
            std::istringstream numbers(line);
            std::vector<std::int64_t> columns;
            for (std::int64_t value = 0; numbers >> std::hex >> value;) columns.push_back(value);
            const std::int64_t processor = columns.size() > kProcessor ? columns[kProcessor] : at;
            for (const auto& [column, name] : kColumns)
                if (column < columns.size())
                    all.push_back({name, "cpu " + std::to_string(processor), columns[column], false});
        }
        add_all(all);
    }

    /// A queue's lines of `tc -s qdisc`.
    void read_queues(const std::string& text) {
        static const std::regex kQueue(R"(^qdisc (\S+) \S+ (?:dev (\S+) )?(root)?.*)"),
            kSent(R"(\s*Sent \d+ bytes (\d+) pkts? \(dropped (\d+),.*)"),
            kBacklog(R"(\s*backlog (\d{1,12})(Kb|Mb|b) .*)");
        std::istringstream in(text);
        json queue;
        std::smatch match;
        const auto finish = [&] {
            if (queue.contains("packets")) read_queue(queue);
        };
        std::string line;
        for (int at = 1; std::getline(in, line); ++at) {
            boost::trim_right(line);
            if (std::regex_match(line, match, kQueue)) {
                finish();
                queue = {{"kind", match[1].str()}, {"dev", match[2].str()}, {"root", match[3].matched}};
            } else if (std::regex_match(line, match, kSent)) {
                queue["packets"] = number(match[1], at), queue["drops"] = number(match[2], at);
            } else if (std::regex_match(line, match, kBacklog)) {
                queue["backlog"] = std::stoll(match[1]) * (match[2] == "Kb" ? 1 << 10 : match[2] == "Mb" ? 1 << 20 : 1);
            }
        }
        finish();
        if (counters_.empty()) refuse("no queue at the root of a device, or none with its counters (-s)");
    }

    /// Uses of pools and classes as `devlink sb occupancy show` prints them: now/most.
    void read_uses(const std::string& text) {
        static const std::regex kPort("(\\S+):\\s*"), kKind("\\s*(pool|itc|etc):.*"),
            kUse(R"((\d+)(?:\(\d+\))?:\s*\d+/(\d+))");
        std::istringstream in(text);
        std::string line, port, kind;
        for (int at = 1; std::getline(in, line); ++at) {
            std::smatch match;
            if (std::regex_match(line, match, kPort)) port = match[1];
            if (std::regex_match(line, match, kKind)) kind = match[1];
            for (std::sregex_iterator use(line.begin(), line.end(), kUse), end; use != end; ++use)
                add(port + " " + kind + " " + (*use)[1].str(), port, What::PeakBytes, Place::Switch,
                    number((*use)[2], at));
        }
    }

    std::int64_t number(const std::string& text, int line) const {
        if (const auto value = integer_of(text)) return *value;
        throw InputError(name_ + ":" + std::to_string(line) + ": found \"" + text +
                         "\", expected a number that is not negative");
    }

    /// Tables of SONiC's watermarks, each below its heading.
    void read_watermarks(const std::string& text) {
        std::istringstream in(text);
        std::string part;
        const auto finish = [&] {
            const bool headroom = part.find("eadroom") != std::string::npos;  // headroom of groups, or "Headroom pool"
            const PrintedCounters printed(part);
            if (!headroom)
                for (const PrintedCounters::One& one : printed.found())
                    add(one.device + (one.name == "Bytes" ? "" : ":" + one.name), one.device, What::PeakBytes,
                        Place::Switch, one.value);
            part.clear();
        };
        for (std::string line; std::getline(in, line); part += line + '\n')
            if (boost::contains(line, "per PG") || boost::contains(line, "occupancy")) finish();
        finish();
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
            std::vector<PrintedCounters::One> all;
            flatten(document["kernel"], "", all);
            add_all(all, true);
        } else if (document.is_object() && document.contains("occupancy")) {
            read_occupancy(document["occupancy"]);
        } else if (document.is_array() && boost::algorithm::all_of(document, [](const json& one) {
                       return one.is_object() && (one.empty() || one.contains("kind") || one.contains("stats64") ||
                                                  one.contains("stats") || is_watermark(one));
                   })) {
            for (const json& one : document)
                if (one.contains("kind"))
                    read_queue(one);
                else if (one.contains("ifname"))
                    read_link(one);
                else if (!one.empty())  // empty ones are of interfaces that a filter left out
                    read_watermark(one);
        } else {
            std::vector<PrintedCounters::One> all;
            flatten(document, "", all);
            if (all.empty()) refuse("other JSON");
            add_all(all);
        }
    }

    /// SONiC's watermarks are of a port, or have no name that the table of counters knows.
    static bool is_watermark(const json& one) {
        if (one.contains("ifname") || one.contains("Port")) return one.contains("Port");
        std::set<std::string> names;
        for (const auto& [name, value] : one.items()) {
            if (!value.is_string()) return false;
            names.insert(name);
        }
        const CounterNames known(names, std::nullopt);
        return boost::algorithm::none_of(names, [&](const std::string& name) { return known.find(name).has_value(); });
    }

    /// Names and numbers, with what they are of: {"Ethernet0": {"RX_DRP": "1,234"}}.
    static void flatten(const json& value, const std::string& device, std::vector<PrintedCounters::One>& all) {
        if (value.is_array())
            for (const json& one : value) flatten(one, device, all);
        if (!value.is_object()) return;
        if (value.contains("name") && value.contains("stats"))  // a trap of devlink
            return all.push_back(
                {value["name"], device, integer(value["stats"].value("rx", json()), "packets"), false});
        const std::string of = value.contains("ifname") && value["ifname"].is_string() ? value["ifname"] : json(device);
        for (const auto& [name, one] : value.items()) {
            if (one.is_structured()) flatten(one, name, all);
            const auto number = one.is_number_integer() ? std::make_optional(one.get<std::int64_t>())
                                : one.is_string()       ? integer_of(one.get<std::string>())
                                                        : std::nullopt;
            if (number && *number >= 0) all.push_back({name, of, *number, false});
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
        std::vector<PrintedCounters::One> all;
        for (const char* way : {"rx", "tx"})
            if (stats->contains(way))
                for (const auto& [counter, value] : (*stats)[way].items())
                    if (value.is_number()) all.push_back({std::string(way) + "." + counter, device, value, false});
        if (!all.empty()) add_all(all);
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

}  // namespace watershed
