# The trainer: LibTorch on pdvc_data. It never links the runtime, because Torch brings another libdnnl.
find_package(Torch REQUIRED)

folder_sources(trainer_sources model criterion training)
add_library(pdvc_trainer STATIC ${trainer_sources})
target_link_libraries(pdvc_trainer PUBLIC pdvc_data PRIVATE fmt::fmt)
target_include_directories(pdvc_trainer SYSTEM PUBLIC ${TORCH_INCLUDE_DIRS})
target_link_libraries(pdvc_trainer PUBLIC ${TORCH_LIBRARIES})
target_precompile_headers(pdvc_trainer PRIVATE <torch/torch.h>)
set_target_properties(pdvc_trainer PROPERTIES JOB_POOL_COMPILE torch JOB_POOL_PRECOMPILE_HEADER torch)

# The command line is the same code as pdvc's, with one command.
add_executable(pdvc_train_binary app/train_main.cpp app/train_options.cpp app/program.cpp app/command_line.cpp
               app/manual.cpp)
set_target_properties(pdvc_train_binary PROPERTIES OUTPUT_NAME pdvc-train JOB_POOL_COMPILE torch)
target_include_directories(pdvc_train_binary PRIVATE app)
target_link_libraries(pdvc_train_binary PRIVATE pdvc_trainer CLI11::CLI11 fmt::fmt)
add_dependencies(pdvc_train_binary modules)
