//! Makes modules of the programs.

fn main() -> Result<(), futc_build::Error> {
    futc_build::compile("src/regression.fut")?;
    // The same for all cores, beside the other.
    futc_build::Program::new("src/regression.fut")
        .name("parallel")
        .target("multicore")
        .compile()?;
    futc_build::compile("src/shapes.fut")
}
