// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/report/switch-file.h"

#include <algorithm>
#include <ostream>

#include "scenarios/text/output-file.h"

namespace watershed {
namespace {

/// A TOML string: names of switches and files may hold anything.
std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return result + '"';
}

}  // namespace

void SwitchFile::add(const std::string& key, const std::string& value, const std::string& remark) {
    const std::size_t dot = key.rfind('.');
    entries_.push_back({key.substr(0, dot), key.substr(dot + 1), quoted(value), remark});
}

void SwitchFile::add(const std::string& key, std::int64_t value, const std::string& remark) {
    const std::size_t dot = key.rfind('.');
    entries_.push_back({key.substr(0, dot), key.substr(dot + 1), std::to_string(value), remark});
}

void SwitchFile::add(const std::string& key, const std::vector<std::int64_t>& values) {
    const std::size_t dot = key.rfind('.');
    std::string list;
    for (const std::int64_t value : values) list += (list.empty() ? "" : ", ") + std::to_string(value);
    entries_.push_back({key.substr(0, dot), key.substr(dot + 1), "[" + list + "]", ""});
}

void SwitchFile::write(std::ostream& out) const {
    out << Provenance::comment() << "name = " << quoted(name_) << '\n';
    // TOML takes each table once, wherever its keys were added.
    std::vector<std::string> tables;
    for (const Entry& entry : entries_)
        if (std::find(tables.begin(), tables.end(), entry.table) == tables.end()) tables.push_back(entry.table);
    for (const std::string& table : tables) {
        out << "\n[" << table << "]\n";
        for (const Entry& entry : entries_) {
            if (entry.table != table) continue;
            out << entry.key << " = { value = " << entry.value << ", standing = \"derived\", source = "
                << quoted(source_ + (entry.remark.empty() ? "" : ": " + entry.remark)) << " }\n";
        }
    }
}

}  // namespace watershed
