-- What goes over an array without elements does not go through the sizes outside of the one that is zero.
-- (Not among the programs, as the interpreter of Core IR at level mem goes through every size.)
--
-- RUN: futc test --no-terminal --backend=interpreter %s
-- RUN: futc test --no-terminal --backend=seq %s
-- RUN: futc test --no-terminal --backend=multicore %s
-- RUN: futc test --no-terminal --backend=gpu-emu %s
--
-- ==
-- entry: transposed_rows transposed copied incremented reversed concatenated scanned pairs both
-- input { empty([99999999999999][3][0]u8) }
-- output { true }

def same [n][m][k] (xs: [n][m][k]u8) (a: i64) (b: i64) (c: i64) : bool = n == a && m == b && k == c && null (flatten_3d xs)

entry transposed_rows [n][m][k] (xs: [n][m][k]u8) : bool = same (opaque (map transpose xs)) n k m

entry transposed [n][m][k] (xs: [n][m][k]u8) : bool = same (opaque (transpose xs)) m n k

entry copied [n][m][k] (xs: [n][m][k]u8) : bool = same (opaque (copy xs)) n m k

entry incremented [n][m][k] (xs: [n][m][k]u8) : bool = same (opaque (map (map (map (+ 1))) xs)) n m k

entry reversed [n][m][k] (xs: [n][m][k]u8) : bool = same (opaque (reverse xs)) n m k

entry concatenated [n][m][k] (xs: [n][m][k]u8) : bool = same (opaque (map (\x -> x ++ x) xs)) n (m + m) k

entry scanned [n][m][k] (xs: [n][m][k]u8) : bool = same (opaque (map (map (scan (+) 0)) xs)) n m k

entry pairs [n][m][k] (xs: [n][m][k]u8) : bool =
  let (ys, zs) = unzip (map unzip (map (map unzip) (opaque (map (map (map (\x -> (x, x)))) xs))))
  in same ys n m k && same zs n m k

entry both [n][m][k] (xs: [n][m][k]u8) : bool =
  same (opaque (map (\x -> transpose (map (map (+ 1)) x)) xs)) n k m
