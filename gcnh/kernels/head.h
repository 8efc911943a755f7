// The last part of a GCNH step, row by row while everything is in the first-level cache: mix, dropout, classifier,
// log-softmax, loss, and the whole way back to the encodings (head.cpp).
#pragma once

#include <span>

#include "gcnh/base/csr.h"
#include "gcnh/base/matrix.h"

namespace gcnh::kernels {

// What the head kernel takes: widths that are multiples of 16 (whole vectors on every CPU), rows that fit on the stack.
constexpr Index kHeadWidthStep = 16;
constexpr Index kHeadMostWidth = 512;
constexpr Index kHeadMostClasses = 64;

// The classifier as the kernel reads it: class columns padded to whole vectors.
struct PaddedClassifier {
  PaddedClassifier(const Matrix& weight, const Matrix& bias);
  Index classes;
  Matrix weight;      // (k, padded classes), zeros in the padding
  Matrix transposed;  // (classes, k)
  Matrix bias;        // (1, padded classes), very low in the padding
};

// For i = 0 .. rows - 1 and u = rows[i]:
//   h = (b z[u] + (1 - b) a[i]) * factor[i],  logits = h W + c,  loss += -log softmax(logits)[label]
struct HeadInput {
  std::span<const Index> rows;
  const Matrix& z;     // (n, k), by node
  const Matrix& a;     // (rows, k), packed
  const Matrix& b;     // (1, k)
  const Real* factor;  // dropout factors (rows, k), packed; null: none
  const PaddedClassifier& classifier;
};

// logp (rows, classes) of the rows.
void head_forward(const HeadInput& in, Matrix& logp);

// Sums over rows that the backward pass leaves behind.
struct HeadSums {
  HeadSums(Index width, Index classes) : weight(classes, width), bias(1, classes), mix(1, width) {}
  Matrix weight;  // gradient of the classifier, transposed: (classes, k)
  Matrix bias;    // (1, classes)
  Matrix mix;     // gradient of b: (1, k)
  double loss = 0;
};

// With d = scale (softmax - onehot):  dh = (d W') * factor,  g[u] = (1 - b) dh,  dz[u] = b dh * LeakyReLU'(z[u]);
// adds d' h, d, dh (z - a) and the losses to the sums.
void head_backward(const HeadInput& in, std::span<const int> labels, Real scale, Real slope, Matrix& g, Matrix& dz,
                   HeadSums& sums);

}  // namespace gcnh::kernels
