// SPDX-License-Identifier: GPL-2.0-only
#include "model/ejfat/ejfat-reassembly.h"

namespace watershed {

EjfatReassembler::Step EjfatReassembler::add(const EjfatReassemblyHeader& header, Bytes data, Time now) {
    const auto [known, begun] = entries_.try_emplace(header.event);
    Entry& entry = known->second;
    if (entry.channels.count(header.data_id) == 0) {
        if (in_use_ + Bytes{header.length} > memory_) {
            if (begun) entries_.erase(known);
            return Step::NoMemory;
        }
        in_use_ += Bytes{header.length};
        entry.length += header.length;
        entry.missing += header.length;
        entry.channels.insert(header.data_id);
    }
    if (begun) {
        entry.first = now;
        begun_.emplace_back(now, header.event);
    }
    entry.missing -= data.count;
    ++entry.packets;
    if (entry.missing > 0 || static_cast<int>(entry.channels.size()) < channels_) return Step::Incomplete;
    forget(known);
    return Step::Whole;
}

void EjfatReassembler::expire(Time now, const std::function<void(std::uint64_t, std::int64_t, Time)>& gone) {
    for (; !begun_.empty() && now - begun_.front().first >= timeout_; begun_.pop_front()) {
        const auto entry = entries_.find(begun_.front().second);
        // The event may be whole by now, or have begun anew after that.
        if (entry == entries_.end() || entry->second.first != begun_.front().first) continue;
        gone(entry->first, entry->second.packets, entry->second.first + timeout_);
        forget(entry);
    }
}

void EjfatReassembler::forget(std::map<std::uint64_t, Entry>::iterator entry) {
    in_use_ -= Bytes{entry->second.length};
    entries_.erase(entry);
}

}  // namespace watershed
