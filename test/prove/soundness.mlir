// What the prover must not believe. Each kernel was once thought to be right, or to be wrong for the wrong reason.
// RUN: tegula-opt %s --pass-pipeline='builtin.module(func.func(tile-prove{remarks=true}))' -split-input-file -verify-diagnostics -o /dev/null

// A quotient from one branch says nothing about the other.
// expected-remark @below {{disjoint: pieces of parameter 1: proved: one piece for each program}}
// expected-remark @below {{covered: elements of parameter 1: proved: every program stores its piece}}
func.func @division_scope(%o: !tile.view<out, 4xf32>, %a: !tile.view<in, 4xf32>, %n: i64, %d: i64) {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  %ta = tile.num_tiles %a axis 0 : <in, 4xf32>
  %lt = tile.cmp lt, %n, %ta : i64 -> i1
  tile.expect %lt, "n < count"
  %p = tile.cmp ge, %n, %c0 : i64 -> i1
  %q = tile.cmp ge, %d, %c1 : i64 -> i1
  %pq = tile.and %p, %q : i1
  %r = scf.if %pq -> (i64) {
    %x = tile.div %n, %d : i64
    scf.yield %x : i64
  } else {
    scf.yield %c0 : i64
  }
  %z = tile.sub %r, %r : i64
  %m = tile.min %r, %c0 : i64
  %i = tile.add %n, %m : i64
// expected-remark @below {{bounds: load of parameter 2 along axis 0: condition: #3 >= 0}}
  %t = tile.load %a[%i] : <in, 4xf32> -> tensor<4xf32>
  %own = tile.program_index %o axis 0 : <out, 4xf32>
  tile.store %t, %o[%own] : tensor<4xf32>, <out, 4xf32>
  return
}

// -----

// Nor does an index that is read in one branch.
// expected-remark @below {{disjoint: pieces of parameter 1: proved: one piece for each program}}
// expected-remark @below {{covered: elements of parameter 1: proved: every program stores its piece}}
func.func @load_scope(%o: !tile.view<out, 4xf32>, %a: !tile.view<in, 4xf32>, %ix: !tile.view<index, 1xi64>, %n: i64) {
  %c0 = tile.constant 0 : i64
  %ta = tile.num_tiles %a axis 0 : <in, 4xf32>
  %lt = tile.cmp lt, %n, %ta : i64 -> i1
  tile.expect %lt, "n < count"
  %ti = tile.num_tiles %ix axis 0 : <index, 1xi64>
  %p = tile.cmp ge, %n, %c0 : i64 -> i1
  %q = tile.cmp lt, %n, %ti : i64 -> i1
  %pq = tile.and %p, %q : i1
  %r = scf.if %pq -> (i64) {
// expected-remark @below {{bounds: load of parameter 3 along axis 0: proved}}
    %l = tile.load %ix[%n] : <index, 1xi64> -> tensor<1xi64>
    %s = tile.reshape %l : tensor<1xi64> -> i64
    scf.yield %s : i64
  } else {
    scf.yield %c0 : i64
  }
  %m = tile.min %r, %c0 : i64
  %i = tile.add %n, %m : i64
// expected-remark @below {{bounds: load of parameter 2 along axis 0: condition: #4 >= 0}}
  %t = tile.load %a[%i] : <in, 4xf32> -> tensor<4xf32>
  %own = tile.program_index %o axis 0 : <out, 4xf32>
  tile.store %t, %o[%own] : tensor<4xf32>, <out, 4xf32>
  return
}

// -----

