// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/sonic/sonic-switch.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "scenarios/text/did-you-mean.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

std::string bytes_text(std::int64_t bytes) { return std::to_string(bytes) + " B"; }
std::string in_quotes(const std::string& text) { return '"' + text + '"'; }

/// 2 to that power.
std::string alpha_text(int power) {
    const std::int64_t whole = std::int64_t{1} << std::abs(power);
    return power < 0 ? in_quotes("1/" + std::to_string(whole)) : std::to_string(whole);
}

/// Import of one profile of a configuration, for one chip.
class SonicImport {
  public:
    SonicImport(const SonicConfig& config, const ChipMemory* chip)
        : config_(config),
          chip_(chip),
          counts_(headroom_is_apart() ? PoolSize::Shared
                  : chip              ? chip->pool_size
                                      : PoolSize::Unknown) {}

    SonicSwitch make(const std::string& wanted, Bytes response) {
        made_.file = std::filesystem::path(config_.file).filename().string();
        made_.name = config_.hwsku.empty() ? made_.file : config_.hwsku;
        made_.response = response.count;
        if (chip_) check_memory();
        const std::size_t comma = wanted.find(',');
        choose(wanted.substr(0, comma));
        choose_other_side(comma == std::string::npos ? "" : wanted.substr(comma + 1));
        add_ports();
        add_buffer();
        add_headroom();
        return std::move(made_);
    }

  private:
    [[noreturn]] void refuse(const std::string& key, const std::string& what) const {
        throw InputError(config_.file, key, what);
    }

    /// Templates that give egress as much as the pool and the headroom of ingress together say so, as Dell's do.
    bool headroom_is_apart() const {
        for (const auto& [in, ingress] : config_.pools)
            for (const auto& [out, egress] : config_.pools)
                if (ingress.ingress && !egress.ingress && ingress.xoff > 0 &&
                    egress.size == ingress.size + ingress.xoff)
                    return true;
        return false;
    }

    const SonicPool& pool_of(const SonicProfile& profile) const { return config_.pools.at(profile.pool); }
    const SonicProfile& profile_of(const SonicUse& use) const { return config_.profiles.at(use.profile); }

    /// Returns the reserved minimum of a group or queue, without its headroom. On chips whose pool has no headroom,
    /// `size` includes xoff.
    std::int64_t minimum_of(const SonicProfile& profile) const {
        const std::int64_t xoff = profile.xoff.value_or(0);
        return pool_of(profile).xoff == 0 && profile.size >= xoff ? profile.size - xoff : profile.size;
    }
    /// And with it, unless that comes from the pool.
    std::int64_t set_aside_for(const SonicProfile& profile) const {
        return minimum_of(profile) + (pool_of(profile).xoff == 0 ? profile.xoff.value_or(0) : 0);
    }

    std::int64_t cells(std::int64_t bytes) const { return (bytes + chip_->cell - 1) / chip_->cell; }
    std::int64_t cells_for(const std::vector<SonicUse>& uses, const std::string& pool) const {
        std::int64_t sum = 0;
        for (const SonicUse& use : uses)
            if (const SonicProfile& profile = profile_of(use); pool.empty() || profile.pool == pool)
                sum += use.count() * cells(set_aside_for(profile));
        return sum;
    }
    static std::int64_t count_of(const std::vector<SonicUse>& uses) {
        std::int64_t count = 0;
        for (const SonicUse& use : uses) count += use.count();
        return count;
    }

    void demand(const std::string& key, const std::string& what, std::int64_t asked, std::int64_t there,
                const std::string& of) {
        made_.memory.push_back({what, asked, there});
        if (asked > there)
            refuse(key, "found " + what + ", which ask for " + std::to_string(asked) + " cells of " +
                            bytes_text(chip_->cell) + ", expected at most the " + std::to_string(there) + " cells " +
                            of);
    }

