// SPDX-License-Identifier: GPL-2.0-only
#pragma once

namespace watershed {

/// Time in which each TOML file is read and parsed once, for searches that ask for their scenario and for switches of
/// the catalogue thousands of times. One within another changes nothing.
class TomlMemory {
  public:
    TomlMemory();
    ~TomlMemory();
    TomlMemory(const TomlMemory&) = delete;
    TomlMemory& operator=(const TomlMemory&) = delete;

  private:
    bool is_outermost_;
};

}  // namespace watershed
