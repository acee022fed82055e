// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/run/simulators.h"

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>

#include "model/exact/exact-engine.h"
#include "scenarios/text/input-error.h"

namespace watershed {

void ask_for_ns3(const std::string& what) {
    throw InputError(what +
                     ": this program was built without ns-3, which simulates it; the Debian package watershed has it, "
                     "and so has what ./waf build makes of the source");
}

namespace {

std::unique_ptr<Engine> make_exact_engine(const std::string& name, const std::string&) {
    if (name == "ns3") ask_for_ns3("engine " + name);
    if (name != "exact") throw InputError("engine: found \"" + name + "\", expected ns3 or exact");
    return std::make_unique<ExactEngine>();
}

/// The library is found from where the program is, wherever both were moved to.
const Ns3Simulators& load_ns3(const std::vector<std::string>& places) {
    std::error_code unknown;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", unknown);
    std::string tried;
    for (const std::string& place : places) {
        const auto file = (program.parent_path() / place).lexically_normal();
        tried += (tried.empty() ? "" : " nor ") + file.string();
        if (!std::filesystem::exists(file, unknown)) continue;
        void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        void* const give = library ? dlsym(library, kGiveNs3Simulators) : nullptr;
        if (!give)
            throw std::runtime_error(
                "the library that simulates in ns-3 cannot be loaded, or belongs to another "
                "version of this program: " +
                std::string(dlerror()));
        return *reinterpret_cast<GiveNs3Simulators*>(give)();
    }
    throw std::runtime_error("the library that simulates in ns-3 is neither " + tried +
                             "; --engine exact does without");
}

}  // namespace

Simulators exact_only() {
    Simulators simulators;
    simulators.usual_engine = "exact";
    simulators.engine = make_exact_engine;
    return simulators;
}

Simulators with_ns3_from(const std::vector<std::string>& places) {
    const auto ns3 = [places]() -> const Ns3Simulators& {
        static const Ns3Simulators& loaded = load_ns3(places);
        return loaded;
    };
    Simulators simulators;
    simulators.usual_engine = "ns3";
    simulators.engine = [ns3](const std::string& name, const std::string& pcap_prefix) -> std::unique_ptr<Engine> {
        if (name == "ns3") return ns3().engine(pcap_prefix);
        return make_exact_engine(name, pcap_prefix);
    };
    simulators.systems = [ns3]() -> const TypeMap& { return ns3().systems; };
    return simulators;
}

}  // namespace watershed
