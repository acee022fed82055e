// SPDX-License-Identifier: GPL-2.0-only
#include "model/ejfat/ejfat-pid.h"

namespace watershed {
EjfatPid::EjfatPid(const EjfatControl& options)
    : set_point_(as_number(options.set_point)),
      kp_(as_number(options.kp)),
      ki_(as_number(options.ki)),
      kd_(as_number(options.kd)),
      samples_(static_cast<std::size_t>(options.samples)) {}

double EjfatPid::step(double fill, Time now) {
    const double seconds = in_seconds(now), error = set_point_ - fill;
    last_.push_back({seconds, error, last_.empty() ? 0 : error * (seconds - last_.back().seconds)});
    if (last_.size() > samples_) last_.pop_front();
    double integral = 0;
    for (const Sample& sample : last_) integral += sample.integral;
    const Sample& oldest = last_.front();
    const double slope = seconds > oldest.seconds ? (error - oldest.error) / (seconds - oldest.seconds) : 0;
    return kp_ * error + ki_ * integral + kd_ * slope;
}

}  // namespace watershed
