-- Elements of arrays of sums and records, at places that are themselves read, of which one branch needs a part, in loops that
-- go on until one of them is found.
-- ==
-- entry: levels
-- input { [1i64, 2i64, 0i64, 3i64, 9i64, 4i64] }
-- output { [4i32, 8i32, 8i32, 1000i32, 4i32, 0i32] [5i64, 4i64, 0i64, -1i64, 5i64, 5i64] }
-- input { empty([0]i64) }
-- output { empty([0]i32) empty([0]i64) }

-- ==
-- entry: chase
-- input { [3i64, 0i64, 1i64, 2i64, 2i64] [4i32, -2i32, 0i32, 7i32, -1i32] 14i32 }
-- output { [11i32, -1i32, 9i32, 17i32, -1i32] 15i32 }
-- input { [5i64] [1i32] 1i32 }
-- error: out of bounds

-- ==
-- entry: probe
-- input { [9i64, 2i64, 16i64, 30i64, 8i64] [23i64, 30i64, 9i64, 44i64, 2i64] }
-- output { [-1i32, 3i32, 0i32, -1i32, 1i32] }

type state = #unreached | #reached {level: i32, from: i64} | #closed {count: i32}

-- Each point asks three others, until one of them was reached.
entry levels [n] (next: [n]i64) : ([n]i32, [n]i64) =
  let start: [n]state =
    tabulate n (\v ->
      if v == n - 1 then #reached {level = 0, from = v} else if v == 3 then #closed {count = 7} else #unreached)
  let ask (states: [n]state) v : state =
    let hears u =
      match states[u]
      case #reached {level, from} -> level >= 0 && from >= 0
      case #closed {count} -> count > 100
      case #unreached -> false
    let (found, _) =
      loop (found, k) = (-1, 0) while found < 0 && k < 3 do
        let u = (next[(v + k) % n] * 5) % n
        in (if hears u then u else -1, k + 1)
    in if found < 0
       then states[v]
       else match (states[v], states[found])
            case (#unreached, #reached {level, from = _}) ->
              #reached {level = level + 4, from = found}
            case (s, _) -> s
  let states = iterate 3 (\states -> tabulate n (ask states)) start
  let parts s : (i32, i64) =
    match s
    case #reached {level, from} -> (level, from)
    case _ -> (1000, -1)
  in unzip (map parts states)

-- What was read before an element changes is what a branch gets.
entry chase [n] (next: [n]i64) (values: [n]i32) (enough: i32) : ([n]i32, i32) =
  let (values, _, total) =
    loop (values, at, total) = (copy values, n - 1, 0) while total < enough do
      let to = next[at]
      let old = values[to]
      let onward = next[to]
      let values = values with [to] = old * 2 + 3
      in if onward > 0 then (values, to, total + old) else (values, to, total + 1)
  in (values, total)

type slot = #empty | #full {key: i64, value: i32}

-- A table of seven slots: places after the one that a key hashes to are tried one after the other.
entry probe [n] [m] (keys: [n]i64) (asked: [m]i64) : [m]i32 =
  let search (slots: [7]slot) (key: i64) : (i64, i32) =
    let (at, value, _, _) =
      loop (at, value, tries, more) = (key % 7, -1, 0i64, true) while more do
        let (value, go) =
          match slots[at]
          case #empty -> (-1, false)
          case #full {key = k, value} -> if k == key then (value, false) else (-1, true)
        let tries = tries + 1
        in (if go then (at + 1) % 7 else at, value, tries, go && tries < 7)
    in (at, value)
  let slots: [7]slot =
    loop slots = replicate 7 #empty for i < n do
      let (at, _) = search slots keys[i]
      in slots with [at] = #full {key = keys[i], value = i32.i64 i}
  in map (\key -> (search slots key).1) asked
