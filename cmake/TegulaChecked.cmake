# Tegula::checked: what a program links so that Clang refuses mistakes in ownership that the types alone let through: a tensor used after
# it was given up, an operation that is dropped, a view that outlives its tensor. Other compilers see nothing of it.
add_library(tegula_checked INTERFACE)
add_library(Tegula::checked ALIAS tegula_checked)
set_target_properties(tegula_checked PROPERTIES EXPORT_NAME checked)
foreach(warning consumed dangling return-stack-address unused-variable unused-value unused-result)
  target_compile_options(tegula_checked INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Werror=${warning}>)
endforeach()
