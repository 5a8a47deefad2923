-- Breadth-first search by levels over all vertices: in each round every vertex that is not reached yet asks
-- those with edges to it whether they were reached in the round before. The results are the level of every
-- vertex, -1 where there is no way, and a vertex of the level before.
-- ==
-- random input { [300000]u8 [2400000]u32 }
-- input { [2u8, 1u8, 0u8, 1u8] [1u32, 2u32, 0u32, 3u32] }
-- output { [0i32, 1i32, -1i32, -1i32] [0i64, 0i64, -1i64, -1i64] }

type state = #unreached | #reached {level: i32, parent: i64}

type graph [n] [m] = {offsets: [n]i64, degrees: [n]i64, sources: [m]u32}

-- What a vertex with no level of its own hears from its neighbours.
def ask [n] [m] (g: graph [n] [m]) (states: [n]state) (round: i32) (v: i64) : state =
  let heard u =
    match states[u]
    case #reached {level, parent = _} -> level == round - 1
    case #unreached -> false
  let (parent, _) =
    loop (parent, k) = (-1, 0) while parent < 0 && k < g.degrees[v] do
      let u = i64.u32 g.sources[g.offsets[v] + k] % n
      in (if heard u then u else -1, k + 1)
  in if parent < 0 then #unreached else #reached {level = round, parent}

def advance [n] [m] (g: graph [n] [m]) (states: [n]state) (round: i32) : [n]state =
  tabulate n (\v ->
    match states[v]
    case #unreached -> ask g states round v
    case reached -> reached)

def is_reached (s: state) : bool =
  match s
  case #reached _ -> true
  case #unreached -> false

entry main [n] [m] (degrees: [n]u8) (sources: [m]u32) : ([n]i32, [n]i64) =
  let degrees = map (\d -> i64.u8 (d % 8)) degrees
  let g = {offsets = map2 (-) (scan (+) 0 degrees) degrees, degrees, sources}
  let count states = i64.sum (map (is_reached >-> i64.bool) states)
  let start: [n]state = tabulate n (\v -> if v == 0 then #reached {level = 0, parent = 0} else #unreached)
  let (states, _, _, _) =
    loop (states, round, before, now) = (start, 1, 0, 1) while now > before do
      let states = advance g states round
      in (states, round + 1, now, count states)
  let answer s =
    match s
    case #reached {level, parent} -> (level, parent)
    case #unreached -> (-1, -1)
  in unzip (map answer states)
