// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/ingest/printed-counters.h"

#include <boost/algorithm/cxx11/all_of.hpp>
#include <boost/algorithm/cxx11/none_of.hpp>
#include <boost/algorithm/string.hpp>
#include <boost/algorithm/string/trim_all.hpp>
#include <boost/range/algorithm.hpp>
#include <boost/range/algorithm_ext/erase.hpp>
#include <regex>
#include <sstream>

namespace watershed {
namespace {

std::vector<std::string> split(const std::string& text, const char* separators) {
    std::vector<std::string> parts;
    boost::split(parts, boost::trim_copy(text), boost::is_any_of(separators), boost::token_compress_on);
    if (parts.size() == 1 && parts[0].empty()) parts.clear();
    return parts;
}

/// Returns what two blanks or more separate: "140.14 B/s" is one.
std::vector<std::string> wide_split(const std::string& text) {
    static const std::regex kBlanks("\\s{2,}");
    const std::string line = boost::trim_copy(text);
    return {std::sregex_token_iterator(line.begin(), line.end(), kBlanks, -1), {}};
}

}  // namespace

std::optional<std::int64_t> integer_of(const std::string& text) {
    static const std::regex kDigits("[0-9]{1,18}|[0-9]{1,3}([ ,'][0-9]{3}){1,5}");
    if (!std::regex_match(text, kDigits)) return std::nullopt;
    std::int64_t value = 0;
    for (const char c : text)
        if (c >= '0' && c <= '9') value = 10 * value + (c - '0');
    return value;
}

PrintedCounters::PrintedCounters(const std::string& text) : of_sockets_(boost::contains(text, "skmem:(")) {
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        boost::replace_all(line, "\t", "    ");
        boost::trim_right(line);
        if (of_sockets_)
            read_socket(line);
        else
            read_line(line);
        before_ = line;
    }
}

void PrintedCounters::note(const std::string& name, const std::string& device, std::int64_t value, bool of_driver) {
    const std::string plain = boost::trim_all_copy(name);
    for (One& one : found_)
        if (one.name == plain && one.device == device) {  // the same of another queue
            one.value += value;
            return;
        }
    if (!plain.empty()) found_.push_back({plain, device, value, of_driver});
}

void PrintedCounters::read_line(std::string line) {
    static const std::regex kFile("/sys/class/net/([^/]+)/statistics/(.*)"), kTrap("\\s*name (\\S+) type .*"),
        kTrapped("\\s*bytes \\d+ packets (\\d{1,18}).*");
    static const std::regex kDevice(
        R"(^\d+: ([^:@\s]+)(?:@\S+)?: <.*|^(\S+?):? +(?:flags=|Link encap).*|^(\S+) is (?:up|down|administratively).*|^Physical interface: ([^,\s]+).*|^(?:E|I)gress Queuing for ([^\s\[]+).*|^(\S+) queuing information:|.*NIC .*statistics.* (port \d+).*)");
    static const std::regex kSeveral(":\\s*\\d"), kName("\\s*name:\\s+(.*)"),
        kSection("([A-Z][A-Za-z]*[0-9]?[A-Za-z]*):|(?:Per )?(Port|Slice|PFC) .*Statistics"), kRate("\\s+\\d+ [bp]ps$");
    static const std::regex kOneNumber(R"(\s*(.*\S)\s*:\s*(\d[\d ,']*))");
    std::smatch match;
    if (const std::string whole = line; std::regex_match(whole, match, kFile)) device_ = match[1], line = match[2];
    if (std::regex_match(line, match, kTrap)) trap_ = match[1];
    if (std::regex_match(line, match, kTrapped)) return note(trap_, device_, integer_of(match[1]).value_or(0));
    if (line.empty() || std::regex_match(line, match, kDevice)) {
        columns_.clear(), groups_.clear();
        for (std::size_t i = 1; i < match.size(); ++i)
            if (match[i].matched) device_ = match[i], section_.clear();
        driver_ |= boost::contains(line, "NIC ");
        return;
    }
    if (boost::contains(line, "NIC statistics:")) driver_ = true;
    if (std::regex_match(line, match, kSection)) section_ = match[match[1].matched ? 1 : 2];
    for (const char* other : {"Tcp", "Icmp", "MPTcp", "Sctp", "Slice"})  // netstat -s tells of them, too; of all ports
        if (boost::starts_with(section_, other)) return;
    if (read_box(line) || read_table(line)) return;
    line = std::regex_replace(line, kRate, "");  // that of a counter of Junos
    if (std::regex_match(line, match, kOneNumber) && !std::regex_search(match[1].first, match[1].second, kSeveral)) {
        const std::string name = match[1];
        const std::vector<std::string> cells = wide_split(match[2]);
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (const auto value = integer_of(cells[i]))
                note(name, i < devices_.size() ? devices_[i] : device_, *value, driver_);
        return;
    }
    if (std::regex_match(line, match, kName)) devices_ = split(match[1], " ");
    read_sentence(line);
}

