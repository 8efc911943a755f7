// Adam's state for the parameters of one model.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "gcnh/kernels/kernels.h"
#include "gcnh/models/model.h"
#include "gcnh/train/stepper.h"

namespace gcnh {

class Adam {
 public:
  Adam(std::deque<Param>& params, double lr, double weight_decay);

  void set_form(kernels::AdamForm form) { form_ = form; }

  // Begins the next step; updates belong to it until the next call.
  void next_step() { step_ = {lr_, weight_decay_, ++steps_, form_}; }
  // Applies the parameter's gradient and clears it.
  void update(Param& p);
  // The same for rows begin .. end - 1, whose gradient is given apart from the parameter and cleared.
  void update_rows(Param& p, Index begin, Index end, Real* grad);
  void update_all();

  NamedMatrices moments() const;
  void set_moments(const NamedMatrices& values, std::int64_t steps);
  std::int64_t steps() const { return steps_; }

 private:
  struct Moments {
    Matrix m;
    Matrix v;
  };

  std::deque<Param>& params_;
  double lr_;
  double weight_decay_;
  kernels::AdamForm form_ = kernels::AdamForm::torch;
  std::int64_t steps_ = 0;
  kernels::AdamStep step_;  // made once per step: updates may be of a few rows each
  std::unordered_map<const Param*, Moments> moments_;
};

}  // namespace gcnh
