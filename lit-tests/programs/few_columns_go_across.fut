-- Copies and maps across a few columns, of which the rows are read as they lie.
-- ==
-- entry: integers
-- input { [[0i64, 7i64, 14i64]] }
-- output { [[0i64], [7i64], [14i64]] }
-- input { [[0i64, 7i64, 14i64], [31i64, 38i64, 45i64], [62i64, 69i64, 76i64], [93i64, 100i64, 6i64], [23i64, 30i64, 37i64], [54i64, 61i64, 68i64], [85i64, 92i64, 99i64], [15i64, 22i64, 29i64], [46i64, 53i64, 60i64]] }
-- output { [[0i64, 31i64, 62i64, 93i64, 23i64, 54i64, 85i64, 15i64, 46i64], [7i64, 38i64, 69i64, 100i64, 30i64, 61i64, 92i64, 22i64, 53i64], [14i64, 45i64, 76i64, 6i64, 37i64, 68i64, 99i64, 29i64, 60i64]] }
-- input { [[0i64, 7i64, 14i64], [31i64, 38i64, 45i64], [62i64, 69i64, 76i64], [93i64, 100i64, 6i64], [23i64, 30i64, 37i64], [54i64, 61i64, 68i64], [85i64, 92i64, 99i64], [15i64, 22i64, 29i64], [46i64, 53i64, 60i64], [77i64, 84i64, 91i64], [7i64, 14i64, 21i64], [38i64, 45i64, 52i64], [69i64, 76i64, 83i64], [100i64, 6i64, 13i64], [30i64, 37i64, 44i64], [61i64, 68i64, 75i64], [92i64, 99i64, 5i64], [22i64, 29i64, 36i64], [53i64, 60i64, 67i64], [84i64, 91i64, 98i64], [14i64, 21i64, 28i64], [45i64, 52i64, 59i64], [76i64, 83i64, 90i64], [6i64, 13i64, 20i64], [37i64, 44i64, 51i64], [68i64, 75i64, 82i64], [99i64, 5i64, 12i64], [29i64, 36i64, 43i64], [60i64, 67i64, 74i64], [91i64, 98i64, 4i64], [21i64, 28i64, 35i64], [52i64, 59i64, 66i64], [83i64, 90i64, 97i64]] }
-- output { [[0i64, 31i64, 62i64, 93i64, 23i64, 54i64, 85i64, 15i64, 46i64, 77i64, 7i64, 38i64, 69i64, 100i64, 30i64, 61i64, 92i64, 22i64, 53i64, 84i64, 14i64, 45i64, 76i64, 6i64, 37i64, 68i64, 99i64, 29i64, 60i64, 91i64, 21i64, 52i64, 83i64], [7i64, 38i64, 69i64, 100i64, 30i64, 61i64, 92i64, 22i64, 53i64, 84i64, 14i64, 45i64, 76i64, 6i64, 37i64, 68i64, 99i64, 29i64, 60i64, 91i64, 21i64, 52i64, 83i64, 13i64, 44i64, 75i64, 5i64, 36i64, 67i64, 98i64, 28i64, 59i64, 90i64], [14i64, 45i64, 76i64, 6i64, 37i64, 68i64, 99i64, 29i64, 60i64, 91i64, 21i64, 52i64, 83i64, 13i64, 44i64, 75i64, 5i64, 36i64, 67i64, 98i64, 28i64, 59i64, 90i64, 20i64, 51i64, 82i64, 12i64, 43i64, 74i64, 4i64, 35i64, 66i64, 97i64]] }
entry integers [n] (xs: [n][3]i64) : [3][n]i64 = copy (transpose xs)

