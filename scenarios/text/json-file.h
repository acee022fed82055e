// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "scenarios/text/input-error.h"

/// Reading JSON files so that what is wrong with one is said in this program's words.
namespace watershed {

/// Reads a JSON file. @throws InputError, with the line, for a file that cannot be read or is no JSON
/// @tparam Json  nlohmann::json or nlohmann::ordered_json
template <class Json>
Json read_json(const std::string& file);

/// Reads a JSON file and keeps numbers other than 64-bit integers as text, so that no digit is lost.
/// @throws InputError as read_json(), and for a key that an object has twice
nlohmann::json read_exact_json(const std::string& file);

/// A member of a document is missing or of the wrong kind; read_members() makes it an InputError.
struct MemberError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// "found a string", "found no \"ports\""
std::string found_in(const nlohmann::json::exception& error);

/// A member, as that type. @throws MemberError that names it
template <class Value, class Json>
Value member(const Json& object, const char* name) {
    if (object.is_object() && !object.contains(name)) throw MemberError(std::string(name) + ": missing");
    try {
        return object.at(name).template get<Value>();
    } catch (const nlohmann::json::exception& error) {
        throw MemberError(std::string(name) + ": " + found_in(error));
    }
}

/// Returns the member, or `otherwise` if it is missing.
template <class Value, class Json>
Value member_or(const Json& object, const char* name, Value otherwise) {
    return object.contains(name) ? member<Value>(object, name) : otherwise;
}

/// Returns the result of `read`, which reads the members of a document.
/// @param expected  "what watershed run --json writes"
/// @throws InputError that names the file, the member, the value found and the one expected
template <class Read>
auto read_members(const std::string& file, const std::string& expected, Read read) -> decltype(read()) {
    try {
        return read();
    } catch (const MemberError& error) {
        throw InputError(file + ": " + error.what() + ", expected " + expected);
    } catch (const nlohmann::json::exception& error) {
        throw InputError(file + ": " + found_in(error) + ", expected " + expected);
    }
}

}  // namespace watershed
