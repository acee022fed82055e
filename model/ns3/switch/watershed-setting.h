// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/enum.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "model/base/field.h"
#include "model/ns3/device/watershed-attribute.h"
#include "model/ns3/switch/watershed-switch-attributes.h"
#include "model/ns3/switch/watershed-switch-impl.h"

namespace watershed {

/// A text that is one of some names, or has some form.
class WatershedTextChecker : public ns3::AttributeChecker {
  public:
    /// @param form  what is expected, for messages
    WatershedTextChecker(std::function<bool(const std::string&)> is_right, std::string form)
        : m_isRight(std::move(is_right)), m_form(std::move(form)) {}
    bool Check(const ns3::AttributeValue& value) const override {
        const auto* text = dynamic_cast<const ns3::StringValue*>(&value);
        return text && m_isRight(text->Get());
    }
    std::string GetValueTypeName() const override { return "ns3::StringValue"; }
    bool HasUnderlyingTypeInformation() const override { return true; }
    std::string GetUnderlyingTypeInformation() const override { return m_form; }
    ns3::Ptr<ns3::AttributeValue> Create() const override { return ns3::Create<ns3::StringValue>(); }
    bool Copy(const ns3::AttributeValue& source, ns3::AttributeValue& destination) const override {
        const auto* from = dynamic_cast<const ns3::StringValue*>(&source);
        auto* to = dynamic_cast<ns3::StringValue*>(&destination);
        if (from && to) *to = *from;
        return from && to;
    }

  private:
    std::function<bool(const std::string&)> m_isRight;
    std::string m_form;
};

/// The table of attributes as it grows.
class WatershedAttributeTable {
  public:
    using NumberValue = decltype(ns3::EnumValue(0));  // ns-3 3.43 has one for each type
    std::vector<WatershedSwitchAttribute> all;

    /// @param write, show  a part of the settings
    /// @param during  it counts from when it is set, and is not refused once the run has begun, unless the switch is
    /// event-driven
    template <class Value, class Write, class Show>
    void Add(const std::string& name, const std::string& key, const std::string& help, const Value& initial,
             const ns3::Ptr<const ns3::AttributeChecker>& checker, Write write, Show show, bool during = false) {
        const auto set = [=](WatershedSwitchImpl& self, const Value& value) {
            if (self.HasBegun() && !(during && self.GetInside().TakesAttributes())) {
                NS_FATAL_ERROR_CONT(name << " of a WatershedSwitch can only be set before the run: its memory and what "
                                            "surrounds it are made when the run begins");
                return false;
            }
            self.ChangeSetting(name, [&](WatershedSwitchSettings& settings) { write(settings, value); });
            return true;
        };
        const auto get = [=](const WatershedSwitchImpl& self) { return show(self.GetSettings()); };
        all.push_back({name, key, help, initial.Copy(),
                       ns3::Create<WatershedAccessor<WatershedSwitchImpl, Value>>(set, get), checker});
    }

    /// @param at  returns a field of the settings, whose default is the attribute's
    template <class At>
    void AddField(const std::string& name, const std::string& key, const std::string& help,
                  const ns3::Ptr<const ns3::AttributeChecker>& checker, At at, bool during = false) {
        const auto show = [at](WatershedSwitchSettings settings) { return ValueOf(std::invoke(at, settings)); };
        using Value = decltype(show({}));
        Add(
            name, key, help, show({}), checker,
            [at](WatershedSwitchSettings& settings, const Value& value) {
                Read(value.Get(), std::invoke(at, settings));
            },
            show, during);
    }

    void Choice(const std::string& name, const std::string& key, const std::string& help,
                const FieldChoice<Switch>& choice, bool during = false) {
        const auto show = [get = choice.get](const WatershedSwitchSettings& settings) {
            return NumberValue(get(settings.network_switch));
        };
        Add(
            name, key, help, show({}), OneOf(choice.names),
            [set = choice.set](WatershedSwitchSettings& settings, const NumberValue& value) {
                set(settings.network_switch, value.Get());
            },
            show, during);
    }

  private:
    /// A checker of ns-3 takes its names one by one. @param named  those it has so far, each behind its number
    template <class... Named>
    static ns3::Ptr<const ns3::AttributeChecker> OneOf(const std::vector<std::string>& names, Named... named) {
        constexpr std::size_t kNamed = sizeof...(Named) / 2, kMost = 16;
        if constexpr (kNamed > 0)
            if (kNamed == names.size()) return ns3::MakeEnumChecker(named...);
        if constexpr (kNamed < kMost)
            return OneOf(names, named..., static_cast<int>(kNamed), names.at(kNamed));
        else
            throw std::length_error("a choice of more than 16 names");
    }
};

}  // namespace watershed