// Programs beyond the index tensor share a tile.
func.func @scoped_distinct(%o: !tile.view<patch, 1xf32>, %ix: !tile.view<distinct, 1xi64>) {
  %c0 = tile.constant 0 : i64
  %x = tile.constant dense<1.0> : tensor<1xf32>
  %p = tile.program_id : i64
  %to = tile.num_tiles %o axis 0 : <patch, 1xf32>
  %b = tile.bound %ix : <distinct, 1xi64>
  %e = tile.cmp le, %b, %to : i64 -> i1
  tile.expect %e, "fits"
  %c1 = tile.constant 1 : i64
  %e1 = tile.cmp ge, %to, %c1 : i64 -> i1
  tile.expect %e1, "some"
  %ti = tile.num_tiles %ix axis 0 : <distinct, 1xi64>
  %q = tile.cmp lt, %p, %ti : i64 -> i1
  %r = scf.if %q -> (i64) {
// expected-remark @below {{bounds: load of parameter 2 along axis 0: proved}}
    %l = tile.load %ix[%p] : <distinct, 1xi64> -> tensor<1xi64>
    %s = tile.reshape %l : tensor<1xi64> -> i64
    scf.yield %s : i64
  } else {
    scf.yield %c0 : i64
  }
// expected-remark @below {{bounds: store of parameter 1 along axis 0: proved}}
// expected-remark @below {{disjoint: writes of parameter 1: condition: #2.extent(0) + 1 >= programs, and #2.extent(0) >= programs}}
  tile.claim %o[%r] : <patch, 1xf32>
  tile.store %x, %o[%r] : tensor<1xf32>, <patch, 1xf32>
  return
}

// -----

// With n = 0 all programs write one tile.
func.func @cover_scope(%o: !tile.view<outs, 4xf32>, %n: i64, %d: i64) {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  %x = tile.constant dense<1.0> : tensor<4xf32>
  %p = tile.program_id : i64
  %pos = tile.cmp ge, %n, %c1 : i64 -> i1
  %to = tile.num_tiles %o axis 0 : <outs, 4xf32>
  %np = tile.num_programs : i64
  %e = tile.cmp eq, %np, %to : i64 -> i1
  tile.expect %e, "one tile each"
  %r = scf.if %pos -> (i64) {
    %q = tile.div %p, %n : i64
    %m = tile.mul %q, %n : i64
    %s = tile.rem %p, %n : i64
    %t = tile.add %m, %s : i64
    scf.yield %t : i64
  } else {
    scf.yield %c0 : i64
  }
// expected-remark @below {{bounds: store of parameter 1 along axis 0: proved}}
// expected-remark @below {{disjoint: writes of parameter 1: refuted: programs 0 and 1 write element 0}}
// expected-error @below {{two programs write one element of parameter 1}}
  tile.claim %o[%r] : <outs, 4xf32>
  tile.store %x, %o[%r] : tensor<4xf32>, <outs, 4xf32>
  return
}

// -----

// The remainder of a negative number is negative.
// expected-remark @below {{disjoint: pieces of parameter 1: proved: one piece for each program}}
// expected-remark @below {{covered: elements of parameter 1: proved: every program stores its piece}}
func.func @quot_memo(%o: !tile.view<out, 4xf32>, %a: !tile.view<in, 1xf32>, %n: i64, %d: i64) {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  %x = tile.constant dense<1.0> : tensor<4xf32>
  %g = tile.cmp ge, %n, %c0 : i64 -> i1
  %ta = tile.dim %a axis 0 : <in, 1xf32>
  %e = tile.cmp lt, %n, %ta : i64 -> i1
  tile.expect %e, "n < dim"
  %h = tile.cmp ge, %d, %c1 : i64 -> i1
  %gh = tile.and %g, %h : i1
  %z = tile.constant 0 : i64
  %r = scf.if %gh -> (i64) {
    %q = tile.rem %n, %d : i64
    scf.yield %q : i64
  } else {
    scf.yield %n : i64
  }
// expected-remark @below {{bounds: load of parameter 2 along axis 0: condition: #3 >= 0}}
  %v = tile.load %a[%r] : <in, 1xf32> -> tensor<1xf32>
  tile.print "v", %v : tensor<1xf32>
  %own = tile.program_index %o axis 0 : <out, 4xf32>
  tile.store %x, %o[%own] : tensor<4xf32>, <out, 4xf32>
  return
}

// -----

