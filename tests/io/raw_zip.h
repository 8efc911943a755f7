// Zip files with every field under the test's control, to lie in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gcnh {

struct RawMember {
  std::string name;
  std::string data;  // as stored in the file
  int method = 0;
  int flags = 0;
  std::int64_t size = -1;         // unpacked, in both headers; -1: the truth
  std::int64_t packed_size = -1;  // in both headers; -1: the truth
  std::uint32_t crc_change = 0;
};

inline std::string little(std::uint64_t value, int width) {
  std::string out;
  for (int i = 0; i < width; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
  return out;
}

inline std::uint32_t crc_32(const std::string& bytes) {
  std::uint32_t crc = ~0u;
  for (unsigned char c : bytes) {
    crc ^= c;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0u);
  }
  return ~crc;
}

// Version, flags, method, date, checksum, sizes, name length: what local and central headers share.
inline std::string shared_fields(const RawMember& m) {
  const auto truth = static_cast<std::int64_t>(m.data.size());
  return little(20, 2) + little(m.flags, 2) + little(m.method, 2) + little(0, 2) + little(33, 2) +
         little(crc_32(m.data) ^ m.crc_change, 4) + little(m.packed_size < 0 ? truth : m.packed_size, 4) +
         little(m.size < 0 ? truth : m.size, 4) + little(m.name.size(), 2);
}

inline std::string raw_zip(const std::vector<RawMember>& members) {
  std::string file, central;
  for (const RawMember& m : members) {
    central += std::string("PK\1\2") + little(20, 2) + shared_fields(m) + std::string(2 + 2 + 2 + 2 + 4, '\0') +
               little(file.size(), 4) + m.name;
    file += std::string("PK\3\4") + shared_fields(m) + little(0, 2) + m.name + m.data;
  }
  const std::size_t begin = file.size();
  return file + central + "PK\5\6" + little(0, 4) + little(members.size(), 2) + little(members.size(), 2) +
         little(central.size(), 4) + little(begin, 4) + little(0, 2);
}

}  // namespace gcnh
