// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "model/base/quantities.h"

namespace watershed {

/// A field whose value is one of some names.
template <class Owner>
struct FieldChoice {
    std::function<int(const Owner&)> get;  ///< a place in `names`
    std::function<void(Owner&, int)> set;
    std::vector<std::string> names;
};

/// A field of a struct of the model, said once: reader, manual, completion, ns-3 attributes, random tests and the
/// comparison with a default read it here.
/// @tparam Own  types that the struct's fields have beside quantities, numbers and lists of them
template <class Owner, class... Own>
struct Field {
    template <class T>
    using At = T& (*)(Owner&);
    using Place = std::variant<FieldChoice<Owner>, At<bool>, At<int>, At<std::int64_t>, At<std::optional<std::int64_t>>,
                               At<BitRate>, At<std::optional<BitRate>>, At<Time>, At<Bytes>, At<MemorySize>,
                               At<std::optional<MemorySize>>, At<Ratio>, At<std::optional<Ratio>>, At<std::string>,
                               At<std::vector<std::int64_t>>, At<std::vector<Ratio>>, At<std::vector<MemorySize>>,
                               At<std::vector<BitRate>>, At<std::vector<Bytes>>, At<Own>...>;
    enum class Need { MayBeGiven, MustBeGiven };

    std::string name;  ///< in its table of a scenario: "buffer.port_limit"
    Place place;
    std::string meaning;

    /// Sets the limits of a number, in the unit of its type, both included. @param words  limits in words; empty:
    /// numbers
    Field within(std::int64_t from, std::int64_t to, std::string words = {}) && {
        least = from;
        most = to;
        limits = words.empty() ? std::to_string(from) + " to " + std::to_string(to) : std::move(words);
        return std::move(*this);
    }
    /// Gives the field a meaning only if `there` returns true. @param words  that condition, in the words of a scenario
    Field only_with(std::string words, bool (*there)(const Owner&), Need need = Need::MayBeGiven) && {
        where = std::move(words);
        has_use_where = there;
        required = need == Need::MustBeGiven;
        return std::move(*this);
    }
    Field must_be_with(std::string words, bool (*there)(const Owner&)) && {
        return std::move(*this).only_with(std::move(words), there, Need::MustBeGiven);
    }
    /// Gives the field a meaning elsewhere, too.
    Field also_alone() && {
        alone = true;
        return std::move(*this);
    }
    /// Any value of it goes with any of the others: random tests draw it.
    Field anywhere() && {
        free = true;
        return std::move(*this);
    }
    /// An amount of memory that is none of the memory with cells.
    Field not_in_cells() && {
        may_be_cells = false;
        limits = "bytes or frames";
        return std::move(*this);
    }
    /// A number of frames that is without limit where nothing is said.
    Field no_limit_by_default() && {
        unlimited = true;
        return std::move(*this);
    }
    /// Its default, where the struct's own does not tell.
    Field shown_as(std::string text) && {
        initial = std::move(text);
        return std::move(*this);
    }
    /// The last of its choices are no scenario's.
    Field without_last(int choices) && {
        unwritten = choices;
        return std::move(*this);
    }
    /// Sets how a value is written, where its type does not tell.
    Field written(std::string how) && {
        kind = std::move(how);
        return std::move(*this);
    }

    std::int64_t least = 0, most = std::numeric_limits<std::int64_t>::max();
    std::string limits{};
    std::string kind{};
    std::string where{};
    bool (*has_use_where)(const Owner&) = nullptr;
    bool required = false;  ///< must be given where it has a use
    bool alone = false;     ///< has a meaning beside `where`
    bool free = false;      ///< goes with all others
    bool may_be_cells = true;
    bool unlimited = false;  ///< has no limit by default
    std::optional<std::string> initial{};
    int unwritten = 0;  ///< choices that are not written

    bool has_use(const Owner& owner) const { return !has_use_where || has_use_where(owner); }
    /// Whether two owners keep the same here.
    bool same(const Owner& a, const Owner& b) const {
        return std::visit(
            [&](const auto& at) {
                if constexpr (std::is_same_v<std::decay_t<decltype(at)>, FieldChoice<Owner>>)
                    return at.get(a) == at.get(b);
                else
                    return at(const_cast<Owner&>(a)) == at(const_cast<Owner&>(b));
            },
            place);
    }
    void copy(const Owner& from, Owner& to) const {
        std::visit(
            [&](const auto& at) {
                if constexpr (std::is_same_v<std::decay_t<decltype(at)>, FieldChoice<Owner>>)
                    at.set(to, at.get(from));
                else
                    at(to) = at(const_cast<Owner&>(from));
            },
            place);
    }
    void reset(Owner& owner) const { copy(Owner{}, owner); }
};

/// An enumeration's place. @param names  in the order of the enumerators
template <class Owner, class Enum>
FieldChoice<Owner> choice_of(Enum& (*at)(Owner&), std::vector<std::string> names) {
    return {[at](const Owner& owner) { return static_cast<int>(at(const_cast<Owner&>(owner))); },
            [at](Owner& owner, int number) { at(owner) = static_cast<Enum>(number); }, std::move(names)};
}

/// The first field in which two owners differ, of those of which `counts` is true; null if there is none.
template <class AField, class Owner, class Counts>
const AField* first_difference(const std::vector<AField>& fields, const Owner& a, const Owner& b, Counts counts) {
    for (const AField& field : fields)
        if (counts(field) && !field.same(a, b)) return &field;
    return nullptr;
}
template <class AField, class Owner>
const AField* first_difference(const std::vector<AField>& fields, const Owner& a, const Owner& b) {
    return first_difference(fields, a, b, [](const AField&) { return true; });
}

/// The first field that `copied` does not hold as `whole` has it, of those that have a use there; null if a part that
/// copied what it understands understands all.
template <class AField, class Owner>
const AField* first_left_out(const std::vector<AField>& fields, const Owner& whole, const Owner& copied) {
    return first_difference(fields, whole, copied,
                            [&](const AField& field) { return field.alone || field.has_use(whole); });
}

}  // namespace watershed
