// SPDX-License-Identifier: GPL-2.0-only
#include <vector>

#include "model/switch/buffer.h"
#include "model/switch/limit.h"
#include "model/switch/memory-units.h"

namespace watershed {
namespace {

/// Most that all queues of a port may hold together.
class PortLimit final : public Limit {
  public:
    explicit PortLimit(std::int64_t most) : most_(most) {}
    bool may_grow(const QueueAccounts& accounts, int queue, std::int64_t amount, Bytes) const override {
        const int classes = accounts.layout().classes, first = queue - queue % classes;
        for (int each = first; each < first + classes; ++each) amount += accounts.held(each);
        return amount <= most_;
    }

  private:
    std::int64_t most_;
};

/// The same in frames, or in bytes of frames, beside a memory that is counted in another unit.
class CountingPortLimit final : public Limit {
  public:
    /// @param counted  its `size` is the limit
    explicit CountingPortLimit(const Buffer& counted)
        : units_(counted), most_(counted.size.amount), classes_(counted.classes) {}
    bool may_grow(const QueueAccounts&, int queue, std::int64_t, Bytes frame) const override {
        const std::size_t port = port_of(queue);
        return (port < held_.size() ? held_[port] : 0) + units_.cost(frame) <= most_;
    }
    void changed(int queue, std::int64_t frames, Bytes frame) override {
        const std::size_t port = port_of(queue);
        if (port >= held_.size()) held_.resize(port + 1);
        held_[port] += frames * units_.cost(frame);
    }

  private:
    std::size_t port_of(int queue) const { return static_cast<std::size_t>(queue / classes_); }

    MemoryUnits units_;
    std::int64_t most_;
    int classes_;
    std::vector<std::int64_t> held_;  ///< by port
};

}  // namespace

namespace policies {

std::unique_ptr<Limit> port_limit(const Buffer& buffer, const MemoryUnits& units);

std::unique_ptr<Limit> port_limit(const Buffer& buffer, const MemoryUnits& units) {
    if (!buffer.port_limit) return nullptr;
    if (units.converts(*buffer.port_limit) || buffer.port_limit->unit == MemorySize::Unit::Cell)
        return std::make_unique<PortLimit>(units.amount("switch.buffer.port_limit", *buffer.port_limit));
    Buffer counted;
    counted.size = *buffer.port_limit;
    counted.classes = buffer.classes;
    return std::make_unique<CountingPortLimit>(counted);
}

}  // namespace policies
}  // namespace watershed
