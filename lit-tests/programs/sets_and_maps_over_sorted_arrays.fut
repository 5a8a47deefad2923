-- Sets and maps over sorted arrays with abstract keys, and open-addressing hash tables.
-- ==
-- entry: set_ops
-- input { [5,3,1,3,7] [3,4,5,6] } output { [1,3,5,7] [1,3,4,5,6,7] [3,5] [1,7] true false }

-- ==
-- entry: counts
-- input { [3i64,1,3,3,2,1] } output { [1i64,2,3] [2i64,1,3] }

-- ==
-- entry: look
-- input { [10i64, 20, 30] [1.5f32, 2.5f32, 3.5f32] [20i64, 25, 30] } output { [2.5f32, -1f32, 3.5f32] }

-- ==
-- entry: hashed
-- input { [100i64, 7, 33, 12, 8] [33i64, 8, 9, 100] } output { [2i64, 4, -1, 0] }

module type key = { type key val (<): key -> key -> bool val (==): key -> key -> bool }

module type set = {
  type key
  type set [n]
  val from_array [n]: [n]key -> ?[m].set [m]
  val to_array [n]: set [n] -> [n]key
  val member [n]: key -> set [n] -> bool
  val size [n]: set [n] -> i64
  val union [n] [m]: set [n] -> set [m] -> ?[k].set [k]
  val intersect [n] [m]: set [n] -> set [m] -> ?[k].set [k]
  val difference [n] [m]: set [n] -> set [m] -> ?[k].set [k]
}

module type omap = {
  type key
  type~ map 'v
  val empty 'v: () -> map v
  val from_list [n] 'v: [n](key, v) -> map v
  val lookup 'v: key -> map v -> #none | #some v
  val insert_with 'v: (v -> v -> v) -> key -> v -> map v -> map v
  val map 'a 'b: (a -> b) -> map a -> map b
  val assocs 'v: map v -> [](key, v)
}

module sorted (K: key) = {
  def lower [n] 'a (proj: a -> K.key) (x: K.key) (xs: [n]a): i64 =
    (loop (lo, hi) = (0, n) while lo < hi do
       let mid = (lo + hi) / 2
       in if K.(proj xs[mid] < x) then (mid + 1, hi) else (lo, mid)).0

  def sort [n] 'a (proj: a -> K.key) (xs: [n]a): [n]a =
    let rank i x = i64.sum (map2 (\j y -> i64.bool K.(proj y < proj x || (proj y == proj x && (j i64.< i)))) (iota n) xs)
    in scatter (copy xs) (map2 rank (iota n) xs) xs

  def dedup [n] 'a (proj: a -> K.key) (xs: [n]a): []a =
    map2 (\i x -> (i == 0 || !(proj xs[i - 1] K.== proj x), x)) (indices xs) xs
    |> filter (.0) |> map (.1)
}

module mk_set (K: key): set with key = K.key = {
  local module S = sorted K
  type key = K.key
  type set [n] = [n]key
  def from_array xs = S.dedup id (S.sort id xs)
  def to_array xs = xs
  def size [n] (_: set [n]) = n
  def member [n] x (s: set [n]) =
    let i = S.lower id x s in i < n && s[i] K.== x
  def union a b = from_array (a ++ b)
  def intersect a b = filter (`member` b) a
  def difference a b = filter (\x -> not (x `member` b)) a
}

module mk_map (K: key): omap with key = K.key = {
  local module S = sorted K
  type key = K.key
  type~ map 'v = [](key, v)
  def empty 'v () : map v = []
  def from_list [n] 'v (kvs: [n](key, v)) : map v = S.dedup (.0) (S.sort (.0) kvs)
  def lookup 'v (k: key) (m: map v): #none | #some v =
    let i = S.lower (.0) k m
    in if i < length m && m[i].0 K.== k then #some m[i].1 else #none
  def insert_with 'v (f: v -> v -> v) (k: key) (v: v) (m: map v): map v =
    let i = S.lower (.0) k m
    in if i < length m && m[i].0 K.== k
       then copy m with [i] = (k, f v m[i].1)
       else m[:i] ++ [(k, v)] ++ m[i:]
  def map f m = map (\(k, v) -> (k, f v)) m
  def assocs m = m
}

module int_key = { type key = i32 def (<) (a: key) (b: key) = a i32.< b def (==) (a: key) (b: key) = a i32.== b }
module iset = mk_set int_key
module lmap = mk_map { type key = i64 open i64 }

entry set_ops xs ys =
  let a = iset.from_array xs
  let b = iset.from_array ys
  in ( iset.to_array a
     , iset.(to_array (union a b))
     , iset.(to_array (intersect a b))
     , iset.(to_array (difference a b))
     , 7 `iset.member` a
     , iset.member 7 b)

entry counts (xs: []i64) =
  let m = loop m = lmap.empty () for x in xs do lmap.insert_with (+) x 1i64 m
  in unzip (lmap.assocs m)

entry look [n] (ks: [n]i64) (vs: [n]f32) (qs: []i64) =
  let m = lmap.from_list (zip ks vs)
  in map (\q -> match lmap.lookup q m
                case #some v -> v
                case #none -> -1) qs

-- A hash table with linear probing.
module type hashable = {
  type t
  val hash: t -> u64
  val ==: t -> t -> bool
}

module hashtable (H: hashable) = {
  type slot 'v = #empty | #full H.t v
  type table 'v [n] = [n]slot v

  def build [n] 'v (kvs: [n](H.t, v)): table v [2 * n + 1] =
    let m = 2 * n + 1
    let t0: [m]slot v = replicate m #empty
    in loop t = t0 for (k, v) in kvs do
         let h = i64.u64 (H.hash k) % m
         let i =
           loop i = h while (match t[i] case #full k' _ -> !(H.(k' == k)) case #empty -> false) do
             (i + 1) % m
         in t with [i] = #full k v

  def find [n] 'v (k: H.t) (t: table v [n]): #none | #some v =
    let h = i64.u64 (H.hash k) % n
    let (_, res) =
      loop (i, res) = (h, #continue) while (match res case #continue -> true case _ -> false) do
        match t[i]
        case #empty -> (i, #missing)
        case #full k' v -> if H.(k == k') then (i, #found v) else ((i + 1) % n, #continue : #continue | #missing | #found v)
    in match res case #found v -> #some v case _ -> #none
}

module ht = hashtable { type t = i64 def hash (x: t) = u64.((i64 x ^ (i64 x >> 31)) * 0x9E3779B97F4A7C15) def (==) = (i64.==) }

entry hashed (ks: []i64) (qs: []i64) =
  let t = ht.build (zip ks (indices ks))
  in map (\q -> match ht.find q t case #some i -> i case #none -> -1i64) qs
