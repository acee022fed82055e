// SPDX-License-Identifier: GPL-2.0-only
#pragma once

// Optimised as this program is, GCC 12 believes that Boost's integers read what they have not written.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <boost/multiprecision/cpp_int.hpp>
#pragma GCC diagnostic pop

#include "model/base/quantities.h"

namespace watershed {

/// An exact fraction, of any size.
using Rational =
    boost::multiprecision::number<boost::multiprecision::cpp_rational::backend_type, boost::multiprecision::et_off>;

/// Rounded towards 0. @param value  that fits
inline Wide whole_of(const Rational& value) {
    return static_cast<Wide>(boost::multiprecision::cpp_int(boost::multiprecision::numerator(value) /
                                                            boost::multiprecision::denominator(value)));
}

}  // namespace watershed
