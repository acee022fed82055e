// SPDX-License-Identifier: GPL-2.0-only
#include "model/ejfat/ejfat-headers.h"

#include <vector>

#include "test/catch.h"

using namespace watershed;

namespace {

template <class Array>
std::vector<int> as_numbers(const Array& bytes) {
    return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST_CASE("The balancer's header is LB, version 2, next header 1, 2 reserved bytes, entropy, event number") {
    const EjfatBalancerHeader header{0x0102, 0x1122334455667788};
    CHECK(as_numbers(header.bytes()) ==
          std::vector<int>{'L', 'B', 2, 1, 0, 0, 1, 2, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88});
    const auto read = EjfatBalancerHeader::parse(header.bytes().data(), 16);
    REQUIRE(read);
    CHECK(read->entropy == 0x0102);
    CHECK(read->event == 0x1122334455667788);
}

TEST_CASE("The reassembly header is version 1 in four bits, data id, offset, length, event number") {
    const EjfatReassemblyHeader header{0x0203, 8936, 1'000'000, 513};
    CHECK(as_numbers(header.bytes()) ==
          std::vector<int>{0x10, 0, 2, 3, 0, 0, 0x22, 0xe8, 0, 0x0f, 0x42, 0x40, 0, 0, 0, 0, 0, 0, 2, 1});
    const auto read = EjfatReassemblyHeader::parse(header.bytes().data(), 20);
    REQUIRE(read);
    CHECK(read->data_id == 0x0203);
    CHECK(read->offset == 8936);
    CHECK(read->length == 1'000'000);
    CHECK(read->event == 513);
}

TEST_CASE("The synchronisation header is LC, version 2, a reserved byte, source, event number, rate, time") {
    const EjfatSyncHeader header{1, 2, 3, 4};
    CHECK(as_numbers(header.bytes()) ==
          std::vector<int>{'L', 'C', 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4});
    CHECK(EjfatSyncHeader::parse(header.bytes().data(), 28)->rate_hz == 3);
}

TEST_CASE("What is cut short or of another kind or version is no header") {
    auto balancer = EjfatBalancerHeader{}.bytes();
    CHECK_FALSE(EjfatBalancerHeader::parse(balancer.data(), 15));
    CHECK_FALSE(EjfatSyncHeader::parse(balancer.data(), 16));
    balancer[2] = 3;
    CHECK_FALSE(EjfatBalancerHeader::parse(balancer.data(), 16));
    auto reassembly = EjfatReassemblyHeader{}.bytes();
    CHECK_FALSE(EjfatReassemblyHeader::parse(reassembly.data(), 19));
    reassembly[0] = 0x20;
    CHECK_FALSE(EjfatReassemblyHeader::parse(reassembly.data(), 20));
}
