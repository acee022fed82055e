// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/attribute.h>
#include <ns3/boolean.h>
#include <ns3/data-rate.h>
#include <ns3/double.h>
#include <ns3/nstime.h>
#include <ns3/queue-size.h>
#include <ns3/string.h>
#include <ns3/trace-source-accessor.h>
#include <ns3/type-id.h>
#include <ns3/uinteger.h>

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "model/ns3/base/watershed-time.h"
#include "model/ns3/device/watershed-setting-text.h"

/// Fields of the model as attributes: the value of each type, and back.
namespace watershed {

inline ns3::BooleanValue ValueOf(bool is) { return ns3::BooleanValue(is); }
inline ns3::UintegerValue ValueOf(std::uint64_t number) { return ns3::UintegerValue(number); }
inline ns3::UintegerValue ValueOf(std::int64_t number) { return ValueOf(static_cast<std::uint64_t>(number)); }
inline ns3::UintegerValue ValueOf(int number) { return ValueOf(static_cast<std::uint64_t>(number)); }
inline ns3::UintegerValue ValueOf(Bytes bytes) { return ValueOf(bytes.count); }
inline ns3::DataRateValue ValueOf(BitRate rate) { return ns3::DataRate(static_cast<std::uint64_t>(rate.count)); }
inline ns3::TimeValue ValueOf(Time time) { return ns3::TimeValue(ToNs3(time)); }
inline ns3::TimeValue ValueOf(const ns3::Time& time) { return ns3::TimeValue(time); }
inline ns3::DataRateValue ValueOf(const ns3::DataRate& rate) { return ns3::DataRateValue(rate); }
inline ns3::DoubleValue ValueOf(double number) { return ns3::DoubleValue(number); }
inline ns3::DoubleValue ValueOf(Ratio ratio) { return ns3::DoubleValue(as_number(ratio)); }
inline ns3::QueueSizeValue ValueOf(const MemorySize& size) { return ns3::QueueSizeValue(QueueSizeOf(size)); }
inline ns3::StringValue ValueOf(const std::string& text) { return ns3::StringValue(text); }
inline ns3::StringValue ValueOf(const std::optional<ResumeLevel>& level) { return ns3::StringValue(TextOf(level)); }
template <class Part>
ns3::StringValue ValueOf(const std::vector<Part>& list) {
    return ns3::StringValue(TextOf(list));
}
template <class Value, class = std::enable_if_t<std::is_base_of_v<ns3::AttributeValue, Value>>>
Value ValueOf(const Value& value) {
    return value;
}
/// 0 stands for none of what may be absent.
template <class T>
auto ValueOf(const std::optional<T>& field) {
    if constexpr (std::is_same_v<T, MemorySize>)
        return ValueOf(field.value_or(MemorySize{0, MemorySize::Unit::Byte}));
    else
        return field ? ValueOf(*field) : decltype(ValueOf(T{}))();
}

/// Reads a value into a field. @return false if it is a text that is not of the form of the field
template <class Given, class T>
bool Read(const Given& given, T& to) {
    if constexpr (std::is_same_v<Given, T>)
        to = given;
    else if constexpr (std::is_same_v<Given, std::string>)
        return ReadText(given, to);
    else if constexpr (std::is_same_v<T, BitRate>)
        to.count = static_cast<std::int64_t>(given.GetBitRate());
    else if constexpr (std::is_same_v<T, Bytes>)
        to.count = static_cast<std::int64_t>(given);
    else if constexpr (std::is_same_v<T, Time>)
        to = FromNs3(given);
    else if constexpr (std::is_same_v<T, Ratio>)
        to = RatioOf(given);
    else if constexpr (std::is_same_v<T, MemorySize>)
        to = SizeOf(given);
    else
        to = static_cast<T>(given);
    return true;
}
inline bool IsNone(const ns3::QueueSize& given) { return given.GetValue() == 0; }
template <class Given>
bool IsNone(const Given& given) {
    return given == Given();
}
template <class Given, class T>
bool Read(const Given& given, std::optional<T>& to) {
    if constexpr (std::is_same_v<Given, std::string>) {
        return ReadText(given, to);
    } else {
        to.reset();
        return IsNone(given) || Read(given, to.emplace());
    }
}

/// Sets and shows an attribute of a class by functions.
template <class Owner, class Value>
class WatershedAccessor final : public ns3::AttributeAccessor {
  public:
    using Write = std::function<bool(Owner&, const Value&)>;  ///< returns false if it refuses the value
    using Show = std::function<Value(const Owner&)>;

    WatershedAccessor(Write write, Show show) : m_write(std::move(write)), m_show(std::move(show)) {}
    bool Set(ns3::ObjectBase* object, const ns3::AttributeValue& value) const override {
        auto* const owner = dynamic_cast<Owner*>(object);
        const auto* const given = dynamic_cast<const Value*>(&value);
        return owner && given && m_write(*owner, *given);
    }
    bool Get(const ns3::ObjectBase* object, ns3::AttributeValue& value) const override {
        const auto* const owner = dynamic_cast<const Owner*>(object);
        auto* const shown = dynamic_cast<Value*>(&value);
        if (owner && shown) *shown = m_show(*owner);
        return owner && shown;
    }
    bool HasGetter() const override { return true; }
    bool HasSetter() const override { return true; }

  private:
    Write m_write;
    Show m_show;
};

/// The checker of a flag, of a time that is not negative, or of any number that its field can hold.
template <class Field, class Value>
ns3::Ptr<const ns3::AttributeChecker> CheckerOf(const Value&) {
    if constexpr (std::is_same_v<Value, ns3::BooleanValue>)
        return ns3::MakeBooleanChecker();
    else if constexpr (std::is_same_v<Value, ns3::TimeValue>)
        return ns3::MakeTimeChecker(ns3::Time(0));
    else
        return ns3::MakeUintegerChecker<Field>();
}

/// The TypeId of a class, and its table of attributes and trace sources.
template <class Class, class Parent>
struct WatershedTypeId {
    ns3::TypeId id;

    /// @param fill  adds the rows of the table
    template <class Fill>
    WatershedTypeId(ns3::TypeId named, const Fill& fill)
        : id(named.SetParent<Parent>().SetGroupName("Watershed").template AddConstructor<Class>()) {
        fill(*this);
    }

    template <class Initial, class Owner, class Field>
    void Add(const char* name, const Initial& initial, Field Owner::*field, const char* help) {
        Add(name, initial, CheckerOf<Field>(ValueOf(initial)), field, help);
    }
    template <class Initial, class Field>
    void Add(const char* name, const Initial& initial, const ns3::Ptr<const ns3::AttributeChecker>& checker,
             Field field, const char* help) {
        id.AddAttribute(name, help, ValueOf(initial), ns3::MakeAccessorHelper<decltype(ValueOf(initial))>(field),
                        checker);
    }
    template <class Initial, class Set, class Get>
    void Add(const char* name, const Initial& initial, const ns3::Ptr<const ns3::AttributeChecker>& checker, Set set,
             Get get, const char* help) {
        id.AddAttribute(name, help, ValueOf(initial), ns3::MakeAccessorHelper<decltype(ValueOf(initial))>(set, get),
                        checker);
    }
    /// @param callback  type of its sinks
    template <class Field>
    void Trace(const char* name, Field field, const std::string& callback, const char* help) {
        id.AddTraceSource(name, help, ns3::MakeTraceSourceAccessor(field), callback);
    }
};

}  // namespace watershed
