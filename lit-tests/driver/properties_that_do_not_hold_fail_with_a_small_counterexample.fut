-- RUN: not futc test %s --no-terminal --seed 7 | FileCheck %s
-- RUN: not futc test %s --no-terminal --seed 7 -n 0 | FileCheck %s --check-prefix=NONE
-- RUN: futc test %s --no-terminal -i | FileCheck %s --check-prefix=INTERPRETED

-- ==
-- property: small
-- property: sums records pairs sizes stepping fails late
-- property: not_there plain wrong_result unknown_argument wrong_generator
-- property: fine fixed

-- CHECK-DAG: property small: does not hold (test {{[0-9]+}}, size 50, seed 7)
-- CHECK-DAG: counterexample: 1000i32
#[prop]
entry small (x: i32) = x < 1000

-- CHECK-DAG: property sums: does not hold
-- CHECK-DAG: counterexample: #some 100i64
#[prop]
entry sums (x: #none | #some i64) = match x case #none -> true case #some y -> y < 100

-- CHECK-DAG: property records: does not hold
-- CHECK-DAG: counterexample: {a = [0i32], b = false}
#[prop]
entry records (r: {a: []i32, b: bool}) = null r.a

-- Both arrays shrink together.
-- CHECK-DAG: property pairs: does not hold
-- CHECK-DAG: counterexample: ([0i8, 0i8, 0i8], [0u16, 0u16, 0u16])
#[prop]
entry pairs [n] (_: ([n]i8, [n]u16)) = n < 3

entry ramp (size: i64) (seed: u64) : []i64 = map (+ i64.u64 (seed % 2)) (iota size)

-- The generator is asked for smaller values.
-- CHECK-DAG: property sizes: does not hold (test 1, size 9,
-- CHECK-DAG: counterexample: [{{[01]}}i64, {{[12]}}i64, {{[23]}}i64]
#[prop(gen(ramp), size(9))]
entry sizes (xs: []i64) = length xs < 3

entry big (_: i64) (seed: u64) : i64 = 1000 + i64.u64 (seed % 100)
entry less (x: i64) (_: u64) : i64 = x - 1

-- CHECK-DAG: property stepping: does not hold
-- CHECK-DAG: counterexample: 10i64
#[prop(gen(big), shrink(less))]
entry stepping (x: i64) = x < 10

-- CHECK-DAG: property fails: fails with an error (test 1,
-- CHECK-DAG: Index [50] out of bounds
#[prop]
entry fails (xs: []i32) = xs[length xs] == 0

-- CHECK-DAG: the generator broken failed at size 50 and seed
entry broken (size: i64) (_: u64) : i64 = (iota size)[size]
#[prop(gen(broken))]
entry late (_: i64) = true

-- CHECK-DAG: property not_there: is declared as a property, but there is no entry point not_there
-- CHECK-DAG: property plain: is declared as a property, but has no attribute #[prop]
-- NONE-DAG: property plain: is declared as a property, but has no attribute #[prop]
entry plain (_: i32) = true

-- CHECK-DAG: property wrong_result: a property gives a bool; this one gives a value of i32
#[prop]
entry wrong_result (x: i32) = x

-- CHECK-DAG: #[prop] does not take 'tries(3)', but gen(FUNCTION), shrink(FUNCTION) and size(NUMBER)
#[prop(tries(3))]
entry unknown_argument (_: i32) = true

-- CHECK-DAG: the generator plain is to be of type
-- CHECK-DAG:   i64 -> u64 -> i32
#[prop(gen(plain))]
entry wrong_generator (_: i32) = true

-- CHECK-DAG: property forgotten: has the attribute #[prop], but no test block says 'property: forgotten'
#[prop]
entry forgotten (_: i32) = true

#[prop]
entry fine (_: i32) = true

-- CHECK-DAG: random values of type []i32 do not have the sizes that fixed declares: name a generator
#[prop]
entry fixed (_: [3]i32) = true

-- CHECK: {{^}}1 passed, 15 failed, 0 skipped
-- INTERPRETED: 1 passed, 0 failed, 15 skipped
