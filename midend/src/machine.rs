//! The machine that schedules are made for.

/// Which instructions on vectors the processor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instructions {
    /// What are not neighbours in memory is read as a vector.
    pub gathers: bool,
    /// Bytes of vectors are permuted, so that vectors are tables.
    pub permutes_bytes: bool,
}

impl Instructions {
    /// Those of any processor that gathers or does not.
    pub fn gathering(gathers: bool) -> Instructions {
        Instructions { gathers, permutes_bytes: false }
    }
}

/// What a processor and its memory are like, as far as schedules depend on it. Code generation fills it
/// in from what LLVM knows of the processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Machine {
    /// Bytes in the widest register that floats are computed in.
    pub vector_bytes: i64,
    /// Bytes of the vectors by which rows go that are read again and again beside each other. Each vector of 64 bytes that does not
    /// begin a line of the cache lies across two, of those of 32 bytes every other one does.
    pub stencil_bytes: i64,
    /// Whether `a · b + c` of floats is one instruction.
    pub fma: bool,
    /// What are not neighbours in memory is read as a vector by an instruction.
    pub gathers: bool,
    /// And that is quicker than to read one after the other.
    pub quick_gathers: bool,
    /// Vectors of integers are divided by way of floats, which is quicker than one after the other.
    pub divides: bool,
    /// Some elements of a vector are put side by side within few operations.
    pub compresses: bool,
    /// Instructions on vectors have masks, which say what elements they read, write and compute.
    pub masks: bool,
    /// The bytes of vectors of 64 are permuted by an instruction.
    pub permutes_bytes: bool,
    /// To walk large arrays in several pages side by side is not slower than from end to end. On Zen 5 it is: stores past the
    /// caches wait for one another, and sums of what is read take 1.3 to 2.3 times as long.
    pub page_streams: bool,
    /// Bytes of the cache that a core has for itself and reaches within a few cycles.
    pub first_cache: i64,
    /// Bytes of the cache that a core has for itself.
    pub second_cache: i64,
    /// Bytes of results from which on they do not stay in the caches: beyond what one core can count on.
    pub beyond_caches: i64,
    /// Bytes of a line of the cache.
    pub line: i64,
    /// Bytes that the hardware fetches ahead in at a time.
    pub page: i64,
}

impl Machine {
    /// A processor with AVX2 and the caches of most, for tests and for text of which nobody says what it is
    /// for.
    pub const COMMON: Machine = Machine {
        vector_bytes: 32,
        stencil_bytes: 32,
        fma: true,
        gathers: false,
        quick_gathers: false,
        divides: false,
        compresses: false,
        masks: false,
        permutes_bytes: false,
        page_streams: true,
        first_cache: 32 << 10,
        second_cache: 1 << 20,
        beyond_caches: 16 << 20,
        line: 64,
        page: 4096,
    };

    /// The instructions on vectors that lanes ask for.
    pub fn instructions(&self) -> Instructions {
        Instructions { gathers: self.gathers, permutes_bytes: self.permutes_bytes }
    }

    /// How many values of so many bytes a vector holds.
    pub fn lanes(&self, bytes: i64) -> i64 {
        (self.vector_bytes / bytes).max(1)
    }
}
