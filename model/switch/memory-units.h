// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>

#include "model/base/unsupported-key.h"
#include "model/switch/buffer.h"

namespace watershed {

/// The unit of a memory, frames, bytes or cells, and the conversion into it.
class MemoryUnits {
  public:
    /// @throws KeyError if size and cell do not go together
    explicit MemoryUnits(const Buffer& buffer)
        : unit_(buffer.size.unit), cell_(buffer.cell), header_(buffer.cell_header) {
        if (unit_ == MemorySize::Unit::Cell && cell_.count == 0)
            throw KeyError("switch.buffer.cell", "missing, expected with an amount of cells");
        if (unit_ == MemorySize::Unit::Byte && cell_.count > 0) unit_ = MemorySize::Unit::Cell;
    }

    MemorySize::Unit unit() const { return unit_; }

    /// Returns the memory that a frame of this buffer size takes.
    std::int64_t cost(Bytes frame) const {
        if (frame != measured_) measure(frame);
        return cost_;
    }

    /// Cells of frames of one size; none where the memory is not handed out in cells.
    std::optional<std::int64_t> cells(std::int64_t frames, Bytes frame) const {
        return unit_ == MemorySize::Unit::Cell ? std::make_optional(frames * cost(frame)) : std::nullopt;
    }

    /// Returns true if the amount converts into this unit, whatever frames it is of.
    bool converts(MemorySize size) const {
        return size.unit == unit_ || size.amount == 0 ||
               (unit_ == MemorySize::Unit::Cell && size.unit == MemorySize::Unit::Byte);
    }

    enum class Rounding { Down, Up };
    /// An amount that a key states, in this unit.
    /// @throws KeyError naming the key, if the one does not convert into the other
    std::int64_t amount(const std::string& key, MemorySize size, Rounding rounding = Rounding::Down) const {
        if (size.unit == unit_ || size.amount == 0) return size.amount;
        if (converts(size))
            return rounding == Rounding::Up ? ceil_div(size.amount, cell_.count) : size.amount / cell_.count;
        static const char* const kNames[] = {"frames", "bytes", "cells"};
        throw KeyError(key, std::string("found an amount of ") + kNames[static_cast<int>(size.unit)] +
                                ", expected one of " + kNames[static_cast<int>(unit_)] +
                                ", which the memory is counted in");
    }

  private:
    [[gnu::noinline]] void measure(Bytes frame) const {
        measured_ = frame;
        switch (unit_) {
            case MemorySize::Unit::Frame: cost_ = 1; break;
            case MemorySize::Unit::Byte: cost_ = frame.count; break;
            case MemorySize::Unit::Cell: cost_ = ceil_div((frame + header_).count, cell_.count); break;
        }
    }

    MemorySize::Unit unit_;
    Bytes cell_;
    Bytes header_;
    mutable Bytes measured_{-1};  ///< most frames are alike, and dividing is slow
    mutable std::int64_t cost_ = 0;
};

}  // namespace watershed
