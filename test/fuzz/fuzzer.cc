// SPDX-License-Identifier: GPL-2.0-only
// The program of `./waf fuzz`: fuzz READER [OPTION OF LIBFUZZER]... [FOLDER]...
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "scenarios/text/input-error.h"
#include "test/fuzz/targets.h"

using namespace watershed;

namespace {

// The processes that libFuzzer starts get this variable, but not the argument.
constexpr const char* kReader = "WATERSHED_FUZZ_READER";

const FuzzTarget* target = nullptr;

/// A file in memory, by a name under which it can be opened.
class MemoryFile {
  public:
    MemoryFile(const std::uint8_t* bytes, std::size_t size) : descriptor_(memfd_create("input", 0)) {
        if (descriptor_ < 0 || write(descriptor_, bytes, size) != static_cast<ssize_t>(size)) std::abort();
    }
    ~MemoryFile() { close(descriptor_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    std::string name() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

  private:
    int descriptor_;
};

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
    if (!std::getenv(kReader) && *count > 1) {
        setenv(kReader, (*words)[1], 1);
        std::rotate(*words + 1, *words + 2, *words + *count);
        --*count;
    }
    const char* name = std::getenv(kReader);
    for (const FuzzTarget& each : fuzz_targets())
        if (name && each.name == name) target = &each;
    if (target) return 0;
    std::cerr << "error: expected a reader:";
    for (const FuzzTarget& each : fuzz_targets()) std::cerr << ' ' << each.name;
    std::cerr << '\n';
    std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const MemoryFile file(bytes, size);
    try {
        target->read(file.name());
    } catch (const InputError&) {
        // refused, as it should be
    }
    return 0;
}