// A counter of 8 bits wraps: what followed from its not wrapping is forgotten.
// expected-remark @below {{disjoint: pieces of parameter 1: proved: one piece for each program}}
// expected-remark @below {{covered: elements of parameter 1: proved: every program stores its piece}}
func.func @rollback(%o: !tile.view<out, 4xf32>, %a: !tile.view<in, 1xf32>, %dat: !tile.view<in, i64>) {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  %z8 = tile.constant 0 : i8
  %o8 = tile.constant 1 : i8
  %c256 = tile.constant 256 : i64
  %ta = tile.dim %a axis 0 : <in, 1xf32>
  %e = tile.cmp ge, %ta, %c256 : i64 -> i1
  tile.expect %e, "at least 256"
  %n = tile.load %dat[] : <in, i64> -> i64
  %x = tile.constant dense<1.0> : tensor<4xf32>
  %own = tile.program_index %o axis 0 : <out, 4xf32>
  %res = scf.for %k = %c0 to %n step %c1 iter_args(%s = %z8) -> (i8) : i64 {
    %w = tile.cast %s : i8 -> i64
    %in = scf.for %i = %c0 to %w step %c1 iter_args(%q = %c0) -> (i64) : i64 {
      %q1 = tile.add %q, %c1 : i64
      %at = tile.add %k, %i : i64
// expected-remark @below {{bounds: load of parameter 2 along axis 0: checked: the index is data without a certificate}}
      %v = tile.load %a[%at] : <in, 1xf32> -> tensor<1xf32>
      tile.print "v", %v : tensor<1xf32>
      scf.yield %q1 : i64
    }
    %cond = tile.cmp ge, %in, %c0 : i64 -> i1
    %s1 = scf.if %cond -> (i8) {
      %s2 = tile.add %s, %o8 : i8
      scf.yield %s2 : i8
    } else {
      %s3 = tile.add %s, %o8 : i8
      scf.yield %s3 : i8
    }
    scf.yield %s1 : i8
  }
  tile.store %x, %o[%own] : tensor<4xf32>, <out, 4xf32>
  return
}

// -----

// More cases than are followed: nothing is assumed.
func.func @either_cutoff(%o: !tile.view<outs, 4xf32>) {
  %x = tile.constant dense<1.0> : tensor<4xf32>
  %p = tile.program_id : i64
  %np = tile.num_programs : i64
  %n = tile.num_tiles %o axis 0 : <outs, 4xf32>
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  %c2 = tile.constant 2 : i64
  %c3 = tile.constant 3 : i64
  %c4 = tile.constant 4 : i64
  %c5 = tile.constant 5 : i64
  %c6 = tile.constant 6 : i64
  %c7 = tile.constant 7 : i64
  %c8 = tile.constant 8 : i64
  %c9 = tile.constant 9 : i64
  %c10 = tile.constant 10 : i64
  %c11 = tile.constant 11 : i64
  %c12 = tile.constant 12 : i64
  %c13 = tile.constant 13 : i64
  %c14 = tile.constant 14 : i64
  %c15 = tile.constant 15 : i64
  %c16 = tile.constant 16 : i64
  // expected-remark @below {{step: step of a loop: proved}}
  scf.for %i = %p to %n step %np : i64 {
    %e0 = tile.cmp eq, %i, %c0 : i64 -> i1
    %e1 = tile.cmp eq, %i, %c1 : i64 -> i1
    %e2 = tile.cmp eq, %i, %c2 : i64 -> i1
    %e3 = tile.cmp eq, %i, %c3 : i64 -> i1
    %e4 = tile.cmp eq, %i, %c4 : i64 -> i1
    %e5 = tile.cmp eq, %i, %c5 : i64 -> i1
    %e6 = tile.cmp eq, %i, %c6 : i64 -> i1
    %e7 = tile.cmp eq, %i, %c7 : i64 -> i1
    %e8 = tile.cmp eq, %i, %c8 : i64 -> i1
    %e9 = tile.cmp eq, %i, %c9 : i64 -> i1
    %e10 = tile.cmp eq, %i, %c10 : i64 -> i1
    %e11 = tile.cmp eq, %i, %c11 : i64 -> i1
    %e12 = tile.cmp eq, %i, %c12 : i64 -> i1
    %e13 = tile.cmp eq, %i, %c13 : i64 -> i1
    %e14 = tile.cmp eq, %i, %c14 : i64 -> i1
    %e15 = tile.cmp eq, %i, %c15 : i64 -> i1
    %e16 = tile.cmp eq, %i, %c16 : i64 -> i1
    %o1 = tile.or %e0, %e1 : i1
    %o2 = tile.or %o1, %e2 : i1
    %o3 = tile.or %o2, %e3 : i1
    %o4 = tile.or %o3, %e4 : i1
    %o5 = tile.or %o4, %e5 : i1
    %o6 = tile.or %o5, %e6 : i1
    %o7 = tile.or %o6, %e7 : i1
    %o8 = tile.or %o7, %e8 : i1
    %o9 = tile.or %o8, %e9 : i1
    %o10 = tile.or %o9, %e10 : i1
    %o11 = tile.or %o10, %e11 : i1
    %o12 = tile.or %o11, %e12 : i1
    %o13 = tile.or %o12, %e13 : i1
    %o14 = tile.or %o13, %e14 : i1
    %o15 = tile.or %o14, %e15 : i1
    %o16 = tile.or %o15, %e16 : i1
    scf.if %o16 {
// expected-remark @below {{bounds: store of parameter 1 along axis 0: proved}}
// expected-remark @below {{disjoint: writes of parameter 1: proved}}
// expected-remark @below {{covered: elements of parameter 1: checked: no proof was found}}
      tile.claim %o[%i] : <outs, 4xf32>
      tile.store %x, %o[%i] : tensor<4xf32>, <outs, 4xf32>
    }
  }
  return
}

