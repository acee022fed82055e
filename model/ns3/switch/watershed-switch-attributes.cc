// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/switch/watershed-switch-attributes.h"

#include <ns3/data-rate.h>
#include <ns3/integer.h>
#include <ns3/nstime.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "model/ns3/base/watershed-time.h"
#include "model/ns3/device/watershed-setting-text.h"
#include "model/ns3/switch/watershed-setting.h"
#include "model/ns3/switch/watershed-switch-models.h"
#include "model/switch/switch-fields.h"

namespace watershed {
namespace {

using Settings = WatershedSwitchSettings;

bool IsModel(const std::string& name) {
    const auto& all = watershed_switch_models();
    return name.empty() || std::any_of(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
}

ns3::DataRateValue ValueOf(const std::optional<BitRate>& rate) {
    return ns3::DataRateValue(ns3::DataRate(static_cast<std::uint64_t>(rate.value_or(BitRate{0}).count)));
}

std::optional<BitRate> RateOf(const ns3::DataRateValue& value) {
    const auto rate = static_cast<std::int64_t>(value.Get().GetBitRate());
    return rate > 0 ? std::optional(BitRate{rate}) : std::nullopt;
}

/// Attributes that say more, or less, than the key of a scenario.
void AddOwn(WatershedAttributeTable& to) {
    to.Add(
        "Model", "switch.model",
        "A real switch of the catalogue, \"dell-s60\"; attributes that are set beside it override its values.",
        ns3::StringValue(""), ns3::Create<WatershedTextChecker>(IsModel, "a switch of the catalogue"),
        [](Settings& settings, const ns3::StringValue& value) { settings.network_switch.model = value.Get(); },
        [](Settings& settings) { return ns3::StringValue(settings.network_switch.model); });
    to.Add(
        "Count", "switch.count", "1: a WatershedSwitch is one switch; put each of several on a node of its own.",
        ns3::UintegerValue(1), ns3::MakeUintegerChecker<std::uint32_t>(1, 1),
        [](Settings&, const ns3::UintegerValue&) {}, [](Settings&) { return ns3::UintegerValue(1); });
    to.Add(
        "Uplinks", "switch.uplinks", "Uplinks that it must have; 0: as many as it is given.", ns3::UintegerValue(0),
        ns3::MakeUintegerChecker<std::uint32_t>(0, 1024),
        [](Settings& settings, const ns3::UintegerValue& value) {
            settings.uplinks.reset();
            if (value.Get() > 0) settings.uplinks = static_cast<int>(value.Get());
        },
        [](Settings& settings) {
            return ns3::UintegerValue(static_cast<std::uint64_t>(settings.uplinks.value_or(0)));
        });
    to.Add(
        "UplinkRate", "switch.uplink_rate", "Rate of both ends of each uplink; 0bps: that of the devices.",
        ValueOf(std::nullopt), ns3::MakeDataRateChecker(),
        [](Settings& settings, const ns3::DataRateValue& value) { settings.uplink_rate = RateOf(value); },
        [](Settings& settings) { return ValueOf(settings.uplink_rate); });
    to.Add(
        "Seed", "seed", "Of the random arrival order.", ns3::UintegerValue(1),
        ns3::MakeUintegerChecker<std::uint64_t>(0, UINT64_MAX),
        [](Settings& settings, const ns3::UintegerValue& value) { settings.seed = value.Get(); },
        [](Settings& settings) { return ns3::UintegerValue(settings.seed); }, true);
    to.Add(
        "BufferOverhead", "frame.buffer_overhead", "Bytes a frame costs the memory beyond its own without FCS: FCS 4.",
        ns3::IntegerValue(4), ns3::MakeIntegerChecker<std::int64_t>(-1'000'000, 1'000'000),
        [](Settings& settings, const ns3::IntegerValue& value) { settings.buffer_overhead = value.Get(); },
        [](Settings& settings) { return ns3::IntegerValue(settings.buffer_overhead); }, true);
    to.Add(
        "Size", "switch.buffer.size", "The whole memory if it is shared, or each port's own.", ns3::UintegerValue(1000),
        ns3::MakeUintegerChecker<std::uint64_t>(0, INT64_MAX),
        [](Settings& settings, const ns3::UintegerValue& value) {
            settings.network_switch.buffer.size.amount = static_cast<std::int64_t>(value.Get());
        },
        [](Settings& settings) {
            return ns3::UintegerValue(static_cast<std::uint64_t>(settings.network_switch.buffer.size.amount));
        });
    to.Choice("SizeUnit", "switch.buffer.size", "What Size counts.",
              {[](const Settings& settings) { return static_cast<int>(settings.network_switch.buffer.size.unit); },
               [](Settings& settings, int unit) {
                   settings.network_switch.buffer.size.unit = static_cast<MemorySize::Unit>(unit);
               },
               {"frames", "bytes", "cells"}},
              false);
    to.Add(
        "MaxSize", "switch.buffer.size",
        "Size and SizeUnit in one, in frames (\"100p\") or bytes (\"1MB\"); 0B: as Size says.",
        ns3::QueueSizeValue(ns3::QueueSize("0B")), ns3::MakeQueueSizeChecker(),
        [](Settings& settings, const ns3::QueueSizeValue& value) {
            if (value.Get().GetValue() > 0) settings.network_switch.buffer.size = SizeOf(value.Get());
        },
        [](Settings& settings) { return ns3::QueueSizeValue(QueueSizeOf(settings.network_switch.buffer.size)); });
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
        [](Settings& settings) {
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

/// Adds the attribute of each type that a field may have.
class FieldAttribute {
  public:
    FieldAttribute(WatershedAttributeTable& to, const SwitchField& field)
        : m_to(to),
          m_field(field),
          m_name(NameOf(field.name)),
          m_key("switch." + field.name),
          m_help(MeaningOf(field)) {}

    void operator()(const FieldChoice<Switch>& choice) const {
        m_to.Choice(m_name, m_key, m_help,
                    {[get = choice.get](const Settings& settings) { return get(settings.network_switch); },
                     [set = choice.set](Settings& settings, int number) { set(settings.network_switch, number); },
                     choice.names},
                    m_name == "ArrivalOrder");
    }
    void operator()(bool& (*at)(Switch&)) const {
        Add(
            at, ns3::MakeBooleanChecker(), [](const ns3::BooleanValue& value) { return value.Get(); },
            [](bool value) { return ns3::BooleanValue(value); });
    }
    void operator()(int& (*at)(Switch&)) const { AddNumber<int>(at); }
    void operator()(std::int64_t& (*at)(Switch&)) const { AddNumber<std::int64_t>(at); }
    /// 0 stands for none of what may be absent.
    void operator()(std::optional<std::int64_t>& (*at)(Switch&)) const {
        Add(
            at, ns3::MakeUintegerChecker<std::uint64_t>(0, INT64_MAX),
            [](const ns3::UintegerValue& value) {
                const auto number = static_cast<std::int64_t>(value.Get());
                return number > 0 ? std::optional(number) : std::nullopt;
            },
            [](const std::optional<std::int64_t>& number) {
                return ns3::UintegerValue(static_cast<std::uint64_t>(number.value_or(0)));
            },
            "; 0: none");
    }
    void operator()(std::optional<BitRate>& (*at)(Switch&)) const {
        Add(at, ns3::MakeDataRateChecker(), RateOf, ValueOf, "; 0bps: no limit");
    }
    void operator()(Time& (*at)(Switch&)) const {
        Add(
            at, ns3::MakeTimeChecker(ns3::Time(0)), [](const ns3::TimeValue& value) { return FromNs3(value.Get()); },
            [](Time time) { return ns3::TimeValue(ToNs3(time)); }, "", m_name == "Latency");
    }
    void operator()(Bytes& (*at)(Switch&)) const {
        Add(
            at, NumberChecker(at(Initial()).count),
            [](const ns3::UintegerValue& value) { return Bytes{static_cast<std::int64_t>(value.Get())}; },
            [](Bytes bytes) { return ns3::UintegerValue(static_cast<std::uint64_t>(bytes.count)); });
    }
    void operator()(MemorySize& (*at)(Switch&)) const {
        Add(
            at, ns3::MakeQueueSizeChecker(), [](const ns3::QueueSizeValue& value) { return SizeOf(value.Get()); },
            [](const MemorySize& size) { return ns3::QueueSizeValue(QueueSizeOf(size)); });
    }
    void operator()(std::optional<MemorySize>& (*at)(Switch&)) const {
        Add(
            at, ns3::MakeQueueSizeChecker(),
            [](const ns3::QueueSizeValue& value) {
                return value.Get().GetValue() > 0 ? std::optional(SizeOf(value.Get())) : std::nullopt;
            },
            [](const std::optional<MemorySize>& size) {
                return ns3::QueueSizeValue(size ? QueueSizeOf(*size) : ns3::QueueSize("0B"));
            },
            "; 0B: none");
    }
    void operator()(Ratio& (*at)(Switch&)) const {
        const bool limited = !m_field.limits.empty();
        const double least = as_number(at(Initial())) > 0 ? 0.001 : 0;
        Add(
            at, ns3::MakeDoubleChecker<double>(least, limited ? static_cast<double>(m_field.most) : 1e6),
            [](const ns3::DoubleValue& value) { return RatioOf(value.Get()); },
            [](Ratio ratio) { return ns3::DoubleValue(as_number(ratio)); }, "; taken to a thousandth, or a 1024th");
    }
    void operator()(std::optional<Ratio>& (*at)(Switch&)) const {
        Add(
            at, ns3::MakeDoubleChecker<double>(0, 1e6),
            [](const ns3::DoubleValue& value) {
                return value.Get() > 0 ? std::optional(RatioOf(value.Get())) : std::nullopt;
            },
            [](const std::optional<Ratio>& ratio) { return ns3::DoubleValue(ratio ? as_number(*ratio) : 0); },
            "; to a thousandth; 0: none");
    }
    void operator()(std::string& (*)(Switch&)) const {}  // the attribute is its own
    void operator()(BitRate& (*)(Switch&)) const {}
    void operator()(std::vector<std::int64_t>& (*at)(Switch&)) const { AddText(at, ReadList, "as \"1,4\""); }
    void operator()(std::vector<Ratio>& (*at)(Switch&)) const { AddText(at, ReadRatios, "as \"0.5,8\""); }
    void operator()(std::vector<MemorySize>& (*at)(Switch&)) const { AddText(at, ReadSizes, "as \"20kB,100p\""); }
    void operator()(std::vector<BitRate>& (*at)(Switch&)) const { AddText(at, ReadRates, "as \"10Mbps,1Gbps\""); }
    void operator()(std::vector<Bytes>& (*at)(Switch&)) const { AddText(at, ReadBytes, "as \"1538B,20kB\""); }
    void operator()(std::vector<PortGroup>& (*at)(Switch&)) const {
        AddText(at, ReadPorts, "as \"48x1Gbps+4x10Gbps\"");
    }
    void operator()(std::vector<GateEntry>& (*at)(Switch&)) const {
        AddText(at, ReadGates, "as \"300us:7;650us:0-3,6;50us:\"");
    }
    void operator()(std::optional<ResumeLevel>& (*at)(Switch&)) const {
        AddText(at, ReadResume, "as \"50%\" or \"20000B\"");
    }

  private:
    static Switch& Initial() {
        static Switch initial;
        return initial;
    }

    template <class T, class Checker, class Read, class Shown>
    void Add(T& (*at)(Switch&), const ns3::Ptr<Checker>& checker, Read read, Shown shown, const std::string& note = "",
             bool during = false) const {
        using Value = decltype(shown(at(Initial())));
        std::string help = m_help;
        if (!note.empty() && help.back() == '.') help.pop_back();
        m_to.Add(
            m_name, m_key, help + note + (note.empty() ? "" : "."), shown(at(Initial())), checker,
            [at, read](Settings& settings, const Value& value) { at(settings.network_switch) = read(value); },
            [at, shown](Settings& settings) { return shown(at(settings.network_switch)); }, during);
    }
    /// The least is below a default that stands for none.
    ns3::Ptr<const ns3::AttributeChecker> NumberChecker(std::int64_t initial) const {
        return ns3::MakeUintegerChecker<std::uint64_t>(static_cast<std::uint64_t>(std::min(m_field.least, initial)),
                                                       static_cast<std::uint64_t>(m_field.most));
    }
    template <class Number>
    void AddNumber(Number& (*at)(Switch&)) const {
        Add(
            at, NumberChecker(at(Initial())),
            [](const ns3::UintegerValue& value) { return static_cast<Number>(value.Get()); },
            [](Number number) { return ns3::UintegerValue(static_cast<std::uint64_t>(number)); });
    }
    template <class T>
    void AddText(T& (*at)(Switch&), std::optional<T> (*read)(const std::string&), const char* form) const {
        Add(
            at,
            ns3::Create<WatershedTextChecker>([read](const std::string& text) { return read(text).has_value(); }, form),
            [read](const ns3::StringValue& value) { return *read(value.Get()); },
            [](const T& value) { return ns3::StringValue(TextOf(value)); }, std::string("; ") + form);
    }

    WatershedAttributeTable& m_to;
    const SwitchField& m_field;
    std::string m_name, m_key, m_help;
};

}  // namespace

const std::vector<WatershedSwitchAttribute>& watershed_switch_attributes() {
    static const std::vector<WatershedSwitchAttribute> all = [] {
        WatershedAttributeTable attributes;
        AddOwn(attributes);
        const std::set<std::string> own{"model",       "count",       "uplinks",
                                        "uplink_rate", "buffer.size", "flow_control.classes"};
        for (const SwitchField& field : switch_fields())
            if (own.count(field.name) == 0) std::visit(FieldAttribute(attributes, field), field.place);
        return attributes.all;
    }();
    return all;
}

std::string AttributeOf(const std::string& key) {
    for (const WatershedSwitchAttribute& each : watershed_switch_attributes())
        if (each.key == key) return each.name;
    return key;
}

}  // namespace watershed
