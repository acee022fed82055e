// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/base/dcqcn-connectx.h"
#include "model/base/dcqcn.h"
#include "model/base/hpcc.h"
#include "model/base/swift.h"

namespace watershed {

/// Parameters of all laws.
struct RateParameters {
    Dcqcn dcqcn;
    DcqcnConnectx connectx;
    Hpcc hpcc;
    Swift swift;
};

/// A law as it is named.
struct NamedRateLaw {
    std::string name;
    bool is_answered;               ///< it needs an acknowledgement of each packet
    std::uint32_t telemetry_bytes;  ///< room for telemetry in each packet and in its answer
    /// @param packet  bytes of a full one on the link
    std::unique_ptr<RateLaw> (*make)(const RateParameters& parameters, BitRate link, Bytes packet);
};

inline const std::vector<NamedRateLaw>& rate_laws() {
    using Parameters = const RateParameters&;
    static const std::vector<NamedRateLaw> all{
        {"dcqcn", false, 0,
         [](Parameters of, BitRate link, Bytes) -> std::unique_ptr<RateLaw> {
             return std::make_unique<DcqcnFlow>(of.dcqcn, link);
         }},
        {"dcqcn-connectx", false, 0,
         [](Parameters of, BitRate link, Bytes) -> std::unique_ptr<RateLaw> {
             return std::make_unique<DcqcnConnectxFlow>(of.dcqcn, of.connectx, link);
         }},
        {"hpcc", true, kTelemetryBytes,
         [](Parameters of, BitRate link, Bytes) -> std::unique_ptr<RateLaw> {
             return std::make_unique<HpccFlow>(of.hpcc, link);
         }},
        {"swift", true, 0,
         [](Parameters of, BitRate link, Bytes packet) -> std::unique_ptr<RateLaw> {
             return std::make_unique<SwiftFlow>(of.swift, link, packet);
         }},
    };
    return all;
}

}  // namespace watershed
