// A graph made in memory, where friends rarely have the same opinion: how well does a model guess opinions that looks
// at friends, and how well one that does not?
#include <gcnh/gcnh.h>

#include <exception>
#include <iostream>

int main() {
  try {
    const gcnh::Tables tables = gcnh::make_synthetic({.homophily = 0.05, .nodes = 600, .features = 200});
    for (const char* model : {"gcnh", "mlp"}) {
      const gcnh::Experiment e =
          gcnh::prepare({.model = model, .options = {{"epochs", "100"}}, .splits = {0, 1, 2}}, tables);
      std::cout << model << ": " << gcnh::mean_std(gcnh::test_accuracies(gcnh::run(e).splits)).mean << "\n";
    }
  } catch (const std::exception& error) {  // gcnh::Error, or what the standard library throws
    std::cerr << error.what() << "\n";
    return 1;
  }
}