    /// Pools of ingress divide the memory; those of egress are limits, each of which may be all of it.
    void check_memory() {
        const std::string chip = "that a " + chip_->name + " has";
        const bool apart = counts_ == PoolSize::Shared;
        std::int64_t ingress = 0;
        std::string key, what;
        for (const auto& [name, pool] : config_.pools) {
            if (!pool.ingress) {
                made_.memory.push_back(
                    {"size " + bytes_text(pool.size) + " of " + name, cells(pool.size), chip_->cells});
                if (cells(pool.size) > chip_->cells)
                    made_.left_out.push_back("size of " + name + " above the " + std::to_string(chip_->cells) +
                                             " cells " + chip + ": a pool of egress is a limit, which is not reached");
                continue;
            }
            if (key.empty()) key = "BUFFER_POOL|" + name;
            what += (what.empty() ? "" : ", ") + ("size " + bytes_text(pool.size));
            ingress += cells(pool.size);
            if (apart && pool.xoff > 0) {
                what += " and xoff " + bytes_text(pool.xoff);
                ingress += cells(pool.xoff);
            }
            what += " of " + name;
        }
        if (!key.empty()) demand(key, what, ingress, chip_->cells, chip);
        if (apart && count_of(config_.groups) > 0)
            demand("BUFFER_PG",
                   "the minima and headroom of " + std::to_string(count_of(config_.groups)) +
                       " priority groups beside " + what,
                   ingress + cells_for(config_.groups, ""), chip_->cells, chip);
        if (counts_ != PoolSize::Whole) return;
        for (const auto& [name, pool] : config_.pools) {
            const std::string within = "of " + name;
            if (pool.ingress)
                demand("BUFFER_PG", "the minima and headroom of priority groups in " + name,
                       cells(pool.xoff) + cells_for(config_.groups, name), pool.size / chip_->cell, within);
            else
                demand("BUFFER_QUEUE", "the minima of queues in " + name, cells_for(config_.queues, name),
                       pool.size / chip_->cell, within);
        }
    }

    /// The profile of most of these that are `wanted`; of as many the one with the least headroom, then the first.
    template <class Wanted>
    bool choose_most(const std::vector<SonicUse>& uses, const std::string& of, const Wanted& wanted) {
        std::map<std::string, std::int64_t> counts;
        std::int64_t all = 0;
        for (const SonicUse& use : uses)
            if (wanted(profile_of(use))) counts[use.profile] += use.count(), all += use.count();
        if (counts.empty()) return false;
        const auto most = std::max_element(counts.begin(), counts.end(), [&](const auto& a, const auto& b) {
            const auto rank = [&](const auto& each) {
                return std::pair(each.second, -config_.profiles.at(each.first).xoff.value_or(0));
            };
            return rank(a) < rank(b);
        });
        profile_ = &config_.profiles.at(most->first);
        made_.chosen = "of " + std::to_string(most->second) + " of " + std::to_string(all) + " " + of;
        counts.erase(most);
        if (!counts.empty())
            made_.left_out.push_back("other profiles of " + of +
                                     ", which --profile takes: " + listed(counts, [](const auto& each) {
                                         return each.first + " (" + std::to_string(each.second) + ")";
                                     }));
        return true;
    }

    /// A switch takes ports out of use by profiles that hold nothing.
    static bool holds(const SonicProfile& profile) { return profile.dynamic_th || profile.static_th != 0; }

