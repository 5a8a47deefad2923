-- For one thread, every map is a loop of its own kind; what is read stands in its body.
-- RUN: futc -w %s --emit=seg | FileCheck %s
-- CHECK: level seg
-- CHECK-LABEL: fun main (
-- CHECK: segmap seq ([[I:i_[0-9]+]] < {{n_[0-9]+}}) :
-- CHECK: segred seq ([[J:i_[0-9]+]] < {{m_[0-9]+}})
-- CHECK: index {{xss_[0-9]+}}{{\[}}[[I]], [[J]]]
-- CHECK: in (return
entry main [n] [m] (xss: [n][m]f32) = map f32.sum xss
