//! Conversions from and to arrays of the crate `ndarray`.

use super::{Array, Context, Element, Error};
use ndarray::{ArrayBase, ArrayD, Data, Dim, Dimension, IxDyn};

impl<'c, T: Element<R>, const R: usize> Array<'c, T, R>
where
    Dim<[usize; R]>: Dimension,
{
    /// An array of the same elements.
    pub fn from_ndarray<S: Data<Elem = T>>(
        context: &'c Context,
        array: &ArrayBase<S, Dim<[usize; R]>>,
    ) -> Result<Self, Error> {
        let mut shape = [0; R];
        for (n, size) in shape.iter_mut().zip(array.shape()) {
            *n = *size;
        }
        let rows = array.as_standard_layout();
        match rows.as_slice() {
            Some(elements) => Array::new(context, elements, shape),
            None => Array::new(context, &rows.iter().copied().collect::<Vec<T>>(), shape),
        }
    }

    /// An array of the same elements.
    pub fn to_ndarray(&self) -> Result<ndarray::Array<T, Dim<[usize; R]>>, Error> {
        let shape = self.shape()?;
        let wrong = |e: ndarray::ShapeError| Error::Other(e.to_string());
        let array = ArrayD::from_shape_vec(IxDyn(&shape), self.to_vec()?).map_err(wrong)?;
        array.into_dimensionality().map_err(wrong)
    }
}
