// LLVM's linkers behind a function of C: their own interface is of C++.

#include "lld/Common/Driver.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include <cstdlib>
#include <cstring>
#include <string>

LLD_HAS_DRIVER(elf)
LLD_HAS_DRIVER(wasm)

// Links as `ld.lld` or `wasm-ld` does that is given `count` arguments, its name the first of them. Errors are in `*said`, which the
// caller frees. 0: done; 1: refused; 2: refused, and not to be called again.
extern "C" int futc_lld(const char *const *arguments, size_t count, char **said) {
  std::string errors;
  lld::Result result;
  {
    llvm::raw_string_ostream to(errors);
    // So that fatal errors come back here, instead of ending the process.
    llvm::CrashRecoveryContext::Enable();
    result = lld::lldMain(llvm::ArrayRef(arguments, count), to, to, 
                          {{lld::Gnu, &lld::elf::link}, {lld::Wasm, &lld::wasm::link}});
    llvm::CrashRecoveryContext::Disable();
  }
  *said = strdup(errors.c_str());
  return result.retCode == 0 ? 0 : result.canRunAgain ? 1 : 2;
}