// -----

// What a program wrote itself is not unknown data.
// expected-remark @below {{disjoint: pieces of parameter 1: proved: one piece for each program}}
// expected-remark @below {{covered: elements of parameter 1: proved: every program stores its piece}}
func.func @unreal_witness(%s: !tile.view<inout, 1xi64>, %o: !tile.view<patch, 4xf32>) {
  %x = tile.constant dense<1.0> : tensor<4xf32>
  %p = tile.program_id : i64
  %v = tile.reshape %p : i64 -> tensor<1xi64>
  %own = tile.program_index %s axis 0 : <inout, 1xi64>
  tile.store %v, %s[%own] : tensor<1xi64>, <inout, 1xi64>
  %l = tile.load %s[%own] : <inout, 1xi64> -> tensor<1xi64>
  %i = tile.reshape %l : tensor<1xi64> -> i64
// expected-remark @below {{bounds: store of parameter 2 along axis 0: checked: the index is data without a certificate}}
// expected-remark @below {{disjoint: writes of parameter 2: checked: no proof was found}}
  tile.claim %o[%i] : <patch, 4xf32>
  tile.store %x, %o[%i] : tensor<4xf32>, <patch, 4xf32>
  return
}

// -----

// Only program 0 writes what was dealt out to all.
func.func @dealt_branch(%o: !tile.view<outs, 4xf32>) {
  %c0 = tile.constant 0 : i64
  %x = tile.constant dense<1.0> : tensor<4xf32>
  %p = tile.program_id : i64
  %np = tile.num_programs : i64
  %n = tile.num_tiles %o axis 0 : <outs, 4xf32>
  %z = tile.cmp eq, %p, %c0 : i64 -> i1
  // expected-remark @below {{step: step of a loop: proved}}
  scf.for %i = %p to %n step %np : i64 {
    scf.if %z {
// expected-remark @below {{bounds: store of parameter 1 along axis 0: proved}}
// expected-remark @below {{disjoint: writes of parameter 1: proved}}
// expected-remark @below {{covered: elements of parameter 1: refuted: nobody writes element 4}}
// expected-error @below {{part of parameter 1 is never written}}
      tile.claim %o[%i] : <outs, 4xf32>
      tile.store %x, %o[%i] : tensor<4xf32>, <outs, 4xf32>
    }
  }
  return
}

// -----

// Two numbers that were dealt out meet in one program only if they agree.
func.func @dealt_nested(%o: !tile.view<outs, 4x4xf32>) {
  %x = tile.constant dense<1.0> : tensor<4x4xf32>
  %p = tile.program_id : i64
  %np = tile.num_programs : i64
  %n = tile.num_tiles %o axis 0 : <outs, 4x4xf32>
  %m = tile.num_tiles %o axis 1 : <outs, 4x4xf32>
  // expected-remark @below {{step: step of a loop: proved}}
  scf.for %i = %p to %n step %np : i64 {
    // expected-remark @below {{step: step of a loop: proved}}
    scf.for %j = %p to %m step %np : i64 {
// expected-remark @below {{bounds: store of parameter 1 along axis 0: proved}}
// expected-remark @below {{bounds: store of parameter 1 along axis 1: proved}}
// expected-remark @below {{disjoint: writes of parameter 1: proved}}
// expected-remark @below {{covered: elements of parameter 1: refuted: nobody writes element (0, 4)}}
// expected-error @below {{part of parameter 1 is never written}}
      tile.claim %o[%i, %j] : <outs, 4x4xf32>
      tile.store %x, %o[%i, %j] : tensor<4x4xf32>, <outs, 4x4xf32>
    }
  }
  return
}

