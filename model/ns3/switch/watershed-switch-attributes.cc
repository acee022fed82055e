// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/switch/watershed-switch-attributes.h"

#include <ns3/enum.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <stdexcept>

#include "model/base/field.h"
#include "model/ns3/device/watershed-attribute.h"
#include "model/ns3/switch/watershed-switch-impl.h"
#include "model/switch/switch-fields.h"

namespace watershed {
namespace {

using Settings = WatershedSwitchSettings;

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

bool IsModel(const std::string& name) { return name.empty() || ModelNamed(name); }

/// Attributes that say more, or less, than the key of a scenario.
void AddOwn(WatershedAttributeTable& to) {
    to.AddField("Model", "switch.model",
                "A real switch of the catalogue, \"dell-s60\"; attributes that are set beside it override its values.",
                ns3::Create<WatershedTextChecker>(IsModel, "a switch of the catalogue"),
                [](Settings& settings) -> std::string& { return settings.network_switch.model; });
    to.Add(
        "Count", "switch.count", "1: a WatershedSwitch is one switch; put each of several on a node of its own.",
        ns3::UintegerValue(1), ns3::MakeUintegerChecker<std::uint32_t>(1, 1),
        [](Settings&, const ns3::UintegerValue&) {}, [](const Settings&) { return ns3::UintegerValue(1); });
    to.AddField("Uplinks", "switch.uplinks", "Uplinks that it must have; 0: as many as it is given.",
                ns3::MakeUintegerChecker<std::uint32_t>(0, 1024), &Settings::uplinks);
    to.AddField("UplinkRate", "switch.uplink_rate", "Rate of both ends of each uplink; 0bps: that of the devices.",
                ns3::MakeDataRateChecker(), &Settings::uplink_rate);
    to.AddField("Seed", "seed", "Of the random arrival order.", ns3::MakeUintegerChecker<std::uint64_t>(0, UINT64_MAX),
                &Settings::seed, true);
    to.Add(
        "BufferOverhead", "frame.buffer_overhead", "Bytes a frame costs the memory beyond its own without FCS: FCS 4.",
        ns3::IntegerValue(4), ns3::MakeIntegerChecker<std::int64_t>(-1'000'000, 1'000'000),
        [](Settings& settings, const ns3::IntegerValue& value) { settings.buffer_overhead = value.Get(); },
        [](const Settings& settings) { return ns3::IntegerValue(settings.buffer_overhead); }, true);
    to.AddField("Size", "switch.buffer.size", "The whole memory if it is shared, or each port's own.",
                ns3::MakeUintegerChecker<std::uint64_t>(0, INT64_MAX),
                [](Settings& settings) -> std::int64_t& { return settings.network_switch.buffer.size.amount; });
    to.Choice("SizeUnit", "switch.buffer.size", "What Size counts.",
              choice_of<Switch>(+[](Switch& of) -> MemorySize::Unit& { return of.buffer.size.unit; },
                                {"frames", "bytes", "cells"}));
    to.Add(
        "MaxSize", "switch.buffer.size",
        "Size and SizeUnit in one, in frames (\"100p\") or bytes (\"1MB\"); 0B: as Size says.",
        ns3::QueueSizeValue(ns3::QueueSize("0B")), ns3::MakeQueueSizeChecker(),
        [](Settings& settings, const ns3::QueueSizeValue& value) {
            if (value.Get().GetValue() > 0) settings.network_switch.buffer.size = SizeOf(value.Get());
        },
        [](const Settings& settings) { return ValueOf(settings.network_switch.buffer.size); });
    to.Add(
        "PauseClasses", "switch.flow_control.classes",
        "Which classes priority flow control pauses, where there is a Scheduler: the sum of 1 for class 0, 2 for class "
        "1, up to 128 for class 7. The others are lost where memory ends.",
        ns3::UintegerValue(0xff), ns3::MakeUintegerChecker<std::uint32_t>(1, 0xff),
        [](Settings& settings, const ns3::UintegerValue& value) {
            auto& classes = settings.network_switch.flow_control.classes;
            classes.clear();
            for (int each = 0; each < kTrafficClasses; ++each)
                if (value.Get() != 0xff && (value.Get() >> each & 1) != 0) classes.push_back(each);
        },
        [](const Settings& settings) {
            FlowControl control = settings.network_switch.flow_control;
            control.kind = FlowControl::Kind::Pfc;
            return ns3::UintegerValue(lossless_classes(control));
        });
}

/// The field's name in CamelCase, but where another table has it too.
std::string NameOf(const std::string& field) {
    static const std::map<std::string, std::string> others{{"flow_control.kind", "FlowControl"},
                                                           {"flow_control.alpha", "PauseAlpha"},
                                                           {"flow_control.class_alphas", "PauseClassAlphas"},
                                                           {"flow_control.rule", "PauseRule"},
                                                           {"flow_control.quanta", "PauseQuanta"}};
    if (const auto other = others.find(field); other != others.end()) return other->second;
    std::string name;
    bool begins = true;
    for (const char letter : field.substr(field.rfind('.') + 1)) {
        if (letter != '_') name += static_cast<char>(begins ? std::toupper(letter) : letter);
        begins = letter == '_';
    }
    return name;
}

/// The field's meaning, in which other keys of a scenario (flow_control.alpha) are named as attributes. That of some
/// speaks of cameras there.
std::string MeaningOf(const SwitchField& field) {
    static const std::map<std::string, std::string> others{
        {"uplink_selection",
         "Which uplink carries a frame. \"modulo\": the inputs take turns by their number. \"round-robin\": the frames "
         "take turns. \"hash\": a hash of the frame's addresses decides (LAG, ECMP). \"static\": UplinkList decides. "
         "\"random\": drawn for each frame."},
        {"uplink_list", "Uplink of each input for \"static\", counted from 1; it repeats if there are more inputs."},
        {"arrival_order",
         "Which of the frames that arrive at one instant asks for memory first. \"module\": that of the lowest port. "
         "\"rotating\": the ports take turns. \"random\": drawn each time."},
        {"flow_control.kind",
         "Kind of flow control towards senders: \"none\", \"pause\" (IEEE 802.3x, the whole link) or \"pfc\" (IEEE "
         "802.1Qbb, one traffic class)."},
        {"buffer.first_bytes",
         "Frames that begin within so many bytes of their flow, as they come to the switch, have FirstAlpha in place "
         "of Alpha (flow-aware buffers); 0 B: none have."},
        {"buffer.queues", "Number of traffic classes of a port."}};
    if (const auto other = others.find(field.name); other != others.end()) return other->second;
    std::string meaning, word;
    for (const char letter : field.meaning + '\0') {
        const bool in_word = std::islower(static_cast<unsigned char>(letter)) || letter == '_' || letter == '.';
        if (in_word) word += letter;
        if (in_word || letter == '`') continue;
        const auto end = word.find_last_not_of('.') + 1;
        const std::string key = word.substr(0, end);
        meaning += (key.find('_') != std::string::npos ? NameOf(key) : key) + word.substr(end);
        word.clear();
        if (letter != '\0') meaning += letter;
    }
    return meaning;
}

/// A field's checker, and a note on its form behind its meaning.
struct Form {
    ns3::Ptr<const ns3::AttributeChecker> checker;
    std::string note{};
};

template <class T>
Form TextForm(const T&, const std::string& form) {
    const auto is_right = [](const std::string& text) {
        T read;
        return ReadText(text, read);
    };
    return {ns3::Create<WatershedTextChecker>(is_right, form), "; " + form};
}

/// The least is below a default that stands for none.
Form FormOf(const SwitchField& field, std::int64_t initial) {
    return {ns3::MakeUintegerChecker<std::uint64_t>(static_cast<std::uint64_t>(std::min(field.least, initial)),
                                                    static_cast<std::uint64_t>(field.most))};
}
Form FormOf(const SwitchField& field, int initial) { return FormOf(field, std::int64_t{initial}); }
Form FormOf(const SwitchField& field, Bytes initial) { return FormOf(field, initial.count); }
Form FormOf(const SwitchField&, bool) { return {ns3::MakeBooleanChecker()}; }
Form FormOf(const SwitchField&, Time) { return {ns3::MakeTimeChecker(ns3::Time(0))}; }
Form FormOf(const SwitchField&, const MemorySize&) { return {ns3::MakeQueueSizeChecker()}; }
Form FormOf(const SwitchField& field, Ratio initial) {
    const double least = as_number(initial) > 0 ? 0.001 : 0;
    const double most = field.limits.empty() ? 1e6 : static_cast<double>(field.most);
    return {ns3::MakeDoubleChecker<double>(least, most), "; taken to a thousandth, or a 1024th"};
}
using std::optional, std::vector;
Form FormOf(const SwitchField&, const optional<std::int64_t>&) {
    return {ns3::MakeUintegerChecker<std::uint64_t>(0, INT64_MAX), "; 0: none"};
}
Form FormOf(const SwitchField&, const optional<BitRate>&) { return {ns3::MakeDataRateChecker(), "; 0bps: no limit"}; }
Form FormOf(const SwitchField&, const optional<MemorySize>&) { return {ns3::MakeQueueSizeChecker(), "; 0B: none"}; }
Form FormOf(const SwitchField&, const optional<Ratio>&) {
    return {ns3::MakeDoubleChecker<double>(0, 1e6), "; to a thousandth; 0: none"};
}
Form FormOf(const SwitchField&, const vector<std::int64_t>& list) { return TextForm(list, "as \"1,4\""); }
Form FormOf(const SwitchField&, const vector<Ratio>& list) { return TextForm(list, "as \"0.5,8\""); }
Form FormOf(const SwitchField&, const vector<MemorySize>& list) { return TextForm(list, "as \"20kB,100p\""); }
Form FormOf(const SwitchField&, const vector<BitRate>& list) { return TextForm(list, "as \"10Mbps,1Gbps\""); }
Form FormOf(const SwitchField&, const vector<Bytes>& list) { return TextForm(list, "as \"1538B,20kB\""); }
Form FormOf(const SwitchField&, const vector<PortGroup>& list) { return TextForm(list, "as \"48x1Gbps+4x10Gbps\""); }
Form FormOf(const SwitchField&, const vector<GateEntry>& list) {
    return TextForm(list, "as \"300us:7;650us:0-3,6;50us:\"");
}
Form FormOf(const SwitchField&, const optional<ResumeLevel>& level) {
    return TextForm(level, "as \"50%\" or \"20000B\"");
}

/// Adds a field's attribute.
struct FieldAttribute {
    WatershedAttributeTable& to;
    const SwitchField& field;
    const std::string name = NameOf(field.name), key = "switch." + field.name;

