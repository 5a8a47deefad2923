-- What is filtered is known to have no elements, so that it has no parts to be put together.
-- ==
-- input { 0i64 } output { [1i32, 1i32] }
entry main (_: i64) =
  let [k9] (unread10: [k9]i32) =
    map (\_ -> 0i32) (0i64..(1i64 % 5i64 + 1) - 1..<0i64)
  in ((let [k11] (xs12: [k11]i32) = unread10[k9 / 3::3]
       let xs14 = filter (\x13 -> x13 != 0i32) xs12
       let x15: i64 =
         (reduce (+)
                 0i64
                 (map2 (*)
                       [1i64, 7i64, 49i64, 343i64]
                       (reduce_by_index (replicate 4 0i64)
                                        (+)
                                        0i64
                                        (map (\x -> i64.i32 x % 4)
                                             (map (\x13 -> 100i32 // x13) xs14))
                                        (map (\_ -> 1i64) xs14))))
       in match x15
          case 0i64 -> ((replicate (2) 1i32))
          case 1i64 -> (replicate 2i64 3i32)
          case _ -> (replicate 2i64 0i32)))
