// SPDX-License-Identifier: GPL-2.0-only
#include <boost/algorithm/cxx11/any_of.hpp>
#include <boost/algorithm/string.hpp>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "calibrate/ingest/counter-names.h"
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

    std::vector<Counter> read(const std::string& text) {
        const std::size_t first = text.find_first_not_of(" \t\r\n");
        if (first == std::string::npos) refuse("nothing");
        if (text[first] == '{' || text[first] == '[')
            read_json(text);
        else if (text.find("NIC statistics:") != std::string::npos)
            read_pairs(text, kCardCounters, ':');
        else if (text.find(" occupancy") != std::string::npos || text.find("headroom per PG") != std::string::npos)
            read_watermarks(text);
        else if (text.find("#kernel") != std::string::npos)
            read_pairs(text, kProtocolCounters, ' ');
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

    void add_known(const CounterMeanings& known, const std::string& counter, const std::string& device,
                   std::int64_t value) {
        bool any = false;
        for (const CounterMeaning& one : known)
            if (one.holds(counter)) add(counter, device, one.what, one.place, value), any = true;
        if (any) return;
        const bool protocols = &known == &kProtocolCounters;
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
    void read_pairs(const std::string& text, const CounterMeanings& known, char separator) {
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
                return boost::algorithm::any_of(known, [&](const CounterMeaning& one) { return one.holds(name); });
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
                if (value.is_number()) add_known(kProtocolCounters, counter, "", value.get<std::int64_t>());
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
                        add_known(kLinkCounters, std::string(way) + "." + counter, device, value.get<std::int64_t>());
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
