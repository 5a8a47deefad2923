-- Properties of every kind of type, and with generators of their own.
-- ==
-- property: reverse_involution reverse_loses_nothing zip_unzips swapped_twice
-- property: updated_in_place mirrored_twice of_own_size sorted_by_generator halves_add_up

#[prop]
entry reverse_involution (xs: []i32) =
  and (map2 (==) (reverse (reverse xs)) xs)

#[prop()]
entry reverse_loses_nothing [n] (xs: [n][n]f32) =
  length (reverse xs) == n

#[prop]
entry zip_unzips [n] (p: ([n]i64, [n]bool)) =
  let (a, b) = unzip (zip p.0 p.1)
  in and (map2 (==) a p.0) && and (map2 (==) b p.1)

type~ point = {x: i16, y: u8, name: []u8}

def swap (p: point) = p with x = -p.x

#[prop(size(7))]
entry swapped_twice (p: point) =
  (swap (swap p)).x == p.x && length p.name == 7

#[prop]
entry updated_in_place (xs: *[]u64) =
  let ys = copy xs
  let zs = xs with [0] = 1
  in zs[0] == 1 && length ys == length zs

type tree = #leaf | #one i32 | #both (i32, bool)

def mirror (t: tree) : tree =
  match t
  case #both (a, b) -> #both (a, !b)
  case other -> other

#[prop(size(4))]
entry mirrored_twice (ts: []tree) =
  all (\t -> mirror (mirror t) == t) ts

#[prop(size(3))]
entry of_own_size (ps: [](i32, {a: f64, b: bool})) =
  length ps == 3 && all (\p -> f64.abs p.1.a <= 3) ps

entry increasing (size: i64) (seed: u64) : []u64 =
  map (\i -> (seed >> 8) + u64.i64 i) (iota size)

#[prop(gen(increasing), size(20))]
entry sorted_by_generator (xs: []u64) =
  length xs == 20 && and (map2 (<) (init xs) (tail xs))

-- A result that is a tuple is the parameter's value all the same.
entry halves (size: i64) (seed: u64) : (i64, i64) = (size, i64.u64 seed)

#[prop(gen(halves), size(12))]
entry halves_add_up (p: (i64, i64)) = p.0 == 12 && p.0 + p.1 == p.1 + p.0