void PrintedCounters::read_sentence(std::string line) {
    static const std::regex kThousands(",(?=\\d{3}(?!\\d))"), kTight("([A-Za-z]):(?=\\d)"),
        kList(R"(([A-Za-z][\w ]*): (\d+(?:/\d+)+) \(([\w-]+(?:/[\w-]+)+)\))"), kFraction(R"(\d+\.\d+%?)");
    std::smatch list;
    if (std::regex_search(line, list, kList)) {
        const std::vector<std::string> numbers = split(list[2], "/"), names = split(list[3], "/");
        for (std::size_t i = 0; i < names.size() && i < numbers.size(); ++i)
            if (const auto value = integer_of(numbers[i])) note(list[1].str() + " " + names[i], device_, *value);
        line = list.prefix().str() + ";" + list.suffix().str();
    }
    line = std::regex_replace(std::regex_replace(line, kThousands, ""), kTight, "$1 ");
    std::string way;
    for (const std::string& part : split(line, ",;()")) {
        std::vector<std::string> words = split(part, " ");
        boost::remove_erase_if(words, [&](const std::string& word) { return std::regex_match(word, kFraction); });
        if (words.empty()) continue;
        if (words.front() == "RX" || words.front() == "TX") {
            way = words.front() == "RX" ? "rx." : "tx.";
            words.erase(words.begin());
            if (words.empty()) continue;
        }
        const bool number_last = integer_of(words.back()).has_value();
        std::string name;
        std::optional<std::int64_t> value;
        for (const std::string& word : words) {
            const auto number = integer_of(word);
            if (!number) {
                name += (name.empty() ? "" : " ") + boost::trim_right_copy_if(word, boost::is_any_of(":"));
                continue;
            }
            if (number_last && !name.empty()) note(way + name, device_, *number);
            if (!number_last && value) note(way + name, device_, *value);
            value = number;
            name.clear();
        }
        if (!number_last && value) note(way + name, device_, *value);
    }
}

bool PrintedCounters::read_table(const std::string& line) {
    const std::vector<std::string> words = split(line, " ");
    std::vector<std::string> above = split(before_, " ");
    if (above.size() != words.size()) above = wide_split(before_);
    const auto is_number = [](const std::string& word) { return integer_of(word).has_value(); };
    if (line.find_first_not_of(" -+|") == std::string::npos && line.find("--") != std::string::npos) {
        columns_ = wide_split(before_);
        return true;
    }
    // Two lines of names, as /proc/net/dev has them.
    if (boost::contains(line, "|") && boost::algorithm::none_of(words, is_number)) {
        const std::vector<std::string> parts = split(line, "|");
        if (groups_.empty()) return groups_ = parts, true;
        columns_.clear();
        for (std::size_t i = 0; i < parts.size() && i < groups_.size(); ++i)
            for (const std::string& word : split(parts[i], " "))
                columns_.push_back(i == 0 ? word : boost::trim_copy(groups_[i]) + " " + word);
        return true;
    }
    const bool numbers_alone = !words.empty() && boost::algorithm::all_of(words, is_number);
    const bool names_alone = above.size() > 1 && boost::algorithm::none_of(above, is_number);
    static const std::regex kWay("\\s*(RX|TX)[ a-z]*:\\s+(.*)");
    std::smatch way;
    if (numbers_alone && std::regex_match(before_, way, kWay)) {
        const std::vector<std::string> names = split(way[2], " ");
        for (std::size_t i = 0; i < names.size() && i < words.size(); ++i)
            note((way[1] == "RX" ? "rx." : "tx.") + names[i], device_, *integer_of(words[i]));
        return true;
    }
    const auto numbers = boost::range::count_if(words, is_number);
    const auto others = std::int64_t(words.size()) - numbers - boost::range::count(words, "N/A");
    if (columns_.empty() && names_alone && above.size() == words.size() && numbers > 0 && others <= 2 &&
        words[0].back() != ':')
        columns_ = above;
    if (columns_.size() < 2) return false;
    std::vector<std::string> cells = wide_split(line);
    if (cells.size() != columns_.size()) cells = split(boost::replace_first_copy(line, ":", ": "), " ");
    if (cells.size() != columns_.size()) return columns_.clear(), false;
    const std::string device =
        is_number(cells[0]) ? device_ : boost::trim_right_copy_if(cells[0], boost::is_any_of(":"));
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (const auto value = integer_of(cells[i])) note(columns_[i], device, *value);
    return true;
}

bool PrintedCounters::read_box(const std::string& line) {
    if (line.size() < 2 || line.front() != '|' || line.back() != '|') return false;
    std::string name;
    bool any = false;
    for (std::string cell : split(line, "|")) {
        boost::trim(cell);
        const auto value = integer_of(cell);
        any |= value.has_value();
        if (value)
            note(name, device_, *value);
        else if (!cell.empty() && cell != "-")
            name = cell;
    }
    return any;
}

void PrintedCounters::read_socket(const std::string& line) {
    static const std::regex kSocket(R"((?:([a-z]\S*) +)?[A-Z][A-Z0-9-]+ +\d+ +\d+ +(\S+) .*)"),
        kDrops(R"(.*\bskmem:\([^)]*,d(\d{1,18})\).*)");
    std::smatch match;
    if (std::regex_match(line, match, kSocket)) {
        section_ = match[1];
        device_ = match[2];
    }
    if ((section_.empty() || section_ == "udp") && std::regex_match(line, match, kDrops))
        note("skmem.d", device_, *integer_of(match[1]));
}

}  // namespace watershed
