// What the verifiers of programs and memory refuse.
// RUN: tegula-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{not a kind of view: 'into'}}
func.func @access(%v: !tile.view<into, 4xf32>) { return }

// -----
// expected-error @below {{no atomic 'add_into' for 'i16'}}
func.func @add_into(%v: !tile.view<add_into, 4xi16>) { return }

// -----
// expected-error @below {{no atomic 'add_into' for 'f8E5M2'}}
func.func @add_into_fp8(%v: !tile.view<add_into, 4xf8E5M2>) { return }

// -----
// expected-error @below {{no atomic 'max_into' for 'f32'}}
func.func @max_into(%v: !tile.view<max_into, 4xf32>) { return }

// -----
// expected-error @below {{no atomic 'or_into' for 'i1'}}
func.func @or_into(%v: !tile.view<or_into, 4xi1>) { return }

// -----
// expected-error @below {{a view of kind 'index' holds integers, not 'f32'}}
func.func @index_float(%v: !tile.view<index, 4xf32>) { return }

// -----
// expected-error @below {{a view of kind 'distinct' holds integers, not 'i1'}}
func.func @distinct_bool(%v: !tile.view<distinct, 4xi1>) { return }

// -----

// expected-error @below {{a view of kind 'index_or_none' holds integers, not 'f32'}}
func.func @index_or_none_float(%v: !tile.view<index_or_none, 4xf32>) { return }

// -----

// expected-error @below {{a view of kind 'index_or_none' may hold -1, so its integers are signed, not 'ui8'}}
func.func @index_or_none_unsigned(%v: !tile.view<index_or_none, 4xui8>) { return }

// -----

// expected-error @below {{a view of kind 'out_index' holds signed integers, not 'ui32'}}
func.func @out_index_unsigned(%v: !tile.view<out_index, 4xui32>) { return }

// -----

// expected-error @below {{a view of kind 'distinct_or_none' may hold -1, so its integers are signed, not 'ui64'}}
func.func @distinct_or_none_unsigned(%v: !tile.view<distinct_or_none, 4xui64>) { return }

// -----
// expected-error @below {{not an element type: 'f80'}}
func.func @element(%v: !tile.view<in, 4xf80>) { return }

// -----
// expected-error @below {{not an element type: 'si32'}}
func.func @explicit_sign(%v: !tile.view<in, 4xsi32>) { return }

// -----
// expected-error @below {{a view's tile has at most 6 axes and 1048576 elements, and powers of two as extents}}
func.func private @view_size(!tile.view<in, 1048576x1048576x1048576x1048576xf32>)

// -----
// expected-error @below {{a view's tile has at most 6 axes and 1048576 elements, and powers of two as extents}}
func.func @extent(%v: !tile.view<in, 3xf32>) { return }

// -----
// expected-error @below {{a view's tile has at most 6 axes and 1048576 elements, and powers of two as extents}}
func.func @rank(%v: !tile.view<in, 1x1x1x1x1x1x1xf32>) { return }

// -----
func.func @dim(%v: !tile.view<in, 4x4xf32>) {
  // expected-error @below {{axis 2 is outside a shape of rank 2}}
  %0 = tile.dim %v axis 2 : <in, 4x4xf32>
  return
}

// -----
func.func @num_tiles(%v: !tile.view<in, 4x4xf32>) {
  // expected-error @below {{axis -1 is outside a shape of rank 2}}
  %0 = tile.num_tiles %v axis -1 : <in, 4x4xf32>
  return
}

// -----
func.func @program_index(%v: !tile.view<outs, 4x4xf32>) {
  // expected-error @below {{needs an 'out', 'inout' or 'out_index' view: only there does a program own one piece}}
  %0 = tile.program_index %v axis 0 : <outs, 4x4xf32>
  return
}

// -----
func.func @program_index_axis(%v: !tile.view<out, 4x4xf32>) {
  // expected-error @below {{axis 7 is outside a shape of rank 2}}
  %0 = tile.program_index %v axis 7 : <out, 4x4xf32>
  return
}

// -----
func.func @unflatten(%v: !tile.view<outs, 4x4xf32>, %i: i64) {
  // expected-error @below {{takes one index per axis: 2, not 1}}
  %0 = tile.unflatten %i in %v : <outs, 4x4xf32> -> i64
  return
}

