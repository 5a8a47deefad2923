-- Numbers beside the middle of two neighbours go to their side, whoever rounds them: the program, the
-- compiler when it folds, the reader of literals and the reader of values.
-- ==
-- entry: from_f64
-- input { [1.000488281250001f64, 1.00048828125f64, 1.0014648437499998f64, 65519.999f64, 65520f64] }
-- output { [1.0009765625f16, 1f16, 1.0009765625f16, 65504f16, f16.inf] }

-- ==
-- entry: folded
-- input {}
-- output { [1.0009765625f16, 1f16, 1.0009765625f16, 65504f16, f16.inf] }

-- ==
-- entry: literals
-- input {}
-- output { [1.0009765625f16, 1f16, 1.0009765625f16, 1.0009765625f16, 65504f16] }

-- ==
-- entry: read
-- input { [1.0004882812500001f16, 1.00048828125f16, 1.0014648437499999999f16] }
-- output { [1.0009765625f16, 1f16, 1.0009765625f16] }

entry from_f64 = map f16.f64

entry folded =
  [ f16.f64 1.000488281250001, f16.f64 1.00048828125, f16.f64 1.0014648437499998
  , f16.f64 65519.999, f16.f64 65520 ]

entry literals =
  [ 1.000488281250001f16, 1.00048828125f16, 1.0004882812500000000000001f16
  , 1.0014648437499999999f16, 65519.99999999999999f16 ]

entry read (xs: []f16) = map f16.f64 (map f64.f16 xs)
