// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/device/watershed-pcap.h"

#include <ns3/boolean.h>
#include <ns3/trace-helper.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace watershed {

void WatershedPcap::Capture(WatershedNetDeviceImpl& device, const std::string& path) {
    const auto file = ns3::CreateObjectWithAttributes<ns3::PcapFileWrapper>("NanosecMode", ns3::BooleanValue(true));
    errno = 0;
    file->Open(Unfinished(path), std::ios::out);
    if (!file->Fail()) file->Init(ns3::PcapHelper::DLT_EN10MB);
    if (file->Fail()) throw std::runtime_error(path + ": cannot write: " + std::strerror(errno));
    m_captures.push_back({path, file});
    ns3::PcapHelper().HookDefaultSink<WatershedNetDeviceImpl>(&device, "PromiscSniffer", file);
}

void WatershedPcap::Commit() {
    for (const Capturing& each : m_captures) {
        errno = 0;
        each.file->Close();
        if (each.file->Fail()) throw std::runtime_error(each.path + ": cannot write: " + std::strerror(errno));
    }
    for (const Capturing& each : m_captures) std::filesystem::rename(Unfinished(each.path), each.path);
    m_captures.clear();
}

WatershedPcap::~WatershedPcap() {
    std::error_code ignored;
    for (const Capturing& each : m_captures) std::filesystem::remove(Unfinished(each.path), ignored);
}

}  // namespace watershed
