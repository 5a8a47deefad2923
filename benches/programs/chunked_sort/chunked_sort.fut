-- Least-significant-digit radix sort of unsigned numbers by digits of eight bits. The numbers are cut into chunks, each of
-- which counts its digits and then knows where its numbers go, so that chunks are independent of one another.
-- ==
-- random input { [2000000]u32 }
-- input { [3u32, 4294967295u32, 7u32, 0u32, 7u32] }
-- output { [0u32, 3u32, 7u32, 7u32, 4294967295u32] }
-- input { empty([0]u32) }
-- output { empty([0]u32) }

def digits : i64 = 256
def chunks : i64 = 64

def exclusive [n] (xs: [n]i64) : [n]i64 = map2 (-) (scan (+) 0 xs) xs

def by_digit [n] (shift: u32) (xs: [n]u32) : [n]u32 =
  let size = (n + chunks - 1) / chunks
  let digit x = i64.u32 ((x >> shift) & 255)
  let length c = i64.max 0 (i64.min size (n - c * size))
  let count c =
    loop counts = replicate digits 0 for i < length c do
      let d = digit xs[c * size + i]
      in counts with [d] = counts[d] + 1
  let starts =
    tabulate chunks count |> transpose |> flatten |> exclusive |> unflatten |> transpose
  let place c =
    (loop (places, next) = (replicate size (-1), copy starts[c]) for i < length c do
       let d = digit xs[c * size + i]
       in (places with [i] = next[d], next with [d] = next[d] + 1)).0
  in scatter (replicate n 0) (take n (flatten (tabulate chunks place))) xs

entry main [n] (xs: [n]u32) : [n]u32 = loop xs for k < 4u32 do by_digit (8 * k) xs
