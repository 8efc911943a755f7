// Denormal numbers (below 1.2e-38 in float) cost a hundred times what others do and mean nothing to a network: weights
// that decay towards zero and gradients that vanish on their way through many layers are full of them.
#pragma once

namespace gcnh {

// While the scope lives, this thread's arithmetic reads and writes zero in place of denormal numbers (on), or computes
// with them (off). A Pool passes the caller's choice on to its workers.
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
