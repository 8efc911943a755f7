// The graphs that papers report on. Their fingerprints were taken from the files of their authors.
#include "gcnh/check/fingerprint.h"

namespace gcnh {

const std::vector<KnownGraph>& known_graphs() {
  // clang-format off
  static const std::vector<KnownGraph> graphs = {
      {"cornell", 183, 1703, 277,
       {0, 0, 0, 0xa716eac37cf0977c},
       "papers report on this mixture (`allow` known-data); `data` cornell-fixed has the table of these pages"},
      {"cornell-fixed", 183, 1703, 277,
       {0x3effe149dac63385, 0x27aab005e056e225, 0x2585c760748334d9, 0x238f3f2b1f361d0b},
       "papers report on another one, which has the node table of texas"},
      {"texas", 183, 1703, 279,
       {0x1cef282d25c0eb1d, 0x16a1f21eb0206c36, 0x835105f70adcdb15, 0x1d347f0448d36db0}},
      {"wisconsin", 251, 1703, 450,
       {0x25b6aac819aa797a, 0x7884a9a3154c2790, 0x42daf06a5b6a9adc, 0x4b9fdd292db2a35f}},
      {"film", 7600, 932, 26659,
       {0x8f4151fabfaa58c5, 0xaa50ac223ea17a6e, 0x7fb6582bea69daad, 0x9687a8e812ff1dc6},
       "932 columns of features, where its header and much code have 931 and merge two of them"},
      {"chameleon", 2277, 2325, 31371,
       {0x803b1a34c41ffea5, 0x2f019cf21ffa508d, 0xb1709bc871971e4c, 0x836ce0cb0bfa01ba},
       "chameleon-filtered is without its twins"},
      {"squirrel", 5201, 2089, 198353,
       {0x47d7c53373d5f3bd, 0x1c064781ecd7b253, 0xe8a78a04e587ee13, 0xa4ee5011dacde295},
       "squirrel-filtered is without its twins"},
      {"cora", 2708, 1433, 5278,
       {0xa98ec35ad1be468b, 0xca3e10fd95e72676, 0xb2f305bd841c01dc, 0x2dc40cdd917b726c}},
      {"citeseer", 3327, 3703, 4552,
       {0x8cd8b11ad6b67d6a, 0x6a93280c221a33a9, 0x1d1e881808ec098b, 0x8d6e790a9a03f8d0},
       "papers differ on whether its 15 unlabelled nodes stay in the graph"},
      {"chameleon-filtered", 890, 2325, 8854,
       {0xb870185140bb5941, 0x68f71bb9fca8b144, 0x430c61df75647582, 0x64761ecc1a1f986f},
       "results do not compare with those on chameleon"},
      {"squirrel-filtered", 2223, 2089, 46998,
       {0xd4b1939b9b86f36a, 0x7deaaaaf261648e8, 0xe714b832789c5bf9, 0x6a13fc970480c30f},
       "results do not compare with those on squirrel"},
      {"minesweeper", 10000, 7, 39402,
       {0x9c19b6913c157531, 0xad1fbabd68aecda0, 0x8198c50801a3c5b5, 0x02e0ec6056ee0e74}},
  };
  // clang-format on
  return graphs;
}

}  // namespace gcnh