    std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const auto& [name, profile] : config_.profiles) names.push_back(name);
        return names;
    }
    const SonicProfile& named(const std::string& wanted) const {
        const auto found = config_.profiles.find(wanted);
        if (found == config_.profiles.end())
            throw InputError("--profile: found \"" + wanted + "\", expected one of " + listed(names()) +
                             did_you_mean(wanted, names()));
        return found->second;
    }

    void choose(const std::string& wanted) {
        const auto is_lossless = [](const SonicProfile& profile) { return profile.xoff.has_value(); };
        if (!wanted.empty()) {
            profile_ = &named(wanted);
            made_.chosen = "as --profile says";
        } else if (!choose_most(config_.groups, "lossless priority groups", is_lossless) &&
                   !choose_most(config_.queues, "queues", holds)) {
            std::vector<std::string> candidates;
            for (const auto& [name, profile] : config_.profiles)
                if (is_lossless(profile)) candidates.push_back(name);
            if (candidates.size() != 1)
                throw InputError(config_.file + ": found no priority group or queue, expected --profile with one of " +
                                 listed(candidates.empty() ? names() : candidates));
            profile_ = &config_.profiles.at(candidates.front());
            made_.chosen = "the only lossless one";
        }
        made_.profile = profile_->name;
        if (!config_.calculated.empty())
            made_.left_out.push_back(std::to_string(config_.calculated.size()) +
                                     " entries whose buffers the switch calculates (profile NULL), such as " +
                                     config_.calculated.front());
    }

    /// Limit of a queue beside its pool, where no threshold and no pause keeps it below.
    static std::optional<std::int64_t> limit_of(const SonicProfile& profile, const SonicPool& pool) {
        const bool binds = !profile.dynamic_th && !profile.xoff && profile.static_th < pool.size;
        return binds ? profile.static_th : std::nullopt;
    }

    /// A frame passes ingress and egress: chooses the profile of most queues with the numbers of these groups, whatever
    /// their ports, or the other way round, and tells what the switch file does not show.
    /// @param wanted  empty: that one
    void choose_other_side(const std::string& wanted) {
        const bool ingress = pool_of(*profile_).ingress;
        (ingress ? in_ : out_) = profile_;
        const std::string side = ingress ? "egress" : "ingress";
        std::set<int> numbers;
        for (const SonicUse& use : ingress ? config_.groups : config_.queues)
            if (use.profile == profile_->name)
                for (int number = use.first; number <= use.last; ++number) numbers.insert(number);
        std::map<std::string, std::int64_t> counts, passed;
        for (const SonicUse& use : ingress ? config_.queues : config_.groups) {
            counts[use.profile] += use.count();
            const auto both = std::distance(numbers.lower_bound(use.first), numbers.upper_bound(use.last));
            if (both > 0 && holds(profile_of(use))) passed[use.profile] += both;
        }
        std::string why = counts.empty()
                              ? ": none has a queue or priority group in the file"
                              : " (of other numbers than these " + std::string(ingress ? "groups)" : "queues)");
        const SonicProfile* other = nullptr;
        if (!wanted.empty()) {
            other = &named(wanted);
            if (pool_of(*other).ingress == ingress && !pool_of(*other).egress)
                throw InputError("--profile: found \"" + wanted + "\" beside \"" + profile_->name +
                                 "\", expected one of the " + side);
        } else if (!passed.empty()) {
            const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
            other = &config_.profiles.at(std::max_element(passed.begin(), passed.end(), fewer)->first);
        }
        if (other && (pool_of(*other).size == 0 || (!other->dynamic_th && !other->static_th))) {
            why = " (" + other->name + " has no threshold, or its pool no size)";
        } else if (other && limit_of(*other, pool_of(*other)) != limit_of(*profile_, pool_of(*profile_))) {
            why = " (static_th of " + other->name + " or " + profile_->name +
                  " is a limit of one side, and switch.buffer.port_limit holds on both)";
        } else if (other) {
            (ingress ? out_ : in_) = other;
            made_.other = other->name;
            counts.erase(other->name);
            why = " of other queues";
        }
        const auto limit = [&](const auto& each) {
            const SonicProfile& profile = config_.profiles.at(each.first);
            const std::string threshold = profile.dynamic_th  ? "dynamic_th " + std::to_string(*profile.dynamic_th)
                                          : profile.static_th ? "static_th " + bytes_text(*profile.static_th)
                                                              : "no threshold";
            return each.first + " (" + std::to_string(each.second) + ", " + threshold + " of " + profile.pool + ")";
        };
        if (!counts.empty())
            made_.left_out.push_back("limits of the " + side + why +
                                     ", which --profile takes: " + listed(counts, limit));
        else if (made_.other.empty())
            made_.left_out.push_back("limits of the " + side + why + "; --profile NAME,NAME takes one of each side");
    }

    void add_ports() {
        std::map<std::int64_t, int> counts;
        for (const auto& [name, port] : config_.ports) ++counts[port.speed];
        made_.ports.assign(counts.begin(), counts.end());
        if (counts.empty()) made_.left_out.push_back("ports: PORT is not in the file");
    }

    void add(const std::string& key, const std::string& value, const std::string& standing, const std::string& source) {
        made_.values.push_back({key, value, standing, source});
    }
    void configure(const SonicProfile& profile, const std::string& key, const std::string& value,
                   const std::string& field) {
        add(key, value, "from configuration", made_.file + ", BUFFER_PROFILE|" + profile.name + ": " + field);
    }

    void add_buffer() {
        const bool both = in_ && out_;
        const SonicProfile& profile = in_ ? *in_ : *out_;  // profile of the keys that do not begin with egress
        const SonicPool& pool = pool_of(profile);
        const bool lossless = in_ && in_->xoff;
        if (!profile_->dynamic_th && !profile_->static_th)
            refuse("BUFFER_PROFILE|" + profile_->name, "found neither dynamic_th nor static_th, expected one of them");
        add("latency", in_quotes("unknown"), "", "");
        const std::optional<int> power = power_of(profile, lossless);
        if (lossless) add_flow_control(power);
        configure(profile, "buffer.sharing", in_quotes(power ? "dynamic-threshold" : "shared"),
                  profile.dynamic_th ? "dynamic_th" : "static_th");
        configure(profile, "buffer.accounting",
                  in_quotes(both  ? "both"
                            : in_ ? "ingress"
                                  : "egress"),
                  "pool " + pool.name + (in_ ? ", of ingress" : ", of egress") +
                      (both ? ", and pool " + out_->pool + " of " + out_->name + ", of egress" : ""));
        add_size(pool);
        add_chip();
        add_minimum(profile, "buffer.reserved");
        if (power)
            configure(profile, "buffer.alpha", alpha_text(*power), "dynamic_th " + std::to_string(*profile.dynamic_th));
        else if (const auto limit = both ? limit_of(profile, pool) : profile.static_th;
                 !lossless && limit.value_or(0) > 0)
            configure(profile, "buffer.port_limit", in_quotes(bytes_text(*limit)), "static_th");
        if (both) add_egress();
        if (!lossless || *profile.xoff == 0) return;
        configure(profile, "buffer.headroom", in_quotes(bytes_text(*profile.xoff)), "xoff");
        if (pool.xoff > 0)
            add("buffer.headroom_pool", in_quotes(bytes_text(pool.xoff)), "from configuration",
                made_.file + ", BUFFER_POOL|" + pool.name + ": xoff");
        if (both)
            made_.left_out.push_back("what frames on headroom take of " + out_->pool +
                                     ": the accounts of the egress do not hold them");
    }

    void add_minimum(const SonicProfile& profile, const std::string& key) {
        if (const std::int64_t minimum = minimum_of(profile); minimum > 0)
            configure(profile, key, in_quotes(bytes_text(minimum)),
                      minimum == profile.size ? "size" : "size less xoff");
    }

    /// Adds the uplinks' side of a switch whose other keys are those of the inputs.
    void add_egress() {
        const SonicPool& pool = pool_of(*out_);
        const std::string of_pool = made_.file + ", BUFFER_POOL|" + pool.name + ": size";
        if (!add_limited(pool, "buffer.egress_size"))
            add("buffer.egress_size", in_quotes(bytes_text(pool.size)), "from configuration", of_pool);
        if (const auto power = power_of(*out_, false))
            configure(*out_, "buffer.egress_alpha", alpha_text(*power),
                      "dynamic_th " + std::to_string(*out_->dynamic_th));
        add_minimum(*out_, "buffer.egress_reserved");
    }

    /// Adds the size of a pool of egress that is above the memory. @return false if it is none
    bool add_limited(const SonicPool& pool, const std::string& key) {
        if (!chip_ || cells(pool.size) <= chip_->cells) return false;
        add(key, in_quotes(std::to_string(chip_->cells) + " cells"), "derived",
            made_.file + ", BUFFER_POOL|" + pool.name + ": size, at most the memory of a " + chip_->name);
        return true;
    }

    /// Spectrum's largest alpha is 64; the step above it, dynamic_th 7, is no limit at all (Linux,
    /// drivers/net/ethernet/mellanox/mlxsw/reg.h, max_buff of SBPM).
    /// @return power of two of alpha; nothing: no dynamic threshold
    std::optional<int> power_of(const SonicProfile& profile, bool lossless) {
        constexpr int kUnlimited = 7;
        std::optional<int> power = profile.dynamic_th;
        if (power.value_or(0) < kUnlimited || (chip_ && !begins_with(chip_->name, "spectrum"))) return power;
        std::string assumed = alpha_text(*power) + "; on a Spectrum it is no limit, as --asic spectrum says";
        if (chip_ && lossless) {
            power = kUnlimited - 1;
            assumed = alpha_text(*power) + ", as a pause needs a threshold, and as tests of SONiC reckon";
        } else if (chip_) {
            power.reset();
            assumed = "no limit";
        }
        made_.left_out.push_back("dynamic_th " + std::to_string(*profile.dynamic_th) + " of " + profile.name +
                                 ": assumed is " + assumed);
        return power;
    }

    void add_flow_control(std::optional<int> power) {
        add("flow_control.kind", in_quotes("pfc"), "derived", made_.file + ", BUFFER_PROFILE|" + in_->name + ": xoff");
        if (power) {
            configure(*in_, "flow_control.alpha", alpha_text(*power), "dynamic_th " + std::to_string(*in_->dynamic_th));
            if (in_->xon_offset > 0)
                configure(*in_, "flow_control.xon_offset", in_quotes(bytes_text(in_->xon_offset)), "xon_offset");
            // As hardware tests of XON find it (scenarios/data/sonic-set-points.csv).
            add("flow_control.xon_fixed", "true", "derived", "SONiC, sonic-mgmt, tests of XON");
            if (in_->xon > 0)
                made_.left_out.push_back("xon " + bytes_text(in_->xon) +
                                         ": with alpha a switch has no key for a least level of XON");
            return;
        }
        const std::int64_t xoff = *in_->static_th;
        if (xoff == 0) refuse("BUFFER_PROFILE|" + in_->name + ": static_th", "found 0, expected where it pauses");
        configure(*in_, "flow_control.xoff", in_quotes(bytes_text(xoff)), "static_th");
        configure(*in_, "flow_control.xon",
                  in_quotes(bytes_text(std::min(xoff, std::max(in_->xon, xoff - in_->xon_offset)))), "xon, xon_offset");
    }

    /// Sets the shared size of the pool.
    void add_size(const SonicPool& pool) {
        const std::string of_pool = made_.file + ", BUFFER_POOL|" + pool.name + ": size";
        const bool whole = chip_ && counts_ == PoolSize::Whole;
        std::int64_t taken = 0;
        std::string without;
        const auto take = [&](std::int64_t so_many, const std::string& what) {
            taken += so_many;
            if (so_many > 0)
                without += (without.empty() ? " less " : ", ") + std::to_string(so_many) + " cells of " + what;
        };
        if (whole && pool.ingress) {
            take(cells(pool.xoff), "xoff");
            take(cells_for(config_.groups, pool.name), "BUFFER_PG");
        } else if (whole) {
            // An ingress pool of equal size is the same memory, counted at the ingress.
            for (const auto& [name, other] : config_.pools)
                if (other.ingress && other.size == pool.size) {
                    take(cells(other.xoff), "xoff of " + name);
                    take(cells_for(config_.groups, name), "BUFFER_PG");
                    take(cells_for(config_.queues, pool.name), "BUFFER_QUEUE");
                }
        }
        const bool limited = !pool.ingress && add_limited(pool, "buffer.size");
        if (!limited && taken == 0)
            add("buffer.size", in_quotes(bytes_text(pool.size)), "from configuration", of_pool);
        else if (!limited)
            add("buffer.size", in_quotes(std::to_string(pool.size / chip_->cell - taken) + " cells"), "derived",
                of_pool + without);
        if (pool.size == 0 || (taken > 0 && pool.size / chip_->cell <= taken))
            refuse("BUFFER_POOL|" + pool.name + ": size",
                   "found " + bytes_text(pool.size) + without + ", expected some that are shared");
        if (!chip_)
            made_.left_out.push_back(
                "cells, slices and the check of the memory: no --asic says which chip it is; "
                "size is the whole pool, whatever headroom and minima it holds");
        else if (counts_ == PoolSize::Unknown)
            made_.left_out.push_back("headroom and minima in size: whether the pool of a " + chip_->name +
                                     " holds them is unknown");
    }

    void add_chip() {
        const auto of_chip = [&](const std::string& key, std::optional<std::int64_t> value, bool is_size) {
            const std::string text = value ? std::to_string(*value) + (is_size ? " B" : "") : "unknown";
            add(key, !value || is_size ? in_quotes(text) : text, value ? "read" : "",
                value ? chip_->source + ", " + chip_->name : "");
        };
        const auto known = [&](std::int64_t value) { return chip_ ? std::optional(value) : std::nullopt; };
        of_chip("buffer.slices", known(chip_ ? chip_->slices : 0), false);
        of_chip("buffer.cell", known(chip_ ? chip_->cell : 0), true);
        of_chip("buffer.cell_header", chip_ ? chip_->header : std::nullopt, true);
    }

    /// "pg_lossless_100000_40m_profile": 100 Gb/s and 40 m.
    static bool read_name(const std::string& name, SonicHeadroom& to) {
        long long speed = 0, metres = 0;
        if (std::sscanf(name.c_str(), "pg_lossless_%9lld_%9lldm", &speed, &metres) != 2) return false;
        to.speed = speed;
        to.cable = metres;
        return true;
    }

    void add_headroom() {
        for (const auto& [name, profile] : config_.profiles) {
            if (!profile.xoff) continue;
            using Kind = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  // speed, metres or -1, MTU
            std::map<Kind, std::map<std::string, int>> kinds;
            for (const SonicUse& use : config_.groups)
                if (use.profile == name) {
                    const auto port = config_.ports.find(use.port);
                    const auto cable = config_.cables.find(use.port);
                    const SonicPort about = port == config_.ports.end() ? SonicPort{} : port->second;
                    ++kinds[{about.speed, cable == config_.cables.end() ? -1 : cable->second, about.mtu}][use.port];
                }
            if (kinds.empty()) kinds[{0, -1, SonicPort{}.mtu}];
            for (const auto& [kind, ports] : kinds) {
                SonicHeadroom row;
                row.profile = name;
                row.xoff = *profile.xoff;
                row.ports = static_cast<int>(ports.size());
                SonicHeadroom named;
                read_name(name, named);
                const auto [speed, metres, mtu] = kind;
                row.mtu = mtu;
                row.speed = speed > 0 ? speed : named.speed;
                row.cable = metres >= 0 ? std::optional(metres) : named.cable;
                if (row.speed > 0 && row.cable) {
                    const std::int64_t cell = chip_ ? chip_->cell : 1;
                    const HeadroomPort port{row.speed, mtu,
                                            bytes_until_paused(mtu, row.speed, *row.cable, made_.response), cell,
                                            chip_ ? chip_->header.value_or(0) : 0};
                    const NeededHeadroom needed = needed_headroom(port.on_link, mtu, cell, port.header);
                    row.needed = needed.cells * cell;
                    row.worst = needed.worst;
                    row.whole_cells = chip_ && chip_->header;
                    if (row.whole_cells && !needed.frames.empty()) row.trial = try_headroom(port, row.xoff, needed);
                }
                made_.headroom.push_back(row);
            }
        }
    }

    const SonicConfig& config_;
    const ChipMemory* chip_;
    PoolSize counts_;
    const SonicProfile* profile_ = nullptr;
    const SonicProfile *in_ = nullptr, *out_ = nullptr;  ///< profiles of the sides that the switch has
    SonicSwitch made_;
};

}  // namespace

SonicSwitch switch_from_sonic(const SonicConfig& config, const ChipMemory* chip, const std::string& profile,
                              Bytes response) {
    return SonicImport(config, chip).make(profile, response);
}

}  // namespace watershed
