// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/reader/payload-file.h"

#include "scenarios/text/csv.h"
#include "scenarios/text/input-error.h"

namespace watershed {

std::vector<PayloadShare> read_payloads(const std::string& file) {
    constexpr std::int64_t kMost = 1'000'000'000;
    const CsvTable table = CsvTable::read(file);
    const std::size_t payload = table.column("payload_bytes"), weight = table.column("weight");
    std::vector<PayloadShare> payloads;
    for (const CsvTable::Row& row : table.rows()) {
        payloads.push_back({Bytes{table.integer(row, payload, 1)}, table.integer(row, weight, 1)});
        if (payloads.back().payload.count > kMost) table.refuse(row, payload, "1 to 1000000000");
        if (payloads.back().weight > kMost) table.refuse(row, weight, "1 to 1000000000");
    }
    if (payloads.empty()) throw InputError(file + ": found no rows, expected one or more of payload_bytes,weight");
    return payloads;
}

}  // namespace watershed
