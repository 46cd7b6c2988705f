//! Links the WebAssembly with half the usual stack. The stack stands in front of the data, and below 1 MiB an address
//! is a byte shorter wherever the code has one.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|target| target == "wasm32") {
        println!("cargo::rustc-link-arg-cdylib=-zstack-size=524288");
    }
}
