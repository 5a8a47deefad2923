//! A compiled Futhark program. The code was made by futc-build; do not edit it.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::fmt;
use std::marker::PhantomData;
use std::ptr;

/// Why something failed. The context and its values can be used as before, but for consumed arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The program failed, or was given wrong arguments.
    Program(String),
    /// There is not enough memory.
    OutOfMemory(String),
    /// Something else failed, such as a driver.
    Other(String),
    /// Elements do not make an array of this shape.
    Shape {
        /// How many elements there are.
        elements: usize,
        /// The sizes that were wanted.
        shape: Vec<usize>,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Program(why) | Error::OutOfMemory(why) | Error::Other(why) => {
                f.write_str(why.trim_end())
            }
            Error::Shape { elements, shape } => {
                write!(f, "{elements} elements do not make an array of shape {shape:?}")
            }
        }
    }
}

impl std::error::Error for Error {}

/// A number of 16 bits with a fraction, by its bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(transparent)]
pub struct F16(pub u16);

unsafe extern "C" {
    fn free(memory: *mut c_void);
}

/// A program that runs. Threads may share it: calls take turns.
pub struct Context {
    configuration: *mut c_void,
    pointer: *mut c_void,
}

// SAFETY: each function of the library holds the context's lock, and none depends on the thread that calls.
unsafe impl Send for Context {}
// SAFETY: likewise.
unsafe impl Sync for Context {}

/// How a program runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// Tell on standard error what is done.
    pub logging: bool,
    /// Count and measure for [`Context::report`].
    pub profiling: bool,
    /// On how many threads to run, if the program is for several; 0 is as many as there are.
    pub threads: u16,
}

impl Context {
    /// Starts the program.
    pub fn new() -> Result<Context, Error> {
        Context::with(Settings::default())
    }

    /// Starts the program with settings.
    pub fn with(settings: Settings) -> Result<Context, Error> {
        // SAFETY: the configuration is used for one context, and both are freed when it is dropped.
        unsafe {
            let configuration = futhark_context_config_new();
            if configuration.is_null() {
                return Err(Error::OutOfMemory("out of memory".into()));
            }
            futhark_context_config_set_logging(configuration, c_int::from(settings.logging));
            futhark_context_config_set_profiling(configuration, c_int::from(settings.profiling));
            set_threads(configuration, c_int::from(settings.threads));
            let context = Context { configuration, pointer: futhark_context_new(configuration) };
            if context.pointer.is_null() {
                return Err(Error::OutOfMemory("out of memory".into()));
            }
            match context.message() {
                Some(why) => Err(Error::Other(why)),
                None => Ok(context),
            }
        }
    }

    /// What has been counted and measured, for people.
    pub fn report(&self) -> Result<String, Error> {
        // SAFETY: the text is ours.
        unsafe { taken(futhark_context_report(self.pointer)) }
            .ok_or_else(|| Error::OutOfMemory("out of memory".into()))
    }

    /// Gives memory back that is kept for later calls.
    pub fn clear_caches(&self) -> Result<(), Error> {
        // SAFETY: the context lives.
        self.done(unsafe { futhark_context_clear_caches(self.pointer) })
    }

    /// The error that is there, if one is.
    fn message(&self) -> Option<String> {
        // SAFETY: the text is ours.
        unsafe { taken(futhark_context_get_error(self.pointer)) }
    }

    fn done(&self, code: c_int) -> Result<(), Error> {
        if code == 0 { Ok(()) } else { Err(self.error(code)) }
    }

    fn error(&self, code: c_int) -> Error {
        // Another thread may have asked for it first.
        let why = self.message().unwrap_or_else(|| format!("the call failed with status {code}"));
        match code {
            2 => Error::Program(why),
            3 => Error::OutOfMemory(why),
            _ => Error::Other(why),
        }
    }

    fn missing(&self) -> Error {
        self.error(1)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: values borrow the context, so that none is left.
        unsafe {
            if !self.pointer.is_null() {
                futhark_context_free(self.pointer);
            }
            futhark_context_config_free(self.configuration);
        }
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Context")
    }
}

