// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/attribute.h>
#include <ns3/boolean.h>
#include <ns3/double.h>
#include <ns3/enum.h>
#include <ns3/queue-size.h>
#include <ns3/string.h>
#include <ns3/uinteger.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/ns3/core/watershed-setting-text.h"
#include "model/ns3/core/watershed-switch-attributes.h"
#include "model/ns3/core/watershed-switch.h"

namespace watershed {

/// Reads and writes a part of the settings.
template <class Value>
class WatershedSettingAccessor : public ns3::AttributeAccessor {
  public:
    using Write = std::function<bool(WatershedSwitchSettings&, const Value&)>;
    using Read = std::function<Value(WatershedSwitchSettings&)>;

    /// @param during  it counts from when it is set, and is not refused once the run has begun, unless the switch is
    /// stepped
    WatershedSettingAccessor(std::string name, bool during, Write write, Read read)
        : m_name(std::move(name)), m_during(during), m_write(std::move(write)), m_read(std::move(read)) {}

    bool Set(ns3::ObjectBase* object, const ns3::AttributeValue& value) const override {
        auto* self = dynamic_cast<WatershedSwitch*>(object);
        const auto* given = dynamic_cast<const Value*>(&value);
        if (!self || !given) return false;
        if (self->HasBegun() && (!m_during || self->IsStepped())) {
            NS_FATAL_ERROR_CONT(m_name << " of a WatershedSwitch can only be set before the run: its memory and what "
                                          "surrounds it are made when the run begins");
            return false;
        }
        return self->ChangeSetting(m_name,
                                   [&](WatershedSwitchSettings& settings) { return m_write(settings, *given); });
    }
    bool Get(const ns3::ObjectBase* object, ns3::AttributeValue& value) const override {
        const auto* self = dynamic_cast<const WatershedSwitch*>(object);
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
    template <class T>
    using Field = T& (*)(WatershedSwitchSettings&);
    using NumberValue = decltype(ns3::EnumValue(0));  // ns-3 3.43 has one for each type
    using Attribute = WatershedSwitchAttribute;
    std::vector<Attribute> all;

    template <class Value, class Write, class Read>
    void Add(const char* name, const char* key, const std::string& help, const Value& initial,
             ns3::Ptr<const ns3::AttributeChecker> checker, Write write, Read read, bool during = false) {
        all.push_back({name, key, help, initial.Copy(),
                       ns3::Create<WatershedSettingAccessor<Value>>(name, during, std::move(write), std::move(read)),
                       checker});
    }

    template <class Enum>
    void Choice(const char* name, const char* key, const std::string& help, Field<Enum> field, Enum initial,
                ns3::Ptr<const ns3::AttributeChecker> checker, bool during = false) {
        Add(
            name, key, help, NumberValue(static_cast<int>(initial)), checker,
            [field](WatershedSwitchSettings& settings, const NumberValue& value) {
                field(settings) = static_cast<Enum>(value.Get());
                return true;
            },
            [field](WatershedSwitchSettings& settings) { return NumberValue(static_cast<int>(field(settings))); },
            during);
    }

    template <class Number>
    void Count(const char* name, const char* key, const std::string& help, Field<Number> field, std::uint64_t initial,
               std::uint64_t least, std::uint64_t most, bool during = false) {
        Add(
            name, key, help, ns3::UintegerValue(initial), ns3::MakeUintegerChecker<std::uint64_t>(least, most),
            [field](WatershedSwitchSettings& settings, const ns3::UintegerValue& value) {
                field(settings) = static_cast<Number>(value.Get());
                return true;
            },
            [field](WatershedSwitchSettings& settings) {
                return ns3::UintegerValue(static_cast<std::uint64_t>(field(settings)));
            },
            during);
    }

    void Flag(const char* name, const char* key, const std::string& help, Field<bool> field, bool initial = false) {
        Add(
            name, key, help, ns3::BooleanValue(initial), ns3::MakeBooleanChecker(),
            [field](WatershedSwitchSettings& settings, const ns3::BooleanValue& value) {
                field(settings) = value.Get();
                return true;
            },
            [field](WatershedSwitchSettings& settings) { return ns3::BooleanValue(field(settings)); });
    }

    /// A number of bytes.
    void Memory(const char* name, const char* key, const std::string& help, Field<MemorySize> field) {
        Add(
            name, key, help, ns3::UintegerValue(0), ns3::MakeUintegerChecker<std::uint64_t>(0, INT64_MAX),
            [field](WatershedSwitchSettings& settings, const ns3::UintegerValue& value) {
                field(settings) = {static_cast<std::int64_t>(value.Get()), MemorySize::Unit::Byte};
                return true;
            },
            [field](WatershedSwitchSettings& settings) {
                return ns3::UintegerValue(static_cast<std::uint64_t>(field(settings).amount));
            });
    }

    /// Frames or bytes.
    void Amount(const char* name, const char* key, const std::string& help, Field<MemorySize> field) {
        Add(
            name, key, help, ns3::QueueSizeValue(ns3::QueueSize("0B")), ns3::MakeQueueSizeChecker(),
            [field](WatershedSwitchSettings& settings, const ns3::QueueSizeValue& value) {
                field(settings) = SizeOf(value.Get());
                return true;
            },
            [field](WatershedSwitchSettings& settings) { return ns3::QueueSizeValue(QueueSizeOf(field(settings))); });
    }

    void Fraction(const char* name, const char* key, const std::string& help, Field<Ratio> field, double initial,
                  double least, double most) {
        Add(
            name, key, help, ns3::DoubleValue(initial), ns3::MakeDoubleChecker<double>(least, most),
            [field](WatershedSwitchSettings& settings, const ns3::DoubleValue& value) {
                field(settings) = RatioOf(value.Get());
                return true;
            },
            [field](WatershedSwitchSettings& settings) { return ns3::DoubleValue(as_number(field(settings))); });
    }

    void Resume(const char* name, const char* key, const std::string& help, Field<std::string> text,
                Field<std::optional<ResumeLevel>> level) {
        Add(
            name, key, help, ns3::StringValue(""), ns3::MakeStringChecker(),
            [text, level](WatershedSwitchSettings& settings, const ns3::StringValue& value) {
                text(settings) = value.Get();
                return ReadResume(value.Get(), level(settings));
            },
            [text](WatershedSwitchSettings& settings) { return ns3::StringValue(text(settings)); });
    }
};

}  // namespace watershed
