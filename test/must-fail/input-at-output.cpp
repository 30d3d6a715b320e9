// An input read at an output tile of another shape.
// error: an input with tiles of 64×128 at an output tile of 128×64: the shapes differ
// error-gcc: the input and the output have different tile shapes here; give the tile's index
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 128, 64> c, In<f32, 64, 128> a) { c.store(transpose(a[c])); }
