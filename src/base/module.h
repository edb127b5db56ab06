// Parts of the program that are loaded when they are first needed.
#pragma once

namespace pdvc {

// The address of a function in a library of ours. Loads the library from where the program's other
// libraries are; throws when it or the function is not there.
void* load_symbol(const char* file, const char* symbol);

}  // namespace pdvc
