//! Calls Futhark programs; the modules are made by `build.rs`.

mod regression {
    include!(concat!(env!("OUT_DIR"), "/regression.rs"));
}

mod parallel {
    include!(concat!(env!("OUT_DIR"), "/parallel.rs"));
}

use regression::{Array, Context, Error};

fn main() -> Result<(), Error> {
    let context = Context::new()?;
    let xs = Array::new(&context, &[0.0, 1.0, 2.0, 3.0], [4])?;
    let ys = Array::new(&context, &[1.0, 3.1, 4.9, 7.0], [4])?;
    let line = context.fit(&xs, &ys)?;
    println!("y = {:.2} x + {:.2}", line.slope()?, line.intercept()?);
    let (there, error) = context.predict(&line, &xs, &ys)?;
    println!("{:.2?}, {error:.3} off", there.to_vec()?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::{self, Shape, ShapeValue};

    #[test]
    fn arrays_go_in_and_out() -> Result<(), Error> {
        let context = Context::new()?;
        let a = Array::new(&context, &[1, 2, 3, 4, 5, 6], [2, 3])?;
        let b = context.transposed(&a)?;
        assert_eq!(b.shape()?, [3, 2]);
        assert_eq!(b.to_vec()?, [1, 4, 2, 5, 3, 6]);
        let empty = Array::new(&context, &[] as &[i32], [0, 3])?;
        assert_eq!(context.transposed(&empty)?.shape()?, [3, 0]);
        let wrong = Array::new(&context, &[1], [2, 2]);
        assert_eq!(wrong.err(), Some(Error::Shape { elements: 1, shape: vec![2, 2] }));
        let wrong = Array::new(&context, &[1], [usize::MAX, 2]);
        assert!(matches!(wrong, Err(Error::Shape { .. })));
        Ok(())
    }

    #[test]
    fn arguments_are_consumed_by_value() -> Result<(), Error> {
        let context = Context::new()?;
        let xs = Array::new(&context, &[1.5, 2.5], [2])?;
        let doubled = context.double(xs)?;
        assert_eq!(doubled.to_vec()?, [3.0, 5.0]);
        Ok(())
    }

    #[test]
    fn failures_are_errors_and_change_nothing() -> Result<(), Error> {
        let context = Context::new()?;
        let xs = Array::new(&context, &[1.0, 2.0], [2])?;
        match context.nth(&xs, 2) {
            Err(Error::Program(why)) => assert!(why.contains("out of bounds"), "{why}"),
            other => panic!("{other:?}"),
        }
        assert_eq!(context.nth(&xs, 1)?, 2.0);
        // A value of another context is told, too.
        let another = Context::new()?;
        assert!(matches!(another.nth(&xs, 1), Err(Error::Program(_))));
        Ok(())
    }

    #[test]
    fn threads_share_a_context() -> Result<(), parallel::Error> {
        let settings = parallel::Settings { threads: 2, ..Default::default() };
        let context = parallel::Context::with(settings)?;
        let numbers: Vec<f64> = (0..1000).map(f64::from).collect();
        let xs = parallel::Array::new(&context, &numbers, [1000])?;
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|i| {
                    let (context, xs) = (&context, &xs);
                    scope.spawn(move || {
                        (0..100).all(|n| context.nth(xs, n + i) == Ok((n + i) as f64))
                    })
                })
                .collect();
            assert!(threads.into_iter().all(|thread| thread.join().is_ok_and(|right| right)));
        });
        // Values go to other threads and are dropped there.
        std::thread::scope(|scope| scope.spawn(move || drop(xs)).join()).expect("no panic");
        Ok(())
    }

    #[test]
    fn sums_are_enums() -> Result<(), shapes::Error> {
        let context = shapes::Context::new()?;
        let square = context.unit_square()?;
        assert_eq!(context.area(&square)?, 1.0);
        let ShapeValue::Polygon(points) = square.value()? else { panic!("no polygon") };
        assert_eq!(points.shape()?, [4]);
        let corner = points.get([2])?;
        assert_eq!((corner.x()?, corner.y()?), (1.0, 1.0));
        assert!(points.get([4]).is_err());
        assert_eq!(points.x()?.to_vec()?, [0.0, 1.0, 1.0, 0.0]);
        let circle = Shape::circle(&context, &corner, 2.0)?;
        assert!(matches!(circle.value()?, ShapeValue::Circle(_, 2.0)));
        assert!((context.area(&circle)? - 4.0 * std::f32::consts::PI).abs() < 1e-5);
        assert!(matches!(Shape::nothing(&context)?.value()?, ShapeValue::Nothing));
        Ok(())
    }

    #[test]
    fn opaque_values_are_bytes_and_back() -> Result<(), shapes::Error> {
        let context = shapes::Context::new()?;
        let bytes = context.unit_square()?.to_bytes()?;
        // SAFETY: they were made by the line before.
        let square = unsafe { Shape::from_bytes(&context, &bytes) }?;
        let mut corners = context.corners(&square)?;
        let first = corners.get([0])?;
        corners.set([1], &first)?;
        assert_eq!(corners.x()?.to_vec()?, [0.0, 0.0, 1.0, 0.0]);
        let two = shapes::Arr1dPoint::new(&context, &[&first, &first], [2])?;
        assert_eq!(two.shape()?, [2]);
        let zipped = shapes::Arr1dPoint::zip(&context, &corners.x()?, &corners.y()?)?;
        assert_eq!(zipped.shape()?, [4]);
        Ok(())
    }

    #[test]
    fn names_and_types_of_every_kind() -> Result<(), shapes::Error> {
        let context = shapes::Context::new()?;
        let flags = shapes::Array::new(&context, &[true, true], [2])?;
        assert_eq!(context.all(&flags, 7)?, (true, 7));
        let halves = shapes::Array::new(&context, &[shapes::F16(0x3c00)], [1])?;
        assert_eq!(context.halves(&halves)?.to_vec()?, [shapes::F16(0x3800)]);
        assert_eq!(context.r#move(1)?, 2);
        assert!(context.r#move(-1).is_err());
        context.unit(1)?;
        Ok(())
    }

    #[cfg(feature = "ndarray")]
    #[test]
    fn arrays_of_ndarray_go_in_and_out() -> Result<(), Error> {
        let context = Context::new()?;
        let a = ndarray::arr2(&[[1, 2, 3], [4, 5, 6]]);
        // Not in the order of rows.
        let b = Array::from_ndarray(&context, &a.t())?;
        assert_eq!(b.shape()?, [3, 2]);
        assert_eq!(context.transposed(&b)?.to_ndarray()?, a);
        Ok(())
    }
}

#[cfg(test)]
mod shapes {
    include!(concat!(env!("OUT_DIR"), "/shapes.rs"));
}
