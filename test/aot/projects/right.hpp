#include <tegula/tegula.hpp>

inline void twice_tiles(tegula::Out<tegula::f32, 16> y, tegula::In<tegula::f32, 16> x) { y.store(2 * x[y]); }
extern const tegula::Kernel<tegula::Out<tegula::f32, 16>, tegula::In<tegula::f32, 16>> twice;
