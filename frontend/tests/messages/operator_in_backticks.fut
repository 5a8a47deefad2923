def total (xs: []i32) = i32.sum xs `i32.<` 61