// -----
func.func @segment(%v: !tile.view<index, 1xi32>, %i: i64) {
  // expected-error @below {{needs an 'offsets' view}}
  %0 = tile.segment %i in %v : <index, 1xi32>
  return
}

// -----
// expected-error @below {{a view of kind 'offsets' is read one by one: its tile has one axis, of extent 1}}
func.func @offsets(%v: !tile.view<offsets, 8xi32>)

// -----
// expected-error @below {{a view of kind 'offsets' holds integers, not 'f32'}}
func.func @offsets(%v: !tile.view<offsets, 1xf32>)

// -----
func.func @load_out(%v: !tile.view<out, 4xf32>, %i: i64) {
  // expected-error @below {{reads from an input or an 'inout' view only}}
  %0 = tile.load %v[%i] : <out, 4xf32> -> tensor<4xf32>
  return
}

// -----
func.func @load_element(%v: !tile.view<in, 4xf32>, %i: i64) {
  // expected-error @below {{element type of the tile differs from the view's}}
  %0 = tile.load %v[%i] : <in, 4xf32> -> tensor<4xf64>
  return
}

// -----
func.func @load_rank(%v: !tile.view<in, 4xf32>, %i: i64) {
  // expected-error @below {{rank of the tile differs from the view's}}
  %0 = tile.load %v[%i] : <in, 4xf32> -> tensor<4x1xf32>
  return
}

// -----
func.func @load_pad(%v: !tile.view<in, 4xf32>, %i: i64, %p: f64) {
  // expected-error @below {{pad must be a scalar of the view's element type}}
  %0 = tile.load %v[%i] pad %p : f64 : <in, 4xf32> -> tensor<4xf32>
  return
}

// -----
func.func @load_elements(%v: !tile.view<inout, 4xf32>, %i: i64) {
  // expected-error @below {{counts elements in an input only}}
  %0 = tile.load %v[%i] {elements} : <inout, 4xf32> -> tensor<4xf32>
  return
}

// -----
func.func @load_indices(%v: !tile.view<in, 4xf32>, %i: i64) {
  // expected-error @below {{takes one index per axis: 1, not 2}}
  %0 = tile.load %v[%i, %i] : <in, 4xf32> -> tensor<4xf32>
  return
}

// -----
func.func @store_in(%v: !tile.view<in, 4xf32>, %x: tensor<4xf32>, %i: i64) {
  // expected-error @below {{writes to an 'out', 'outs', 'inout' or 'patch' view only}}
  tile.store %x, %v[%i] : tensor<4xf32>, <in, 4xf32>
  return
}

// -----
func.func @store_element(%v: !tile.view<out, 4xf32>, %x: tensor<4xf16>, %i: i64) {
  // expected-error @below {{element type of the tile differs from the view's}}
  tile.store %x, %v[%i] : tensor<4xf16>, <out, 4xf32>
  return
}

// -----
func.func @store_rank(%v: !tile.view<out, 4xf32>, %x: f32, %i: i64) {
  // expected-error @below {{rank of the tile differs from the view's}}
  tile.store %x, %v[%i] : f32, <out, 4xf32>
  return
}

// -----
func.func @store_indices(%v: !tile.view<out, 4xf32>, %x: tensor<4xf32>) {
  // expected-error @below {{takes one index per axis: 1, not 0}}
  tile.store %x, %v[] : tensor<4xf32>, <out, 4xf32>
  return
}

// -----
func.func @load_accumulated(%v: !tile.view<add_into, 4xf32>, %i: i64) {
  // expected-error @below {{reads an accumulate-only view: its elements change while the launch runs}}
  %0 = tile.load %v[%i] : <add_into, 4xf32> -> tensor<4xf32>
  return
}

// -----
func.func @load_patch(%v: !tile.view<patch, 4xf32>, %i: i64) {
  // expected-error @below {{reads from an input or an 'inout' view only}}
  %0 = tile.load %v[%i] : <patch, 4xf32> -> tensor<4xf32>
  return
}

// -----
func.func @store_accumulated(%v: !tile.view<min_into, 4xi32>, %x: tensor<4xi32>, %i: i64) {
  // expected-error @below {{writes to an 'out', 'outs', 'inout' or 'patch' view only}}
  tile.store %x, %v[%i] : tensor<4xi32>, <min_into, 4xi32>
  return
}