    void operator()(const FieldChoice<Switch>& choice) const {
        to.Choice(name, key, MeaningOf(field), choice, name == "ArrivalOrder");
    }
    template <class T>
    void operator()(T& (*at)(Switch&)) const {
        Switch initial;
        const Form form = FormOf(field, at(initial));
        std::string help = MeaningOf(field);
        if (!form.note.empty()) help = help.substr(0, help.find_last_not_of('.') + 1) + form.note + ".";
        to.AddField(
            name, key, help, form.checker, [at](Settings& settings) -> T& { return at(settings.network_switch); },
            name == "Latency");
    }
    void operator()(std::string& (*)(Switch&)) const {}  // the attribute is its own
    void operator()(BitRate& (*)(Switch&)) const {}
};

}  // namespace

const std::vector<WatershedSwitchAttribute>& watershed_switch_attributes() {
    static const std::vector<WatershedSwitchAttribute> all = [] {
        WatershedAttributeTable attributes;
        AddOwn(attributes);
        const std::set<std::string> own{"model",       "count",       "uplinks",
                                        "uplink_rate", "buffer.size", "flow_control.classes"};
        for (const SwitchField& field : switch_fields())
            if (own.count(field.name) == 0) std::visit(FieldAttribute{attributes, field}, field.place);
        return attributes.all;
    }();
    return all;
}

const WatershedSwitchModel* ModelNamed(const std::string& name) {
    const auto& all = watershed_switch_models();
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
    return found == all.end() ? nullptr : &*found;
}

std::string AttributeOf(const std::string& key) {
    for (const WatershedSwitchAttribute& each : watershed_switch_attributes())
        if (each.key == key) return each.name;
    return key;
}

}  // namespace watershed
