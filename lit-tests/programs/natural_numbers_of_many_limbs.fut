-- Big natural numbers with limbs of a chosen width; number of limbs by a module parameter.
-- ==
-- entry: fact
-- input { 30 } output { "265252859812191058636308480000000" }
-- input { 0 } output { "1" }

-- ==
-- entry: fib
-- input { 150 } output { "9969216677189303386214405760200" }

-- ==
-- entry: added
-- input { "99999999999999999999" "1" } output { "100000000000000000000" }

-- ==
-- entry: compared
-- input { "123456789012345678901234567890" "123456789012345678901234567891" } output { -1 }

-- ==
-- entry: modpow
-- input { 3u64 200u64 1000007u64 } output { 959082u64 }

module type nat = {
  type nat
  val zero: nat
  val one: nat
  val add: nat -> nat -> nat
  val mul: nat -> nat -> nat
  val cmp: nat -> nat -> i32
  val of_u32: u32 -> nat
  val divmod_small: nat -> u32 -> (nat, u32)
  val show: nat -> []u8
  val read [n]: [n]u8 -> nat
}

module mk_nat (P: { val limbs: i64 }): nat = {
  type nat = [P.limbs]u32
  def n = P.limbs
  def zero: nat = replicate P.limbs 0
  def of_u32 (x: u32): nat = tabulate P.limbs (\i -> if i == 0 then x else 0)
  def one = of_u32 1

  -- Carries by a scan over generate/propagate.
  type carry = #gen | #prop | #kill
  def op (a: carry) (b: carry): carry = match b case #prop -> a case x -> x

  def add (a: nat) (b: nat): nat =
    let s = map2 (+) a b
    let cs = map2 (\x s -> if s < x then #gen else if s == u32.highest then #prop else #kill) a s
    let ks = scan op #prop cs
    let ins = map (\i -> if i == 0 then 0 else match ks[i - 1] case #gen -> 1u32 case _ -> 0u32) (iota P.limbs)
    in map2 (+) s ins

  def shift_limbs (k: i64) (a: nat): nat = tabulate P.limbs (\i -> if i < k then 0 else a[i - k])

  def mul_small (a: nat) (x: u32): nat =
    let lo = map (* x) a
    let hi = map (u32.mul_hi x) a
    in add lo (shift_limbs 1 hi)

  def mul (a: nat) (b: nat): nat =
    loop acc = copy zero for i < P.limbs do
      if b[i] == 0 then acc else add acc (shift_limbs i (mul_small a b[i]))

  def cmp (a: nat) (b: nat) =
    let c x y = if x < y then -1i32 else if x > y then 1 else 0
    in reduce (\x y -> if y != 0 then y else x) 0 (map2 c a b)

  def divmod_small (a: nat) (d: u32): (nat, u32) =
    loop (q, r) = (copy zero, 0) for i in P.limbs - 1..P.limbs - 2...0 do
      let v = (u64.u32 r << 32) | u64.u32 a[i]
      in (q with [i] = u32.u64 (v / u64.u32 d), u32.u64 (v % u64.u32 d))

  def show (a: nat): []u8 =
    let (out, _) =
      loop (out, a) = ([] : []u8, a) while cmp a zero > 0 || null out do
        let (q, r) = divmod_small a 10
        in ([u8.u32 r + '0'] ++ out, q)
    in out

  def read [n] (s: [n]u8): nat =
    loop a = copy zero for c in s do add (mul_small a 10) (of_u32 (u32.u8 (c - '0')))
}

module n128 = mk_nat { def limbs = 4i64 }
module n256 = mk_nat { def limbs: i64 = 2 * 4 }

entry fact (k: i32) =
  n128.show (loop a = n128.one for i in 1..<k+1 do n128.(mul a (of_u32 (u32.i32 i))))

entry fib (k: i32): []u8 =
  let (a, _) = loop (a, b) = (n256.zero, n256.one) for _i < k do (b, n256.add a b)
  in n256.show a

entry added (a: []u8) (b: []u8) = n256.(show (read a `add` read b))

entry compared (a: []u8) (b: []u8) = n128.cmp (n128.read a) (n128.read b)

entry modpow (b: u64) (e: u64) (m: u64): u64 =
  (loop (r, b, e) = (1, b % m, e) while e != 0 do
     (if e & 1 == 1 then r * b % m else r, b * b % m, e >> 1)).0
