// A group of groups.
// error: the members of a group are no groups
#include "tegula/kernel.hpp"
using namespace tegula;

void kernel(Out<f32, 64> c, Group<Group<In<f32, 64>, 2>, 2> a);

auto parameters = detail::Signature<decltype(&kernel)>::declarations;
int parameter(const Group<Group<In<f32, 64>, 2>, 2>& a) { return sizeof a; }
