// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/key-value.h"

#include <sstream>
#include <type_traits>

namespace watershed {

std::string value_text(const KeyValue& value) {
    std::ostringstream text;
    text << std::boolalpha;
    std::visit(
        [&](const auto& v) {
            using Value = std::decay_t<decltype(v)>;
            if constexpr (std::is_same_v<Value, std::vector<std::string>> ||
                          std::is_same_v<Value, std::vector<std::int64_t>>)
                for (const auto& each : v) text << (text.tellp() == 0 ? "" : ", ") << each;
            else
                text << v;
        },
        value);
    return text.str();
}

}  // namespace watershed
