// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/run/simulators.h"
#include "scenarios/validate/comparison.h"

namespace watershed {

// The published systems, one function and one file each: validate-SYSTEM.cc. Each simulates the scenarios of its
// system and sets what comes out beside what was published.

/// Input of the validation functions.
struct Validation {
    const Simulators& simulators;
    std::string scenarios;  ///< folder of the scenarios that come with the program
    bool quick = false;     ///< a fifth of the packets, where there are many of them
    int jobs = 1;           ///< processes or threads that share the work

    std::string scenario(const std::string& name) const { return scenarios + "/" + name + ".toml"; }
    std::int64_t packets(std::int64_t all) const { return quick ? all / 5 : all; }
};

/// Hoffmann et al., ICRC 2015: the switches of NectarCAM.
std::vector<Comparison> validate_nectarcam(const Validation& validation);

/// Miercom, 2010: longest lossless burst of five switches, and what one frame more loses.
std::vector<Comparison> validate_miercom(const Validation& validation);

/// Drop thresholds that the regression tests of SONiC expect of three switch chips.
std::vector<Comparison> validate_thresholds(const Validation& validation);

/// Thresholds that hardware tests of SONiC expect of six switch chips, from their configuration.
std::vector<Comparison> validate_sonic(const Validation& validation);

/// A probe that filled the priority groups of a Tomahawk 2 one after another.
std::vector<Comparison> validate_mmu_probe(const Validation& validation);

/// The Linux kernel's self tests of Spectrum switches.
std::vector<Comparison> validate_mlxsw(const Validation& validation);

/// Industrial cameras, MeerKAT's corner turn and LHCb's pushes: what their published sizes must lose, by arithmetic.
std::vector<Comparison> validate_event_building(const Validation& validation);

struct PublishedSystem {
    std::string name;
    std::vector<Comparison> (*validate)(const Validation&);
};

/// M. Goodrich et al., EJFAT: a load balancer between data sources and worker nodes.
std::vector<Comparison> validate_ejfat(const Validation& validation);

/// R. Triozzi et al.: JUNO's readout by IPbus, and the flashing of its firmware.
std::vector<Comparison> validate_juno(const Validation& validation);

/// R. Krawczyk, vCHEP 2021: LHCb's event distribution by RoCE.
std::vector<Comparison> validate_lhcb(const Validation& validation);

/// J. Cullen, NEXPReS: UDPmon over light paths and bandwidth on demand.
std::vector<Comparison> validate_nexpres(const Validation& validation);

}  // namespace watershed
