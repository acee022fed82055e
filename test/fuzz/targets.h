// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

/// Readers of files that come from outside, which a fuzzer feeds with bytes of its own making.
namespace watershed {

/// One reader. Whatever the file holds, it reads it or throws InputError; and what it has read keeps the reader's
/// promises, else std::logic_error.
struct FuzzTarget {
    std::string name;  ///< also that of its folder in test/fuzz/corpus/
    void (*read)(const std::string& file);
};

const std::vector<FuzzTarget>& fuzz_targets();

}  // namespace watershed
