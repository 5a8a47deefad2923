-- | Putting arrays together element by element, and taking them apart.
--
-- An array of tuples is represented by a tuple of arrays, so these functions cost nothing, unless
-- the result is consumed while an argument is still needed: then there is a copy.

-- | Two arrays as one array of pairs.
def zip [n] 'a 'b (as: [n]a) (bs: [n]b) : *[n](a, b) =
  intrinsics.copy (intrinsics.zip as bs)

-- | As `zip`.
def zip2 [n] 'a 'b (as: [n]a) (bs: [n]b) : *[n](a, b) =
  intrinsics.copy (intrinsics.zip as bs)

-- | Three arrays as one array of triples.
def zip3 [n] 'a 'b 'c (as: [n]a) (bs: [n]b) (cs: [n]c) : *[n](a, b, c) =
  intrinsics.map (\(a, (b, c)) -> (a, b, c)) (intrinsics.zip as (intrinsics.zip bs cs))

-- | Four arrays as one array of quadruples.
def zip4 [n] 'a 'b 'c 'd (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) : *[n](a, b, c, d) =
  intrinsics.map (\((a, b), (c, d)) -> (a, b, c, d))
                 (intrinsics.zip (intrinsics.zip as bs) (intrinsics.zip cs ds))

-- | Five arrays as one array of quintuples.
def zip5 [n] 'a 'b 'c 'd 'e
         (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) (es: [n]e) : *[n](a, b, c, d, e) =
  intrinsics.map (\((a, b), (c, (d, e))) -> (a, b, c, d, e))
                 (intrinsics.zip (intrinsics.zip as bs) (intrinsics.zip cs (intrinsics.zip ds es)))

-- | An array of pairs as two arrays.
def unzip [n] 'a 'b (xs: [n](a, b)) : ([n]a, [n]b) =
  intrinsics.unzip xs

-- | As `unzip`.
def unzip2 [n] 'a 'b (xs: [n](a, b)) : ([n]a, [n]b) =
  intrinsics.unzip xs

-- | An array of triples as three arrays.
def unzip3 [n] 'a 'b 'c (xs: [n](a, b, c)) : ([n]a, [n]b, [n]c) =
  let (as, bcs) = unzip (intrinsics.map (\(a, b, c) -> (a, (b, c))) xs)
  let (bs, cs) = unzip bcs
  in (as, bs, cs)

-- | An array of quadruples as four arrays.
def unzip4 [n] 'a 'b 'c 'd (xs: [n](a, b, c, d)) : ([n]a, [n]b, [n]c, [n]d) =
  let (abs, cds) = unzip (intrinsics.map (\(a, b, c, d) -> ((a, b), (c, d))) xs)
  let (as, bs) = unzip abs
  let (cs, ds) = unzip cds
  in (as, bs, cs, ds)

-- | An array of quintuples as five arrays.
def unzip5 [n] 'a 'b 'c 'd 'e (xs: [n](a, b, c, d, e)) : ([n]a, [n]b, [n]c, [n]d, [n]e) =
  let (abs, cdes) = unzip (intrinsics.map (\(a, b, c, d, e) -> ((a, b), (c, (d, e)))) xs)
  let (as, bs) = unzip abs
  let (cs, des) = unzip cdes
  let (ds, es) = unzip des
  in (as, bs, cs, ds, es)
