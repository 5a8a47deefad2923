-- String and character literals, escapes, and work on text.
-- ==
-- entry: literals
-- input { } output { "abc" 97u8 [9u8, 10u8, 34u8, 92u8, 39u8] 206u8 empty([0]u8) }

-- ==
-- entry: numbers
-- input { "123 -45 7" } output { [123i32, -45i32, 7i32] }

-- ==
-- entry: upper
-- input { "Hello, World!" } output { "HELLO, WORLD!" true false }

entry literals = ("abc", 'a' : u8, "\t\n\"\\'", head "α", "")

def is_digit (c: u8) = c >= '0' && c <= '9'

entry numbers [n] (s: [n]u8) : []i32 =
  let (done, now, negative) =
    loop (done, now, negative) = ([], 0, false) for c in s do
      if c == ' ' then (done ++ [if negative then -now else now], 0, false)
      else if c == '-' then (done, now, true)
      else (done, now * 10 + i32.u8 (c - '0'), negative)
  in done ++ [if negative then -now else now]

entry upper [n] (s: [n]u8) : ([n]u8, bool, bool) =
  let up c = if c >= 'a' && c <= 'z' then c - 32 else c
  in (map up s, "abc" == "abc", [1i32, 2] == [1, 3])
