# lit's configuration: `lit lit-tests`, with the folder of futc and futc-opt on the path.
import os
import platform

import lit.formats

config.name = "futc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".fut", ".core", ".seg", ".mem", ".mlir", ".test"]
config.excludes = ["programs", "Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(os.path.dirname(__file__), "..", "target", "lit")
llvm = "/usr/lib/llvm-22/bin"
config.environment["PATH"] = os.pathsep.join(
    [llvm] + getattr(lit_config, "path", []) + [config.environment.get("PATH", "")]
)
# Every test compiles what it says; the cache has tests of its own (tools/futc/tests/cache.rs).
config.environment["FUTC_CACHE_SIZE"] = "0"
if platform.machine() == "x86_64":
    config.available_features.add("x86")
