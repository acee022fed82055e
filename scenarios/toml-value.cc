// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/toml-value.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "scenarios/input-error.h"

namespace watershed {

KeyValue value_of(const toml::node& node) {
    if (const auto* b = node.as_boolean()) return b->get();
    if (const auto* i = node.as_integer()) return i->get();
    if (const auto* d = node.as_floating_point()) return d->get();
    if (const auto* s = node.as_string()) return s->get();
    if (const auto* array = node.as_array()) {
        if (!array->empty() && array->is_homogeneous<std::int64_t>()) {
            std::vector<std::int64_t> integers;
            for (const toml::node& element : *array) integers.push_back(element.as_integer()->get());
            return integers;
        }
        std::vector<std::string> list;
        for (const toml::node& element : *array) {
            const auto* s = element.as_string();
            if (!s) throw std::invalid_argument("found a list of mixed members, expected integers, or values with units in quotes");
            list.push_back(s->get());
        }
        return list;
    }
    throw std::invalid_argument("found a date or time of day, expected another kind of value");
}

toml::table read_toml(const std::string& file) {
    std::ifstream in(file);
    std::stringstream text;
    if (std::error_code ignored; std::filesystem::is_directory(file, ignored)) throw InputError(file + ": cannot be read: it is a folder");
    if (in) text << in.rdbuf();
    if (!in) throw InputError(file + ": cannot be read: " + std::strerror(errno));
    try {
        return toml::parse(text.str(), file);
    } catch (const toml::parse_error& error) {
        throw InputError(file + ":" + std::to_string(error.source().begin.line) + ": " + std::string(error.description()));
    }
}

}  // namespace watershed
