// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/key-value.h"

#include <array>
#include <charconv>
#include <sstream>
#include <type_traits>

namespace watershed {

std::string plain_number(double value) {
    constexpr std::size_t kLongest = 32;
    std::array<char, kLongest> text{};
    const char* end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    std::string number(text.data(), static_cast<std::size_t>(end - text.data()));
    // An exponent comes with a sign and two digits: "1e+15", "1e-07".
    if (auto at = number.find('e'); at != std::string::npos) {
        if (number[++at] == '+')
            number.erase(at, 1);
        else
            ++at;
        while (number[at] == '0') number.erase(at, 1);
    }
    return number;
}

std::string value_text(const KeyValue& value) {
    std::ostringstream text;
    text << std::boolalpha;
    std::visit(
        [&](const auto& v) {
            using Value = std::decay_t<decltype(v)>;
            if constexpr (std::is_same_v<Value, std::vector<std::string>> ||
                          std::is_same_v<Value, std::vector<std::int64_t>>)
                for (const auto& each : v) text << (text.tellp() == 0 ? "" : ", ") << each;
            else if constexpr (std::is_same_v<Value, double>)
                text << plain_number(v);
            else
                text << v;
        },
        value);
    return text.str();
}

}  // namespace watershed