// -----
func.func @bound(%v: !tile.view<in, 4xi32>) {
  // expected-error @below {{needs a view with a bound: of kind 'out_index', 'index', 'distinct', 'index_or_none', 'distinct_or_none' or 'offsets'}}
  %0 = tile.bound %v : <in, 4xi32>
  return
}

// -----
func.func @claim(%v: !tile.view<out, 4xf32>, %i: i64) {
  // expected-error @below {{needs an 'outs' or 'patch' view: there a program owns what it claims}}
  tile.claim %v[%i] : <out, 4xf32>
  return
}

// -----
func.func @claim_indices(%v: !tile.view<outs, 4x4xf32>, %i: i64) {
  // expected-error @below {{takes one index per axis: 2, not 1}}
  tile.claim %v[%i] : <outs, 4x4xf32>
  return
}

// -----
func.func @gather_view(%v: !tile.view<inout, 4x4xf32>, %i: i64, %p: tensor<8xi32>) {
  // expected-error @below {{reads from an input only}}
  %0 = tile.gather %v[%i] by %p axis 0 : <inout, 4x4xf32>, tensor<8xi32> -> tensor<8x4xf32>
  return
}

// -----
func.func @gather_element(%v: !tile.view<in, 4x4xf32>, %i: i64, %p: tensor<8xi32>) {
  // expected-error @below {{element type of the tile differs from the view's}}
  %0 = tile.gather %v[%i] by %p axis 0 : <in, 4x4xf32>, tensor<8xi32> -> tensor<8x4xf64>
  return
}

// -----
func.func @gather_rank(%v: !tile.view<in, 4x4xf32>, %i: i64, %p: tensor<8xi32>) {
  // expected-error @below {{rank of the tile differs from the view's}}
  %0 = tile.gather %v[%i] by %p axis 0 : <in, 4x4xf32>, tensor<8xi32> -> tensor<8xf32>
  return
}

// -----
func.func @gather_indices(%v: !tile.view<in, 4x4xf32>, %i: i64, %p: tensor<8xi32>) {
  // expected-error @below {{takes one index per axis: 2, not 3}}
  %0 = tile.gather %v[%i, %i] by %p axis 0 : <in, 4x4xf32>, tensor<8xi32> -> tensor<8x4xf32>
  return
}

// -----
func.func @gather_axis(%v: !tile.view<in, 4x4xf32>, %i: i64, %p: tensor<8xi32>) {
  // expected-error @below {{axis 2 is outside a shape of rank 2}}
  %0 = tile.gather %v[%i] by %p axis 2 : <in, 4x4xf32>, tensor<8xi32> -> tensor<8x4xf32>
  return
}

// -----
func.func @gather_positions(%v: !tile.view<in, 4x4xf32>, %i: i64, %p: tensor<8xi32>) {
  // expected-error @below {{takes one position for each of the tile's 4 slices along axis 1}}
  %0 = tile.gather %v[%i] by %p axis 1 : <in, 4x4xf32>, tensor<8xi32> -> tensor<8x4xf32>
  return
}

// -----
func.func @gather_square(%v: !tile.view<in, 4x4xf32>, %i: i64, %p: tensor<4x1xi32>) {
  // expected-error @below {{takes one position for each of the tile's 4 slices along axis 0}}
  %0 = tile.gather %v[%i] by %p axis 0 : <in, 4x4xf32>, tensor<4x1xi32> -> tensor<4x4xf32>
  return
}

// -----
func.func @gather_bool(%v: !tile.view<in, 4x4xf32>, %i: i64, %p: tensor<4xi1>) {
  // expected-error @below {{takes positions that are integers, not bool}}
  %0 = tile.gather %v[%i] by %p axis 0 : <in, 4x4xf32>, tensor<4xi1> -> tensor<4x4xf32>
  return
}

// -----
func.func @pairs_view(%v: !tile.view<inout, 4x4xf32>, %i: i64, %p: tensor<8x4xi32>, %q: tensor<8x4xi32>) {
  // expected-error @below {{reads from an input only}}
  %0 = tile.gather_pairs %v[] by %p, %q axes [0, 1] : <inout, 4x4xf32>, tensor<8x4xi32>, tensor<8x4xi32> -> tensor<8x4xf32>
  return
}

