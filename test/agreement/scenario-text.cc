// SPDX-License-Identifier: GPL-2.0-only
#include <optional>
#include <ostream>
#include <type_traits>
#include <variant>
#include <vector>

#include "model/frontend/sender-fields.h"
#include "model/switch/switch-fields.h"
#include "test/agreement/random-scenario.h"

namespace watershed {
namespace {

/// Writes what a field has, times in picoseconds and rates in bits per second or microhertz.
struct Raw {
    std::ostream& out;

    void operator()(bool value) const { out << (value ? "true" : "false"); }
    void operator()(std::int64_t value) const { out << value; }
    void operator()(int value) const { out << value; }
    void operator()(const std::string& value) const { out << value; }
    void operator()(Time time) const { out << time.count(); }
    template <class Tag>
    void operator()(Quantity<Tag> value) const {
        out << value.count;
    }
    void operator()(MemorySize size) const {
        static const char* const kUnits[] = {" frames", " B", " cells"};
        out << size.amount << kUnits[static_cast<int>(size.unit)];
    }
    void operator()(Ratio ratio) const { out << ratio.numerator << "/" << ratio.denominator; }
    void operator()(const ResumeLevel& level) const { std::visit(*this, level); }
    void operator()(const FragmentList& fragments) const {
        (*this)(fragments.number);
        out << ": ", (*this)(fragments.payloads);
    }
    void operator()(PayloadShare share) const { out << share.weight << " of " << share.payload.count; }
    void operator()(const TriggerRule& rule) const {
        if (rule.kind == TriggerRule::Kind::AlmostFull) (*this)(rule.level), out << " at ";
        out << (rule.kind == TriggerRule::Kind::Count ? "count " : "bucket ") << rule.events << " in "
            << rule.time.count();
    }
    void operator()(const GateEntry& entry) const { out << entry.lasts.count() << ": " << entry.classes; }
    void operator()(PortGroup group) const { out << group.count << " x " << group.speed.count; }
    template <class T>
    void operator()(const std::optional<T>& value) const {
        if (value) (*this)(*value);
    }
    template <class T>
    void operator()(const std::vector<T>& list) const {
        for (const T& each : list) (*this)(each), out << ", ";
    }
};

template <class AField, class Owner>
void write(std::ostream& out, const std::vector<AField>& fields, const Owner& owner, const char* table) {
    for (const AField& field : fields) {
        if (!field.alone && !field.has_use(owner)) continue;
        out << table << field.name << " = ";
        std::visit(
            [&](const auto& at) {
                if constexpr (std::is_same_v<std::decay_t<decltype(at)>, FieldChoice<Owner>>)
                    out << at.names[static_cast<std::size_t>(at.get(owner))];
                else
                    Raw{out}(at(const_cast<Owner&>(owner)));
            },
            field.place);
        out << '\n';
    }
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Scenario& scenario) {
    out << "seed = " << scenario.seed << '\n';
    write<SenderField, Senders>(out, sender_fields(), scenario, "");
    write(out, switch_fields(), scenario.network_switch, "switch.");
    out << "# times:";
    for (const Time time : scenario.trigger.times) out << ' ' << time.count();
    return out << '\n';
}

}  // namespace watershed