-- ==
-- entry: bytes
-- input { [[0u8, 7u8, 14u8, 21u8, 28u8, 35u8, 42u8]] }
-- output { [[0u8], [7u8], [14u8], [21u8], [28u8], [35u8], [42u8]] }
-- input { [[0u8, 7u8, 14u8, 21u8, 28u8, 35u8, 42u8], [31u8, 38u8, 45u8, 52u8, 59u8, 66u8, 73u8], [62u8, 69u8, 76u8, 83u8, 90u8, 97u8, 3u8], [93u8, 100u8, 6u8, 13u8, 20u8, 27u8, 34u8], [23u8, 30u8, 37u8, 44u8, 51u8, 58u8, 65u8], [54u8, 61u8, 68u8, 75u8, 82u8, 89u8, 96u8], [85u8, 92u8, 99u8, 5u8, 12u8, 19u8, 26u8], [15u8, 22u8, 29u8, 36u8, 43u8, 50u8, 57u8], [46u8, 53u8, 60u8, 67u8, 74u8, 81u8, 88u8], [77u8, 84u8, 91u8, 98u8, 4u8, 11u8, 18u8], [7u8, 14u8, 21u8, 28u8, 35u8, 42u8, 49u8], [38u8, 45u8, 52u8, 59u8, 66u8, 73u8, 80u8], [69u8, 76u8, 83u8, 90u8, 97u8, 3u8, 10u8], [100u8, 6u8, 13u8, 20u8, 27u8, 34u8, 41u8], [30u8, 37u8, 44u8, 51u8, 58u8, 65u8, 72u8], [61u8, 68u8, 75u8, 82u8, 89u8, 96u8, 2u8], [92u8, 99u8, 5u8, 12u8, 19u8, 26u8, 33u8], [22u8, 29u8, 36u8, 43u8, 50u8, 57u8, 64u8], [53u8, 60u8, 67u8, 74u8, 81u8, 88u8, 95u8], [84u8, 91u8, 98u8, 4u8, 11u8, 18u8, 25u8]] }
-- output { [[0u8, 31u8, 62u8, 93u8, 23u8, 54u8, 85u8, 15u8, 46u8, 77u8, 7u8, 38u8, 69u8, 100u8, 30u8, 61u8, 92u8, 22u8, 53u8, 84u8], [7u8, 38u8, 69u8, 100u8, 30u8, 61u8, 92u8, 22u8, 53u8, 84u8, 14u8, 45u8, 76u8, 6u8, 37u8, 68u8, 99u8, 29u8, 60u8, 91u8], [14u8, 45u8, 76u8, 6u8, 37u8, 68u8, 99u8, 29u8, 60u8, 91u8, 21u8, 52u8, 83u8, 13u8, 44u8, 75u8, 5u8, 36u8, 67u8, 98u8], [21u8, 52u8, 83u8, 13u8, 44u8, 75u8, 5u8, 36u8, 67u8, 98u8, 28u8, 59u8, 90u8, 20u8, 51u8, 82u8, 12u8, 43u8, 74u8, 4u8], [28u8, 59u8, 90u8, 20u8, 51u8, 82u8, 12u8, 43u8, 74u8, 4u8, 35u8, 66u8, 97u8, 27u8, 58u8, 89u8, 19u8, 50u8, 81u8, 11u8], [35u8, 66u8, 97u8, 27u8, 58u8, 89u8, 19u8, 50u8, 81u8, 11u8, 42u8, 73u8, 3u8, 34u8, 65u8, 96u8, 26u8, 57u8, 88u8, 18u8], [42u8, 73u8, 3u8, 34u8, 65u8, 96u8, 26u8, 57u8, 88u8, 18u8, 49u8, 80u8, 10u8, 41u8, 72u8, 2u8, 33u8, 64u8, 95u8, 25u8]] }
entry bytes [n] (xs: [n][7]u8) : [7][n]u8 = copy (transpose xs)

-- ==
-- entry: floats
-- input { [[0f32, 7f32]] }
-- output { [[0f32], [7f32]] }
-- input { [[0f32, 7f32], [31f32, 38f32], [62f32, 69f32], [93f32, 100f32], [23f32, 30f32], [54f32, 61f32], [85f32, 92f32], [15f32, 22f32], [46f32, 53f32]] }
-- output { [[0f32, 31f32, 62f32, 93f32, 23f32, 54f32, 85f32, 15f32, 46f32], [7f32, 38f32, 69f32, 100f32, 30f32, 61f32, 92f32, 22f32, 53f32]] }
-- input { [[0f32, 7f32], [31f32, 38f32], [62f32, 69f32], [93f32, 100f32], [23f32, 30f32], [54f32, 61f32], [85f32, 92f32], [15f32, 22f32], [46f32, 53f32], [77f32, 84f32], [7f32, 14f32], [38f32, 45f32], [69f32, 76f32], [100f32, 6f32], [30f32, 37f32], [61f32, 68f32], [92f32, 99f32], [22f32, 29f32], [53f32, 60f32], [84f32, 91f32], [14f32, 21f32], [45f32, 52f32], [76f32, 83f32], [6f32, 13f32], [37f32, 44f32], [68f32, 75f32], [99f32, 5f32], [29f32, 36f32], [60f32, 67f32], [91f32, 98f32], [21f32, 28f32], [52f32, 59f32], [83f32, 90f32]] }
-- output { [[0f32, 31f32, 62f32, 93f32, 23f32, 54f32, 85f32, 15f32, 46f32, 77f32, 7f32, 38f32, 69f32, 100f32, 30f32, 61f32, 92f32, 22f32, 53f32, 84f32, 14f32, 45f32, 76f32, 6f32, 37f32, 68f32, 99f32, 29f32, 60f32, 91f32, 21f32, 52f32, 83f32], [7f32, 38f32, 69f32, 100f32, 30f32, 61f32, 92f32, 22f32, 53f32, 84f32, 14f32, 45f32, 76f32, 6f32, 37f32, 68f32, 99f32, 29f32, 60f32, 91f32, 21f32, 52f32, 83f32, 13f32, 44f32, 75f32, 5f32, 36f32, 67f32, 98f32, 28f32, 59f32, 90f32]] }
entry floats [n] (xs: [n][2]f32) : [2][n]f32 = copy (transpose xs)

