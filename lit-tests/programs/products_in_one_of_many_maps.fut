-- Of a function with many maps, each is a function of its own. What a product of matrices needs in it is allocated there.

-- ==
-- entry: powers
-- input { [[1i32, 1i32], [1i32, 0i32]] [1i32, 2i32] }
-- output { [17i32, 18i32] [[8i32, 5i32], [5i32, 3i32]] }
-- input { empty([0][0]i32) [4i32] }
-- output { [20i32] empty([0][0]i32) }
entry powers [n] [m] (a: [n][n]i32) (xs: [m]i32) : ([m]i32, [n][n]i32) =
  let product (x: [n][n]i32) (y: [n][n]i32) : [n][n]i32 =
    map (\r -> map (\c -> reduce (+) 0 (map2 (*) r c)) (transpose y)) x
  let ys =
    #[unroll]
    loop ys = xs for k < 25 do
      tabulate m (\i -> if i == 0 && ys[m - 1] > 1000 then ys[m - 1 - i] else ys[i] + i32.i64 (k % 3) + ys[0] - ys[0])
  in (map (\y -> y - 8) ys, (map (\i -> product (product a (map (map (+ i32.i64 i)) a)) (product a (product a a))) (iota 1))[0])
