// SPDX-License-Identifier: GPL-2.0-only
#include "model/ipbus/ipbus-result.h"

#include <stdexcept>
#include <string>

namespace watershed {

void IpbusResult::check_books() const {
    const auto balance = [](const char* what, std::int64_t total, std::int64_t parts) {
        if (total != parts)
            throw std::logic_error(std::string(what) + " unaccounted for: " + std::to_string(total) + " against " +
                                   std::to_string(parts));
    };
    balance("waveforms", waveforms.generated, waveforms.read + waveforms.rejected + waveforms.left);
    balance("requests", requests.requests, requests.answered + requests.abandoned + requests.open);
    std::int64_t lost = 0;
    for (const Outcome::Loss& loss : losses) lost += loss.frames;
    balance("frames", frames_sent, frames_received + lost);
}

}  // namespace watershed
