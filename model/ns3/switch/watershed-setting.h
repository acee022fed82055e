// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/attribute.h>
#include <ns3/boolean.h>
#include <ns3/double.h>
#include <ns3/enum.h>
#include <ns3/queue-size.h>
#include <ns3/string.h>
#include <ns3/uinteger.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "model/base/field.h"
#include "model/ns3/switch/watershed-switch-attributes.h"
#include "model/ns3/switch/watershed-switch-impl.h"

namespace watershed {

/// Reads and writes a part of the settings.
template <class Value>
class WatershedSettingAccessor : public ns3::AttributeAccessor {
  public:
    using Write = std::function<void(WatershedSwitchSettings&, const Value&)>;
    using Read = std::function<Value(WatershedSwitchSettings&)>;

    /// @param during  it counts from when it is set, and is not refused once the run has begun, unless the switch is
    /// event-driven
    WatershedSettingAccessor(std::string name, bool during, Write write, Read read)
        : m_name(std::move(name)), m_during(during), m_write(std::move(write)), m_read(std::move(read)) {}

    bool Set(ns3::ObjectBase* object, const ns3::AttributeValue& value) const override {
        auto* self = dynamic_cast<WatershedSwitchImpl*>(object);
        const auto* given = dynamic_cast<const Value*>(&value);
        if (!self || !given) return false;
        if (self->HasBegun() && !(m_during && self->GetInside().TakesAttributes())) {
            NS_FATAL_ERROR_CONT(m_name << " of a WatershedSwitch can only be set before the run: its memory and what "
                                          "surrounds it are made when the run begins");
            return false;
        }
        self->ChangeSetting(m_name, [&](WatershedSwitchSettings& settings) { m_write(settings, *given); });
        return true;
    }
    bool Get(const ns3::ObjectBase* object, ns3::AttributeValue& value) const override {
        const auto* self = dynamic_cast<const WatershedSwitchImpl*>(object);
        auto* read = dynamic_cast<Value*>(&value);
        if (!self || !read) return false;
        WatershedSwitchSettings settings = self->GetSettings();
        *read = m_read(settings);
        return true;
    }
    bool HasGetter() const override { return true; }
    bool HasSetter() const override { return true; }

  private:
    std::string m_name;
    bool m_during;
    Write m_write;
    Read m_read;
};

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

    template <class Value, class Write, class Read>
    void Add(const std::string& name, const std::string& key, const std::string& help, const Value& initial,
             ns3::Ptr<const ns3::AttributeChecker> checker, Write write, Read read, bool during = false) {
        all.push_back({name, key, help, initial.Copy(),
                       ns3::Create<WatershedSettingAccessor<Value>>(name, during, std::move(write), std::move(read)),
                       checker});
    }

    void Choice(const std::string& name, const std::string& key, const std::string& help,
                const FieldChoice<WatershedSwitchSettings>& choice, bool during) {
        Add(
            name, key, help, NumberValue(choice.get(WatershedSwitchSettings())), OneOf(choice.names),
            [set = choice.set](WatershedSwitchSettings& settings, const NumberValue& value) {
                set(settings, value.Get());
            },
            [get = choice.get](WatershedSwitchSettings& settings) { return NumberValue(get(settings)); }, during);
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