// -----

// A condition with many cases.
func.func @both_cutoff(%o: !tile.view<outs, 4xf32>) {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  %c2 = tile.constant 2 : i64
  %c3 = tile.constant 3 : i64
  %m1 = tile.constant -1 : i64
  %x = tile.constant dense<1.0> : tensor<4xf32>
  %p = tile.program_id : i64
  %np = tile.num_programs : i64
  %n = tile.num_tiles %o axis 0 : <outs, 4xf32>
  // expected-remark @below {{step: step of a loop: proved}}
  scf.for %i = %p to %n step %np : i64 {
    %a0 = tile.cmp ne, %i, %c0 : i64 -> i1
    %a1 = tile.cmp ne, %i, %c1 : i64 -> i1
    %a2 = tile.cmp ne, %i, %c2 : i64 -> i1
    %a3 = tile.cmp ne, %i, %c3 : i64 -> i1
    %a4 = tile.cmp ne, %i, %m1 : i64 -> i1
    %b0 = tile.and %a0, %a1 : i1
    %b1 = tile.and %b0, %a2 : i1
    %b2 = tile.and %b1, %a3 : i1
    %b3 = tile.and %b2, %a4 : i1
    scf.if %b3 {
// expected-remark @below {{bounds: store of parameter 1 along axis 0: proved}}
// expected-remark @below {{disjoint: writes of parameter 1: proved}}
// expected-remark @below {{covered: elements of parameter 1: refuted: nobody writes element 0}}
// expected-error @below {{part of parameter 1 is never written}}
      tile.claim %o[%i] : <outs, 4xf32>
      tile.store %x, %o[%i] : tensor<4xf32>, <outs, 4xf32>
    }
  }
  return
}

// -----

// Numbers beyond 64 bits say nothing.
func.func @copy_poison(%o: !tile.view<patch, 4xf32>, %y: i64) {
  %min = tile.constant -9223372036854775808 : i64
  %c10 = tile.constant 10 : i64
  %c0 = tile.constant 0 : i64
  %c100 = tile.constant 0 : i64
  %x = tile.constant dense<1.0> : tensor<4xf32>
  %e = tile.cmp lt, %y, %c100 : i64 -> i1
  tile.expect %e, "y < 0"
  %y10 = tile.add %y, %c10 : i64
  %f = tile.cmp ge, %y10, %min : i64 -> i1
  scf.if %f {
// expected-remark @below {{bounds: store of parameter 1 along axis 0: proved}}
// expected-remark @below {{disjoint: writes of parameter 1: refuted: programs 0 and 1 write element 0}}
// expected-error @below {{two programs write one element of parameter 1}}
    tile.claim %o[%c0] : <patch, 4xf32>
    tile.store %x, %o[%c0] : tensor<4xf32>, <patch, 4xf32>
  }
  return
}

// -----

// Nor in an index.
func.func @subtile_poison(%o: !tile.view<out, 4xf32>, %a: !tile.view<in, 32xf32>) {
  %p = tile.program_id : i64
  %c8 = tile.constant 8 : i64
  %c = tile.constant 60 : i64
  %np = tile.num_programs : i64
  %e = tile.cmp lt, %np, %c8 : i64 -> i1
  tile.expect %e, "few"
  %i = tile.shl %p, %c : i64
// expected-remark @below {{bounds: load of parameter 2 along axis 0: refuted: program 1 uses index 1152921504606846976}}
// expected-error @below {{an access misses parameter 2}}
  %v = tile.load %a[%i] : <in, 32xf32> -> tensor<16xf32>
  %s = tile.reduce sum %v axis 0 : tensor<16xf32> -> tensor<1xf32>
  %b = tile.broadcast %s : tensor<1xf32> -> tensor<4xf32>
  %own = tile.program_index %o axis 0 : <out, 4xf32>
  tile.store %b, %o[%own] : tensor<4xf32>, <out, 4xf32>
  return
}

// -----

