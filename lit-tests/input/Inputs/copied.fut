-- Floats whose bits must not change.
entry main (xs: []f32) : []f32 = copy xs
