-- The words of a text, and the length of the longest, by one reduction over a summary of pieces of
-- text. Every byte up to the space is a separator.
-- ==
-- random input { [4000000]u8 }
-- input { "the quick  brown\nfox\n jumps" }
-- output { 5i64 5i64 }
-- input { empty([0]u8) }
-- output { 0i64 0i64 }

-- Either a piece without a separator, or a piece with: the letters at its two ends, the words that
-- lie inside it whole, and the longest of those.
type piece
  = #letters i64
  | #split {left: i64, words: i64, longest: i64, right: i64}

def word (letters: i64) : i64 = i64.bool (letters > 0)

def join (a: piece) (b: piece) : piece =
  match (a, b)
  case (#letters m, #letters n) -> #letters (m + n)
  case (#letters m, #split s) -> #split (s with left = m + s.left)
  case (#split s, #letters n) -> #split (s with right = s.right + n)
  case (#split s, #split t) ->
    let middle = s.right + t.left
    in #split { left = s.left
              , words = s.words + word middle + t.words
              , longest = i64.max middle (i64.max s.longest t.longest)
              , right = t.right
              }

entry main [n] (text: [n]u8) : (i64, i64) =
  let single c =
    if c <= ' ' then #split {left = 0, words = 0, longest = 0, right = 0} else #letters 1
  in match reduce join (#letters 0) (map single text)
     case #letters m -> (word m, m)
     case #split s ->
       (word s.left + s.words + word s.right, i64.max s.left (i64.max s.longest s.right))