// -----
func.func @pairs_element(%v: !tile.view<in, 4x4xf32>, %i: i64, %p: tensor<8x4xi32>, %q: tensor<8x4xi32>) {
  // expected-error @below {{element type of the tile differs from the view's}}
  %0 = tile.gather_pairs %v[] by %p, %q axes [0, 1] : <in, 4x4xf32>, tensor<8x4xi32>, tensor<8x4xi32> -> tensor<8x4xf64>
  return
}

// -----
func.func @pairs_rank(%v: !tile.view<in, 4x4xf32>, %i: i64, %p: tensor<8x4xi32>, %q: tensor<8x4xi32>) {
  // expected-error @below {{rank of the tile differs from the view's}}
  %0 = tile.gather_pairs %v[] by %p, %q axes [0, 1] : <in, 4x4xf32>, tensor<8x4xi32>, tensor<8x4xi32> -> tensor<8x4x1xf32>
  return
}

// -----
func.func @pairs_indices(%v: !tile.view<in, 4x4xf32>, %i: i64, %p: tensor<8x4xi32>, %q: tensor<8x4xi32>) {
  // expected-error @below {{takes one index per axis: 2, not 3}}
  %0 = tile.gather_pairs %v[%i] by %p, %q axes [0, 1] : <in, 4x4xf32>, tensor<8x4xi32>, tensor<8x4xi32> -> tensor<8x4xf32>
  return
}

// -----
func.func @pairs_axes(%v: !tile.view<in, 4x4xf32>, %i: i64, %p: tensor<8x4xi32>, %q: tensor<8x4xi32>) {
  // expected-error @below {{needs two axes of the view, in order}}
  %0 = tile.gather_pairs %v[] by %p, %q axes [1, 0] : <in, 4x4xf32>, tensor<8x4xi32>, tensor<8x4xi32> -> tensor<8x4xf32>
  return
}

// -----
func.func @pairs_same_axis(%v: !tile.view<in, 4x4xf32>, %i: i64, %p: tensor<8x4xi32>, %q: tensor<8x4xi32>) {
  // expected-error @below {{needs two axes of the view, in order}}
  %0 = tile.gather_pairs %v[] by %p, %q axes [1, 1] : <in, 4x4xf32>, tensor<8x4xi32>, tensor<8x4xi32> -> tensor<8x4xf32>
  return
}

// -----
func.func @pairs_axis(%v: !tile.view<in, 4x4xf32>, %i: i64, %p: tensor<8x4xi32>, %q: tensor<8x4xi32>) {
  // expected-error @below {{needs two axes of the view, in order}}
  %0 = tile.gather_pairs %v[] by %p, %q axes [0, 2] : <in, 4x4xf32>, tensor<8x4xi32>, tensor<8x4xi32> -> tensor<8x4xf32>
  return
}

// -----
func.func @pairs_one_axis(%v: !tile.view<in, 4x4xf32>, %i: i64, %p: tensor<8x4xi32>, %q: tensor<8x4xi32>) {
  // expected-error @below {{needs two axes of the view, in order}}
  %0 = tile.gather_pairs %v[] by %p, %q axes [0] : <in, 4x4xf32>, tensor<8x4xi32>, tensor<8x4xi32> -> tensor<8x4xf32>
  return
}

// -----
func.func @pairs_positions(%v: !tile.view<in, 4x4xf32>, %i: i64, %p: tensor<8x4xi32>, %q: tensor<8x1xi32>) {
  // expected-error @below {{takes a pair of positions for each of the tile's 8x4 slices along its axes}}
  %0 = tile.gather_pairs %v[] by %p, %q axes [0, 1] : <in, 4x4xf32>, tensor<8x4xi32>, tensor<8x1xi32> -> tensor<8x4xf32>
  return
}

// -----
func.func @pairs_bool(%v: !tile.view<in, 4x4xf32>, %i: i64, %p: tensor<8x4xi32>, %q: tensor<8x4xi1>) {
  // expected-error @below {{takes positions that are integers, not bool}}
  %0 = tile.gather_pairs %v[] by %p, %q axes [0, 1] : <in, 4x4xf32>, tensor<8x4xi32>, tensor<8x4xi1> -> tensor<8x4xf32>
  return
}

// -----
func.func @gather_float(%v: !tile.view<in, 4x4xf32>, %i: i64, %p: tensor<4xf32>) {
  // expected-error @below {{must be a tile or scalar of integers or bool}}
  %0 = tile.gather %v[%i] by %p axis 0 : <in, 4x4xf32>, tensor<4xf32> -> tensor<4x4xf32>
  return
}

