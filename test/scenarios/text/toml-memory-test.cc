// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/toml-memory.h"

#include "scenarios/text/toml-value.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

TEST_CASE("A file is parsed once while a memory lives, and anew when the outermost has gone") {
    const TemporaryFolder folder;
    const std::string file = folder.write("a.toml", "a = 1\n");
    const auto read = [&] { return read_toml(file)["a"].value_or(0); };
    {
        const TomlMemory memory;
        toml::table changed = read_toml(file);
        changed.insert_or_assign("a", 3);  // a copy
        folder.write("a.toml", "a = 2\n");
        { const TomlMemory within; }
        CHECK(read() == 1);
    }
    CHECK(read() == 2);
}
