// Denormal numbers (below 1.2e-38 in float) cost a hundred times what others do and mean nothing to a network: weights
// that decay towards zero and gradients that vanish on their way through many layers are full of them.
#pragma once

namespace gcnh {

// Arithmetic of this thread takes and gives zero in their place for as long as the scope lives, or does not. A Pool
// passes the caller's choice on to its workers.
class FlushDenormals {
 public:
  explicit FlushDenormals(bool on = true);
  ~FlushDenormals();
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

  static bool is_on();

 private:
  unsigned before_;
};

}  // namespace gcnh
