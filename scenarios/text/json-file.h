// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "scenarios/text/input-error.h"

/// Reading JSON files so that what is wrong with one is said in this program's words.
namespace watershed {

/// Of nlohmann::json or nlohmann::ordered_json. @throws InputError for what cannot be read or is no JSON, with the line
template <class Json>
Json read_json(const std::string& file);

/// The same, but a number that is no integer of 64 bits is kept as its text, for one who wants its digits, not the
/// nearest number of a processor. @throws InputError also for a key that an object has twice
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

/// The same where it may be missing.
template <class Value, class Json>
Value member_or(const Json& object, const char* name, Value otherwise) {
    return object.contains(name) ? member<Value>(object, name) : otherwise;
}

/// What `read` makes of the members of a document from that file.
/// @param expected  "what watershed run --json writes"
/// @throws InputError that names the file, the member, what was found and what is expected
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
