// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

struct nlmsghdr;
struct rtattr;

namespace watershed {

/// Asks the kernel about its network (rtnetlink, RFC 3549) and hands over each answer.
/// @param type  of the request, RTM_GET…; a header of `size` bytes follows it
/// @param all   of that type, not one
/// @throws std::runtime_error where the kernel refuses
void ask_kernel(std::uint16_t type, const void* header, std::size_t size, bool all,
                const std::function<void(const nlmsghdr&)>& answer);

/// Each attribute of an answer whose own header has `size` bytes.
void for_each_attribute(const nlmsghdr& answer, std::size_t size, const std::function<void(const rtattr&)>& take);

}  // namespace watershed
