// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/object-base.h>
#include <ns3/type-id.h>

namespace watershed {

struct RateParameters;

/// Adds the parameters of all laws of rate to the attributes of a class.
/// @param of  returns those of an object; null if it is of another class
ns3::TypeId WithRateAttributes(ns3::TypeId tid, RateParameters* (*of)(const ns3::ObjectBase*));

}  // namespace watershed
