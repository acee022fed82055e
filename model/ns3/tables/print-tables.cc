// SPDX-License-Identifier: GPL-2.0-only
// Attributes and trace sources of the module, as tables of reStructuredText, from the classes themselves.
#include <iostream>
#include <string>

#include "model/ns3/dcqcn/watershed-dcqcn-receiver.h"
#include "model/ns3/dcqcn/watershed-dcqcn-sender.h"
#include "model/ns3/device/watershed-channel.h"
#include "model/ns3/device/watershed-net-device.h"
#include "model/ns3/switch/watershed-output.h"
#include "model/ns3/switch/watershed-switch.h"

namespace watershed {
namespace {

/// Escapes characters that reStructuredText takes for markup.
std::string Escaped(const std::string& text) {
    std::string escaped;
    for (const char letter : text) {
        if (letter == '*' || letter == '|' || letter == '`' || letter == '\\') escaped += '\\';
        escaped += letter;
    }
    return escaped;
}

void PrintRow(const std::initializer_list<std::string>& cells) {
    bool first = true;
    for (const std::string& cell : cells) {
        std::cout << (first ? "   * - " : "     - ") << cell << "\n";
        first = false;
    }
}

void PrintHead(const std::string& widths, const std::initializer_list<std::string>& cells) {
    std::cout << ".. list-table::\n   :header-rows: 1\n   :widths: " << widths << "\n\n";
    PrintRow(cells);
}

std::string HeadOf(const ns3::TypeId& type) {
    const std::string name = type.GetName().substr(type.GetName().rfind(':') + 1);
    return name + "\n" + std::string(name.size(), '^') + "\n\n";
}

void PrintAttributes(const ns3::TypeId& type) {
    if (type.GetAttributeN() == 0) return;
    std::cout << HeadOf(type);
    PrintHead("20 20 60", {"Attribute", "Default", "Meaning"});
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i) {
        const auto attribute = type.GetAttribute(i);
        const std::string initial = attribute.initialValue->SerializeToString(attribute.checker);
        PrintRow(
            {"``" + attribute.name + "``", initial.empty() ? "none" : "``" + initial + "``", Escaped(attribute.help)});
    }
    std::cout << "\n";
}

void PrintTraces(const ns3::TypeId& type) {
    if (type.GetTraceSourceN() == 0) return;
    std::cout << HeadOf(type);
    PrintHead("20 40 40", {"Trace source", "When", "Callback"});
    for (std::size_t i = 0; i < type.GetTraceSourceN(); ++i) {
        const auto source = type.GetTraceSource(i);
        PrintRow({"``" + source.name + "``", Escaped(source.help), "``" + source.callback + "``"});
    }
    std::cout << "\n";
}

}  // namespace
}  // namespace watershed

int main() {
    const auto types = {watershed::WatershedSwitch::GetTypeId(),      watershed::WatershedNetDevice::GetTypeId(),
                        watershed::WatershedQueueLevel::GetTypeId(),  watershed::WatershedChannel::GetTypeId(),
                        watershed::WatershedDcqcnSender::GetTypeId(), watershed::WatershedDcqcnReceiver::GetTypeId()};
    std::cout << "Attributes\n~~~~~~~~~~\n\n";
    for (const auto& type : types) watershed::PrintAttributes(type);
    std::cout << "Traces\n~~~~~~\n\n";
    for (const auto& type : types) watershed::PrintTraces(type);
}
