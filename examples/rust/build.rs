//! Makes modules of the programs.

fn main() -> Result<(), futc_build::Error> {
    futc_build::compile("src/regression.fut")?;
    // The same once more, beside the other, as a module of another name.
    futc_build::Program::new("src/regression.fut")
        .name("parallel")
        .target("multicore")
        .compile()?;
    // For one thread.
    futc_build::Program::new("src/shapes.fut").target("seq").compile()
}
