// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/results.h"

#include <algorithm>
#include <sstream>

#include "scenarios/design/explore-result.h"
#include "scenarios/text/json-file.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

void check_kind(const Json& value, const std::string& name, const std::string& kind) {
    const bool right = kind == "any" || (kind == "text" && value.is_string()) ||
                       ((kind == "number" || kind == "number?") && value.is_number()) ||
                       (kind == "number?" && value.is_null()) || (kind == "flag" && value.is_boolean()) ||
                       (kind == "list" && value.is_array()) || (kind == "some" && value.is_structured()) ||
                       (kind == "object" && value.is_object()) ||
                       (kind == "texts" && value.is_array() &&
                        std::all_of(value.begin(), value.end(), [](const Json& each) { return each.is_string(); })) ||
                       (kind == "pair" && value.is_array() && value.size() >= 2);
    if (!right)
        throw MemberError(name + ": found " +
                          (value.is_null()         ? ""
                           : value.is_structured() ? "an "
                                                   : "a ") +
                          value.type_name());
    if (kind == "some" && value.empty()) throw MemberError(name + ": found none");
}

void check_path(const Json& object, std::string path, const std::string& kind) {
    const auto dot = path.find('.');
    std::string name = path.substr(0, dot);
    path = dot == std::string::npos ? "" : path.substr(dot + 1);
    const bool each = ends_with(name, "[]"), optional = ends_with(name, "?");
    name.resize(name.size() - (each ? 2 : optional ? 1 : 0));
    if (!object.is_object() || !object.contains(name) || (optional && object.at(name).is_null())) {
        if (optional) return;
        throw MemberError(name + ": missing");
    }
    const auto check = [&](const Json& value) {
        path.empty() ? check_kind(value, name, kind) : check_path(value, path, kind);
    };
    const Json& value = object.at(name);
    if (!each) return check(value);
    if (!value.is_structured() && !value.is_null()) check_kind(value, name, "list");
    for (const Json& element : value) check(element);
}

}  // namespace

void check_result(const Json& document, const std::string& file, const std::string& command,
                  const RequiredMembers& members) {
    read_members(file, "what " + command + " writes", [&] {
        for (const auto& [kind, paths] : members) {
            std::istringstream in(paths);
            for (std::string path; in >> path;) check_path(document, path, kind);
        }
    });
}

Json read_result(const std::vector<std::string>& files, const std::string& command, const RequiredMembers& members) {
    if (files.size() != 1) throw InputError("expected one result of " + command);
    const auto document = read_json<Json>(files.front());
    check_result(document, files.front(), command, members);
    return document;
}

bool is_from_program(const Json& document) {
    return document.is_object() && document.contains("program") && document["program"].is_string() &&
           begins_with(document["program"].get<std::string>(), "watershed ");
}

void check_explored(const Json& document, const std::string& file) { explore_result_of(document, file); }

void check_designs(const Json& document, const std::string& file) {
    static const RequiredMembers kMembers{
        {"some", "designs"},
        {"number", "separation_us designs[].modules designs[].uplinks designs[].peak_frames designs[].peak_bytes"},
        {"text", "designs[].name designs[].scenario"},
        {"any",
         "designs[].risk designs[].events_lossless designs[].events_unknown_beyond designs[].load designs[].latency "
         "designs[].price designs[].power"},
        {"object", "designs[].switches designs[].frames designs[].events"},
        {"pair", "designs[].watershed[]"}};
    check_result(document, file, "watershed compare --json", kMembers);
}

}  // namespace watershed
