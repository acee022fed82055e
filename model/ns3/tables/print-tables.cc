// SPDX-License-Identifier: GPL-2.0-only
// Attributes and trace sources of the module, as tables of reStructuredText, from the classes themselves.
#include <array>
#include <iostream>
#include <string>
#include <vector>

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

using Row = std::array<std::string, 3>;

/// A table of a class, if it has rows. @param head  the first of them
void PrintTable(const ns3::TypeId& type, const std::string& widths, const Row& head, const std::vector<Row>& rows) {
    if (rows.empty()) return;
    const std::string name = type.GetName().substr(type.GetName().rfind(':') + 1);
    std::cout << name << "\n"
              << std::string(name.size(), '^') << "\n\n"
              << ".. list-table::\n   :header-rows: 1\n   :widths: " << widths << "\n\n";
    const auto print = [](const Row& row) {
        std::cout << "   * - " << row[0] << "\n     - " << row[1] << "\n     - " << row[2] << "\n";
    };
    print(head);
    for (const Row& row : rows) print(row);
    std::cout << "\n";
}

std::string Literal(const std::string& text) { return "``" + text + "``"; }

void PrintAttributes(const ns3::TypeId& type) {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i) {
        const auto attribute = type.GetAttribute(i);
        const std::string initial = attribute.initialValue->SerializeToString(attribute.checker);
        rows.push_back({Literal(attribute.name), initial.empty() ? "none" : Literal(initial), Escaped(attribute.help)});
    }
    PrintTable(type, "20 20 60", {"Attribute", "Default", "Meaning"}, rows);
}

void PrintTraces(const ns3::TypeId& type) {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < type.GetTraceSourceN(); ++i) {
        const auto source = type.GetTraceSource(i);
        rows.push_back({Literal(source.name), Escaped(source.help), Literal(source.callback)});
    }
    PrintTable(type, "20 40 40", {"Trace source", "When", "Callback"}, rows);
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