// Nor in a division.
func.func @division_poison(%o: !tile.view<out, 4xf32>, %a: !tile.view<in, 4xf32>, %y0: i64, %z0: i64) {
  %c0 = tile.constant 0 : i64
  %c4 = tile.constant 4 : i64
  %C = tile.constant 9223372036854775806 : i64
  %y = tile.max %y0, %c0 : i64
  %z = tile.max %z0, %c0 : i64
  %u = tile.sub %C, %y : i64
  %w = tile.sub %u, %z : i64
  %i = tile.div %w, %c4 : i64
  %ta = tile.num_tiles %a axis 0 : <in, 4xf32>
  %lt = tile.cmp lt, %i, %ta : i64 -> i1
  %own = tile.program_index %o axis 0 : <out, 4xf32>
  %x = tile.constant dense<1.0> : tensor<4xf32>
  %r = scf.if %lt -> (tensor<4xf32>) {
// expected-remark @below {{bounds: load of parameter 2 along axis 0: refuted: program 0 uses index -1}}
// expected-error @below {{an access misses parameter 2}}
    %v = tile.load %a[%i] : <in, 4xf32> -> tensor<4xf32>
    scf.yield %v : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  tile.store %r, %o[%own] : tensor<4xf32>, <out, 4xf32>
  return
}

// -----

// A check is hoisted only where its guards are known.
// expected-remark @below {{disjoint: pieces of parameter 1: proved: one piece for each program}}
// expected-remark @below {{covered: elements of parameter 1: proved: every program stores its piece}}
func.func @hoisted(%o: !tile.view<out, 4xf32>, %a: !tile.view<in, 4xf32>, %dat: !tile.view<in, i64>, %b: !tile.view<in, 1xf32>) {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  %n = tile.load %dat[] : <in, i64> -> i64
  %x = tile.constant dense<1.0> : tensor<4xf32>
  %own = tile.program_index %o axis 0 : <out, 4xf32>
  %N = tile.dim %b axis 0 : <in, 1xf32>
  scf.for %i = %c0 to %N step %c1 : i64 {
    %h = tile.add %i, %c1 : i64
    scf.for %j = %c0 to %h step %c1 : i64 {
// expected-remark @below {{bounds: load of parameter 2 along axis 0: checked: the index is data without a certificate}}
      %v = tile.load %a[%n] : <in, 4xf32> -> tensor<4xf32>
      tile.print "v", %v : tensor<4xf32>
    }
  }
  tile.store %x, %o[%own] : tensor<4xf32>, <out, 4xf32>
  return
}

// -----

// A claim in one branch is none in the other.
func.func @claim_elsewhere(%o: !tile.view<patch, 4xf32>) {
  %c0 = tile.constant 0 : i64
  %x = tile.constant dense<1.0> : tensor<4xf32>
  %p = tile.program_id : i64
  %z = tile.cmp eq, %p, %c0 : i64 -> i1
  scf.if %z {
// expected-remark @below {{bounds: store of parameter 1 along axis 0: proved}}
// expected-remark @below {{disjoint: writes of parameter 1: proved}}
// expected-remark @below {{disjoint: writes of parameter 1: refuted: programs 0 and 1 write element 0}}
// expected-error @below {{two programs write one element of parameter 1}}
    tile.claim %o[%c0] : <patch, 4xf32>
  } else {
// expected-remark @below {{bounds: store of parameter 1 along axis 0: proved}}
    tile.store %x, %o[%c0] : tensor<4xf32>, <patch, 4xf32>
  }
  return
}

// -----

// Half of each tile is written.
func.func @subtile_cover(%o: !tile.view<outs, 4xf32>) {
  %x = tile.constant dense<1.0> : tensor<2xf32>
  %p = tile.program_id : i64
  %np = tile.num_programs : i64
  %n = tile.num_tiles %o axis 0 : <outs, 4xf32>
  // expected-remark @below {{step: step of a loop: proved}}
  scf.for %i = %p to %n step %np : i64 {
// expected-remark @below {{bounds: store of parameter 1 along axis 0: proved}}
// expected-remark @below {{disjoint: writes of parameter 1: proved}}
// expected-remark @below {{covered: elements of parameter 1: refuted: nobody writes element 2}}
// expected-error @below {{part of parameter 1 is never written}}
    tile.store %x, %o[%i] : tensor<2xf32>, <outs, 4xf32>
  }
  return
}

// -----

// A foreign piece.
// expected-error @below {{a program reads and writes its own piece of parameter 1 only}}
func.func @partition_mixed(%o: !tile.view<out, 4xf32>) {
  %x = tile.constant dense<1.0> : tensor<4xf32>
  %p = tile.program_id : i64
  %np = tile.num_programs : i64
  %c1 = tile.constant 1 : i64
  %last = tile.sub %np, %c1 : i64
  %own = tile.program_index %o axis 0 : <out, 4xf32>
  tile.store %x, %o[%own] : tensor<4xf32>, <out, 4xf32>
  %j = tile.sub %last, %p : i64
  tile.store %x, %o[%j] : tensor<4xf32>, <out, 4xf32>
  return
}

// -----

// Marks that come with the IR do not count.
// expected-remark @below {{disjoint: pieces of parameter 1: proved: one piece for each program}}
// expected-remark @below {{covered: elements of parameter 1: proved: every program stores its piece}}
func.func @inside_attr(%o: !tile.view<out, 4xf32>, %a: !tile.view<in, 4xf32>, %dat: !tile.view<in, i64>, %s: i64) {
  %n = tile.load %dat[] : <in, i64> -> i64
  %own = tile.program_index %o axis 0 : <out, 4xf32>
// expected-remark @below {{bounds: load of parameter 2 along axis 0: checked: the index is data without a certificate}}
  %v = tile.load %a[%n] {inside} : <in, 4xf32> -> tensor<4xf32>
// expected-remark @below {{bounds: load of parameter 2 along axis 0: waived: because}}
  %u = tile.load %a[%n] {unsafe = "because"} : <in, 4xf32> -> tensor<4xf32>
  %w = tile.add %u, %v : tensor<4xf32>
  tile.store %w, %o[%own] : tensor<4xf32>, <out, 4xf32>
  return
}

// -----

// Half of the own piece.
// expected-error @below {{a program reads and writes its own piece of parameter 1 only}}
func.func @own_subtile(%o: !tile.view<out, 4xf32>) {
  %x = tile.constant dense<1.0> : tensor<2xf32>
  %own = tile.program_index %o axis 0 : <out, 4xf32>
  tile.store %x, %o[%own] : tensor<2xf32>, <out, 4xf32>
  return
}

// -----

// Tiles times extent may be large.
func.func @count_limit(%o: !tile.view<outs, 2xi8>, %a: !tile.view<in, 4xi8>) {
  %x = tile.constant dense<1> : tensor<2xi8>
  %p = tile.program_id : i64
  %np = tile.num_programs : i64
  %n = tile.num_tiles %o axis 0 : <outs, 2xi8>
  %d = tile.dim %o axis 0 : <outs, 2xi8>
  %ta = tile.num_tiles %a axis 0 : <in, 4xi8>
  %t = tile.mul %n, %d : i64
  %c = tile.constant 16384 : i64
  %u = tile.mul %t, %c : i64
  %lt = tile.cmp lt, %u, %ta : i64 -> i1
  scf.if %lt {
// expected-remark @below {{bounds: load of parameter 2 along axis 0: proved}}
    %v = tile.load %a[%u] : <in, 4xi8> -> tensor<4xi8>
    tile.print "v", %v : tensor<4xi8>
  }
  // expected-remark @below {{step: step of a loop: proved}}
  scf.for %i = %p to %n step %np : i64 {
// expected-remark @below {{bounds: store of parameter 1 along axis 0: proved}}
// expected-remark @below {{disjoint: writes of parameter 1: proved}}
// expected-remark @below {{covered: elements of parameter 1: proved: as many tiles are claimed as there are}}
    tile.claim %o[%i] : <outs, 2xi8>
    tile.store %x, %o[%i] : tensor<2xi8>, <outs, 2xi8>
  }
  return
}

// -----

// A part of an in-place output that lies in another program's piece.
// expected-error @below {{a program reads and writes its own piece of parameter 1 only}}
func.func @foreign_part(%o: !tile.view<inout, 4xf32>) {
  %i = tile.program_index %o axis 0 : !tile.view<inout, 4xf32>
  %t = tile.load %o[%i] : !tile.view<inout, 4xf32> -> tensor<2xf32>
  %w = tile.load %o[%i] : !tile.view<inout, 4xf32> -> tensor<4xf32>
  tile.store %w, %o[%i] : tensor<4xf32>, !tile.view<inout, 4xf32>
  return
}
