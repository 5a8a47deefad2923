-- Back-propagation: a network with one hidden layer learns the batches that it is shown, one step of
-- gradient descent for each. The results are the mean error before each step and the weights of the output.
-- ==
-- random input { 0.5f32 [300][64][96]f32 [300][64][10]f32 [64][96]f32 [10][64]f32 }
-- input { 0.5f32 [[[0f32, 1f32]], [[1f32, 0f32]]] [[[1f32]], [[0f32]]] [[0.5f32, 0.25f32], [0.75f32, 0f32]]
--         [[1f32, 0.5f32]] }
-- output { [0.25f32, 0.26586393f32] [[0.35355338f32, -0.01138258f32]] }

module linear_algebra = {
  def dot [n] (a: [n]f32) (b: [n]f32) : f32 = f32.sum (map2 (*) a b)
  def matmul [n] [m] [p] (a: [n][m]f32) (b: [m][p]f32) : *[n][p]f32 =
    map (\row -> map (dot row) (transpose b)) a
  def zip_with [n] [m] (f: f32 -> f32 -> f32) (a: [n][m]f32) (b: [n][m]f32) : *[n][m]f32 =
    map2 (map2 f) a b
}

module la = linear_algebra

-- A function of neurons, and its derivative at a point where it has some value.
type^ activation = {apply: f32 -> f32, slope: f32 -> f32}

def sigmoid : activation = {apply = \x -> 1 / (1 + f32.exp (-x)), slope = \y -> y * (1 - y)}
def relu : activation = {apply = f32.max 0, slope = \y -> if y > 0 then 1 else 0}

type layer [i] [o] = {weights: [o][i]f32, biases: [o]f32}

module layer = {
  def make [i] [o] (weights: [o][i]f32) : layer [i] [o] =
    {weights = map (map (\w -> (w - 0.5) / f32.sqrt (f32.i64 i))) weights, biases = replicate o 0}

  def forward [b] [i] [o] (f: activation) (l: layer [i] [o]) (xs: [b][i]f32) : *[b][o]f32 =
    map (map2 (\bias sum -> f.apply (sum + bias)) l.biases) (la.matmul xs (transpose l.weights))

  -- How much the error depends on the sums of neurons, from how much it does on their values.
  def through [b] [o] (f: activation) (values: [b][o]f32) (errors: [b][o]f32) : *[b][o]f32 =
    la.zip_with (\v e -> e * f.slope v) values errors

  -- One step down.
  def descend [b] [i] [o] (rate: f32) (l: layer [i] [o]) (xs: [b][i]f32) (deltas: [b][o]f32)
                          : layer [i] [o] =
    let down w g = w - rate / f32.i64 b * g
    in { weights = la.zip_with down l.weights (la.matmul (transpose deltas) xs)
       , biases = map2 down l.biases (map f32.sum (transpose deltas)) }
}

type network [i] [h] [o] = {hidden: layer [i] [h], output: layer [h] [o]}

-- The network after one batch, and the mean square of its errors before.
def learn [b] [i] [h] [o] (rate: f32) (n: network [i] [h] [o]) (xs: [b][i]f32) (ys: [b][o]f32)
                          : (network [i] [h] [o], f32) =
  let hidden = layer.forward relu n.hidden xs
  let output = layer.forward sigmoid n.output hidden
  let errors = la.zip_with (-) output ys
  let output_deltas = layer.through sigmoid output errors
  let hidden_deltas = layer.through relu hidden (la.matmul output_deltas n.output.weights)
  let network = { hidden = layer.descend rate n.hidden xs hidden_deltas
                , output = layer.descend rate n.output hidden output_deltas }
  in (network, f32.sum (map (map (** 2) >-> f32.sum) errors) / f32.i64 (b * o))

entry main [s] [b] [i] [h] [o] (rate: f32) (xs: [s][b][i]f32) (ys: [s][b][o]f32) (w1: [h][i]f32)
                               (w2: [o][h]f32) : ([s]f32, [o][h]f32) =
  let start: network [i] [h] [o] = {hidden = layer.make w1, output = layer.make w2}
  let (n, errors) =
    loop (n, errors) = (start, replicate s 0) for k < s do
      let (n, error) = learn rate n xs[k] ys[k]
      in (n, errors with [k] = error)
  in (errors, n.output.weights)
