# The trainer: LibTorch on pdvc_data. It never links the runtime, because Torch brings another libdnnl.
find_package(Torch REQUIRED)

folder_sources(trainer_sources model criterion training)
add_library(pdvc_trainer STATIC ${trainer_sources})
target_link_libraries(pdvc_trainer PUBLIC pdvc_data)
target_include_directories(pdvc_trainer SYSTEM PUBLIC ${TORCH_INCLUDE_DIRS})
target_link_libraries(pdvc_trainer PUBLIC ${TORCH_LIBRARIES})
target_precompile_headers(pdvc_trainer PRIVATE <torch/torch.h>)
set_target_properties(pdvc_trainer PROPERTIES JOB_POOL_COMPILE torch JOB_POOL_PRECOMPILE_HEADER torch)

add_executable(pdvc_train_binary app/train_main.cpp)
set_target_properties(pdvc_train_binary PROPERTIES OUTPUT_NAME pdvc-train)
target_link_libraries(pdvc_train_binary PRIVATE pdvc_trainer)
add_dependencies(pdvc_train_binary modules)