// -----
func.func @scatter_view(%v: !tile.view<out, 4x4xf32>, %x: tensor<8x4xf32>, %i: i64, %p: tensor<8xi32>) {
  // expected-error @below {{writes to an 'outs' or 'patch' view only}}
  tile.scatter %x, %v[%i] by %p axis 0 : tensor<8x4xf32>, <out, 4x4xf32>, tensor<8xi32>
  return
}

// -----
func.func @scatter_positions(%v: !tile.view<patch, 4x4xf32>, %x: tensor<8x4xf32>, %i: i64, %p: tensor<4xi32>) {
  // expected-error @below {{takes one position for each of the tile's 8 slices along axis 0}}
  tile.scatter %x, %v[%i] by %p axis 0 : tensor<8x4xf32>, <patch, 4x4xf32>, tensor<4xi32>
  return
}

// -----
func.func @accumulate_view(%v: !tile.view<inout, 4xf32>, %x: tensor<4xf32>, %i: i64) {
  // expected-error @below {{needs an accumulate-only view}}
  tile.accumulate %x, %v[%i] : tensor<4xf32>, <inout, 4xf32>
  return
}

// -----
func.func @accumulate_element(%v: !tile.view<add_into, 4xf32>, %x: tensor<4xf16>, %i: i64) {
  // expected-error @below {{element type of the tile differs from the view's}}
  tile.accumulate %x, %v[%i] : tensor<4xf16>, <add_into, 4xf32>
  return
}

// -----
func.func @accumulate_indices(%v: !tile.view<add_into, 4xf32>, %x: tensor<4xf32>, %i: i64) {
  // expected-error @below {{takes one index per axis: 1, not 2}}
  tile.accumulate %x, %v[%i, %i] : tensor<4xf32>, <add_into, 4xf32>
  return
}

// -----
func.func @accumulate_at_view(%v: !tile.view<patch, 4xf32>, %x: tensor<8xf32>, %p: tensor<8xi32>) {
  // expected-error @below {{needs an accumulate-only view}}
  tile.accumulate_at %x, %v[] by %p axis 0 : tensor<8xf32>, <patch, 4xf32>, tensor<8xi32>
  return
}

// -----
func.func @accumulate_at_axis(%v: !tile.view<add_into, 4xf32>, %x: tensor<8xf32>, %p: tensor<8xi32>) {
  // expected-error @below {{axis -1 is outside a shape of rank 1}}
  tile.accumulate_at %x, %v[] by %p axis -1 : tensor<8xf32>, <add_into, 4xf32>, tensor<8xi32>
  return
}

// -----
func.func @expect(%v: !tile.view<in, 4xf32>, %c: i1) {
  scf.if %c {
    // expected-error @below {{stands at the top of a kernel, in no loop or branch}}
    tile.expect %c, "here"
  }
  return
}

// -----
func.func @constant() {
  // expected-error @below {{value must be a number, or a dense attribute that repeats one}}
  %0 = tile.constant dense<[1, 2]> : tensor<2xi32>
  return
}

// -----
func.func @constant_shape() {
  // expected-error @below {{result #0 must be a tile or scalar}}
  %0 = tile.constant dense<1> : tensor<3xi32>
  return
}

// -----
func.func @iota_bool() {
  // expected-error @below {{counts in integers, not bool}}
  %0 = tile.iota axis 0 : tensor<4xi1>
  return
}

// -----
func.func @iota_axis() {
  // expected-error @below {{axis 1 is outside a shape of rank 1}}
  %0 = tile.iota axis 1 : tensor<4xi32>
  return
}

// -----
func.func @iota_float() {
  // expected-error @below {{must be a tile or scalar of integers or bool}}
  %0 = tile.iota axis 0 : tensor<4xf32>
  return
}

// -----
func.func @philox_counter(%key: ui64, %c: tensor<4xi64>) {
  // expected-error @below {{counter must be ui64}}
  %0:4 = tile.philox %key, %c : tensor<4xi64> -> tensor<4xui32>
  return
}

// -----
func.func @philox_results(%key: ui64, %c: tensor<4xui64>) {
  // expected-error @below {{results must be ui32 in the counter's shape}}
  %0:4 = tile.philox %key, %c : tensor<4xui64> -> tensor<4xi32>
  return
}