-- ==
-- entry: truths
-- input { [[false, false, false, false, false]] }
-- output { [[false], [false], [false], [false], [false]] }
-- input { [[false, false, false, false, false], [false, false, false, true, true], [true, true, true, true, true], [true, true, false, false, false], [false, false, false, false, true], [true, true, true, true, true], [true, true, true, false, false], [false, false, false, false, false], [false, true, true, true, true], [true, true, true, true, false], [false, false, false, false, false], [false, false, true, true, true], [true, true, true, true, true], [true, false, false, false, false], [false, false, false, true, true], [true, true, true, true, true], [true, true, false, false, false], [false, false, false, false, false], [true, true, true, true, true]] }
-- output { [[false, false, true, true, false, true, true, false, false, true, false, false, true, true, false, true, true, false, true], [false, false, true, true, false, true, true, false, true, true, false, false, true, false, false, true, true, false, true], [false, false, true, false, false, true, true, false, true, true, false, true, true, false, false, true, false, false, true], [false, true, true, false, false, true, false, false, true, true, false, true, true, false, true, true, false, false, true], [false, true, true, false, true, true, false, false, true, false, false, true, true, false, true, true, false, false, true]] }
entry truths [n] (xs: [n][5]bool) : [5][n]bool = copy (transpose xs)

-- ==
-- entry: added
-- input { [[0i32, 7i32, 14i32]] }
-- output { [[1i32], [8i32], [15i32]] }
-- input { [[0i32, 7i32, 14i32], [31i32, 38i32, 45i32], [62i32, 69i32, 76i32], [93i32, 100i32, 6i32], [23i32, 30i32, 37i32], [54i32, 61i32, 68i32], [85i32, 92i32, 99i32], [15i32, 22i32, 29i32], [46i32, 53i32, 60i32]] }
-- output { [[1i32, 32i32, 63i32, 94i32, 24i32, 55i32, 86i32, 16i32, 47i32], [8i32, 39i32, 70i32, 101i32, 31i32, 62i32, 93i32, 23i32, 54i32], [15i32, 46i32, 77i32, 7i32, 38i32, 69i32, 100i32, 30i32, 61i32]] }
-- input { [[0i32, 7i32, 14i32], [31i32, 38i32, 45i32], [62i32, 69i32, 76i32], [93i32, 100i32, 6i32], [23i32, 30i32, 37i32], [54i32, 61i32, 68i32], [85i32, 92i32, 99i32], [15i32, 22i32, 29i32], [46i32, 53i32, 60i32], [77i32, 84i32, 91i32], [7i32, 14i32, 21i32], [38i32, 45i32, 52i32], [69i32, 76i32, 83i32], [100i32, 6i32, 13i32], [30i32, 37i32, 44i32], [61i32, 68i32, 75i32], [92i32, 99i32, 5i32], [22i32, 29i32, 36i32], [53i32, 60i32, 67i32], [84i32, 91i32, 98i32], [14i32, 21i32, 28i32], [45i32, 52i32, 59i32], [76i32, 83i32, 90i32], [6i32, 13i32, 20i32], [37i32, 44i32, 51i32], [68i32, 75i32, 82i32], [99i32, 5i32, 12i32], [29i32, 36i32, 43i32], [60i32, 67i32, 74i32], [91i32, 98i32, 4i32], [21i32, 28i32, 35i32], [52i32, 59i32, 66i32], [83i32, 90i32, 97i32]] }
-- output { [[1i32, 32i32, 63i32, 94i32, 24i32, 55i32, 86i32, 16i32, 47i32, 78i32, 8i32, 39i32, 70i32, 101i32, 31i32, 62i32, 93i32, 23i32, 54i32, 85i32, 15i32, 46i32, 77i32, 7i32, 38i32, 69i32, 100i32, 30i32, 61i32, 92i32, 22i32, 53i32, 84i32], [8i32, 39i32, 70i32, 101i32, 31i32, 62i32, 93i32, 23i32, 54i32, 85i32, 15i32, 46i32, 77i32, 7i32, 38i32, 69i32, 100i32, 30i32, 61i32, 92i32, 22i32, 53i32, 84i32, 14i32, 45i32, 76i32, 6i32, 37i32, 68i32, 99i32, 29i32, 60i32, 91i32], [15i32, 46i32, 77i32, 7i32, 38i32, 69i32, 100i32, 30i32, 61i32, 92i32, 22i32, 53i32, 84i32, 14i32, 45i32, 76i32, 6i32, 37i32, 68i32, 99i32, 29i32, 60i32, 91i32, 21i32, 52i32, 83i32, 13i32, 44i32, 75i32, 5i32, 36i32, 67i32, 98i32]] }
entry added [n] (xs: [n][3]i32) : [3][n]i32 = map (map (+ 1)) (transpose xs)

-- ==
-- entry: integers
-- input { empty([0][3]i64) } output { empty([3][0]i64) }

-- Of three dimensions, and of parts of columns.
-- ==
-- entry: parts
-- input { [[[1, 2, 3, 4], [5, 6, 7, 8]], [[9, 10, 11, 12], [13, 14, 15, 16]]] }
-- output { [[[2, 6], [3, 7], [4, 8]], [[10, 14], [11, 15], [12, 16]]] }
entry parts [m] [n] (xs: [m][n][4]i32) : [m][3][n]i32 = map (\x -> copy (transpose x[:, 1:])) xs
