-- Radiative-convective equilibrium of columns of air: in each time step grey longwave radiation goes up
-- and down through the layers, which absorb after their carbon dioxide and water vapour, the sun heats
-- the ground, and what is too hot below overturns. The results are the temperatures of the ground and
-- of the topmost layer of every column.
-- ==
-- random input { 100i32 40i64 [400]f32 [400]f32 [400]f32 }
-- input { 20i32 5i64 [0.5f32, 0.25f32] [0.5f32, 1f32] [0.75f32, 0f32] }
-- output { [291.0948f32, 290.35425f32] [229.49988f32, 228.5185f32] }

module constants = {
  def stefan_boltzmann : f32 = 5.67e-8
  def gravity : f32 = 9.81
  def heat_capacity : f32 = 1004
  def surface_pressure : f32 = 1e5
  def diffusivity : f32 = 1.66
  -- Of the ground, in joules for a square metre and a kelvin.
  def ground_capacity : f32 = 2e6
}

type climate = {sun: f32, carbon: f32, humidity: f32}
type column [l] = {ground: f32, air: [l]f32}

-- What a black body radiates.
def black (t: f32) : f32 =
  let t2 = t * t
  in constants.stefan_boltzmann * t2 * t2

-- The pressure of saturated vapour after Magnus, in pascals.
def saturation (t: f32) : f32 =
  let celsius = t - 273.15
  in 610.94 * f32.exp (17.625 * celsius / (celsius + 243.04))

def pressure (layers: i64) (k: i64) : f32 =
  constants.surface_pressure * (1 - (f32.i64 k + 0.5) / f32.i64 layers)

def emissivity (c: climate) (thickness: f32) (p: f32) (t: f32) : f32 =
  let vapour = 0.622 * f32.min 0.1 (c.humidity * saturation t / p)
  let depth = thickness / constants.gravity * (1.5e-4 * c.carbon + 0.08 * vapour)
  in 1 - f32.exp (-constants.diffusivity * depth)

-- The flux that enters each layer, and in the end what leaves the last, if `first` enters the first.
def sweep [l] (first: f32) (order: i64 -> i64) (absorbed: [l]f32) (emitted: [l]f32) : ([l]f32, f32) =
  loop (fluxes, flux) = (replicate l 0, first) for i < l do
    let k = order i
    in (fluxes with [k] = flux, flux * (1 - absorbed[k]) + emitted[k])

def radiate [l] (c: climate) (dt: f32) (x: column [l]) : column [l] =
  let thickness = constants.surface_pressure / f32.i64 l
  let absorbed = tabulate l (\k -> emissivity c thickness (pressure l k) x.air[k])
  let emitted = map2 (\e t -> e * black t) absorbed x.air
  let (up, _) = sweep (black x.ground) id absorbed emitted
  let (down, back) = sweep 0 (\i -> l - 1 - i) absorbed emitted
  let warm t a e u d =
    let gain = a * (u + d) - 2 * e
    in t + dt * gain * constants.gravity / (constants.heat_capacity * thickness)
  let ground = x.ground + dt * (c.sun + back - black x.ground) / constants.ground_capacity
  in {ground, air = map5 warm x.air absorbed emitted up down}

-- Overturns pairs of layers, from the ground up, that are steeper than `steepest` allows.
def convect [l] (steepest: f32) (x: column [l]) : column [l] =
  let (ground, first) =
    let excess = x.ground - x.air[0] - steepest
    in if excess > 0 then (x.ground - 0.5 * excess, x.air[0] + 0.5 * excess) else (x.ground, x.air[0])
  let air =
    loop air = copy x.air with [0] = first for k < l - 1 do
      let excess = air[k] - air[k + 1] - steepest
      in if excess > 0
         then air with [k] = air[k] - 0.5 * excess with [k + 1] = air[k + 1] + 0.5 * excess
         else air
  in {ground, air}

def step [l] (c: climate) (x: column [l]) : column [l] =
  x |> radiate c 20000 |> convect (80 / f32.i64 l)

entry main [n] (steps: i32) (layers: i64) (suns: [n]f32) (carbons: [n]f32) (humidities: [n]f32)
         : ([n]f32, [n]f32) =
  let run sun carbon humidity =
    let c = {sun = 200 + 80 * sun, carbon = 0.5 + 2 * carbon, humidity}
    let start = {ground = 288, air = replicate layers 250}
    let end = iterate steps (step c) start
    in (end.ground, last end.air)
  in unzip (map3 run suns carbons humidities)