/// A text that C has allocated, which is freed.
unsafe fn taken(text: *mut c_char) -> Option<String> {
    if text.is_null() {
        return None;
    }
    // SAFETY: C's texts end with a zero.
    let copied = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
    // SAFETY: it is the caller's to free.
    unsafe { free(text.cast()) };
    Some(copied)
}

/// What C has for arrays of a type and rank.
pub struct Functions<T, const R: usize> {
    new: unsafe fn(*mut c_void, *const T, &[i64; R]) -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int,
    values: unsafe extern "C" fn(*mut c_void, *mut c_void, *mut T) -> c_int,
    shape: unsafe extern "C" fn(*mut c_void, *mut c_void) -> *const i64,
}

/// The element types of the program's arrays of rank `R`.
pub trait Element<const R: usize>: Copy + Send + Sync + 'static {
    #[doc(hidden)]
    const FUNCTIONS: Functions<Self, R>;
}

/// An array of the program, of rank `R`.
pub struct Array<'c, T: Element<R>, const R: usize> {
    context: &'c Context,
    pointer: *mut c_void,
    elements: PhantomData<T>,
}

// SAFETY: as for the context, without which nothing is done to it.
unsafe impl<T: Element<R>, const R: usize> Send for Array<'_, T, R> {}
// SAFETY: likewise.
unsafe impl<T: Element<R>, const R: usize> Sync for Array<'_, T, R> {}

impl<'c, T: Element<R>, const R: usize> Array<'c, T, R> {
    /// An array of these elements, row by row.
    pub fn new(context: &'c Context, elements: &[T], shape: [usize; R]) -> Result<Self, Error> {
        let wrong = || Error::Shape { elements: elements.len(), shape: shape.to_vec() };
        let count = shape.iter().try_fold(1usize, |count, n| count.checked_mul(*n));
        if count != Some(elements.len()) {
            return Err(wrong());
        }
        let mut sizes = [0; R];
        for (size, n) in sizes.iter_mut().zip(shape) {
            *size = i64::try_from(n).map_err(|_| wrong())?;
        }
        // SAFETY: there are as many elements as the sizes say, and they are copied.
        let pointer = unsafe { (T::FUNCTIONS.new)(context.pointer, elements.as_ptr(), &sizes) };
        if pointer.is_null() {
            return Err(context.missing());
        }
        Ok(Array::own(context, pointer))
    }

    fn own(context: &'c Context, pointer: *mut c_void) -> Self {
        Array { context, pointer, elements: PhantomData }
    }

    /// Its sizes, outermost first.
    pub fn shape(&self) -> Result<[usize; R], Error> {
        // SAFETY: the array lives.
        let sizes = unsafe { (T::FUNCTIONS.shape)(self.context.pointer, self.pointer) };
        if sizes.is_null() {
            return Err(self.context.missing());
        }
        let mut shape = [0; R];
        for (i, n) in shape.iter_mut().enumerate() {
            // SAFETY: an array has as many sizes as dimensions, and they live as long as it does.
            let size = unsafe { *sizes.add(i) };
            *n = usize::try_from(size).map_err(|_| Error::Other("a negative size".into()))?;
        }
        Ok(shape)
    }

    /// Its elements, row by row.
    pub fn to_vec(&self) -> Result<Vec<T>, Error> {
        let count = self.shape()?.iter().product();
        let mut elements = Vec::with_capacity(count);
        // SAFETY: there is room for all elements, and all are written unless the call fails.
        unsafe {
            let to = elements.as_mut_ptr();
            self.context.done((T::FUNCTIONS.values)(self.context.pointer, self.pointer, to))?;
            elements.set_len(count);
        }
        Ok(elements)
    }
}

impl<T: Element<R>, const R: usize> Drop for Array<'_, T, R> {
    fn drop(&mut self) {
        // SAFETY: it is freed once. An array that was consumed is freed, too. A failure changes nothing.
        unsafe { (T::FUNCTIONS.free)(self.context.pointer, self.pointer) };
    }
}

impl<T: Element<R>, const R: usize> fmt::Debug for Array<'_, T, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Array").field("shape", &self.shape()).finish_non_exhaustive()
    }
}
