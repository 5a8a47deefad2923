-- PageRank: how often a reader who follows links at random, and now and then starts anew, is at each page.
-- Page v is linked to from degrees[v] % 16 pages, which come after those of the pages before it, and count
-- modulo the number of pages.
-- ==
-- random input { 40i32 [40000]u8 [640000]u32 }
-- input { 5i32 [2u8, 1u8, 3u8, 0u8] [1u32, 2u32, 2u32, 0u32, 1u32, 0u32] }
-- output { [1.2697244f32, 0.8883208f32, 1.6511279f32, 0.19082694f32] }

type graph [n] [m] = {offsets: [n]i64, degrees: [n]i64, sources: [m]i64}

module graph = {
  def make [n] [m] (degrees: [n]u8) (links: [m]u32) : graph [n] [m] =
    let degrees = map (\d -> i64.u8 (d % 16)) degrees
    let offsets = map2 (-) (scan (+) 0 degrees) degrees
    in {offsets, degrees, sources = map (\l -> i64.u32 l % n) links}

  -- For each page, the sum of f over the pages that link to it.
  def sum_over_links [n] [m] (g: graph [n] [m]) (f: i64 -> f32) : [n]f32 =
    let page offset degree =
      loop sum = 0 for k < degree do sum + f g.sources[offset + k]
    in map2 page g.offsets g.degrees

  -- How many links each page has.
  def links_out [n] [m] (g: graph [n] [m]) : [n]i32 =
    let used = i64.sum g.degrees
    in hist (+) 0 n (take used g.sources) (replicate used 1)
}

def step [n] [m] (damping: f32) (g: graph [n] [m]) (out: [n]i32) (ranks: [n]f32) : [n]f32 =
  let shares = map2 (\r o -> if o == 0 then 0 else r / f32.i32 o) ranks out
  let lost = f32.sum (map2 (\r o -> if o == 0 then r else 0) ranks out)
  let everywhere = (1 - damping + damping * lost) / f32.i64 n
  in map (\s -> everywhere + damping * s) (graph.sum_over_links g (\u -> shares[u]))

entry main [n] [m] (steps: i32) (degrees: [n]u8) (links: [m]u32) : [n]f32 =
  let g = graph.make degrees links
  let start = replicate n (1 / f32.i64 n)
  let ranks = iterate steps (step 0.85 g (graph.links_out g)) start
  in map (* f32.i64 n) ranks
